package exported

import (
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
