package exported

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

type recorder struct {
	testing.TB
	said int
}

func (r *recorder) Helper()               {}
func (r *recorder) Errorf(string, ...any) { r.said++ }

// Other is a type with methods that do not count: it is in a file of tests.
type Other struct{}

func (*Other) Exported() {}

func TestFunctions(t *testing.T) {
	got, err := Functions(".")
	if want := []string{"Functions", "Same"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("got %v, %v", got, err)
	}
	if got, err := Functions("nowhere"); err != nil || len(got) != 0 {
		t.Errorf("of no package: %v, %v", got, err)
	}
}

// Methods are named after their types, pointers and generic ones alike; what is not
// exported, or only in tests, does not count.
func TestFunctionsOfAPackage(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("a.go", "package a\nfunc B() {}\nfunc c() {}\ntype D[T any] struct{}\nfunc (*D[T]) E() {}\nfunc (D[T]) f() {}\ntype g int\nfunc (g) H() {}")
	write("a_test.go", "package a\nfunc I() {}")
	if got, err := Functions(dir); err != nil || !slices.Equal(got, []string{"B", "D.E"}) {
		t.Errorf("got %v, %v", got, err)
	}
	write("b.go", "package")
	if got, err := Functions(dir); err == nil {
		t.Errorf("of what is not Go: %v", got)
	}
}

func TestSame(t *testing.T) {
	for _, c := range []struct {
		table map[string]int
		want  int
	}{
		{map[string]int{"Functions": 1, "Same": 2}, 0},
		{map[string]int{"Functions": 1}, 1},
		{nil, 2},
		{map[string]int{"Functions": 1, "Same": 2, "Recorder": 3}, 1},
	} {
		r := &recorder{TB: t}
		if Same(r, c.table); r.said != c.want {
			t.Errorf("%v: %d errors, want %d", c.table, r.said, c.want)
		}
	}
}
