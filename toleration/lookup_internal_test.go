package toleration

import "testing"

// The documentation says 16. Long lists go through hash tables: no list costs the square of its length.
// Short ones, such as real pods have, do not.
func TestLongListsGoThroughTables(t *testing.T) {
	long, short := make([]Toleration, 17), make([]Toleration, 16)
	for _, c := range []struct {
		name  string
		table bool
		want  bool
	}{
		{"long", newKnown(17, long).set != nil, true},
		{"few questions", newKnown(16, long).set != nil, false},
		{"short", newKnown(17, short).set != nil, false},
	} {
		if c.table != c.want {
			t.Errorf("%s: a table: %v", c.name, c.table)
		}
	}
}
