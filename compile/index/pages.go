package index

import (
	"math/bits"

	"github.com/tolero-dev/tolero/compile/internal/cow"
)

// A node has a slot, and 64 slots make a page. Sets fill pages of their own, so that
// a bit for each node is written by copying words; what is left of a set, and sets that
// are smaller than a page, share pages. Pages of a set's own are filled or nearly so:
// those that become sparse are emptied into others, or shared. Shared pages are filled
// one after the other, and the sparsest are emptied into others when too many slots
// are free. So the pages follow the nodes that there are. Nodes move to another slot
// when a page is emptied; what stands for them outside does not name the slot.

const pageSize = 64

const (
	// sparse is how many nodes a page of a set's own must have.
	sparse = 48
	// large is how many nodes a set has that is given pages ahead of need, one for
	// each pagesAhead that it has: its pages make few runs when nodes of many sets come
	// in turn.
	large      = 512
	pagesAhead = 8
	// A set may have fewFragments, and one more for each fragmentNodes nodes in
	// fragments; if there are more, they are gathered.
	fewFragments  = 8
	fragmentNodes = 16
	// There may be a free slot for each slack slots that are taken, and slackSlots
	// more.
	slack      = 4
	slackSlots = 4 * pageSize
)

// page is whose it is, and its place in a list: of the pages with a free slot that
// have the same owner, of the shared ones with as many free slots, or of free pages.
type page struct {
	owner      uint32 // its set plus one, shared, or none
	next, prev uint32 // plus one
}

// Owners of pages beside sets.
const (
	noOwner  uint32 = 0
	shared   uint32 = ^uint32(0)
	emptying uint32 = ^uint32(0) - 1
)

// pages is the slots of nodes. What follows base is the writer's.
type pages struct {
	numbers cow.Vector[uint32] // by slot: the number of its node plus one, or zero
	// base is, for each shape, the slots of the nodes whose sets have no hard effect
	// beside those of the shape. The last one has all nodes.
	base      [shapes]cow.Vector[uint64]
	fragments cow.Vector[fragment]

	freeFragments stack
	pages         cow.Vector[page]
	free          uint32           // the first free page, plus one
	shared        [pageSize]uint32 // by the number of free slots: the first shared page, plus one
	sharedSizes   uint64           // the numbers of free slots for which there are shared pages
	sharedFree    uint32           // how many slots are free in shared pages
}

func (a *pages) freeze() pages {
	frozen := pages{
		numbers: a.numbers.Freeze(), fragments: a.fragments.Freeze(), freeFragments: a.freeFragments.freeze(), pages: a.pages.Freeze(),
		free: a.free, shared: a.shared, sharedSizes: a.sharedSizes, sharedFree: a.sharedFree,
	}
	for i := range a.base {
		frozen.base[i] = a.base[i].Freeze()
	}
	return frozen
}

// occupied returns the slots of a page that hold a node.
func (a *pages) occupied(p uint32) uint64 { return *a.base[shapes-1].At(p) }

// freeSlots returns how many slots of a page are free.
func (a *pages) freeSlots(p uint32) uint32 {
	return pageSize - uint32(bits.OnesCount64(a.occupied(p)))
}

// push puts a page first in a list.
func (a *pages) push(head *uint32, p uint32) {
	e := a.pages.Edit(p)
	if e.next, e.prev = *head, 0; e.next != 0 {
		a.pages.Edit(e.next - 1).prev = p + 1
	}
	*head = p + 1
}

// unlink takes a page out of a list.
func (a *pages) unlink(head *uint32, p uint32) {
	e := *a.pages.At(p)
	if e.next != 0 {
		a.pages.Edit(e.next - 1).prev = e.prev
	}
	if e.prev != 0 {
		a.pages.Edit(e.prev - 1).next = e.next
	} else {
		*head = e.next
	}
}

// share lists a shared page by its free slots, and unshare takes it out of the list.
func (a *pages) share(p uint32) {
	if n := a.freeSlots(p); n > 0 {
		a.push(&a.shared[n%pageSize], p)
		a.sharedSizes |= 1 << (n % pageSize)
		a.sharedFree += n
	}
}

func (a *pages) unshare(p uint32) {
	if n := a.freeSlots(p); n > 0 {
		a.unlink(&a.shared[n%pageSize], p)
		if a.shared[n%pageSize] == 0 {
			a.sharedSizes &^= 1 << (n % pageSize)
		}
		a.sharedFree -= n
	}
}

// newPage returns a free page, or one more.
func (a *pages) newPage(owner uint32) (p uint32) {
	if a.free != 0 {
		p = a.free - 1
		a.unlink(&a.free, p)
		a.pages.Edit(p).owner = owner
		return p
	}
	p = a.pages.Append(page{owner: owner})
	for i := range a.base {
		a.base[i].Append(0)
	}
	a.numbers.Extend(pageSize)
	return p
}

// freePage gives an empty page back, which must be in no list.
func (a *pages) freePage(p uint32) {
	a.pages.Edit(p).owner = noOwner
	a.push(&a.free, p)
}

// occupy gives a slot to a node of a set with a shape, and vacate frees it.
func (a *pages) occupy(slot, number uint32, s shape) {
	*a.numbers.Edit(slot) = number + 1
	for i := range a.base {
		if s&^shape(i) == 0 {
			*a.base[i].Edit(slot / pageSize) |= 1 << (slot % pageSize)
		}
	}
}

func (a *pages) vacate(slot uint32, s shape) (number uint32) {
	number = *a.numbers.At(slot) - 1
	*a.numbers.Edit(slot) = 0
	for i := range a.base {
		if s&^shape(i) == 0 {
			*a.base[i].Edit(slot / pageSize) &^= 1 << (slot % pageSize)
		}
	}
	return number
}

// firstFree returns the first free slot of a page that has one.
func (a *pages) firstFree(p uint32) uint32 {
	return p*pageSize + uint32(bits.TrailingZeros64(^a.occupied(p)))
}

// run is successive pages.
type run struct{ first, count uint32 }

// own is the pages of a set that hold no other nodes. It is never written to.
type own struct {
	runs  []run // in ascending order
	pages uint32
}

func (o *own) count() uint32 {
	if o == nil {
		return 0
	}
	return o.pages
}

// with returns o with one more page.
func (o *own) with(p uint32) *own {
	longer := &own{pages: o.count() + 1}
	added := false
	if o != nil {
		longer.runs = make([]run, 0, len(o.runs)+1)
		for _, r := range o.runs {
			if !added && p < r.first {
				longer.append(run{p, 1})
				added = true
			}
			longer.append(r)
		}
	}
	if !added {
		longer.append(run{p, 1})
	}
	return longer
}

// without returns o with one page less.
func (o *own) without(p uint32) *own {
	if o.pages == 1 {
		return nil
	}
	shorter := &own{pages: o.pages - 1, runs: make([]run, 0, len(o.runs)+1)}
	for _, r := range o.runs {
		if p < r.first || p >= r.first+r.count {
			shorter.append(r)
			continue
		}
		shorter.append(run{r.first, p - r.first})
		shorter.append(run{p + 1, r.first + r.count - p - 1})
	}
	return shorter
}

// append adds a run of which no page comes before one that is there.
func (o *own) append(r run) {
	switch n := len(o.runs); {
	case r.count == 0:
	case n > 0 && o.runs[n-1].first+o.runs[n-1].count == r.first:
		o.runs[n-1].count += r.count
	default:
		o.runs = append(o.runs, r)
	}
}
