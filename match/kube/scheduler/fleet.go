package scheduler

import (
	"math/bits"
	"sync"
	"sync/atomic"
	"unsafe"

	v1 "k8s.io/api/core/v1"

	"github.com/tolero-dev/tolero/compile"
	"github.com/tolero-dev/tolero/match/kube"
	"github.com/tolero-dev/tolero/taint"
)

// fleet remembers node objects with their taints interned, so that Filter and Score
// test bits in place of strings and do not touch the object. It is a hash table by
// object: a node that changes is another object. The scheduler's snapshot never
// changes a node in place, and an object that is retained cannot become another.
//
// Reading takes no lock: an entry is written once, and published by its object. Nothing
// is forgotten: a fleet that is full learns no more, and PreFilter makes another in its
// place. So at most limit objects are retained.
type fleet struct {
	nodes   int // how many it was made for
	entries []nodeTaints
	shift   int
	version atomic.Uint32 // how often the vocabulary has grown

	mu         sync.Mutex // guards what follows
	vocabulary compile.Vocabulary
	used       int // how many entries are
	buffer     []taint.Taint
}

// nodeTaints is what a fleet remembers of a node object. What follows the object may be
// read by who has seen the object.
type nodeTaints struct {
	node     atomic.Pointer[v1.Node]
	ids      []compile.TaintID // the hard taints and then the soft ones, in the node's order
	hardEnd  uint32            // how many are hard
	version  uint32            // that of the fleet in which all were known
	cordoned bool
}

func (k *nodeTaints) hard() []compile.TaintID { return k.ids[:k.hardEnd] }

func (k *nodeTaints) soft() []compile.TaintID { return k.ids[k.hardEnd:] }

func newFleet(nodes int) *fleet {
	f := &fleet{nodes: nodes}
	size := bits.Len(uint(2*f.limit() - 1)) // at most half of the entries are used
	f.entries, f.shift = make([]nodeTaints, 1<<size), 64-size
	return f
}

// limit is how many objects f remembers at most. To make a new fleet, in which each
// node is learned again, takes as many changes as there are nodes.
func (f *fleet) limit() int { return 2*f.nodes + 64 }

// outgrown reports whether f is full, or was made for a much smaller fleet.
func (f *fleet) outgrown(nodes int) bool {
	if nodes > f.limit() {
		return true
	}
	if !f.mu.TryLock() {
		return false
	}
	defer f.mu.Unlock()
	return f.used >= f.limit()
}

// probes is how many entries an object may be in. Where all are taken, which is very
// rare, it is not remembered.
const probes = 8

// find returns what f remembers of a node, or nil.
func (f *fleet) find(node *v1.Node) *nodeTaints {
	at := f.place(node)
	for range probes {
		k := &f.entries[at]
		switch k.node.Load() {
		case node:
			return k
		case nil:
			return nil
		}
		at = f.after(at)
	}
	return nil
}

// place spreads objects by their addresses. Should an object move, it is only learned
// again.
func (f *fleet) place(node *v1.Node) uint64 {
	return uint64(uintptr(unsafe.Pointer(node))) * 0x9e3779b97f4a7c15 >> f.shift
}

func (f *fleet) after(at uint64) uint64 { return (at + 1) & uint64(len(f.entries)-1) }

// learn takes in a node object, if nobody else is learning at the moment: there will
// be another opportunity.
func (f *fleet) learn(node *v1.Node) {
	if !f.mu.TryLock() {
		return
	}
	defer f.mu.Unlock()
	at := f.place(node)
	for range probes {
		k := &f.entries[at]
		switch k.node.Load() {
		case nil:
			if f.used < f.limit() {
				f.used++
				f.intern(k, node)
			}
			return
		case node:
			return
		}
		at = f.after(at)
	}
}

// intern fills an entry. Taints with unknown effects neither refuse nor count.
func (f *fleet) intern(k *nodeTaints, node *v1.Node) {
	f.buffer = appendEffects(f.buffer[:0], node, taint.Hard)
	k.hardEnd = uint32(len(f.buffer))
	f.buffer = appendEffects(f.buffer, node, taint.Soft)
	before := f.vocabulary.Len()
	k.ids = f.vocabulary.Append(make([]compile.TaintID, 0, len(f.buffer)), f.buffer)
	if f.vocabulary.Len() > before {
		f.version.Add(1)
	}
	k.version, k.cordoned = f.version.Load(), node.Spec.Unschedulable
	k.node.Store(node)
}

// appendEffects appends the taints of a node that have one of the effects.
func appendEffects(dst []taint.Taint, node *v1.Node, effects taint.EffectSet) []taint.Taint {
	for i := range node.Spec.Taints {
		if t := kube.Taint(&node.Spec.Taints[i]); effects.Has(t.Effect) {
			dst = append(dst, t)
		}
	}
	return dst
}
