package index_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/tolero-dev/tolero/compile/index"
	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// unselectiveTaints returns some of 60 taints, of which none selects few nodes.
func unselectiveTaints(random *rand.Rand) (list []taint.Taint) {
	for _, k := range random.Perm(60)[:8] {
		list = append(list, taint.Taint{Key: fmt.Sprint("k", k), Value: "x", Effect: []taint.Effect{taint.NoSchedule, taint.NoExecute}[k%2]})
	}
	return list
}

// Where nearly every node has a set of its own, answers come from columns a word at a
// time. They stay right when nodes join and leave sets, come and go, and many stay
// aligned.
func TestAlignedSetsUnderChurn(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	fleet := map[string][]taint.Taint{}
	for i := range 1500 {
		fleet[fmt.Sprint(i)] = unselectiveTaints(random)
	}
	ix := index.New(comparing)
	ix.Load(maps.All(fleet))
	if n := ix.Aligned(); n < 1400 {
		t.Fatalf("%d sets of 1500 are aligned", n)
	}
	var fit index.Fit
	for step := range 3000 {
		name := fmt.Sprint(random.IntN(1600))
		switch random.IntN(8) {
		case 0: // two nodes with a set
			other := fmt.Sprint(random.IntN(1500))
			fleet[name] = fleet[other]
			ix.Set(name, fleet[other])
		case 1:
			delete(fleet, name)
			ix.Delete(name)
		case 2:
			fleet[name] = nil
			ix.Set(name, nil)
		default:
			fleet[name] = unselectiveTaints(random)
			ix.Set(name, fleet[name])
		}
		if step%300 == 299 {
			ix.CheckAll()
			compareAligned(t, random, ix.Snapshot(), &fit, fleet)
		}
	}
	if n, alone := ix.Aligned(), alone(fleet); n < alone*9/10 {
		t.Errorf("%d sets have one node, and %d are still aligned", alone, n)
	}
}

// alone returns how many nodes have hard taints that no other node has.
func alone(fleet map[string][]taint.Taint) (n int) {
	nodes := map[string]int{}
	for _, taints := range fleet {
		if len(taints) > 0 {
			words := strings.Split(taint.FormatList(taints), ",")
			slices.Sort(words)
			nodes[fmt.Sprint(words)]++
		}
	}
	for _, of := range nodes {
		if of == 1 {
			n++
		}
	}
	return n
}

// compareAligned compares the answer for a pod that tolerates most keys with match.
func compareAligned(t *testing.T, random *rand.Rand, s *index.Snapshot, fit *index.Fit, fleet map[string][]taint.Taint) {
	t.Helper()
	compareColumns(t, s, fit, fleet, tolerateKeys(random.Perm(60)[:random.IntN(8)+52]))
}

func tolerateKeys(numbers []int) (list []toleration.Toleration) {
	for _, k := range numbers {
		list = append(list, toleration.Toleration{Key: fmt.Sprint("k", k), Operator: toleration.OpExists})
	}
	return list
}

// compareColumns compares the answer for a pod that is found by columns with match.
func compareColumns(t *testing.T, s *index.Snapshot, fit *index.Fit, fleet map[string][]taint.Taint, tolerations []toleration.Toleration) {
	t.Helper()
	s.FitList(fit, tolerations)
	if plan := fit.Plan(); plan[:7] != "columns" {
		t.Errorf("the plan is %s", plan)
	}
	words, listed, count := fit.AppendWords(nil), map[index.NodeID]bool{}, 0
	for id := range fit.Nodes() {
		listed[id] = true
	}
	for name, taints := range fleet {
		id, _ := s.ID(name)
		_, refused := match.FirstUntolerated(taints, tolerations, taint.Hard)
		if !refused {
			count++
		}
		bit := words[s.Slot(id)/64]>>(s.Slot(id)%64)&1 != 0
		if fit.Has(id) == refused || bit == refused || listed[id] == refused || fit.HasClass(s.Class(id)) == refused {
			t.Fatalf("%s: refused %v, has %v, bit %v, listed %v, class %v", name, refused, fit.Has(id), bit, listed[id], fit.HasClass(s.Class(id)))
		}
	}
	if fit.Len() != count || len(listed) != count {
		t.Errorf("%d fit, %d listed, want %d", fit.Len(), len(listed), count)
	}
}

