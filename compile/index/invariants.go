package index

import (
	"fmt"
	"math/bits"
	"slices"

	"github.com/tolero-dev/tolero/compile/internal/invariant"
)

// A check is of all nodes, so that of a large fleet is made after some changes only.
const (
	smallFleet   = 32
	rarelyOneIn  = 16
	checkedFleet = 400 // larger ones are not checked
)

// check panics if the index does not hold what it should. It does nothing unless the
// program was built with the tag tolero_invariants.
func (ix *Index) check() {
	if !invariant.Enabled || ix.count > checkedFleet || ix.count > smallFleet && ix.stamp%rarelyOneIn != 0 {
		return
	}
	ix.checkAll()
}

func (ix *Index) checkAll() {
	ix.checkNodes()
	ix.checkPages()
	ix.checkLists()
	ix.checkWatches()
	ix.checkColumns()
	ix.checkAligned()
	ix.checkVocabulary()
}

// must panics unless a condition holds.
func must(holds bool, format string, args ...any) {
	if !holds {
		panic("index: " + fmt.Sprintf(format, args...))
	}
}

// checkNodes: every name has a number and a slot of its own.
func (ix *Index) checkNodes() {
	live := 0
	for number := range uint32(ix.nodes.Len()) {
		n := ix.nodes.At(number)
		if n.stamp == 0 {
			must(*ix.names.At(number) == "", "node %d is gone and has a name", number)
			continue
		}
		live++
		name := *ix.names.At(number)
		found, known := ix.find(name)
		must(known && found == number, "%s is not found", name)
		must(*ix.numbers.At(n.slot) == number+1, "the slot of %s has another node", name)
		s := ix.lists.At(n.list).shape
		for i := range ix.base {
			bit := *ix.base[i].At(n.slot / pageSize)>>(n.slot%pageSize)&1 != 0
			must(bit == (s&^shape(i) == 0), "the slot of %s is in base %d: %v", name, i, bit)
		}
	}
	must(live == ix.count && live == ix.byName.Len(), "%d nodes, counted %d, and found %d", live, ix.count, ix.byName.Len())
}

// checkPages: every page is in the list where it belongs, and whose it is.
func (ix *Index) checkPages() {
	taken, sharedFree := 0, uint32(0)
	listed := map[uint32]string{}
	chain := func(head uint32, what string) {
		for before := uint32(0); head != 0; before, head = head, ix.pages.pages.At(head-1).next {
			must(listed[head-1] == "", "page %d is in the list of %s, and of %s", head-1, what, listed[head-1])
			must(ix.pages.pages.At(head-1).prev == before, "page %d is linked where it does not belong, in the list of %s", head-1, what)
			listed[head-1] = what
		}
	}
	chain(ix.free, "free pages")
	for n, head := range ix.shared {
		chain(head, fmt.Sprint("shared pages with ", n))
		must((head != 0) == (ix.sharedSizes>>n&1 != 0), "there are shared pages with %d free slots: %v", n, head != 0)
	}
	masks := ix.checkPlaces(chain)
	for p := range uint32(ix.pages.pages.Len()) {
		word := ix.occupied(p)
		taken += bits.OnesCount64(word)
		must(masks[p] == word, "page %d has nodes %x, and sets say %x", p, word, masks[p])
		must(listed[p] == ix.listOfPage(p), "page %d is in the list of %q, not of %q", p, listed[p], ix.listOfPage(p))
		if ix.pages.pages.At(p).owner == shared {
			sharedFree += ix.freeSlots(p)
		}
		for i := range uint32(pageSize) {
			must((*ix.numbers.At(p*pageSize + i) != 0) == (word>>i&1 != 0), "slot %d of page %d has a number: %x", i, p, word)
		}
	}
	must(taken == ix.count, "%d slots are taken for %d nodes", taken, ix.count)
	must(sharedFree == ix.sharedFree, "%d slots are free in shared pages, counted %d", sharedFree, ix.sharedFree)
}

// listOfPage returns the list where a page belongs. Full pages belong to none.
func (ix *Index) listOfPage(p uint32) string {
	owner, free := ix.pages.pages.At(p).owner, ix.freeSlots(p)
	switch {
	case owner == noOwner:
		return "free pages"
	case free == 0:
		return ""
	case owner == shared:
		return fmt.Sprint("shared pages with ", free)
	}
	return fmt.Sprint("set ", owner-1)
}

