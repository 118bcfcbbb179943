package index_test

import (
	"fmt"
	"testing"

	"github.com/tolero-dev/tolero/compile"
	"github.com/tolero-dev/tolero/compile/index"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
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
		rounds := 20
		if name == "many equal ones" {
			rounds = 1 // it takes long
		}
		checkHashes(t, name, rounds, bits, func() func(i int) uint32 {
			hash := index.ElementHasher()
			return func(i int) uint32 { return hash(list(i)) }
		})
	}
}

// TestListHashes: the same of the toleration lists of pods, whatever the seed: all of each
// toleration counts, and where it is. So lists that are alike do not make Pods slow.
func TestListHashes(t *testing.T) {
	const bits = 13
	one := func(tolerations ...toleration.Toleration) []toleration.Toleration { return tolerations }
	for name, list := range map[string]func(i int) []toleration.Toleration{
		"a key":   func(i int) []toleration.Toleration { return one(toleration.Toleration{Key: fmt.Sprint(i)}) },
		"a value": func(i int) []toleration.Toleration { return one(toleration.Toleration{Value: fmt.Sprint(i)}) },
		"the second": func(i int) []toleration.Toleration {
			return one(toleration.Toleration{}, toleration.Toleration{Key: fmt.Sprint(i)})
		},
		"an effect": func(i int) []toleration.Toleration {
			return one(toleration.Toleration{Effect: taint.Effect(fmt.Sprint(i))})
		},
		"a key and a value": func(i int) []toleration.Toleration {
			return one(toleration.Toleration{Key: fmt.Sprint(i / 128), Value: fmt.Sprint(i % 128)})
		},
		"an operator and an effect": func(i int) []toleration.Toleration {
			return one(toleration.Toleration{Operator: toleration.Operator(fmt.Sprint(i / 128)), Effect: taint.Effect(fmt.Sprint(i % 128))})
		},
		"seconds": func(i int) []toleration.Toleration {
			seconds := int64(i)
			return one(toleration.Toleration{TolerationSeconds: &seconds})
		},
		"which have zero seconds": func(i int) []toleration.Toleration {
			list := make([]toleration.Toleration, bits)
			for bit := range list {
				if i>>bit&1 != 0 {
					list[bit].TolerationSeconds = new(int64)
				}
			}
			return list
		},
	} {
		checkHashes(t, name, 3, bits, func() func(i int) uint32 {
			var pods index.Pods
			pods.Add(nil)
			return func(i int) uint32 { return pods.Hash(list(i)) }
		})
	}
}

// checkHashes hashes 1<<bits numbers by some functions.
func checkHashes(t *testing.T, name string, rounds, bits int, newHash func() func(i int) uint32) {
	n := 1 << bits
	worst, same := 0, 0
	for range rounds {
		hash := newHash()
		seen := make(map[uint32]bool, n)
		lengths := make([]int, n)
		for i := range n {
			sum := hash(i)
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
	}
	if 2*worst > 5*n {
		t.Errorf("%s: the squares sum up to %.1f n, 2 are expected", name, float64(worst)/float64(n))
	}
	if same > 10 { // rounds * n*n/2^33 are expected, 0.16 at most
		t.Errorf("%s: %d hashes are the same", name, same)
	}
}

// effects returns a list of elements that differ in their effects, as the bits of i do.
func effects(i, n int) (list []compile.TaintID) {
	for bit := range n {
		list = append(list, 1<<36|1<<4|1<<(i>>bit&1*2))
	}
	return list
}