// Answers by columns are right wherever the slots begin, for more sets than a block has, and
// where few of 64 successive sets fit, or one, or none. An iteration over the nodes may stop.
func TestAlignedAnswers(t *testing.T) {
	const sets, first, last = 6000, 1000, 1000 + 65*64
	for _, before := range []int{0, 10, 40} {
		random := rand.New(rand.NewPCG(1, uint64(before)))
		fleet := map[string][]taint.Taint{}
		ix := index.New(comparing)
		for i := range before {
			fleet[fmt.Sprint("before-", i)] = []taint.Taint{taint.MustParse("before:NoSchedule")}
			ix.Set(fmt.Sprint("before-", i), fleet[fmt.Sprint("before-", i)])
		}
		ix.Load(func(yield func(string, []taint.Taint) bool) {
			for i := range sets { // in this order
				list := unselectiveTaints(random)
				has := func(t taint.Taint) bool { return t.Key == "k0" }
				if i >= first && i < last && slices.ContainsFunc(list, has) == ((i-first)%65 == 0) {
					if list = slices.DeleteFunc(list, has); (i-first)%65 != 0 {
						list = append(list, taint.Taint{Key: "k0", Value: "x", Effect: taint.NoSchedule})
					}
				}
				if fleet[fmt.Sprint(i)] = list; !yield(fmt.Sprint(i), list) {
					return
				}
			}
		})
		for i := random.IntN(50); i < sets; i += 50 {
			name := fmt.Sprint("second-", i)
			fleet[name] = fleet[fmt.Sprint(i)]
			ix.Set(name, fleet[name])
		}
		ix.CheckAll()
		if n := ix.Aligned(); n < sets*9/10 {
			t.Fatalf("%d sets of %d are aligned", n, sets)
		}
		s := ix.Snapshot()
		var fit index.Fit
		compareAligned(t, random, s, &fit, fleet)
		for i := range 100 { // the last slots are taken, and more are needed
			name := fmt.Sprint("later-", i)
			fleet[name] = unselectiveTaints(random)
			ix.Set(name, fleet[name])
		}
		ix.CheckAll()
		s = ix.Snapshot()
		list := tolerateKeys(random.Perm(60))
		compareColumns(t, s, &fit, fleet, slices.DeleteFunc(list, func(t toleration.Toleration) bool { return t.Key == "k0" }))
		for last := 1; last < fit.Len(); last *= 3 {
			n := 0
			for range fit.Nodes() {
				if n++; n == last {
					break
				}
			}
		}
	}
}

// A node in the slot with which a new set would be aligned makes room for it, if it is not
// aligned itself.
func TestNodesMakeRoom(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 5))
	var ix index.Index
	fleet := map[string][]taint.Taint{}
	for i := range 1500 {
		fleet[fmt.Sprint(i)] = unselectiveTaints(random)
	}
	ix.Load(maps.All(fleet))
	aligned := ix.Aligned()
	for i := range 100 {
		slot := ix.Snapshot().Slot(idOf(&ix, fmt.Sprint(i)))
		other := fmt.Sprint(i + 1000)
		ix.Delete(fmt.Sprint(i))
		ix.Set("guest", [][]taint.Taint{nil, fleet[other]}[i%2]) // without hard taints, or the second node of its set
		ix.Set(fmt.Sprint(i), unselectiveTaints(random))
		if got := ix.Snapshot().Slot(idOf(&ix, fmt.Sprint(i))); got != slot {
			t.Errorf("node %d: it is in slot %d, and was in %d", i, got, slot)
		}
		if got := ix.Aligned(); got != aligned-i%2 {
			t.Errorf("node %d: %d sets are aligned, want %d", i, got, aligned-i%2)
		}
		ix.CheckAll()
		ix.Delete("guest")
		if got := ix.Aligned(); got != aligned {
			t.Errorf("node %d: %d sets are aligned without the guest, want %d", i, got, aligned)
		}
	}
	for i := range 200 { // the last slots are taken, and more are needed
		ix.Set(fmt.Sprint("later-", i), unselectiveTaints(random))
	}
	if ix.CheckAll(); ix.Aligned() < aligned+190 {
		t.Errorf("%d sets are aligned, and %d were before 200 came", ix.Aligned(), aligned)
	}
}