// checkPlaces: sets know where their nodes are. It returns the slots by page.
func (ix *Index) checkPlaces(chain func(uint32, string)) map[uint32]uint64 {
	masks := map[uint32]uint64{}
	for position := range uint32(ix.sets.sets.Len()) {
		s := ix.sets.sets.At(position)
		chain(s.open, fmt.Sprint("set ", position))
		count, room, pages := 0, uint32(0), uint32(0)
		for f := range ix.fragmentsOf(s) {
			must(f.mask != 0 && masks[f.page]&f.mask == 0, "a fragment of set %d has the nodes of another, or none", position)
			must(ix.pages.pages.At(f.page).owner == shared, "a fragment of set %d is in page %d, which is not shared", position, f.page)
			masks[f.page] |= f.mask
			count += bits.OnesCount64(f.mask)
		}
		_, alone := s.fragments.loneSlot()
		must(alone == (count == 1), "set %d has %d nodes in shared pages, and a lone one: %v", position, count, alone)
		if s.own != nil {
			for _, r := range s.own.runs {
				for p := r.first; p < r.first+r.count; p++ {
					must(ix.pages.pages.At(p).owner == position+1, "page %d of set %d is of %d", p, position, ix.pages.pages.At(p).owner)
					masks[p] |= ix.occupied(p)
					count += bits.OnesCount64(ix.occupied(p))
					room += ix.freeSlots(p)
					pages++
				}
			}
		}
		must(room == s.room && pages == s.own.count(), "set %d has %d slots to spare in %d pages, counted %d in %d", position, room, pages, s.room, s.own.count())
		must(count == int(*ix.counts.At(position)), "set %d has %d nodes, counted %d", position, count, *ix.counts.At(position))
	}
	return masks
}

// checkLists: lists count their nodes, and sets those of their lists.
func (ix *Index) checkLists() {
	nodes := make(map[uint32]uint32)
	for number := range uint32(ix.nodes.Len()) {
		if n := ix.nodes.At(number); n.stamp != 0 {
			nodes[n.list]++
		}
	}
	ofSet := make(map[uint32]uint32)
	var shaped [shapes]uint32
	live := 0
	for position := range uint32(ix.lists.Len()) {
		l := ix.lists.At(position)
		must(l.nodes == nodes[position], "list %d counts %d nodes, has %d", position, l.nodes, nodes[position])
		if l.nodes == 0 {
			continue
		}
		live++
		ofSet[l.set] += l.nodes
		shaped[l.shape] += l.nodes
		must(l.shape == ix.sets.sets.At(l.set).shape, "list %d has another shape than its set", position)
		must(slices.Contains(slices.Collect(ix.listsByContent.Candidates(l.hash)), position), "list %d is not found by its content", position)
	}
	must(live == ix.listsByContent.Len(), "%d lists are found, %d have nodes", ix.listsByContent.Len(), live)
	must(ix.counts.Len() == ix.sets.sets.Len(), "there is room for the counts of %d sets, not %d", ix.counts.Len(), ix.sets.sets.Len())
	must(shaped == ix.shaped, "the shapes have %d nodes, counted %d", shaped, ix.shaped)
	for position := range uint32(ix.sets.sets.Len()) {
		must(*ix.counts.At(position) == ofSet[position], "set %d counts %d nodes, has %d", position, *ix.counts.At(position), ofSet[position])
		for before, next := uint32(0), ix.sets.sets.At(position).lists; next != 0; before, next = next, ix.lists.At(next-1).next {
			must(ix.lists.At(next-1).set == position && ix.lists.At(next-1).prev == before, "list %d is linked to another set", next-1)
		}
	}
}

