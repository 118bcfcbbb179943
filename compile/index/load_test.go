package index_test

import (
	"fmt"
	"testing"

	"github.com/tolero-dev/tolero/compile/index"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// However often nodes are loaded with other taints, they take no more slots: those
// of lists that are gone are used again, and so are those that a list has to spare.
func TestLoadsDoNotAccumulate(t *testing.T) {
	for _, staying := range []int{0, 5, 100} {
		ix := index.New(comparing)
		lists := [][]taint.Taint{{taint.MustParse("k=a:NoSchedule")}, {taint.MustParse("k=b:NoSchedule")}}
		for i := range 2 * staying {
			ix.Set(fmt.Sprint("stays-", i), lists[i%2])
		}
		var sizes []index.Sizes
		for round := range 20 {
			ix.Load(func(yield func(string, []taint.Taint) bool) {
				for i := range 1000 {
					if !yield(fmt.Sprint(i), lists[round%2]) {
						return
					}
				}
			})
			sizes = append(sizes, ix.Sizes())
		}
		if sizes[1] != sizes[19] {
			t.Errorf("%d nodes stay in each list: the sizes were %+v and are %+v", staying, sizes[1], sizes[19])
		}
	}
}

// Nodes come to stand side by side, also in slots that other nodes have left.
func TestLoadedNodesStandSideBySide(t *testing.T) {
	ix := index.New(comparing)
	for round := range 6 {
		taints := []taint.Taint{{Key: "k", Value: fmt.Sprint(round), Effect: taint.NoSchedule}}
		ix.Load(func(yield func(string, []taint.Taint) bool) {
			for i := range 1000 {
				if !yield(fmt.Sprint(i), taints) {
					return
				}
			}
		})
		id, _ := ix.ID("7")
		if runs, fragments := ix.Runs(id); runs != 1 || fragments != 0 {
			t.Errorf("after %d loads the nodes are in %d runs of pages and %d fragments", round+1, runs, fragments)
		}
		if words := ix.Words(); words != 16 {
			t.Errorf("after %d loads %d words for 1000 nodes", round+1, words)
		}
	}
}

// Nodes of several lists that come in turn, one by one, stand in few runs: a list gets
// the more pages at once, the more it has.
func TestNodesInTurnMakeFewRuns(t *testing.T) {
	const lists, pages = 4, 100
	ix := index.New(comparing)
	for i := range lists * pages * 64 {
		ix.Set(fmt.Sprint(i), []taint.Taint{{Key: "k", Value: fmt.Sprint(i % lists), Effect: taint.NoSchedule}})
	}
	for i := range lists {
		id, _ := ix.ID(fmt.Sprint(i))
		if runs, _ := ix.Runs(id); runs > pages/3 {
			t.Errorf("%d pages in %d runs", pages, runs)
		}
	}
}

// Nodes with taints of their own share pages, however they come and change, and need
// no fragments.
func TestNodesOfTheirOwnTakeNoMoreRoom(t *testing.T) {
	ix := index.New(comparing)
	for round := range 3 {
		for i := range 640 {
			ix.Set(fmt.Sprint(i), []taint.Taint{{Key: fmt.Sprint("k", round), Value: fmt.Sprint(i), Effect: taint.NoSchedule}})
		}
	}
	if words := ix.Words(); words != 10 {
		t.Errorf("%d words for 640 nodes", words)
	}
	if n := ix.Sizes().Fragments; n != 0 {
		t.Errorf("%d fragments for nodes of their own", n)
	}
}

// A Load that does not come to its end is none.
func TestLoadsThatPanicChangeNothing(t *testing.T) {
	ix := index.New(comparing)
	id := ix.Set("old", []taint.Taint{taint.MustParse("k=a:NoSchedule")})
	func() {
		defer func() { recover() }()
		ix.Load(func(yield func(string, []taint.Taint) bool) {
			yield("new", nil)
			yield("old", nil)
			yield("old", []taint.Taint{taint.MustParse("k=a:NoSchedule")})
			yield("other", []taint.Taint{taint.MustParse("k=b:NoSchedule")})
			panic("no more")
		})
	}()
	s := ix.Snapshot()
	var fit index.Fit
	s.FitList(&fit, []toleration.Toleration{{Key: "k", Operator: toleration.OpExists}})
	if same, _ := ix.ID("old"); same != id || s.Len() != 1 || fit.Len() != 1 || !fit.Has(id) {
		t.Errorf("%d nodes, %d of which fit, and old has ID %v, had %v", s.Len(), fit.Len(), same, id)
	}
	if reasons := fit.AppendReasons(nil); len(reasons) != 0 {
		t.Errorf("reasons %v", reasons)
	}
	ix.Load(func(yield func(string, []taint.Taint) bool) { yield("new", nil) })
	ix.Snapshot().FitList(&fit, nil)
	if fit.Len() != 1 {
		t.Errorf("%d nodes fit, want the new one", fit.Len())
	}
}

// loadTurns loads so many nodes of each of some lists, in turn, the first of them with some
// number.
func loadTurns(ix *index.Index, lists [][]taint.Taint, first, nodes int) {
	ix.Load(func(yield func(string, []taint.Taint) bool) {
		for i := first; i < first+nodes; i++ {
			for j := range lists {
				if !yield(fmt.Sprint(j, "-", i), lists[j]) {
					return
				}
			}
		}
	})
}

// checkPlaces checks how many pages of its own each list has, beside how many fragments.
func checkPlaces(t *testing.T, ix *index.Index, lists, pages int, fragments func(j int) int) {
	t.Helper()
	for j := range lists {
		id, _ := ix.ID(fmt.Sprint(j, "-0"))
		_, parts := ix.Runs(id)
		if own := ix.OwnPages(id); own != pages || parts != fragments(j) {
			t.Errorf("list %d: %d pages and %d fragments, want %d and %d", j, own, parts, pages, fragments(j))
		}
	}
}

func ownLists(n int) (lists [][]taint.Taint) {
	for i := range n {
		lists = append(lists, []taint.Taint{hardTaint("own", i, taint.NoSchedule)})
	}
	return lists
}

// Nodes of several lists that are loaded in turn fill pages of their list, side by side. Of a
// large list all do, of a smaller one those of the last page are with others.
func TestLoadedInTurn(t *testing.T) {
	for _, nodes := range []int{1, 62, 63, 64, 65, 126, 127, 128, 129, 447, 448, 510, 511, 512, 513, 514, 575, 576, 577, 640} {
		ix := index.New(comparing)
		loadTurns(ix, ownLists(5), 0, nodes)
		pages, rest := nodes/64, nodes%64
		if nodes >= 512 {
			pages, rest = (nodes+63)/64, 0
		}
		lists := ownLists(5)
		for round := range 3 { // new nodes, and nodes of other lists
			checkPlaces(t, ix, 5, pages, func(j int) int {
				if rest == 0 {
					return 0
				}
				first := (j + round%2) % 5 * rest // they follow one another in the shared pages
				return (first+rest-1)/64 - first/64 + 1
			})
			for j := range 5 {
				id, _ := ix.ID(fmt.Sprint(j, "-0"))
				if runs, _ := ix.Runs(id); round == 0 && runs != min(pages, 1) {
					t.Errorf("list %d: %d pages in %d runs", j, pages, runs)
				}
			}
			if 2*nodes >= 512 {
				break // large, while those that come and those that go both count
			}
			if lists = append(lists[1:], lists[0]); round == 1 {
				lists = ownLists(5) // and back
			}
			loadTurns(ix, lists, 0, nodes)
		}
	}
}

// Those that come to a list later fill pages as well, those that change within it none.
func TestLoadedToOthers(t *testing.T) {
	none, one := func(int) int { return 0 }, func(int) int { return 1 }
	lists := ownLists(2)
	ix := index.New(comparing)
	loadTurns(ix, lists, 0, 12)
	checkPlaces(t, ix, 2, 0, one)
	loadTurns(ix, lists, 12, 500) // large now, with those that were there
	checkPlaces(t, ix, 2, 8, one)
	for round := range 4 { // each list comes to the place of the other, and back
		lists[0], lists[1] = lists[1], lists[0]
		loadTurns(ix, lists, 0, 512)
		checkPlaces(t, ix, 2, 8, none)
		for i := range lists { // the hard taints stay
			lists[i] = append(lists[i][:1:1], hardTaint("soft", round, taint.PreferNoSchedule))
		}
		words := ix.Words()
		loadTurns(ix, lists, 0, 512)
		checkPlaces(t, ix, 2, 8, none)
		if got := ix.Words(); got != words {
			t.Errorf("%d words for the same sets, and %d before", got, words)
		}
	}
	loadTurns(ix, lists, 512, 1) // which leaves 63 slots of a page for others
	checkPlaces(t, ix, 2, 9, none)
	loadTurns(ix, lists, 513, 128)
	checkPlaces(t, ix, 2, 11, none)
}

// A node that is loaded with the taints that it has keeps its ID.
func TestLoadsKeepIDs(t *testing.T) {
	ix := index.New(comparing)
	list := []taint.Taint{taint.MustParse("k:NoSchedule")}
	same, other := ix.Set("same", list), ix.Set("other", list)
	ix.Load(func(yield func(string, []taint.Taint) bool) {
		_ = yield("same", list) && yield("other", nil) && yield("other", list) && yield("changes", nil)
	})
	if a, _ := ix.ID("same"); a != same {
		t.Errorf("%v, and was %v", a, same)
	}
	if b, _ := ix.ID("other"); b != other {
		t.Errorf("%v, and was %v", b, other)
	}
}
