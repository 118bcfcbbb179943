package index_test

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/tolero-dev/tolero/compile/index"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// needed is how many words there are at least for so many nodes.
func needed(nodes int) int { return (nodes + 63) / 64 }

// checkWords checks that an index has at most 1.3 times the words that it needs, and
// four more, and no more slots than these words have.
func checkWords(t *testing.T, ix *index.Index, when string) {
	t.Helper()
	if most := needed(ix.Len())*13/10 + 4; ix.Words() > most {
		t.Errorf("%s: %d words for %d nodes, more than %d", when, ix.Words(), ix.Len(), most)
	}
	if slots := ix.Sizes().Slots; slots != 64*ix.Words() {
		t.Errorf("%s: %d slots in %d words", when, slots, ix.Words())
	}
}

// All nodes take a new taint each round, except for one that is left with the old one:
// its page is not its own for that.
func TestStragglersKeepNoPages(t *testing.T) {
	const nodes, rounds = 2000, 40
	ix := index.New(comparing)
	for round := range rounds {
		taints := []taint.Taint{hardTaint("round", round, taint.NoSchedule)}
		for i := round; i < nodes; i++ {
			ix.Set(strconv.Itoa(i), taints)
		}
		checkWords(t, ix, fmt.Sprint("round ", round))
	}
	ix.CheckAll()
	most := ix.Words()
	for i := range nodes - 10 { // and they follow a fleet that shrinks
		ix.Delete(strconv.Itoa(nodes - 1 - i))
		checkWords(t, ix, "shrunk")
	}
	ix.CheckAll()
	t.Logf("%d words for %d nodes, %d when 10 are left", most, nodes, ix.Words())
}

// A name that comes again and again in one Load is one node.
func TestLoadsOfRepeatedNamesKeepNoPages(t *testing.T) {
	ix := index.New(comparing)
	ix.Load(func(yield func(string, []taint.Taint) bool) {
		for i := range 100_000 {
			if !yield(strconv.Itoa(i%100), []taint.Taint{hardTaint("k", i%7, taint.NoSchedule)}) {
				return
			}
		}
	})
	checkWords(t, ix, "loaded")
	ix.CheckAll()
}

// The words follow the nodes whatever the number of nodes that have the same taints, when
// they were loaded, came one by one, and after many changes.
func TestWordsFollowTheNodes(t *testing.T) {
	const nodes = 6000
	changes := 60_000
	if testing.Short() || raceDetector {
		changes = 20_000
	}
	for _, size := range []int{1, 2, 7, 8, 9, 33, 64, 65, 100, 250, 1000} {
		of := func(i int) []taint.Taint { return []taint.Taint{hardTaint("set", i, taint.NoSchedule)} }
		sets := max(1, nodes/size)
		loaded := fleetOfSets(nodes, func(i int) []taint.Taint { return of(i % sets) })
		checkWords(t, loaded, fmt.Sprintf("%d a set, loaded", size))
		one := index.New(comparing)
		for i := range nodes {
			one.Set(strconv.Itoa(i), of(i%sets))
		}
		checkWords(t, one, fmt.Sprintf("%d a set, one by one", size))
		random := rand.New(rand.NewPCG(1, uint64(size)))
		for range changes {
			one.Set(strconv.Itoa(random.IntN(nodes)), of(random.IntN(sets)))
		}
		checkWords(t, one, fmt.Sprintf("%d a set, changed", size))
		one.CheckAll()
		for i := range nodes {
			if random.IntN(4) > 0 {
				one.Delete(strconv.Itoa(i))
			}
		}
		checkWords(t, one, fmt.Sprintf("%d a set, three in four deleted", size))
		one.CheckAll()
		fragments := 0
		for i := range nodes {
			if id, ok := one.ID(strconv.Itoa(i)); ok {
				_, n := one.Runs(id)
				fragments = max(fragments, n)
			}
		}
		if fragments > 8+512/16 {
			t.Errorf("%d a set: a set is in %d fragments", size, fragments)
		}
	}
}

func fleetOfSets(nodes int, taints func(i int) []taint.Taint) *index.Index {
	ix := index.New(comparing)
	ix.Load(func(yield func(string, []taint.Taint) bool) {
		for i := range nodes {
			if !yield(strconv.Itoa(i), taints(i)) {
				return
			}
		}
	})
	return ix
}

// Names, taints and stragglers come and go: nothing grows.
func TestNothingGrowsUnderChurn(t *testing.T) {
	changes := 3_000_000
	if testing.Short() || raceDetector {
		changes = 60_000
	}
	const nodes = 500
	ix := index.New(comparing)
	random := rand.New(rand.NewPCG(1, 2))
	change := func(i int) {
		name := fmt.Sprint("node-", i-random.IntN(nodes)) // new names, and some again
		switch random.IntN(10) {
		case 0: // a straggler for some time
			name = fmt.Sprint("stays-", random.IntN(20))
		case 1:
			ix.Load(func(yield func(string, []taint.Taint) bool) {
				_ = yield(name, nil) && yield(name, []taint.Taint{hardTaint("again", i, taint.NoExecute)}) && yield(name, nil)
			})
		}
		ix.Set(name, []taint.Taint{hardTaint("round", i/1000, taint.NoSchedule), hardTaint("time", i, taint.PreferNoSchedule)}[:random.IntN(3)])
		ix.Delete(fmt.Sprint("node-", i-nodes))
	}
	for i := range 20_000 {
		change(i)
	}
	before := ix.Sizes()
	for i := range changes {
		change(20_000 + i)
	}
	after := ix.Sizes()
	for what, n := range map[string][2]int{
		"hard taints": {before.Hard, after.Hard}, "pairs": {before.Pairs, after.Pairs}, "sets": {before.Sets, after.Sets},
		"lists": {before.Lists, after.Lists}, "nodes": {before.Nodes, after.Nodes}, "slots": {before.Slots, after.Slots},
		"fragments": {before.Fragments, after.Fragments},
	} {
		if n[1] > n[0]*3/2+64 {
			t.Errorf("%s: %d, and %d after %d changes", what, n[0], n[1], changes)
		}
	}
	ix.CheckAll()
}

// The exact lists refine hard sets: in other orders and with other soft taints, nodes
// share the set and its words.
func TestListsOfASetShareItsPages(t *testing.T) {
	ix := fleetOfSets(1024, func(i int) []taint.Taint {
		list := []taint.Taint{hardTaint("a", 1, taint.NoSchedule), hardTaint("b", 1, taint.NoExecute), hardTaint("time", i, taint.PreferNoSchedule), {Key: "x", Effect: "Unknown"}}
		at := i % 4
		list[at], list[0] = list[0], list[at]
		return list
	})
	if sizes := ix.Sizes(); sizes.Sets != 2 || sizes.Lists < 1024 || ix.Words() != 16 {
		t.Errorf("%d sets with the clean one, %d lists, %d words", sizes.Sets, sizes.Lists, ix.Words())
	}
	var fit index.Fit
	ix.Snapshot().FitList(&fit, []toleration.Toleration{{Key: "a", Operator: toleration.OpExists}, {Key: "b", Operator: toleration.OpExists}})
	if fit.Len() != 1024 {
		t.Errorf("%d nodes fit", fit.Len())
	}
}

func hardTaint(key string, value int, effect taint.Effect) taint.Taint {
	return taint.Taint{Key: key, Value: strconv.Itoa(value), Effect: effect}
}