// Of 64 successive sets those are aligned that have the distance to their slots that most of
// them have.
func TestMostSetsAreAligned(t *testing.T) {
	s := newSlots(t)
	for i := range 10 {
		s.add(fmt.Sprint("page-", i), 54)
		s.add(fmt.Sprint("hole-", i), 10)
	}
	random := rand.New(rand.NewPCG(1, 4))
	n := 0
	for i := range 10 {
		s.remove(fmt.Sprint("hole-", i), 0, 10) // the next sets are there
		for range 60 {
			s.Set(fmt.Sprint("node-", n), unselectiveTaints(random))
			n++
		}
	}
	s.CheckAll()
	if aligned := s.Aligned(); s.Columns() == 0 || aligned < n*7/10 {
		t.Errorf("%d sets of %d are aligned, and there are %d columns", aligned, n, s.Columns())
	}
}

// A set with pages of its own and one node beside is not aligned, nor is one whose second
// node comes to the slot for it, nor does one take a slot of a page that is another's own.
func TestOnlyLoneNodesAreAligned(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 6))
	s := newSlots(t)
	lists := make([][]taint.Taint, 640)
	for i := range lists {
		lists[i] = unselectiveTaints(random)
	}
	for i := range 100 {
		s.Set(fmt.Sprint(i), lists[i])
	}
	s.Load(func(yield func(string, []taint.Taint) bool) {
		for i := range 64 {
			if !yield(fmt.Sprint("more-", i), lists[50]) {
				return
			}
		}
	})
	for i := 100; i < len(lists); i++ {
		s.Set(fmt.Sprint(i), lists[i])
	}
	if s.CheckAll(); s.Aligned() < 600 {
		t.Fatalf("%d sets are aligned", s.Aligned())
	}

	s.Delete("20")
	s.Set("second", lists[10]) // in the slot that is free
	s.Delete("10")
	s.CheckAll()
	s.Set("third", lists[10])
	s.CheckAll()

	first := s.Snapshot().Slot(idOf(s.Index, "300")) / 64 * 64
	for i := range lists {
		if id, ok := s.ID(fmt.Sprint(i)); ok && s.Snapshot().Slot(id)/64*64 == first {
			s.Delete(fmt.Sprint(i))
		}
	}
	s.load("page", 64)
	if slot := s.slot("page", 0); slot != first {
		t.Fatalf("the nodes begin in slot %d, want %d", slot, first)
	}
	for i := range 64 {
		s.Set(fmt.Sprint("new-", i), unselectiveTaints(random))
		s.CheckAll()
	}
}

// A set that has one node left is aligned again if that is where it was.
func TestSetsAreAlignedAgain(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 3))
	ix := index.New(comparing)
	fleet := map[string][]taint.Taint{}
	for i := range 1500 {
		fleet[fmt.Sprint(i)] = unselectiveTaints(random)
	}
	ix.Load(maps.All(fleet))
	aligned := ix.Aligned()
	if aligned < 1400 {
		t.Fatalf("%d sets of 1500 are aligned", aligned)
	}
	for i := range 50 {
		before := ix.Aligned()
		ix.Set("another", fleet[fmt.Sprint(i)])
		together := ix.Aligned()
		ix.Delete("another")
		if after := ix.Aligned(); after != before || before-together > 1 || before-together < 0 {
			t.Errorf("node %d: %d sets are aligned, %d with another node, %d without it", i, before, together, after)
		}
	}
	if after := ix.Aligned(); after != aligned {
		t.Errorf("%d sets are aligned, and %d were", after, aligned)
	}
	ix.CheckAll()
}

// A set that would be aligned with the slot after the last one gets a new page, also where
// the pages fill their chunk of memory.
func TestSetsAfterTheLastSlot(t *testing.T) {
	const nodes = 256 * 64
	of := func(i int) (list []taint.Taint) { // a taint for each bit
		for bit := range 15 {
			if (i+1)>>bit&1 != 0 {
				list = append(list, hardTaint("bit", bit, taint.NoSchedule))
			}
		}
		return list
	}
	ix := fleetOfSets(nodes, of)
	if ix.Words() != nodes/64 || ix.Aligned() != nodes {
		t.Fatalf("%d sets are aligned with %d words", ix.Aligned(), ix.Words())
	}
	id := ix.Set("one more", of(nodes))
	if slot := ix.Snapshot().Slot(id); slot != nodes || ix.Aligned() != nodes+1 {
		t.Errorf("the node is in slot %d, and %d sets are aligned", slot, ix.Aligned())
	}
}
