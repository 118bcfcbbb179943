package compile_test

import (
	"math"
	"strconv"
	"testing"

	"github.com/tolero-dev/tolero/compile"
	"github.com/tolero-dev/tolero/fuzz/notation"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// TestSecrets: each bit of the secret is set in some vocabularies and not in others, and
// no half of a word is that of another.
func TestSecrets(t *testing.T) {
	var set, clear [2]uint64
	var same [4][4]int
	for range 64 {
		var v compile.Vocabulary
		v.Append(nil, others)
		s := v.Secret()
		halves := [4]uint32{uint32(s[0]), uint32(s[0] >> 32), uint32(s[1]), uint32(s[1] >> 32)}
		for i := range s {
			set[i], clear[i] = set[i]|s[i], clear[i]|^s[i]
		}
		for i, a := range halves {
			for j, b := range halves[:i] {
				if a == b {
					same[i][j]++
				}
			}
		}
	}
	for i := range set {
		if set[i] != math.MaxUint64 || clear[i] != math.MaxUint64 {
			t.Errorf("word %d: some bits are always clear, %x, or always set, %x", i, ^set[i], ^clear[i])
		}
	}
	for i := range same {
		for j, n := range same[i] {
			if n > 1 { // of 64
				t.Errorf("halves %d and %d are equal", i, j)
			}
		}
	}
}

// TestPairHashes: the hashes of pairs that are alike spread and collide as random numbers
// would, whatever the secret. Of n random numbers of 32 bits n*n/2^33 are expected to be
// the same as another; in n buckets, the squares of their lengths are expected to sum up
// to 2n.
func TestPairHashes(t *testing.T) {
	const bits = 14
	const n = 1 << bits
	for name, pair := range map[string]func(i int) (key uint32, value string){
		"values of a key":  func(i int) (uint32, string) { return 1, strconv.Itoa(i) },
		"keys of a value":  func(i int) (uint32, string) { return uint32(i + 1), "v" },
		"keys and values":  func(i int) (uint32, string) { return uint32(i/128 + 1), strconv.Itoa(i % 128) },
		"every 64th key":   func(i int) (uint32, string) { return uint32(i*64 + 1), "v" },
		"every 4096th key": func(i int) (uint32, string) { return uint32(i*4096 + 1), "v" },
	} {
		worst, same := 0, 0
		for range 40 {
			var v compile.Vocabulary
			v.Append(nil, others)
			seen := make(map[uint32]bool, n)
			lengths := make([]int, n)
			for i := range n {
				hash := v.PairHash(pair(i))
				if seen[hash] {
					same++
				}
				seen[hash] = true
				lengths[hash>>(32-bits)]++
			}
			squares := 0
			for _, length := range lengths {
				squares += length * length
			}
			worst = max(worst, squares)
		}
		if worst > 3*n {
			t.Errorf("%s: the squares sum up to %.1f n, 2 are expected", name, float64(worst)/n)
		}
		if same > 20 { // 40 * n*n/2^33 = 1.25 are expected
			t.Errorf("%s: %d hashes are the same", name, same)
		}
	}
}

// TestCollidingPairs: where everything collides, a pair is found by its key and its value,
// in whatever order the pairs came.
func TestCollidingPairs(t *testing.T) {
	for name, hash := range compile.WeakHashes {
		compile.WithHash(hash, func() {
			var all []taint.Taint
			for i := range 3 {
				for j := range 3 {
					for _, effect := range []taint.Effect{taint.NoSchedule, "Odd", "Odder"} {
						all = append(all, taint.Taint{Key: strconv.Itoa(i), Value: strconv.Itoa(j), Effect: effect})
					}
				}
			}
			for first := range all {
				for second := range all {
					var v compile.Vocabulary
					v.Append(nil, []taint.Taint{{Key: "0", Effect: taint.NoSchedule}, {Key: "1", Effect: taint.NoSchedule}, {Key: "2", Effect: taint.NoSchedule}})
					a, b := all[first], all[second]
					ids := v.Append(nil, []taint.Taint{a, b})
					if (ids[0] == ids[1]) != (first == second) {
						t.Fatalf("%s: %v and %v have the IDs %#x", name, &a, &b, ids)
					}
					for i := range all {
						id, ok := v.ID(&all[i])
						if ok != (i == first || i == second) || i == first && id != ids[0] || i == second && id != ids[1] || !ok && id != 0 {
							t.Fatalf("%s: %v and %v are in use, and %v has the ID %#x, %t", name, &a, &b, &all[i], id, ok)
						}
					}
				}
			}
		})
	}
}

// TestUnknownTaints: what is not in use has no ID, whatever of it is.
func TestUnknownTaints(t *testing.T) {
	var v, empty compile.Vocabulary
	v.Append(nil, []taint.Taint{{Key: "a", Value: "1", Effect: taint.NoSchedule}})
	unknown := []taint.Taint{
		{}, {Effect: taint.NoSchedule}, {Key: "a", Effect: taint.NoSchedule}, {Key: "b", Value: "1", Effect: taint.NoSchedule},
		{Key: "a", Value: "1", Effect: taint.NoExecute}, {Key: "a", Value: "1", Effect: "Odd"},
	}
	for _, x := range unknown {
		for _, v := range []*compile.Vocabulary{&v, &empty} {
			if id, ok := v.ID(&x); id != 0 || ok {
				t.Errorf("%v: %#x, %t", &x, id, ok)
			}
		}
	}
}

// TestUsesOfOtherIDs: no ID but those that were given is in use, be it different in a bit
// only, nor has an index below zero.
func TestUsesOfOtherIDs(t *testing.T) {
	for _, effect := range []taint.Effect{taint.NoSchedule, taint.PreferNoSchedule, taint.NoExecute, "Odd"} {
		var v compile.Vocabulary
		id := v.Append(nil, []taint.Taint{{Key: "a", Effect: effect}})[0]
		for bit := range 64 {
			other := id ^ 1<<bit
			if uses := v.Uses(other); uses != 0 {
				t.Errorf("%s: %#x is not %#x and has %d uses", effect, other, id, uses)
			}
			if bit < 30 && other.Index() < 0 { // of places that fit into 32 bits
				t.Errorf("%#x: the index is %d", other, other.Index())
			}
		}
		if v.Indexes() > 8 { // four for each place, of which the first is never used
			t.Errorf("%s: indexes below %d", effect, v.Indexes())
		}
		if id.Index() <= 0 || id.Index() >= v.Indexes() || compile.TaintID(0).Index() != 0 {
			t.Errorf("%s: the index is %d of %d", effect, id.Index(), v.Indexes())
		}
	}
}

// TestManyPairs: of more pairs than 16 bits count, a toleration matches its own.
func TestManyPairs(t *testing.T) {
	const n = 70_000
	var v compile.Vocabulary
	var ids []compile.TaintID
	for i := range n {
		x := taint.Taint{Key: "k", Value: strconv.Itoa(i), Effect: taint.NoExecute}
		if i%2 == 0 {
			x.Effect = "Odd"
		}
		ids = v.Append(ids, []taint.Taint{x})
	}
	var m compile.Matcher
	list, err := toleration.ParseList("k=5:NoExecute@7")
	if err != nil {
		t.Fatal(err)
	}
	m.Compile(&v, list, comparisons)
	for i, id := range ids {
		if _, ok := m.FirstTolerating(id); ok != (i == 5) || v.Uses(id) != 1 {
			t.Fatalf("%d: %t, %d uses", i, ok, v.Uses(id))
		}
	}
}

// TestBoundsOfNewKeys: a key that came after the last list with bounds under a key has none.
func TestBoundsOfNewKeys(t *testing.T) {
	var v compile.Vocabulary
	v.Append(nil, []taint.Taint{{Key: "a", Value: "1", Effect: taint.NoSchedule}})
	var m compile.Matcher
	for _, c := range []struct {
		list string
		want bool
	}{{"a>0", false}, {"*>5", false}, {"*>1", true}} {
		list, err := notation.Tolerations(c.list)
		if err != nil {
			t.Fatal(err)
		}
		m.Compile(&v, list, comparisons)
		id := v.Append(nil, []taint.Taint{{Key: "new" + c.list, Value: "2", Effect: taint.NoSchedule}})[0]
		m.Compile(&v, list, comparisons)
		if got := m.Tolerates(id); got != c.want {
			t.Errorf("%s: %t", c.list, got)
		}
	}
}

// TestNextPlaces: however many places there are, that after the last has no taint.
func TestNextPlaces(t *testing.T) {
	list, err := notation.Tolerations("*=x,*>0")
	if err != nil {
		t.Fatal(err)
	}
	var v compile.Vocabulary
	var m compile.Matcher
	m.Compile(&v, list, comparisons) // never again, so that all are late
	for i := range 2000 {
		id := v.Append(nil, []taint.Taint{{Key: "k", Value: strconv.Itoa(i), Effect: taint.NoSchedule}})[0]
		if next := id + 1<<4; v.Uses(next) != 0 || m.Tolerates(next) || m.Tolerates(id) != (i > 0) {
			t.Fatalf("%d: the next has %d uses, and is tolerated: %t", i, v.Uses(next), m.Tolerates(next))
		}
	}
}
