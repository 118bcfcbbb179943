package index

import (
	"cmp"
	"slices"

	"github.com/tolero-dev/tolero/compile/internal/cow"
	"github.com/tolero-dev/tolero/compile/internal/probe"
	"github.com/tolero-dev/tolero/taint"
)

// A set is the hard taints of some nodes, without their order and each once: it decides
// the verdict, and has the slots. A list is all taints of some nodes in their order. It
// refines a set: it decides the first untolerated taint (rule F3), scores, and when a
// pod has to leave. Both exist while a node has them, except the set without taints,
// which is always there.

// list is the nodes that have the same taints in the same order.
type list struct {
	elements   []element // in the node's order; never written to
	stamp      uint64    // tells the lists that had the position one after the other apart
	set        uint32
	nodes      uint32 // how many nodes have it; none if the position is free
	next, prev uint32 // of the same set, plus one
	hash       uint32
	shape      shape // of the set
}

// shape is which hard effects a set has: a bit for each, by number.
type shape uint8

// shapes is how many there are, and allHard the one with all.
const (
	shapes        = 1 << hardEffects
	allHard shape = shapes - 1
)

// effects returns the effects of a shape.
func (s shape) effects() (effects taint.EffectSet) {
	for number, e := range hard {
		if s>>number&1 != 0 {
			effects |= e.Set()
		}
	}
	return effects
}

// set is the nodes that have the same hard taints in any order.
type set struct {
	elements []element // sorted by effect; never written to
	watches  [hardEffects]link
	own      *own
	lists    uint32 // the first of them, plus one
	// How many of the elements are NoSchedule: they come first.
	scheduling uint32
	fragments  fragments
	open       uint32 // the first page of its own that has a free slot, plus one
	room       uint32 // how many slots are free in such pages
	shape      shape
	primary    uint8 // the number of the hard effect whose watch is the primary one
}

// of returns the elements with the hard effects of a shape.
func (s *set) of(needed shape) []element {
	switch needed {
	case 1:
		return s.elements[:s.scheduling]
	case 2:
		return s.elements[s.scheduling:]
	}
	return s.elements
}

// cleanSet is the position of the set without taints.
const cleanSet uint32 = 0

// sets is the sets and lists that some node has.
type sets struct {
	sets   cow.Vector[set]
	counts cow.Vector[uint32] // by set: how many nodes have it
	lists  cow.Vector[list]
	shaped [shapes]uint32 // how many nodes have a set of each shape

	// The writer's.
	setsByContent, listsByContent probe.Table
	freeSets, freeLists           stack
}

func (a *sets) freeze() sets {
	return sets{
		sets: a.sets.Freeze(), counts: a.counts.Freeze(), lists: a.lists.Freeze(), shaped: a.shaped,
		setsByContent: a.setsByContent.Fork(), listsByContent: a.listsByContent.Fork(),
		freeSets: a.freeSets.freeze(), freeLists: a.freeLists.freeze(),
	}
}

// within returns how many nodes have a set with no effects beside those of a shape.
func (a *sets) within(s shape) (n int) {
	for i, count := range a.shaped {
		if shape(i)&^s == 0 {
			n += int(count)
		}
	}
	return n
}

// listOf returns the position of the list of taints, made if need be. A new one has no
// nodes yet.
func (ix *Index) listOf(taints []taint.Taint) uint32 {
	if ix.lookUp(taints) {
		hash := ix.hasher.elements(ix.elements)
		for position := range ix.listsByContent.Candidates(hash) {
			if slices.Equal(ix.lists.At(position).elements, ix.elements) {
				return position
			}
		}
	}
	ix.elements = ix.vocabulary.Append(ix.elements[:0], taints)
	return ix.addList(ix.hasher.elements(ix.elements))
}

// lookUp fills the buffer with the elements of taints, and reports whether all are in
// use. It counts nothing.
func (ix *Index) lookUp(taints []taint.Taint) bool {
	ix.elements = ix.elements[:0]
	for i := range taints {
		e, inUse := ix.vocabulary.ID(&taints[i])
		if !inUse {
			return false
		}
		ix.elements = append(ix.elements, e)
	}
	return true
}

