package headroom

import (
	"github.com/tolero-dev/tolero/compile/index"
	"github.com/tolero-dev/tolero/toleration"
)

// Fleet is the nodes of a snapshot with the caller's numbers, added up by hard taints.
//
// Fleets come from [New]; the zero Fleet has no nodes. A Fleet is immutable and may be
// used concurrently; it must not be copied. It retains the snapshot.
type Fleet struct {
	snapshot *index.Snapshot
	kinds    int
	nodes    []int // by hard set
	sums     []sum // by hard set and kind
}

// New adds up the nodes of a snapshot, which must not be nil. For each node it calls numbers
// once, in no particular order, with kinds zeros to be replaced by the numbers of the node,
// which may be negative; the slice must not be kept. If numbers is nil, or kinds is not
// positive, nodes are all that counts.
//
// The time follows the number of nodes. It does not allocate for each node.
func New(snapshot *index.Snapshot, kinds int, numbers func(node string, into []int64)) *Fleet {
	kinds = max(kinds, 0)
	sets := snapshot.HardSets()
	f := &Fleet{snapshot: snapshot, kinds: kinds, nodes: make([]int, sets), sums: make([]sum, sets*kinds)}
	into := make([]int64, kinds)
	for class, nodes := range snapshot.Classes() {
		f.nodes[snapshot.HardSet(class)] += nodes
	}
	if numbers == nil || kinds == 0 {
		return f
	}
	for id := range snapshot.Nodes(nil) {
		clear(into)
		name, _ := snapshot.Name(id)
		numbers(name, into)
		sums := f.sumsOf(snapshot.HardSet(snapshot.Class(id)))
		for i, n := range into {
			sums[i].add(sumOf(n))
		}
	}
	return f
}

// sumsOf returns the sums of a hard set.
func (f *Fleet) sumsOf(set int) []sum { return f.sums[set*f.kinds : (set+1)*f.kinds] }

// Total returns what all nodes have.
func (f *Fleet) Total() Amount {
	t := newTotal(f.kinds)
	for set, nodes := range f.nodes {
		t.add(nodes, f.sumsOf(set))
	}
	return t.amount()
}

// For returns what pods with a list may use. The list need not be valid; a nil one may use
// the nodes without hard taints. The time is that of [index.Snapshot.FitList] and some
// nanoseconds for each set of hard taints that fits.
func (f *Fleet) For(tolerations []toleration.Toleration) Amount {
	t := newTotal(f.kinds)
	if f.snapshot != nil {
		var fit index.Fit
		f.snapshot.FitList(&fit, tolerations)
		f.addFit(t, &fit)
	}
	return t.amount()
}

func (f *Fleet) addFit(t *total, fit *index.Fit) {
	for set := range fit.HardSets() {
		t.add(f.nodes[set], f.sumsOf(set))
	}
}
