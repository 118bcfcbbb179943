package taint

import "testing"

// Long lists go through hash tables: no list costs the square of its length.
// Short ones, such as real nodes have, do not.
func TestLongListsGoThroughTables(t *testing.T) {
	long, short := make([]Taint, shortList+1), make([]Taint, shortList)
	for _, c := range []struct {
		name  string
		table bool
		want  bool
	}{
		{"seen, short", newSeen(shortList) != nil, false},
		{"seen, long", newSeen(shortList+1) != nil, true},
		{"known, long", newKnown(shortList+1, long).set != nil, true},
		{"known, few questions", newKnown(shortList, long).set != nil, false},
		{"known, short", newKnown(shortList+1, short).set != nil, false},
		{"remover, long", newRemover(make([]Removal, shortList+1)).first != nil, true},
		{"remover, short", newRemover(make([]Removal, shortList)).first != nil, false},
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
