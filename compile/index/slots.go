package index

import (
	"math/bits"
	"slices"

	"github.com/tolero-dev/tolero/compile/internal/cow"
)

// A node stands in a slot, and 64 slots make a page. The nodes of a large list
// fill pages of their own, so that a bit for each of them is written by copying
// words; those of small lists share pages, so that a fleet in which every node
// has its own taints is no larger for it.

const pageSize = 64

// few is how many nodes of a list stand in shared pages before it gets pages of
// its own.
const few = 8

// scattered is the slots of a list in shared pages.
type scattered struct {
	shared [few]uint32
	count  uint32
}

// run is successive pages.
type run struct{ first, count uint32 }

// node is what a slot holds.
type node struct {
	list   uint32
	stamp  uint32 // tells the nodes that stood in the slot one after the other apart; zero if it is free
	number uint32 // the position of its name, which it keeps when it moves to another slot
}

// slots is the nodes of the fleet in their slots.
type slots struct {
	nodes      cow.Vector[node]
	names      cow.Vector[string]
	occupied   cow.Vector[uint64] // a bit for each slot of a page: whether it holds a node
	cleanSlots cow.Vector[uint64] // whether it holds a node of a list without a hard element
}

func (s *slots) freeze() slots {
	return slots{nodes: s.nodes.Freeze(), names: s.names.Freeze(), occupied: s.occupied.Freeze(), cleanSlots: s.cleanSlots.Freeze()}
}

// allocator gives slots to nodes. It is the writer's.
type allocator struct {
	slots
	owner     []uint32 // of a page: its list plus one, shared, or none
	open      []uint32 // the next page with a free slot that has the same owner, plus one
	isOpen    []bool   // whether a page is linked as open
	openPage  []uint32 // of a list: its first open page, plus one
	openShare uint32   // the first open shared page, plus one
	freePages []uint32
	freeNames []uint32
	stamp     uint32
}

// sharedPage is the owner of pages that small lists share.
const sharedPage = ^uint32(0)

// take gives a slot to a node of a list, and returns it with its stamp.
func (a *allocator) take(position uint32, l *list, number uint32) (slot, stamp uint32) {
	slot, shared := a.freeSlot(position, l)
	if shared {
		l.shared[l.count] = slot
		l.count++
	}
	bit := uint64(1) << (slot % pageSize)
	*a.occupied.Edit(slot / pageSize) |= bit
	if l.clean() {
		*a.cleanSlots.Edit(slot / pageSize) |= bit
	}
	if a.stamp++; a.stamp == 0 { // after 4 billion changes
		a.stamp++
	}
	*a.nodes.Edit(slot) = node{list: position, stamp: a.stamp, number: number}
	return slot, a.stamp
}

// freeSlot returns a free slot for a node of a list, and whether it is in a
// shared page.
func (a *allocator) freeSlot(position uint32, l *list) (slot uint32, shared bool) {
	a.growOpen(position)
	head, owner := &a.openPage[position], position+1
	if shared = l.count < few && *head == 0; shared {
		head, owner = &a.openShare, sharedPage
	}
	if *head == 0 {
		*head = a.newPages(owner, l) + 1
	}
	page := *head - 1
	free := ^*a.occupied.At(page)
	if free&(free-1) == 0 { // this takes the last free slot
		*head, a.isOpen[page] = a.open[page], false
	}
	return page*pageSize + uint32(bits.TrailingZeros64(free)), shared
}

// newPages returns the first of one or more empty pages for an owner, which are
// linked to each other as open.
func (a *allocator) newPages(owner uint32, l *list) uint32 {
	if len(a.freePages) > 0 {
		return a.reusePage(owner, l)
	}
	n := uint32(1)
	if owner != sharedPage {
		n += l.pages() / spare
	}
	return a.addPages(owner, l, n)
}

// reusePage is newPages for one that is free, of which there must be one.
func (a *allocator) reusePage(owner uint32, l *list) (page uint32) {
	last := len(a.freePages) - 1
	page, a.freePages = a.freePages[last], a.freePages[:last]
	a.open[page] = 0
	a.give(page, owner, l)
	return page
}

