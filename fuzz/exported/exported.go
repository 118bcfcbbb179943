// Package exported lists what a package exports, for tests that have something to say
// about each of its functions. It is for the tests of this module.
package exported

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Functions returns the names of the exported functions of the package in dir, and of
// the exported methods of its exported types, such as "Parse" and "Taint.String", in
// ascending order. Files that only tests have do not count.
func Functions(dir string) ([]string, error) {
	paths, err := filepath.Glob(filepath.Join(dir, "*.go"))
	var names []string
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			return nil, err
		}
		for _, declaration := range file.Decls {
			if f, ok := declaration.(*ast.FuncDecl); ok {
				if name := nameOf(f); ast.IsExported(name) && ast.IsExported(f.Name.Name) {
					names = append(names, name)
				}
			}
		}
	}
	slices.Sort(names)
	return names, err
}

// nameOf returns the name of a function, after that of its receiver's type.
func nameOf(f *ast.FuncDecl) string {
	if f.Recv == nil {
		return f.Name.Name
	}
	t := f.Recv.List[0].Type
	if star, ok := t.(*ast.StarExpr); ok {
		t = star.X
	}
	if generic, ok := t.(*ast.IndexExpr); ok {
		t = generic.X
	}
	return t.(*ast.Ident).Name + "." + f.Name.Name
}

// Same reports to t if the keys of table are not exactly the functions of the package
// in the current directory, which is that of the test.
func Same[T any](t testing.TB, table map[string]T) {
	t.Helper()
	want, err := Functions(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range want {
		if _, found := table[name]; !found {
			t.Errorf("%s is exported and not in the table", name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(table)) {
		if _, found := slices.BinarySearch(want, name); !found {
			t.Errorf("%s is in the table and not exported", name)
		}
	}
}
