package index

import (
	"fmt"
	"testing"

	"github.com/tolero-dev/tolero/taint"
)

// checked returns a small index with something of each kind. Set 1 has page 0 to itself, page 1
// is free, page 2 is full and shared by all sets, and page 3 is shared and has three nodes of
// set 1. Set 2, list 1 and taint 1 are free.
func checked() *Index {
	ix := new(Index)
	add := func(name string, n int, taints string) {
		list, err := taint.ParseList(taints)
		if err != nil {
			panic(err)
		}
		ix.Load(func(yield func(string, []taint.Taint) bool) {
			for i := 0; i < n && yield(fmt.Sprint(name, i), list); i++ {
			}
		})
	}
	add("a", 64, "a:NoSchedule")
	add("gone", 64, "gone:NoSchedule")
	add("more", 20, "a:NoSchedule")
	add("b", 1, "b:NoExecute")
	add("both", 1, "a:NoSchedule,b:NoExecute")
	add("soft", 1, "a:NoSchedule,soft:PreferNoSchedule")
	add("e", 20, "e:NoSchedule")
	add("clean", 21, "")
	add("last", 3, "a:NoSchedule")
	for i := range 64 {
		ix.Delete(fmt.Sprint("gone", i))
	}
	ix.Delete("a0")
	return ix
}

// fault is something wrong with an index, and what a check says of it.
type fault struct {
	says string
	make func(ix *Index)
}

// checkFaults makes each fault in a new index, in which nothing was wrong, and looks whether
// CheckAll finds it.
func checkFaults(t *testing.T, sound func() *Index, faults []fault) {
	t.Helper()
	for i, f := range faults {
		ix := sound()
		ix.CheckAll()
		f.make(ix)
		func() {
			defer func() {
				if got, want := recover(), "index: "+f.says; got != want {
					t.Errorf("fault %d: the check says %v, want %s", i, got, want)
				}
			}()
			ix.CheckAll()
		}()
	}
}

func (ix *Index) numberOf(name string) uint32 {
	number, _ := ix.find(name)
	return number
}

func (ix *Index) slotOf(name string) uint32 { return ix.nodes.At(ix.numberOf(name)).slot }

func TestChecksOfNodes(t *testing.T) {
	bit := func(shape int, name string) func(ix *Index) {
		return func(ix *Index) {
			slot := ix.slotOf(name)
			*ix.base[shape].Edit(slot / pageSize) ^= 1 << (slot % pageSize)
		}
	}
	checkFaults(t, checked, []fault{
		{"node 64 is gone and has a name", func(ix *Index) { *ix.names.Edit(64) = "left" }},
		{"b0 is not found", func(ix *Index) { ix.byName.Remove(ix.hasher.text("b0"), 148) }},
		{"b0 is not found", func(ix *Index) { *ix.names.Edit(1) = "b0" }},
		{"a1 is not found", func(ix *Index) { *ix.names.Edit(148) = "a1" }},
		{"the slot of b0 has another node", func(ix *Index) { *ix.numbers.Edit(ix.slotOf("b0"))++ }},
		{"the slot of b0 has another node", func(ix *Index) { *ix.numbers.Edit(ix.slotOf("b0"))-- }},
		{"the slot of clean0 is in base 0: false", bit(0, "clean0")},
		{"the slot of b0 is in base 0: true", bit(0, "b0")},
		{"the slot of b0 is in base 1: true", bit(1, "b0")},
		{"the slot of b0 is in base 2: false", bit(2, "b0")},
		{"the slot of both0 is in base 3: false", bit(3, "both0")},
		{"130 nodes, counted 131, and found 130", func(ix *Index) { ix.count++ }},
		{"130 nodes, counted 129, and found 130", func(ix *Index) { ix.count-- }},
		{"130 nodes, counted 130, and found 131", func(ix *Index) { ix.byName.Insert(7, 7) }},
	})
}

