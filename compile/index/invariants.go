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
	if !invariant.Enabled || len(ix.ids) > checkedFleet || len(ix.ids) > smallFleet && ix.stamp%rarelyOneIn != 0 {
		return
	}
	ix.checkNodes()
	ix.checkLists()
	ix.checkSets()
	ix.checkWords()
}

// must panics unless a condition holds.
func must(holds bool, format string, args ...any) {
	if !holds {
		panic("index: " + fmt.Sprintf(format, args...))
	}
}

// checkNodes: every name has a slot of its own, and no other slot is taken.
func (ix *Index) checkNodes() {
	numbers := make(map[uint32]string)
	for name, id := range ix.ids {
		n := *ix.nodes.At(id.slot)
		must(id.stamp != 0 && n.stamp == id.stamp, "the ID of %s is stale", name)
		must(*ix.names.At(n.number) == name, "%s has the name of another node", name)
		must(numbers[n.number] == "", "%s and %s share a name", name, numbers[n.number])
		numbers[n.number] = name
		word, bit := *ix.occupied.At(id.slot / pageSize), uint64(1)<<(id.slot%pageSize)
		must(word&bit != 0, "the slot of %s is free", name)
		clean := *ix.cleanSlots.At(id.slot / pageSize)&bit != 0
		must(clean == ix.lists.At(n.list).clean(), "the slot of %s is clean: %v", name, clean)
		owner := ix.pageOwner(id.slot)
		must(owner == sharedPage || owner == n.list+1, "%s stands in a page of another list", name)
	}
	taken := 0
	for page := range uint32(ix.occupied.Len()) {
		taken += bits.OnesCount64(*ix.occupied.At(page))
		must(*ix.cleanSlots.At(page)&^*ix.occupied.At(page) == 0, "a free slot of page %d is clean", page)
	}
	must(taken == len(ix.ids), "%d slots are taken for %d nodes", taken, len(ix.ids))
}

// pageOwner returns the owner of the page of a slot.
func (ix *Index) pageOwner(slot uint32) uint32 { return ix.allocator.owner[slot/pageSize] }

// checkLists: lists count their nodes, and sets those of their lists.
func (ix *Index) checkLists() {
	nodes := make(map[uint32]uint32)
	for _, id := range ix.ids {
		nodes[ix.nodes.At(id.slot).list]++
	}
	ofSet := make(map[uint32]uint32)
	plain, live := uint32(0), 0
	for position := range uint32(ix.lists.Len()) {
		l := ix.lists.At(position)
		must(l.nodes == nodes[position], "list %d counts %d nodes, has %d", position, l.nodes, nodes[position])
		if l.nodes == 0 {
			continue
		}
		live++
		ofSet[l.set] += l.nodes
		if l.clean() {
			plain += l.nodes
		}
		found, ok := ix.listsByContent[string(ix.key(l.elements))]
		must(ok && found == position, "list %d is not found by its content", position)
	}
	must(live == len(ix.listsByContent), "%d lists are found, %d have nodes", len(ix.listsByContent), live)
	must(plain == ix.plain, "%d nodes are clean, counted %d", plain, ix.plain)
	for position := range uint32(ix.sets.Len()) {
		must(ix.sets.At(position).nodes == ofSet[position], "set %d counts %d nodes, has %d", position, ix.sets.At(position).nodes, ofSet[position])
	}
}

// checkSets: every set is linked where it belongs.
func (ix *Index) checkSets() {
	linked := ix.chain(ix.clean, func(s *set) bool { return s.hard == 0 })
	for pair := range uint32(ix.pairs.Len()) {
		p := ix.pairs.At(pair)
		for e := range hardEffects {
			linked += ix.chain(p.watching[e], func(s *set) bool { return s.watched == elementOf(p.key, pair, e) })
		}
	}
	must(linked == len(ix.setsByContent), "%d sets are linked, %d are found", linked, len(ix.setsByContent))
}

// chain returns the length of a linked list of sets.
func (ix *Index) chain(next uint32, belongs func(*set) bool) (n int) {
	for before := uint32(0); next != 0; n++ {
		s := ix.sets.At(next - 1)
		must(belongs(s) && s.prev == before && s.nodes > 0, "set %d is linked where it does not belong", next-1)
		before, next = next, s.next
	}
	return n
}

// checkWords: pairs count the elements that have them, keys their pairs, and the
// trees of numbers are in order.
func (ix *Index) checkWords() {
	uses := make(map[uint32]uint32)
	for position := range uint32(ix.sets.Len()) {
		for _, e := range ix.sets.At(position).elements {
			uses[e.pair()]++
		}
	}
	ofKey, numeric := make(map[uint32]uint32), 0
	for position := range uint32(ix.pairs.Len()) {
		p := ix.pairs.At(position)
		must(p.uses == uses[position], "pair %d counts %d uses, has %d", position, p.uses, uses[position])
		if p.uses > 0 {
			ofKey[p.key]++
		}
		if p.numeric {
			numeric++
		}
	}
	planted := 0
	for position := range uint32(ix.keys.Len()) {
		k := ix.keys.At(position)
		must(k.pairs == ofKey[position], "key %d counts %d pairs, has %d", position, k.pairs, ofKey[position])
		numbers := ix.checkTree(nil, k.root, position)
		must(slices.IsSorted(numbers), "the numbers of key %d are out of order: %d", position, numbers)
		planted += len(numbers)
	}
	must(planted == numeric, "%d numbers are in trees, there are %d", planted, numeric)
}

// checkTree appends the numbers of a tree to dst.
func (ix *Index) checkTree(dst []int64, root, key uint32) []int64 {
	if root == 0 {
		return dst
	}
	p := ix.pairs.At(root - 1)
	must(p.numeric && p.key == key, "pair %d is in the tree of key %d", root-1, key)
	for _, below := range []uint32{p.less, p.greater} {
		must(below == 0 || rank(below-1) < rank(root-1), "pair %d ranks below what is under it", root-1)
	}
	dst = append(ix.checkTree(dst, p.less, key), p.number)
	return ix.checkTree(dst, p.greater, key)
}
