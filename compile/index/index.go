package index

import (
	"hash/maphash"
	"iter"
	"sync/atomic"

	"github.com/tolero-dev/tolero/compile"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// Index is a fleet of nodes by their taints.
//
// The zero Index is empty and ready for use; its answers are those of a cluster with
// default settings, as those of [New] with the zero Rules. An Index must not be copied.
// One goroutine at a time may call its methods; the snapshots that it gives may be used
// by any number. It retains the names of its nodes, and the strings of the taints that
// they have or had a few hundred changes ago.
type Index struct {
	state
	mostTransfers, mostClasses       int      // until the base goes
	stamp, lastStamp                 uint64   // those that the index may still give
	freeNodes, freeClasses, freeSets []uint32 // some of the free positions
	peak                             int      // the largest size since a peak was forgotten
	buffer                           []compile.TaintID
}

// New returns an empty index, for a default cluster, which ignores tolerations with Gt and
// Lt, or for one with the given rules (rule N4).
func New(rules ...toleration.Rules) *Index {
	return &Index{state: state{rules: first(rules)}}
}

func first(rules []toleration.Rules) (r toleration.Rules) {
	if len(rules) > 0 {
		r = rules[0]
	}
	return r
}

// stamps is the last stamp that was given to an index of the process, and stampBatch
// how many it gets at a time. Those of one index ascend.
var stamps atomic.Uint64

const stampBatch = 1 << 20

func (ix *Index) newStamp() uint64 {
	if ix.stamp == ix.lastStamp {
		ix.lastStamp = stamps.Add(stampBatch)
		ix.stamp = ix.lastStamp - stampBatch
	}
	ix.stamp++
	return ix.stamp
}

// begin makes the zero Index one to add to.
func (ix *Index) begin() {
	if ix.seed == (maphash.Seed{}) {
		ix.seed = maphash.MakeSeed()
	}
}

// Len returns the number of nodes.
func (ix *Index) Len() int { return ix.count }

// ID returns the ID of the node of that name, and whether it is in the index.
func (ix *Index) ID(name string) (id NodeID, ok bool) { return ix.nodeID(name) }

// Set gives the node of that name its taints, in the place of those that it had, and
// returns its ID. Nodes that are not in the index are added. If the taints are the same
// as before, in the same order, nothing changes and the ID is the same. Times do not
// matter.
//
// The time follows the number of taints, which it sorts if no node has the same ones.
// In the steady state, Set allocates only for new classes, and to copy what is shared with
// a snapshot.
func (ix *Index) Set(name string, taints []taint.Taint) NodeID {
	ix.begin()
	position := ix.classOf(taints)
	number, known := ix.find(name)
	if known && ix.nodes.At(number).class == position {
		return ix.id(number)
	}
	if !known {
		number = ix.addName(name)
	}
	ix.classes.Edit(position).nodes++
	ix.put(number, position)
	ix.check()
	return ix.id(number)
}

// put gives a node a class, which counts it already.
func (ix *Index) put(number, position uint32) {
	before, set := *ix.nodes.At(number), ix.classes.At(position).set
	at := before.transfer
	if !before.used() || ix.classes.At(before.class).set != set {
		at = ix.record(number, before.used(), set)
	}
	*ix.nodes.Edit(number) = node{ix.newStamp(), position, at}
	if before.used() {
		ix.leave(before.class)
	}
	ix.peak = max(ix.peak, ix.size())
}

// Delete takes the node of that name out of the index, and reports whether it
// was there.
func (ix *Index) Delete(name string) bool {
	number, known := ix.find(name)
	if !known {
		return false
	}
	ix.record(number, true, none)
	position := ix.nodes.At(number).class
	ix.removeName(number)
	ix.leave(position)
	ix.check()
	return true
}

// Load sets many nodes, as [Index.Set] does one after the other: of nodes with the
// same name the last one counts, and nodes of the index that are not listed stay
// unchanged. The taints need not outlive the step of the iteration, which must not use the
// index; if it panics, the index is as it was before.
func (ix *Index) Load(nodes iter.Seq2[string, []taint.Taint]) {
	ix.begin()
	names, positions := ix.readAll(nodes)
	for i, name := range names {
		number, known := ix.find(name)
		if !known {
			number = ix.addName(name)
		}
		if known && ix.nodes.At(number).class == positions[i] {
			ix.leave(positions[i]) // it is counted already
		} else {
			ix.put(number, positions[i])
		}
	}
	ix.check()
}

// readAll reads the nodes of a Load, and counts them for their classes. It undoes that if
// the iteration panics.
func (ix *Index) readAll(nodes iter.Seq2[string, []taint.Taint]) (names []string, positions []uint32) {
	whole := false
	defer func() {
		if !whole {
			for _, position := range positions {
				ix.leave(position)
			}
		}
	}()
	for name, taints := range nodes {
		position := ix.classOf(taints)
		ix.classes.Edit(position).nodes++
		names, positions = append(names, name), append(positions, position)
	}
	whole = true
	return names, positions
}

// Snapshot returns the fleet as it is now. What is done to the index later does
// not change it. It takes constant time and some allocations, and after some hundred
// changes, or many at once, a few nanoseconds for each node and hard taint.
func (ix *Index) Snapshot() *Snapshot {
	if ix.base != nil && ix.gone > mostGone(len(ix.base.taints)) {
		ix.dropBase()
	}
	if ix.base == nil {
		ix.forgetPeak()
		ix.base = newBase(&ix.state, ix.newStamp())
		ix.mostTransfers, ix.mostClasses = mostTransfers(len(ix.base.taints)), mostClasses(len(ix.base.classes))
	}
	ix.byName.Reserve() // so that no fork has to
	ix.byClass.Reserve()
	ix.bySet.Reserve()
	return &Snapshot{state: ix.freeze()}
}

// size is what the memory of an index follows.
func (ix *Index) size() int { return ix.count + ix.byClass.Len() + ix.vocabulary.Len() }