func TestChecksOfPages(t *testing.T) {
	claim := func(ix *Index, slot uint32) { // for set 1, which has page 3
		ix.fragmentOf(ix.sets.sets.Edit(1), 3).mask ^= 1 << (slot % pageSize)
	}
	checkFaults(t, checked, []fault{
		{"page 1 is in the list of shared pages with 5, and of free pages", func(ix *Index) { ix.shared[5] = ix.free; ix.sharedSizes |= 1 << 5 }},
		{"page 1 is linked where it does not belong, in the list of free pages", func(ix *Index) { ix.pages.pages.Edit(1).prev = 4 }},
		{"page 1 is linked where it does not belong, in the list of free pages", func(ix *Index) { ix.push(&ix.free, 3); ix.pages.pages.Edit(1).prev = 0 }},
		{"there are shared pages with 5 free slots: false", func(ix *Index) { ix.sharedSizes |= 1 << 5 }},
		{"there are shared pages with 61 free slots: true", func(ix *Index) { ix.sharedSizes = 0 }},
		{"page 3 has nodes f, and sets say 7", func(ix *Index) { *ix.base[3].Edit(3) |= 1 << 3 }},
		{"page 3 has nodes 7, and sets say e", func(ix *Index) { claim(ix, 0); claim(ix, 3) }},
		{"page 1 is in the list of \"\", not of \"free pages\"", func(ix *Index) { ix.unlink(&ix.free, 1) }},
		{"page 1 is in the list of \"shared pages with 5\", not of \"free pages\"", func(ix *Index) {
			ix.unlink(&ix.free, 1)
			ix.push(&ix.shared[5], 1)
			ix.sharedSizes |= 1 << 5
		}},
		{"page 3 is in the list of \"\", not of \"shared pages with 61\"", func(ix *Index) { ix.unlink(&ix.shared[61], 3); ix.sharedSizes = 0 }},
		{"page 2 is in the list of \"free pages\", not of \"\"", func(ix *Index) { ix.push(&ix.free, 2) }},
		{"page 0 is in the list of \"\", not of \"set 1\"", func(ix *Index) { ix.sets.sets.Edit(1).open = 0 }},
		{"slot 9 of page 3 has a number: 7", func(ix *Index) { *ix.numbers.Edit(3*pageSize + 9) = 1 }},
		{"131 slots are taken for 130 nodes", func(ix *Index) {
			ix.unshare(3)
			*ix.base[3].Edit(3) |= 1 << 3
			ix.share(3)
			*ix.numbers.Edit(3*pageSize + 3) = 1
			claim(ix, 3)
			*ix.counts.Edit(1)++
		}},
		{"61 slots are free in shared pages, counted 62", func(ix *Index) { ix.sharedFree++ }},
		{"61 slots are free in shared pages, counted 60", func(ix *Index) { ix.sharedFree-- }},
	})
}

func TestChecksOfPlaces(t *testing.T) {
	of := func(change func(ix *Index, s *set)) func(ix *Index) {
		return func(ix *Index) { change(ix, ix.sets.sets.Edit(1)) }
	}
	ownPages := func(n uint32) func(ix *Index) {
		return of(func(ix *Index, s *set) { s.own = &own{runs: s.own.runs, pages: n} })
	}
	checkFaults(t, checked, []fault{
		{"a fragment of set 4 has the nodes of another, or none", func(ix *Index) { ix.sets.sets.Edit(4).fragments = ix.sets.sets.At(3).fragments }},
		{"a fragment of set 1 has the nodes of another, or none", of(func(ix *Index, s *set) { ix.fragmentOf(s, 0) })},
		{"a fragment of set 1 is in page 0, which is not shared", of(func(ix *Index, s *set) { ix.fragmentOf(s, 0).mask = 1 })},
		{"set 3 has 1 nodes in shared pages, and a lone one: false", func(ix *Index) { ix.fragmentOf(ix.sets.sets.Edit(3), 2) }},
		{"page 0 of set 1 is of 1", func(ix *Index) { ix.pages.pages.Edit(0).owner = 1 }},
		{"page 0 of set 1 is of 3", func(ix *Index) { ix.pages.pages.Edit(0).owner = 3 }},
		{"set 1 has 1 slots to spare in 1 pages, counted 2 in 1", of(func(ix *Index, s *set) { s.room++ })},
		{"set 1 has 1 slots to spare in 1 pages, counted 0 in 1", of(func(ix *Index, s *set) { s.room-- })},
		{"set 1 has 1 slots to spare in 1 pages, counted 1 in 2", ownPages(2)},
		{"set 1 has 1 slots to spare in 1 pages, counted 1 in 0", ownPages(0)},
		{"set 1 has 87 nodes, counted 88", func(ix *Index) { *ix.counts.Edit(1)++ }},
		{"set 1 has 87 nodes, counted 86", func(ix *Index) { *ix.counts.Edit(1)-- }},
	})
}