// addList makes a list of the elements in the buffer, which are counted for it.
func (ix *Index) addList(hash uint32) uint32 {
	entry := list{elements: slices.Clone(ix.elements), hash: hash, stamp: ix.newStamp()}
	entry.set = ix.setOf(&entry)
	s := ix.sets.sets.Edit(entry.set)
	entry.next, entry.shape = s.lists, s.shape
	position := place(&ix.lists, &ix.freeLists, entry)
	if entry.next != 0 {
		ix.lists.Edit(entry.next - 1).prev = position + 1
	}
	s.lists = position + 1
	ix.listsByContent.Insert(hash, position)
	return position
}

// setOf returns the position of the set of a new list, made if need be.
func (ix *Index) setOf(l *list) uint32 {
	ix.sorted = ix.sorted[:0]
	for _, e := range l.elements {
		if isHard(e) {
			ix.sorted = append(ix.sorted, e)
		}
	}
	if len(ix.sorted) == 0 {
		return cleanSet
	}
	slices.SortFunc(ix.sorted, func(a, b element) int { return cmp.Or(cmp.Compare(a.Effects(), b.Effects()), cmp.Compare(a, b)) })
	ix.sorted = slices.Compact(ix.sorted)
	hash := ix.hasher.elements(ix.sorted)
	for position := range ix.setsByContent.Candidates(hash) {
		if slices.Equal(ix.sets.sets.At(position).elements, ix.sorted) {
			return position
		}
	}
	elements := l.elements // most lists are sorted sets already
	if !slices.Equal(elements, ix.sorted) {
		elements = slices.Clone(ix.sorted)
	}
	return ix.addSet(set{elements: elements}, hash)
}

func (ix *Index) addSet(entry set, hash uint32) uint32 {
	for _, e := range entry.elements {
		entry.shape |= 1 << hardNumber(e.Effects())
		if e.Effects()&taint.Evicting == 0 {
			entry.scheduling++
		}
	}
	position := place(&ix.sets.sets, &ix.freeSets, entry)
	if int(position) == ix.counts.Len() {
		ix.counts.Append(0)
	}
	ix.setsByContent.Insert(hash, position)
	ix.useHard(entry.elements)
	ix.watch(position)
	ix.addToColumns(position)
	return position
}

// tally adds n, which may be negative, to the nodes of a list. What no node has any
// more is taken out.
func (ix *state) tally(position uint32, n int) {
	l := ix.lists.Edit(position)
	l.nodes += uint32(n)
	ix.shaped[l.shape] += uint32(n)
	*ix.counts.Edit(l.set) += uint32(n)
	if *ix.counts.At(l.set) == 1 { // realign does nothing for a new set, which has no slot yet
		ix.realign(l.set)
	}
	if l.nodes == 0 {
		ix.removeList(position)
	}
}

func (ix *state) removeList(position uint32) {
	l := ix.lists.Edit(position)
	ix.listsByContent.Remove(l.hash, position)
	if l.next != 0 {
		ix.lists.Edit(l.next - 1).prev = l.prev
	}
	if l.prev != 0 {
		ix.lists.Edit(l.prev - 1).next = l.next
	} else {
		ix.sets.sets.Edit(l.set).lists = l.next
	}
	if l.set != cleanSet && ix.sets.sets.At(l.set).lists == 0 {
		ix.removeSet(l.set)
	}
	ix.vocabulary.Release(l.elements)
	*l = list{}
	ix.freeLists.push(position)
}

func (ix *state) removeSet(position uint32) {
	s := ix.sets.sets.At(position)
	ix.removeFromColumns(position)
	ix.setsByContent.Remove(ix.hasher.elements(s.elements), position)
	ix.unwatch(position)
	ix.unuseHard(s.elements)
	*ix.sets.sets.Edit(position) = set{}
	ix.freeSets.push(position)
}
