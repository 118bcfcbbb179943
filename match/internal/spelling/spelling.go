// Package spelling finds keys that look like another one, for messages about keys
// that may be misspelled.
package spelling

import "strings"

// Limits of the search. Real pods and nodes have a dozen keys each and stay far below.
const (
	MaxKey         = 317    // no valid key is longer
	MaxComparisons = 10_000 // of two keys, for one Keys
)

// Keys is a list of keys to compare others with. The zero Keys is empty. It must not be
// copied after first use, or used by two goroutines at a time, because it counts. It
// retains the keys.
type Keys struct {
	keys      []string // each once, in the order in which they were added
	seen      map[string]bool
	compared  int
	exhausted bool
}

// Add adds a key, unless it is empty, longer than any valid key, or known already.
func (s *Keys) Add(key string) {
	if key == "" || len(key) > MaxKey || s.seen[key] {
		return
	}
	if s.seen == nil {
		s.seen = make(map[string]bool)
	}
	s.seen[key] = true
	s.keys = append(s.keys, key)
}

// Has reports whether the key was added.
func (s *Keys) Has(key string) bool { return s.seen[key] }

// Len returns the number of keys.
func (s *Keys) Len() int { return len(s.keys) }

// Exhausted reports whether Nearest or Misspelled ever left out keys because
// MaxComparisons were used up.
func (s *Keys) Exhausted() bool { return s.exhausted }

// Nearest returns the key that is most like the given one, which must not be among them,
// the first of several, and whether there is any that is like it. Once MaxComparisons
// are used up, there is none.
func (s *Keys) Nearest(key string) (nearest string, found bool) {
	return s.nearer(key, unlike, func(string, string) bool { return false })
}

// Misspelled is like Nearest, without keys that have the same name and quite another
// prefix, and without siblings such as "team-a" and "team-b", or "pool1" and "pool2",
// which differ on purpose.
func (s *Keys) Misspelled(key string) (nearest string, found bool) {
	return s.nearer(key, otherPrefix, siblings)
}

// MisspelledAmong is like Misspelled for the first n keys only. It does not count its
// comparisons, so that the caller decides how many there are.
func (s *Keys) MisspelledAmong(key string, n int) (nearest string, found bool) {
	if len(key) > MaxKey {
		return "", false
	}
	return s.nearest(key, min(n, len(s.keys)), otherPrefix, siblings)
}

// nearer is nearest with the comparisons that are left, which it counts.
func (s *Keys) nearer(key string, limit int, leftOut func(a, b string) bool) (nearest string, found bool) {
	if len(key) > MaxKey {
		return "", false
	}
	n := min(len(s.keys), MaxComparisons-s.compared)
	s.compared += n
	s.exhausted = n < len(s.keys) // and stays so
	return s.nearest(key, n, limit, leftOut)
}

// nearest returns the nearest of the first n keys that is nearer than the limit and not
// left out.
func (s *Keys) nearest(key string, n, limit int, leftOut func(a, b string) bool) (nearest string, found bool) {
	least := limit
	for _, k := range s.keys[:n] {
		if d := distance(key, k); d < least && !leftOut(key, k) {
			least, nearest = d, k
		}
	}
	return nearest, least < limit
}

// The distances of two keys. Below otherPrefix they are counts of slips.
const (
	otherPrefix = 3 // the same name, with another prefix or without
	unlike      = 4
)

// distance says how unlike two different keys are. A slip is a character too many,
// too few or changed, or two neighbors swapped; any number of letters in the wrong
// case is one slip. What has eight bytes and more may have two slips, and what has
// four and more one: the names if the prefixes are equal, and else the keys. After a prefix,
// a name of three letters may have a slip too, one that keeps the letters: see keepsLetters.
func distance(a, b string) int {
	if strings.EqualFold(a, b) {
		return 1
	}
	aPrefix, aName := split(a)
	bPrefix, bName := split(b)
	switch {
	case aPrefix == bPrefix && aPrefix != "" && keepsLetters(aName, bName):
		return 1
	case aPrefix == bPrefix:
		return fewSlips(aName, bName, unlike)
	case aName == bName:
		return fewSlips(a, b, otherPrefix)
	}
	return fewSlips(a, b, unlike)
}

// split cuts a key into its prefix, with the slash, and its name.
func split(key string) (prefix, name string) {
	i := strings.LastIndexByte(key, '/') + 1
	return key[:i], key[i:]
}

// fewSlips returns the slips between a and b, or many if there are too many.
func fewSlips(a, b string, many int) int {
	if n := slips(a, b); n <= min(2, min(len(a), len(b))/4) {
		return n
	}
	return many
}

// slips returns how many bytes must be inserted, removed, changed or swapped with
// their neighbor to turn a into b, if that is at most two, and else three or more.
// It looks at five cells of each row of the usual table, because all others hold
// more than two.
func slips(a, b string) int {
	const reach, far = 2, 3
	if len(a)-len(b) > reach || len(b)-len(a) > reach {
		return far
	}
	// rows[0] is the current row, rows[1] the one before, rows[2] that before it. The
	// cell with index d is for the column that is the row plus d minus 3; the outer
	// cells are never reached.
	var rows [3][2*reach + 3]int
	for i := range rows {
		rows[i] = [2*reach + 3]int{far, far, far, far, far, far, far}
	}
	for i := range len(a) + 1 {
		rows[2], rows[1] = rows[1], rows[0] // all cells of the new row that are looked at are set
		for d := 1; d <= 2*reach+1; d++ {
			j := i + d - reach - 1
			if j < 0 || j > len(b) {
				continue
			}
			if i == 0 || j == 0 {
				rows[0][d] = min(far, i+j)
				continue
			}
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			rows[0][d] = min(far, rows[1][d]+cost, rows[1][d+1]+1, rows[0][d-1]+1)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				rows[0][d] = min(rows[0][d], rows[2][d]+1)
			}
		}
	}
	return rows[0][len(b)-len(a)+reach+1]
}