func TestChecksOfLists(t *testing.T) {
	checkFaults(t, checked, []fault{
		{"list 0 counts 87 nodes, has 86", func(ix *Index) { ix.lists.Edit(0).nodes++ }},
		{"list 0 counts 85 nodes, has 86", func(ix *Index) { ix.lists.Edit(0).nodes-- }},
		{"list 1 counts 1 nodes, has 0", func(ix *Index) { ix.lists.Edit(1).nodes++ }},
		{"list 2 has another shape than its set", func(ix *Index) { ix.sets.sets.Edit(3).shape = 3 }},
		{"list 3 has another shape than its set", func(ix *Index) { ix.sets.sets.Edit(4).shape = 2 }},
		{"list 2 is not found by its content", func(ix *Index) { ix.listsByContent.Remove(ix.lists.At(2).hash, 2) }},
		{"7 lists are found, 6 have nodes", func(ix *Index) { ix.listsByContent.Insert(7, 7) }},
		{"there is room for the counts of 7 sets, not 6", func(ix *Index) { ix.counts.Append(0) }},
		{"there is room for the counts of 5 sets, not 6", func(ix *Index) { ix.counts.Truncate(5) }},
		{"the shapes have [21 107 1 1] nodes, counted [22 106 1 1]", func(ix *Index) { ix.shaped[0]++; ix.shaped[1]-- }},
		{"set 1 counts 87 nodes, has 107", func(ix *Index) { ix.lists.Edit(5).set = 1 }},
		{"set 1 counts 87 nodes, has 1", func(ix *Index) { ix.lists.Edit(0).set = 5 }},
		{"list 2 is linked to another set", func(ix *Index) { ix.lists.Edit(2).prev = 7 }},
		{"list 5 is linked to another set", func(ix *Index) { ix.sets.sets.Edit(4).lists = 6 }},
		{"list 2 is linked to another set", func(ix *Index) { ix.sets.sets.Edit(5).lists = 3 }},
		{"list 0 is linked to another set", func(ix *Index) { ix.lists.Edit(0).prev = 0 }},
	})
}

func TestChecksOfWatches(t *testing.T) {
	of := func(taint uint32, change func(t *hardTaint)) func(ix *Index) {
		return func(ix *Index) { change(ix.taints.Edit(taint)) }
	}
	watch := func(set uint32, number int, change func(l *link)) func(ix *Index) {
		return func(ix *Index) { change(&ix.sets.sets.Edit(set).watches[number]) }
	}
	pair := func(ix *Index, taint uint32) *[hardEffects]uint32 {
		return ix.byPair.Edit(pairOf(ix.taints.At(taint).element))
	}
	checkFaults(t, checked, []fault{
		{"set 3 has a taint that is not known", func(ix *Index) { pair(ix, 2)[1] = 0 }},
		{"set 3 has a taint that is not known", func(ix *Index) { pair(ix, 2)[1] = 1 }},
		{"set 1 has a taint that is not known", func(ix *Index) { pair(ix, 0)[0] = 4 }},
		{"5 sets are found, there are 4", func(ix *Index) { ix.setsByContent.Insert(7, 7) }},
		{"3 sets are found, there are 4", func(ix *Index) { ix.setsByContent.Remove(ix.hasher.elements(ix.sets.sets.At(3).elements), 3) }},
		{"taint 2 counts 3 uses, has 2", of(2, func(t *hardTaint) { t.uses++ })},
		{"taint 2 counts 1 uses, has 2", of(2, func(t *hardTaint) { t.uses-- })},
		{"taint 1 is free, and something is left of it", of(1, func(t *hardTaint) { t.column = 1 })},
		{"set 3 is linked where it does not belong", watch(3, 1, func(l *link) { l.taint = 0 })},
		{"set 3 is linked where it does not belong", watch(3, 1, func(l *link) { l.prev = 7 })},
		{"set 3 is linked where it does not belong", of(2, func(t *hardTaint) { t.first[1] = t.first[0] })},
		{"set 4 is linked where it does not belong", of(2, func(t *hardTaint) { t.first[0] = t.first[1] })},
		{"set 1 is linked where it does not belong", watch(1, 0, func(l *link) { l.taint = 3 })},
		{"set 1 is linked where it does not belong", watch(1, 0, func(l *link) { l.prev = 0 })},
		{"set 5 watches what it does not have", func(ix *Index) {
			ix.unwatch(5)
			ix.taints.Edit(0).first[0] = 6
			ix.sets.sets.Edit(5).watches[0] = link{}
		}},
		{"1 sets watch taint 3, counted 2", of(3, func(t *hardTaint) { t.watched[0]++ })},
		{"1 sets watch taint 3, counted 0", of(3, func(t *hardTaint) { t.watched[0]-- })},
		{"1 sets watch taint 2, counted 2", of(2, func(t *hardTaint) { t.watched[1]++ })},
		{"3 sets are linked, there are 4", func(ix *Index) { ix.unwatch(5) }},
	})
}

