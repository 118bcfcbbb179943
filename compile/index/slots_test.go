package index_test

import (
	"fmt"
	"strconv"
	"testing"

	"github.com/tolero-dev/tolero/compile/index"
	"github.com/tolero-dev/tolero/taint"
)

// slots is an index that is filled page by page.
type slots struct {
	*index.Index
	t     *testing.T
	nodes map[string]int // by set: how many there have been
}

func newSlots(t *testing.T) *slots { return &slots{new(index.Index), t, make(map[string]int)} }

func (s *slots) taints(set string) []taint.Taint {
	return []taint.Taint{{Key: set, Effect: taint.NoSchedule}}
}

// add adds n nodes to a set, one by one. Those of set a are a-0, a-1 and so on.
func (s *slots) add(set string, n int) {
	for range n {
		s.Set(fmt.Sprint(set, "-", s.nodes[set]), s.taints(set))
		s.nodes[set]++
	}
}

// load adds n nodes to a set at once.
func (s *slots) load(set string, n int) {
	s.Load(func(yield func(string, []taint.Taint) bool) {
		for range n {
			if !yield(fmt.Sprint(set, "-", s.nodes[set]), s.taints(set)) {
				return
			}
			s.nodes[set]++
		}
	})
}

// remove deletes some nodes of a set, from first to before end.
func (s *slots) remove(set string, first, end int) {
	for i := first; i < end; i++ {
		if name := fmt.Sprint(set, "-", i); !s.Delete(name) {
			s.t.Fatalf("there is no node %s", name)
		}
	}
}

// spread fills a page for each number with so many nodes of a set, and others.
func (s *slots) spread(set string, numbers ...int) {
	for _, n := range numbers {
		s.add(fmt.Sprint("filler", s.Words()), 64-n)
		s.add(set, n)
	}
}

func (s *slots) slot(set string, i int) int {
	id, _ := s.ID(fmt.Sprint(set, "-", i))
	return s.Snapshot().Slot(id)
}

// want checks where the nodes of a set are: in how many pages of its own and in how many
// shared ones.
func (s *slots) want(when, set string, pages, fragments int) {
	s.t.Helper()
	s.CheckAll()
	id, _ := s.ID(fmt.Sprint(set, "-", s.nodes[set]-1))
	if _, got := s.Runs(id); got != fragments || s.OwnPages(id) != pages {
		s.t.Errorf("%s: the set has %d pages and %d fragments, want %d and %d", when, s.OwnPages(id), got, pages, fragments)
	}
}

// A page that has nodes of one set only is its own when it is full, and as long as it has 48
// nodes.
func TestOwnPages(t *testing.T) {
	s := newSlots(t)
	s.add("x", 63)
	s.want("63 nodes", "x", 0, 1)
	s.add("x", 2)
	s.want("65 nodes", "x", 1, 1)
	s.load("y", 64)
	s.want("64 nodes", "y", 1, 0)
	s.remove("y", 0, 16)
	s.want("48 nodes", "y", 1, 0)
	s.remove("y", 16, 17)
	s.want("47 nodes", "y", 0, 1)
	s.load("z", 10*64)
	s.remove("z", 0, 17)
	s.want("many nodes, and no room", "z", 10, 0)
	s.remove("z", 17, 64)
	s.want("an empty page", "z", 9, 0)
	for _, end := range []struct{ page, runs int }{{9, 1}, {5, 2}, {1, 2}, {3, 3}, {2, 2}} {
		s.remove("z", end.page*64, end.page*64+64)
		id, _ := s.ID("z-500")
		if runs, _ := s.Runs(id); runs != end.runs {
			t.Errorf("without page %d: %d runs, want %d", end.page, runs, end.runs)
		}
	}
}

// A page with fewer than 48 nodes is emptied into the other pages of the set if there is
// just enough room, and otherwise shared.
func TestSparsePagesAreEmptied(t *testing.T) {
	for spare, fragments := range []int{0, 1} {
		s := newSlots(t)
		s.load("x", 4*64)
		for i := range 4 * 64 {
			if s.slot("x", i) != i {
				t.Fatalf("node %d is in slot %d", i, s.slot("x", i))
			}
		}
		s.remove("x", 0, 16)
		s.remove("x", 64, 64+16)
		s.remove("x", 128, 128+15-spare)
		s.remove("x", 192, 192+16)
		s.want("48 nodes in the last page", "x", 4, 0)
		s.remove("x", 192+16, 192+17)
		s.want(fmt.Sprint("47 nodes and room for ", 47-spare), "x", 3, fragments)
	}
}

