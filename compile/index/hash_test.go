package index_test

import (
	"testing"

	"github.com/tolero-dev/tolero/compile"
	"github.com/tolero-dev/tolero/compile/index"
)

// TestElementHashes: the hashes of lists that are alike spread and collide as random numbers
// would, whatever the salt. Of n random numbers of 32 bits n*n/2^33 are expected to be the
// same as another; in n buckets, the squares of their lengths are expected to sum up to 2n.
func TestElementHashes(t *testing.T) {
	const bits = 13
	const n = 1 << bits
	pair := func(i int) compile.TaintID { return compile.TaintID(i+1)<<4 | 1 }
	for name, list := range map[string]func(i int) []compile.TaintID{
		"a value of a key":        func(i int) []compile.TaintID { return []compile.TaintID{1<<36 | pair(i)} },
		"a key":                   func(i int) []compile.TaintID { return []compile.TaintID{compile.TaintID(i+1)<<36 | pair(i)} },
		"a key and no pair":       func(i int) []compile.TaintID { return []compile.TaintID{compile.TaintID(i+1)<<36 | 1} },
		"the first of two":        func(i int) []compile.TaintID { return []compile.TaintID{pair(i), pair(n)} },
		"the last of two":         func(i int) []compile.TaintID { return []compile.TaintID{pair(n), pair(i)} },
		"two of 128":              func(i int) []compile.TaintID { return []compile.TaintID{pair(i / 128), pair(i % 128)} },
		"many equal ones":         func(i int) []compile.TaintID { return make([]compile.TaintID, i) },
		"effects, in some order":  func(i int) []compile.TaintID { return effects(i, bits) },
		"the same, one time more": func(i int) []compile.TaintID { return append(effects(i, bits), 1) },
	} {
		worst, same := 0, 0
		for range 20 {
			hash := index.ElementHasher()
			seen := make(map[uint32]bool, n)
			lengths := make([]int, n)
			for i := range n {
				sum := hash(list(i))
				if seen[sum] {
					same++
				}
				seen[sum] = true
				lengths[sum>>(32-bits)]++
			}
			squares := 0
			for _, length := range lengths {
				squares += length * length
			}
			worst = max(worst, squares)
			if name == "many equal ones" {
				break // it takes long
			}
		}
		if worst > 3*n {
			t.Errorf("%s: the squares sum up to %.1f n, 2 are expected", name, float64(worst)/n)
		}
		if same > 10 { // 20 * n*n/2^33 = 0.16 are expected
			t.Errorf("%s: %d hashes are the same", name, same)
		}
	}
}

// effects returns a list of elements that differ in their effects, as the bits of i do.
func effects(i, n int) (list []compile.TaintID) {
	for bit := range n {
		list = append(list, 1<<36|1<<4|1<<(i>>bit&1*2))
	}
	return list
}