func TestChecksOfTheVocabulary(t *testing.T) {
	checkFaults(t, checked, []fault{
		{"b:NoExecute counts 3 uses, has 2", func(ix *Index) { ix.vocabulary.Append(nil, []taint.Taint{taint.MustParse("b:NoExecute")}) }},
		{"b:NoExecute counts 1 uses, has 2", func(ix *Index) { ix.vocabulary.Release(ix.sets.sets.At(3).elements) }},
		{"4 taints are in use, counted 5", func(ix *Index) { ix.vocabulary.Append(nil, []taint.Taint{taint.MustParse("new:NoExecute")}) }},
	})
}

// checkedColumns returns an index with columns of 25 taints with each effect. Set 1 has a page
// to itself and one more node, and set 626 a rare taint. The last taint was gone for a time,
// and has lost its column.
func checkedColumns() *Index {
	of := func(i int) []taint.Taint {
		return []taint.Taint{{Key: "c", Value: fmt.Sprint(i % 25), Effect: taint.NoSchedule}, {Key: "d", Value: fmt.Sprint(i / 25), Effect: taint.NoExecute}}
	}
	ix := new(Index)
	ix.Load(func(yield func(string, []taint.Taint) bool) {
		for i := range 25 * 25 {
			yield(fmt.Sprint(i), of(i))
		}
		for i := range 64 {
			yield(fmt.Sprint("more", i), of(0))
		}
		yield("rare", []taint.Taint{taint.MustParse("rare:NoSchedule"), taint.MustParse("c=0:NoSchedule")})
	})
	for i := 24 * 25; i < 25*25; i++ {
		ix.Delete(fmt.Sprint(i))
	}
	ix.Set("again", of(24 * 25)[1:])
	return ix
}

func TestChecksOfColumns(t *testing.T) {
	flip := func(position, column uint32) func(ix *Index) {
		return func(ix *Index) { ix.flip(position, column) }
	}
	checkFaults(t, checkedColumns, []fault{
		{"set 0 is in column 1: true", flip(0, candidateColumns+1)},
		{"set 1 is in column 0: false", flip(1, candidateColumns)},
		{"set 2 is in column 1: false", flip(2, candidateColumns+1)},
		{"set 2 is in column 2: true", flip(2, candidateColumns+2)},
		{"set 600 is in column 49: true", flip(600, candidateColumns+49)},
		{"set 2 is a candidate for 1: false", flip(2, 0)},
		{"set 2 is a candidate for 3: false", flip(2, 2)},
		{"set 626 is a candidate for 1: true", flip(626, 0)},
		{"set 626 is a candidate for 2: true", flip(626, 1)},
		{"set 626 has a rare taint, and watches a common one first", func(ix *Index) {
			column := ix.taints.At(0).column
			ix.taints.Edit(0).column, ix.taints.Edit(50).column = 0, column
			ix.rewatch(626)
			ix.taints.Edit(0).column, ix.taints.Edit(50).column = column, 0
		}},
	})
}

func TestChecksOfAlignedSets(t *testing.T) {
	move := func(by int64) func(ix *Index) {
		return func(ix *Index) { ix.columns.aligned.Edit(1).distance += by }
	}
	checkFaults(t, checkedColumns, []fault{
		{"set 1 is aligned and has 65 nodes", func(ix *Index) { ix.columns.aligned.Edit(0).mask |= 1 << 1 }},
		{"set 64 is aligned with slot 128, and has 127", move(1)},
		{"set 64 is aligned with slot 126, and has 127", move(-1)},
	})
}