// addPages is newPages for n successive pages that are new.
func (a *allocator) addPages(owner uint32, l *list, n uint32) (first uint32) {
	first = uint32(a.occupied.Len())
	for page := first; page < first+n; page++ {
		a.occupied.Append(0)
		a.cleanSlots.Append(0)
		a.owner, a.open, a.isOpen = append(a.owner, 0), append(a.open, page+2), append(a.isOpen, false)
		for range pageSize {
			a.nodes.Append(node{})
		}
		a.give(page, owner, l)
	}
	a.open[first+n-1] = 0
	return first
}

// reserve gives pages to a list that is about to get so many nodes, as far as its own
// have no room for them: those that are free, and the rest in one piece.
func (a *allocator) reserve(position uint32, l *list, nodes uint32) {
	a.growOpen(position)
	room := a.room(position)
	if nodes <= room+few {
		return
	}
	for pages := (nodes - room + pageSize - 1) / pageSize; pages > 0; {
		first, n := uint32(0), uint32(1)
		if len(a.freePages) > 0 {
			first = a.reusePage(position+1, l)
		} else {
			n = pages
			first = a.addPages(position+1, l, n)
		}
		a.open[first+n-1] = a.openPage[position]
		a.openPage[position] = first + 1
		pages -= n
	}
}

// room returns how many slots are free in a list's own pages.
func (a *allocator) room(position uint32) (free uint32) {
	for next := a.openPage[position]; next != 0; next = a.open[next-1] {
		free += pageSize - uint32(bits.OnesCount64(*a.occupied.At(next - 1)))
	}
	return free
}

// growOpen makes room for the first open page of a list.
func (a *allocator) growOpen(position uint32) {
	for uint32(len(a.openPage)) <= position {
		a.openPage = append(a.openPage, 0)
	}
}

// spare is how many pages a list has for each page that it is given ahead of
// need, so that its pages make few runs when nodes of many lists come in turn.
const spare = 8

func (a *allocator) give(page, owner uint32, l *list) {
	a.owner[page], a.isOpen[page] = owner, true
	if owner != sharedPage {
		l.runs = appendPage(l.runs, page)
	}
}

// pages returns how many pages of its own a list has.
func (l *list) pages() (n uint32) {
	for _, r := range l.runs {
		n += r.count
	}
	return n
}

// appendPage returns runs with one more page, in a slice of its own, because
// snapshots may read the old one.
func appendPage(runs []run, page uint32) []run {
	n := len(runs)
	longer := append(make([]run, 0, n+1), runs...)
	if n > 0 && longer[n-1].first+longer[n-1].count == page {
		longer[n-1].count++
		return longer
	}
	return append(longer, run{page, 1})
}

// release frees the slot of a node of the list l.
func (a *allocator) release(slot uint32, l *list) {
	*a.nodes.Edit(slot) = node{}
	page, bit := slot/pageSize, uint64(1)<<(slot%pageSize)
	*a.occupied.Edit(page) &^= bit
	if l.clean() {
		*a.cleanSlots.Edit(page) &^= bit
	}
	head := &a.openShare
	if owner := a.owner[page]; owner != sharedPage {
		head = &a.openPage[owner-1]
	} else {
		l.drop(slot)
	}
	if !a.isOpen[page] {
		a.open[page], a.isOpen[page] = *head, true
		*head = page + 1
	}
}

// drop takes a slot out of those in shared pages.
func (s *scattered) drop(slot uint32) {
	for i := range s.shared[:s.count] {
		if s.shared[i] == slot {
			s.count--
			s.shared[i] = s.shared[s.count]
			return
		}
	}
}

// disband frees the pages of a list that no node has any more. Those that are freed
// last are used first, so the order makes runs again of what was one.
func (a *allocator) disband(position uint32, l *list) {
	for _, r := range slices.Backward(l.runs) {
		for page := r.first + r.count; page > r.first; {
			page--
			a.owner[page], a.isOpen[page] = 0, false
			a.freePages = append(a.freePages, page)
		}
	}
	a.openPage[position] = 0
}
