package explain

import "cmp"

// measure is how large a change is. Fields come first.
type measure struct{ fields, wider, edits int }

func (m *measure) add(n *measure) {
	m.fields, m.wider, m.edits = m.fields+n.fields, m.wider+n.wider, m.edits+n.edits
}

// compare returns a negative number if m is smaller than n, and zero if they are equal.
func (m *measure) compare(n *measure) int {
	return cmp.Or(cmp.Compare(m.fields, n.fields), cmp.Compare(m.wider, n.wider), cmp.Compare(m.edits, n.edits))
}

func (m *measure) less(n *measure) bool { return m.compare(n) < 0 }
