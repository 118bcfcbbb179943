package compile_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
)

// What an operator means is decided in package toleration. Nothing here tells operators
// apart: what compiles or generates asks Toleration.Values for the set of values. So no
// code names an operator, except where it makes a toleration, and in gen/admission, which
// writes conditions about a toleration's own fields.
func TestOperatorsAreToldApartElsewhere(t *testing.T) {
	files := 0
	err := filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() && (entry.Name() == "testdata" || path == filepath.Join("gen", "admission")) {
			return orSkip(err)
		}
		if strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, "_test.go") {
			files++
			for _, place := range operators(t, path) {
				t.Errorf("%s tells operators apart", place)
			}
		}
		return nil
	})
	if err != nil || files < 50 {
		t.Errorf("%d files read, %v", files, err)
	}
}

func orSkip(err error) error {
	if err != nil {
		return err
	}
	return fs.SkipDir
}

// operators returns where a file names an operator, as a constant or in quotes, other
// than as a field of what it makes.
func operators(t *testing.T, path string) (places []string) {
	positions := token.NewFileSet()
	file, err := parser.ParseFile(positions, path, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(file, func(node ast.Node) bool {
		named := false
		switch node := node.(type) {
		case *ast.KeyValueExpr:
			_, plain := node.Value.(*ast.SelectorExpr)
			return !plain
		case *ast.SelectorExpr:
			from, _ := node.X.(*ast.Ident)
			named = from != nil && from.Name == "toleration" && strings.HasPrefix(node.Sel.Name, "Op") && node.Sel.Name != "Operator"
		case *ast.BasicLit:
			switch node.Value {
			case `"Exists"`, `"Equal"`, `"Gt"`, `"Lt"`:
				named = true
			}
		}
		if named {
			places = append(places, positions.Position(node.Pos()).String())
		}
		return true
	})
	return places
}
