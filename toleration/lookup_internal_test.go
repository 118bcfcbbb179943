package toleration

import "testing"

// Long lists go through hash tables: no list costs the square of its length.
// Short ones, such as real pods have, do not.
func TestLongListsGoThroughTables(t *testing.T) {
	long, short := make([]Toleration, shortList+1), make([]Toleration, shortList)
	for _, c := range []struct {
		name  string
		table bool
		want  bool
	}{
		{"long", newKnown(shortList+1, long).set != nil, true},
		{"few questions", newKnown(shortList, long).set != nil, false},
		{"short", newKnown(shortList+1, short).set != nil, false},
	} {
		if c.table != c.want {
			t.Errorf("%s: a table: %v", c.name, c.table)
		}
	}
	if allocs := testing.AllocsPerRun(10, func() { EqualUnordered(long, long) }); allocs == 0 {
		t.Error("EqualUnordered makes no table for a long list")
	}
	if allocs := testing.AllocsPerRun(10, func() { EqualUnordered(short, short) }); allocs != 0 {
		t.Errorf("EqualUnordered of a short list allocates %v times", allocs)
	}
}
