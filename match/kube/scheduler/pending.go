package scheduler

import (
	"encoding/binary"
	"math/bits"
	"sync"
	"sync/atomic"
	"unsafe"

	v1 "k8s.io/api/core/v1"
)

// pending remembers the toleration lists of the pods that hints are asked about. Whenever a
// node changes, the scheduler asks about each waiting pod, and most pods share a few lists. So
// pending decides about a change once for each list, without reading the pod's tolerations.
//
// A list is known by the memory that it is in, which is retained, so that nothing else
// can be there, and which nobody changes. Reading takes no lock.
type pending struct {
	table  atomic.Pointer[pendingTable]
	change atomic.Pointer[nodeChange] // the last one that was asked about twice in a row

	// The last change. It is two pointers that are not written together, and only says
	// that a change may be worth an allocation.
	before, after atomic.Pointer[v1.Node]

	mu     sync.Mutex // guards what follows
	used   int        // entries of the table
	serial uint64     // of the last change
	lists  map[string]*pendingList
	misses int    // how often there was no room
	bytes  []byte // a buffer
}

// nodeChange is a node before and after it changed.
type nodeChange struct {
	before, after *v1.Node
	serial        uint64
}

// pendingList is a list of tolerations that some pods have.
type pendingList struct {
	answer atomic.Uint64 // the serial number of the last change, and whether it lets them in
	length int           // how many tolerations
}

type pendingTable struct {
	entries []pendingEntry
	shift   int
}

// pendingEntry is a list in memory. Load first before reading the field after it.
type pendingEntry struct {
	first atomic.Pointer[v1.Toleration]
	list  *pendingList
}

const (
	fewestPending = 1 << 8
	mostPending   = 1 << 17
	// pendingShare is how many entries there are at least for each that is used: so few
	// lists miss their first place, and looking elsewhere takes longer than everything else.
	pendingShare = 4
	// longestPending is how long a list may be to be remembered.
	longestPending = 64
	// pendingMisses is how many lists may find no room before a table of the largest size is
	// emptied, because most of its pods may be gone. It is large, so that too many waiting
	// pods do not refill the table all the time.
	pendingMisses = mostPending
)

// What pending knows of a change and a list.
const (
	letsNot = iota // the change does not let its pods in
	lets           // it does
	unknown        // not decided yet
)

// answer returns what was decided about the last change for a list: letsNot, lets or
// unknown. It is the short way for most pods; look does the rest. The objects are those of
// an event, of any types.
func (p *pending) answer(tolerations []v1.Toleration, oldObject, newObject any) uint64 {
	before, isNode := oldObject.(*v1.Node)
	after, _ := newObject.(*v1.Node)
	c, t := p.change.Load(), p.table.Load()
	if c == nil || t == nil || c.before != before || c.after != after || !isNode && oldObject != nil || len(tolerations) == 0 {
		return unknown
	}
	e := t.entry(listPlace(&tolerations[0], len(tolerations)))
	if e.first.Load() != &tolerations[0] || e.list.length != len(tolerations) {
		return unknown
	}
	if answer := e.list.answer.Load(); answer>>1 == c.serial {
		return answer & 1
	}
	return unknown
}

// look returns a change and what is remembered of a list, or nil for both if the change has
// to be decided for this pod.
func (p *pending) look(tolerations []v1.Toleration, before, after *v1.Node) (*nodeChange, *pendingList) {
	c := p.change.Load()
	if c == nil || c.before != before || c.after != after {
		if c = p.meet(before, after); c == nil {
			return nil, nil
		}
	}
	l := p.find(tolerations)
	if l == nil {
		return nil, nil
	}
	return c, l
}

// meet returns a change that is asked about for the second time, or nil.
func (p *pending) meet(before, after *v1.Node) *nodeChange {
	if p.before.Load() != before || p.after.Load() != after {
		p.before.Store(before)
		p.after.Store(after)
		return nil
	}
	if !p.mu.TryLock() {
		return nil
	}
	defer p.mu.Unlock()
	p.serial++
	c := &nodeChange{before, after, p.serial}
	p.change.Store(c)
	return c
}

