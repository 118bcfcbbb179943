package target_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/tolero-dev/tolero/fuzz/target"
)

// FuzzLazy gives up at most inputs when TestLazyTargetsFail says so.
func FuzzLazy(f *testing.F) {
	target.Fuzz(f, func(t *testing.T, data []byte, _ string, _ int64, _ bool) {
		if os.Getenv("LAZY") != "" && len(data) < 100 {
			t.Skip()
		}
	})
}

func TestLazyTargetsFail(t *testing.T) {
	run := exec.Command(os.Args[0], "-test.run=^FuzzLazy$")
	run.Env = append(os.Environ(), "LAZY=1")
	if out, err := run.CombinedOutput(); err == nil || !strings.Contains(string(out), " inputs reach the end of the target") {
		t.Errorf("%v\n%s", err, out)
	}
}

// Bytes are drawn as rapid.MakeFuzz draws them, after eight that choose what follows.
func TestRapidGoesOn(t *testing.T) {
	draw := func(data string, n int) (drawn []uint64) {
		target.Rapid(func(t *rapid.T) {
			for range n {
				drawn = append(drawn, rapid.Uint64().Draw(t, "n"))
			}
		})(t, []byte(data))
		return drawn
	}
	one, two, again := draw("", 1000), draw("\x01", 1000), draw("\x01", 1000)
	if len(one) != 1000 || one[999] == two[999] || two[999] != again[999] {
		t.Errorf("%d draws; the last are %d, %d, %d", len(one), one[999], two[999], again[999])
	}
	const zeros = "\x00\x00\x00\x00\x00\x00\x00\x00"
	if got := draw(zeros+zeros+zeros+zeros+zeros, 2); got[0] != 0 || got[1] != 0 {
		t.Errorf("zeros are drawn as %d", got)
	}
}

// Whatever may give up is counted.
func TestTargetsAreCounted(t *testing.T) {
	found := 0
	err := filepath.WalkDir("../..", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			return err
		}
		for _, decl := range file.Decls {
			fn, ok := decl.(*ast.FuncDecl)
			if !ok || !strings.HasPrefix(fn.Name.Name, "Fuzz") {
				continue
			}
			found++
			calls := map[string]bool{}
			ast.Inspect(fn, func(n ast.Node) bool {
				if s, ok := n.(*ast.SelectorExpr); ok {
					calls[s.Sel.Name] = true
					if x, ok := s.X.(*ast.Ident); ok {
						calls[x.Name+"."+s.Sel.Name] = true
					}
				}
				return true
			})
			if (calls["Skip"] || calls["Skipf"] || calls["SkipNow"] || calls["MakeFuzz"]) && !calls["target.Fuzz"] {
				t.Errorf("%s: %s gives up at some inputs: use target.Fuzz", path, fn.Name.Name)
			}
		}
		return nil
	})
	if err != nil || found < 40 {
		t.Errorf("%d targets, %v", found, err)
	}
}
