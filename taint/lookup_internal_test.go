package taint

import "testing"

// The documentation says 16. Long lists go through hash tables: no list costs the square of its length.
// Short ones, such as real nodes have, do not.
func TestLongListsGoThroughTables(t *testing.T) {
	long, short := make([]Taint, 17), make([]Taint, 16)
	for _, c := range []struct {
		name  string
		table bool
		want  bool
	}{
		{"seen, short", newSeen(16) != nil, false},
		{"seen, long", newSeen(17) != nil, true},
		{"known, long", newKnown(17, long).set != nil, true},
		{"known, few questions", newKnown(16, long).set != nil, false},
		{"known, short", newKnown(17, short).set != nil, false},
		{"remover, long", newRemover(make([]Taint, 17)).first != nil, true},
		{"remover, short", newRemover(make([]Taint, 16)).first != nil, false},
	} {
		if c.table != c.want {
			t.Errorf("%s: a table: %v", c.name, c.table)
		}
	}
}