// checkWatches: every set is linked to the taints that it watches, and counted.
func (ix *Index) checkWatches() {
	uses := make(map[uint32]uint32)
	live := 0
	for position := range uint32(ix.sets.sets.Len()) {
		s := ix.sets.sets.At(position)
		if s.shape != 0 {
			live++
		}
		for _, e := range s.elements {
			taint, found := ix.hardTaintOf(e)
			must(found && ix.taints.At(taint).element == e, "set %d has a taint that is not known", position)
			uses[taint]++
		}
	}
	must(live == ix.setsByContent.Len(), "%d sets are found, there are %d", ix.setsByContent.Len(), live)
	linked := 0
	for position := range uint32(ix.taints.Len()) {
		t := ix.taints.At(position)
		must(t.uses == uses[position], "taint %d counts %d uses, has %d", position, t.uses, uses[position])
		must(t.uses > 0 || *t == hardTaint{}, "taint %d is free, and something is left of it", position)
		for kind, next := range t.first {
			n := uint32(0)
			number := int(hardNumber(t.element.Effects()))
			for before := uint32(0); next != 0; n++ {
				s := ix.sets.sets.At(next - 1)
				w := s.watches[number]
				must(w.taint == position && w.prev == before && kindOf(s, number) == kind, "set %d is linked where it does not belong", next-1)
				must(slices.Contains(s.elements, t.element), "set %d watches what it does not have", next-1)
				if kind == primary {
					linked++
				}
				before, next = next, w.next
			}
			must(n == t.watched[kind], "%d sets watch taint %d, counted %d", n, position, t.watched[kind])
		}
	}
	must(linked == live, "%d sets are linked, there are %d", linked, live)
}

// checkColumns: the columns say what the sets have, and sets with a rare taint watch
// such a one.
func (ix *Index) checkColumns() {
	for position := range uint32(ix.sets.sets.Len()) {
		s := ix.sets.sets.At(position)
		has := func(column uint32) bool {
			return position/blockSets < ix.blockCount() && ix.line(position/blockSets, column)[position%blockSets/64]>>(position%64)&1 != 0
		}
		common := allHard
		for _, e := range s.elements {
			taint, _ := ix.hardTaintOf(e)
			if ix.taints.At(taint).column == 0 {
				common &^= 1 << hardNumber(e.Effects())
			}
		}
		must(s.shape&^common == 0 || ix.taints.At(s.watches[s.primary].taint).column == 0, "set %d has a rare taint, and watches a common one first", position)
		for needed := shape(1); needed <= allHard; needed++ {
			want := needed&s.shape != 0 && needed&s.shape&^common == 0
			must(has(uint32(needed)-1) == want, "set %d is a candidate for %d: %v", position, needed, !want)
		}
		for i, e := range ix.columns.elements {
			taint, found := ix.hardTaintOf(e)
			want := found && ix.taints.At(taint).column != 0 && slices.Contains(s.elements, e)
			must(has(candidateColumns+uint32(i)) == want, "set %d is in column %d: %v", position, i, !want)
		}
	}
}

// checkVocabulary: taints are counted as often as lists have them.
func (ix *Index) checkVocabulary() {
	uses := make(map[element]int)
	for position := range uint32(ix.lists.Len()) {
		for _, e := range ix.lists.At(position).elements {
			uses[e]++
		}
	}
	for e, n := range uses {
		must(ix.vocabulary.Uses(e) == n, "%v counts %d uses, has %d", ix.taintOf(e), ix.vocabulary.Uses(e), n)
	}
	must(ix.vocabulary.Len() == len(uses), "%d taints are in use, counted %d", len(uses), ix.vocabulary.Len())
}

// checkNew panics if a set that comes to fit fits already.
func (f *Fit) checkNew(position uint32) {
	if invariant.Enabled && (f.marks[position] == f.round || f.inBlocks(position)) { // must would allocate
		must(false, "set %d fits twice", position)
	}
}

// checkSteps panics if a pod took more steps than it may: some for each toleration, for
// each taint that they lead to, and for the taints of each set that was looked at once.
func (f *Fit) checkSteps() {
	if !invariant.Enabled {
		return
	}
	s := f.snapshot
	hardTaints := 0
	for position := range uint32(s.sets.sets.Len()) {
		hardTaints += 1 + len(s.sets.sets.At(position).elements)
	}
	limit := 8 + len(f.matcher.Tolerations()) + 2*hardTaints + s.vocabulary.Len() + len(s.columns.elements)
	if f.steps > limit { // must would allocate
		must(false, "%d steps for %d tolerations and %d hard taints: more than %d", f.steps, len(f.matcher.Tolerations()), hardTaints, limit)
	}
}