// A set that grows to many nodes gets pages ahead of need, so that its pages make few runs
// when those of many sets grow at once.
func TestPagesAheadMakeFewRuns(t *testing.T) {
	const sets, nodes = 5, 6400
	s := newSlots(t)
	for range nodes {
		for set := range sets {
			s.add(strconv.Itoa(set), 1)
		}
	}
	for set := range sets {
		id, _ := s.ID(fmt.Sprint(set, "-0"))
		runs, _ := s.Runs(id)
		if runs > nodes/64/3 {
			t.Errorf("set %d: %d runs of %d pages", set, runs, s.OwnPages(id))
		}
	}
}

// There are no more pages ahead of need than one for each eight, and one.
func TestPagesAheadAreFew(t *testing.T) {
	s := newSlots(t)
	for set := range 30 {
		s.load(strconv.Itoa(set), 512)
		s.add(strconv.Itoa(set), 1)
		s.want("513 nodes", strconv.Itoa(set), 10, 0)
	}
	checkWords(t, s.Index, "513 nodes a set")
}

// Whatever is deleted, there are no more than 1.5 times the words that the nodes need, and
// four: a set keeps pages of 48 nodes or more and, if it has many, those ahead of need.
func TestWordsOfSparsePages(t *testing.T) {
	for _, ahead := range []int{0, 1} {
		s := newSlots(t)
		for i := range 50 {
			set := strconv.Itoa(i)
			s.load(set, 16*64)
			s.add(set, ahead)
			s.remove(set, 16*64, 16*64+ahead)
			for page := range 16 {
				s.remove(set, page*64, page*64+16)
			}
		}
		s.CheckAll()
		if most := needed(s.Len())*15/10 + 4; s.Words() > most {
			t.Errorf("%d words for %d nodes, more than %d", s.Words(), s.Len(), most)
		}
	}
}