func (p *pending) reset() {
	p.used, p.misses, p.lists = 0, 0, make(map[string]*pendingList)
	p.table.Store(newPendingTable(fewestPending))
}

func newPendingTable(entries int) *pendingTable {
	return &pendingTable{make([]pendingEntry, entries), 64 - bits.TrailingZeros(uint(entries))}
}

// find returns what is remembered of a list, or nil. A list that is met for the first time
// is remembered.
func (p *pending) find(tolerations []v1.Toleration) *pendingList {
	if len(tolerations) == 0 || len(tolerations) > longestPending {
		return nil
	}
	first := &tolerations[0]
	if t := p.table.Load(); t != nil {
		switch e := t.find(first, len(tolerations)); {
		case e == nil: // there is no room
			return nil
		case e.first.Load() == first && e.list.length == len(tolerations):
			return e.list
		}
	}
	p.learn(tolerations)
	return nil
}

// find returns the entry of a list or the one that it would have, or nil.
func (t *pendingTable) find(first *v1.Toleration, length int) *pendingEntry {
	place := listPlace(first, length)
	for range probes {
		e := t.entry(place)
		if last := e.first.Load(); last == first || last == nil {
			return e
		}
		place = place.next()
	}
	return nil
}

func (t *pendingTable) entry(p place) *pendingEntry {
	return &t.entries[p.of(len(t.entries), t.shift)]
}

// listPlace returns the first place of a list: those of lists of about the same length that
// are next to each other in memory are next to each other, as far as they are in the same
// region. Regions are spread, because lists of other lengths are between them.
func listPlace(first *v1.Toleration, length int) place {
	address := uint64(uintptr(unsafe.Pointer(first)))
	shift := tolerationBits - 1 + bits.Len(uint(length))
	return place{address % (1 << regionBits) >> (uint(shift) & 63), (address >> regionBits) * spread}
}

const regionBits = 14

// tolerationBits is the least number of bits of an offset in a toleration.
const tolerationBits = 5 + int(unsafe.Sizeof(v1.Toleration{})/64)

// learn takes in a list, if nobody else is learning at the moment: there will be another
// opportunity.
func (p *pending) learn(tolerations []v1.Toleration) {
	if !p.mu.TryLock() {
		return
	}
	defer p.mu.Unlock()
	t := p.table.Load()
	switch {
	case t == nil:
		p.reset()
	case pendingShare*p.used < len(t.entries):
	case len(t.entries) < mostPending:
		p.table.Store(t.grown())
	default:
		if p.misses++; p.misses < pendingMisses {
			return
		}
		p.reset()
	}
	e := p.table.Load().find(&tolerations[0], len(tolerations))
	if e == nil || e.first.Load() != nil { // full here, or of another length
		return
	}
	p.used++
	e.list = p.list(tolerations)
	e.first.Store(&tolerations[0])
}

// grown returns a table twice as large with the same entries.
func (t *pendingTable) grown() *pendingTable {
	g := newPendingTable(2 * len(t.entries))
	for i := range t.entries {
		e := &t.entries[i]
		first := e.first.Load()
		if first == nil {
			continue
		}
		if to := g.find(first, e.list.length); to != nil {
			to.list = e.list
			to.first.Store(first)
		}
	}
	return g
}

// list returns what pods with the same words in their tolerations share.
func (p *pending) list(tolerations []v1.Toleration) *pendingList {
	p.bytes = p.bytes[:0]
	for i := range tolerations {
		t := &tolerations[i]
		for _, word := range []string{t.Key, string(t.Operator), t.Value, string(t.Effect)} {
			p.bytes = append(binary.AppendUvarint(p.bytes, uint64(len(word))), word...)
		}
	}
	l := p.lists[string(p.bytes)]
	if l == nil {
		l = &pendingList{length: len(tolerations)}
		p.lists[string(p.bytes)] = l
	}
	return l
}
