package gen_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tolero-dev/tolero/compile/gen"
)

// workspace is a module beside this one, in a workspace of the two. Its path is below
// that of package gen, so that it may import what is internal there.
type workspace struct {
	dir      string
	packages []string
}

// newWorkspace makes the module. It skips a test unless TOLERO_LONG is in the environment, as
// programs are built there.
func newWorkspace(t testing.TB) *workspace {
	t.Helper()
	if _, bench := t.(*testing.B); !bench && os.Getenv("TOLERO_LONG") == "" {
		t.Skip("with TOLERO_LONG=1")
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	w := &workspace{dir: t.TempDir()}
	w.write(t, "go.mod", []byte("module github.com/tolero-dev/tolero/compile/gen/generated\n\ngo 1.25\n"))
	w.write(t, "go.work", fmt.Appendf(nil, "go 1.25.0\n\nuse (\n\t.\n\t%q\n)\n", root))
	return w
}

func (w *workspace) write(t testing.TB, file string, text []byte) {
	t.Helper()
	file = filepath.Join(w.dir, file)
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
}

// add generates a package for the lists, with its tests.
func (w *workspace) add(t testing.TB, lists []gen.List, o gen.Options) {
	t.Helper()
	for file, generate := range map[string]func([]gen.List, gen.Options) ([]byte, error){"lists.go": gen.Generate, "lists_test.go": gen.GenerateTest} {
		source, err := generate(lists, o)
		if err != nil {
			t.Fatal(err)
		}
		w.write(t, filepath.Join(o.Package, file), source)
	}
	w.packages = append(w.packages, "./"+o.Package)
}

// test runs the tests of all packages.
func (w *workspace) test(t testing.TB) {
	t.Helper()
	output := w.run(t, append([]string{"test"}, w.packages...)...)
	if passed := strings.Count(output, "ok  \t"); passed != len(w.packages) {
		t.Errorf("%d of %d packages passed:\n%s", passed, len(w.packages), output)
	}
}

// run runs the go command and returns its output. Paths are left out of what is
// compiled, so that it can be found again the next time, in another folder.
func (w *workspace) run(t testing.TB, arguments ...string) string {
	t.Helper()
	goTool, err := exec.LookPath("go")
	if err != nil {
		t.Skip("there is no go command to compile with")
	}
	command := exec.Command(goTool, arguments...)
	command.Dir = w.dir
	command.Env = append(os.Environ(), "GOWORK="+filepath.Join(w.dir, "go.work"), "GOFLAGS=-trimpath")
	output, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("go %s: %v\n%s", strings.Join(arguments, " "), err, output)
	}
	return string(output)
}