// A set in more than eight shared pages, and one for each 16 nodes there, is gathered in one,
// except for the nodes of pages where it has 32 or more.
func TestFragmentsAreGathered(t *testing.T) {
	for _, test := range []struct {
		numbers      []int // of the nodes in shared pages
		before, then int   // fragments before the last of these, and with it
	}{
		{[]int{1, 1, 1, 1, 1, 1, 1, 1}, 7, 8},
		{[]int{1, 1, 1, 1, 1, 1, 1, 1, 1}, 8, 1},
		{[]int{7, 1, 1, 1, 1, 1, 1, 1, 1}, 8, 1},
		{[]int{8, 1, 1, 1, 1, 1, 1, 1, 1}, 8, 9},
		{[]int{8, 1, 1, 1, 1, 1, 1, 1, 1, 1}, 9, 1},
		{[]int{32, 1, 1, 1, 1, 1, 1, 1, 1, 1}, 9, 10},
		{[]int{32, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, 10, 2},
		{[]int{20, 1, 1, 1, 1, 1, 1, 1, 1, 1}, 9, 1},
	} {
		s := newSlots(t)
		last := len(test.numbers) - 1
		s.spread("x", test.numbers[:last]...)
		s.want(fmt.Sprint(test.numbers, " but for the last"), "x", 0, test.before)
		s.spread("x", test.numbers[last])
		s.want(fmt.Sprint(test.numbers), "x", 0, test.then)
	}
}

// Nodes are gathered in a shared page that has just enough room.
func TestFragmentsAreGatheredWhereThereIsRoom(t *testing.T) {
	s := newSlots(t)
	s.add("room", 32)
	s.add("rest", 32)
	s.spread("x", 1, 1, 1, 1, 1, 1, 1, 1)
	s.add("filler", 63)
	s.remove("room", 0, 9)
	words := s.Words()
	s.add("x", 1)
	s.want("gathered", "x", 0, 1)
	if s.Words() != words || s.slot("x", 0) >= 64 {
		t.Errorf("%d words, and %d before: the nodes are in page %d", s.Words(), words, s.slot("x", 0)/64)
	}
}

// A page that is shared because it is sparse is one more fragment, for which a set may be
// gathered.
func TestSharedPagesAreGathered(t *testing.T) {
	s := newSlots(t)
	s.load("x", 64)
	for range 20 {
		s.spread("x", 12)
	}
	s.want("of twelve", "x", 1, 20)
	for i := range 20 {
		s.remove("x", 64+12*i, 64+12*i+11)
	}
	s.want("of one", "x", 1, 20)
	s.remove("x", 0, 17)
	s.want("all", "x", 0, 2)
}

// A node comes to a shared page that has nodes of its set already, even if others are as full.
func TestSetsStayTogether(t *testing.T) {
	for _, n := range []int{1, 63} {
		s := newSlots(t)
		s.add("a", 40)
		s.add("b", 24)
		s.add("x", 1)
		s.add("c", n-1)
		s.remove("a", 0, 1)
		s.add("x", 1)
		s.want(fmt.Sprint("a page of ", n), "x", 0, 1)
	}
}

// Pages are given back when more than a quarter of the taken slots, and four pages, are free,
// one by each change, whatever came before.
func TestPagesAreGivenBackOneByOne(t *testing.T) {
	const large, small = 125 * 64, 63 * 64
	s := newSlots(t)
	s.load("large", large)
	for i := range small / 8 {
		s.load(fmt.Sprint("small", i), 8)
	}
	words := s.Words()
	if words != (large+small)/64 {
		t.Fatalf("%d words for %d nodes", words, s.Len())
	}
	for i := 0; s.Words() == words; i++ {
		if s.Words()*64 > s.Len()+s.Len()/4+4*64 {
			t.Fatalf("%d words for %d nodes", s.Words(), s.Len())
		}
		s.remove(fmt.Sprint("small", i%(small/8)), i/(small/8), i/(small/8)+1)
	}
	if s.Words() != words-1 || words*64 <= s.Len()+s.Len()/4+4*64 {
		t.Fatalf("%d words for %d nodes, and %d before", s.Words(), s.Len(), words)
	}
	words = s.Words()
	s.add("large", 1) // with 16 pages ahead
	for i := range 8 {
		if want := words + 16 - 1 - i; s.Words() != want {
			t.Errorf("change %d: %d words, want %d", i, s.Words(), want)
		}
		s.add("large", 1)
	}
	for range 8 {
		s.add("large", 1)
	}
	if want := (s.Len() + s.Len()/4 + 4*64) / 64; s.Words() != want {
		t.Errorf("%d words for %d nodes in the end, want %d", s.Words(), s.Len(), want)
	}
	s.CheckAll()
}

// If too many slots are free, the shared page with the fewest nodes is emptied if there is just
// enough room in the others; otherwise no node moves.
func TestSparsestPageIsEmptied(t *testing.T) {
	for spare := range 2 {
		s := newSlots(t)
		for i := range 200 {
			s.load(strconv.Itoa(i), 64)
		}
		s.add("a", 20)
		s.add("rest of a", 44)
		s.add("b", 44)
		s.add("rest of b", 20)
		s.remove("rest of a", 0, 44)
		s.remove("rest of b", 0, 20-spare) // now as many slots are free as a has nodes, or one less
		if a, b := s.slot("a", 0)/64, s.slot("b", 0)/64; a != 200 || b != 201 {
			t.Fatalf("the nodes are in pages %d and %d", a, b)
		}
		for i := range 200 {
			s.remove(strconv.Itoa(i), 0, 16)
		}
		s.CheckAll()
		a, b, words := s.slot("a", 0)/64, s.slot("b", 0)/64, s.Words()
		if spare == 0 && (a != b || words != 201) || spare == 1 && (a != 200 || b != 201 || words != 202) {
			t.Errorf("%d less free than needed: the nodes are in pages %d and %d of %d", spare, a, b, words)
		}
	}
}

// While pages of sets' own have free slots, the only shared page is left alone.
func TestNodesDoNotMoveInVain(t *testing.T) {
	s := newSlots(t)
	for i := range 200 {
		s.load(strconv.Itoa(i), 64)
	}
	s.add("a", 3)
	slot := s.slot("a", 0)
	for i := range 200 {
		s.remove(strconv.Itoa(i), 0, 16)
		if got := s.slot("a", 0); got != slot {
			t.Fatalf("a node moved from slot %d to %d", slot, got)
		}
	}
	s.remove("a", 0, 3) // and there are none
	s.CheckAll()
}

// A page of a set's own that moves takes along no nodes of the set in a shared page.
func TestPagesMoveAlone(t *testing.T) {
	s := newSlots(t)
	s.add("x", 1)
	s.add("filler", 63)
	for i := range 20 {
		s.load(strconv.Itoa(i), 64)
	}
	s.load("x", 64)
	s.want("loaded", "x", 1, 1)
	last := s.slot("x", 64) / 64
	for i := range 20 {
		s.remove(strconv.Itoa(i), 0, 64)
		s.want("smaller", "x", 1, 1)
	}
	if now := s.slot("x", 64) / 64; now == last || s.Words() >= last {
		t.Errorf("the last page was %d and is %d of %d", last, now, s.Words())
	}
}

// The node that is left in another page when the others of a set fill one is a lone one, and
// may go.
func TestFullPagesOutliveTheRest(t *testing.T) {
	s := newSlots(t)
	s.spread("x", 1)
	s.add("x", 64)
	s.want("filled", "x", 1, 1)
	s.remove("x", 0, 1)
	s.want("without the first", "x", 1, 0)
	s.add("x", 1)
	s.want("and one more", "x", 1, 1)
}

// A set that has one node, then two, then one, takes the place of one fragment.
func TestFragmentsAreUsedAgain(t *testing.T) {
	s := newSlots(t)
	s.add("x", 1)
	for i := range 100 {
		s.add("x", 1)
		s.remove("x", i, i+1)
	}
	if n := s.Sizes().Fragments; n != 1 {
		t.Errorf("there is room for %d fragments", n)
	}
}
