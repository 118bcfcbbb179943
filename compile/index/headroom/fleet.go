package headroom

import (
	"github.com/tolero-dev/tolero/compile/index"
	"github.com/tolero-dev/tolero/toleration"
)

// Fleet is the nodes of a snapshot with the caller's numbers, added up by taints.
//
// Fleets come from [New]; the zero Fleet has no nodes. A Fleet is immutable and may be
// used concurrently; it must not be copied. It retains the snapshot.
type Fleet struct {
	snapshot *index.Snapshot // nil for the zero Fleet
	kinds    int
	groups   []group
}

// group is the nodes of a class.
type group struct {
	class index.Class
	total
}

// New adds up the nodes of a snapshot, which must not be nil. For each node it calls numbers
// once, in no particular order, with kinds zeros to be replaced by the numbers of the node,
// which may be negative; the slice must not be kept. If numbers is nil, or kinds is not
// positive, nodes are all that counts.
//
// The time follows the number of nodes. It allocates for each class of nodes, and not for
// each node.
func New(snapshot *index.Snapshot, kinds int, numbers func(node string, into []int64)) *Fleet {
	f := &Fleet{snapshot: snapshot, kinds: max(kinds, 0)}
	at := make(map[index.Class]int)
	for class, nodes := range snapshot.Classes() {
		at[class] = len(f.groups)
		f.groups = append(f.groups, group{class, newTotal(f.kinds)})
		f.groups[at[class]].nodes = nodes
	}
	if numbers == nil || f.kinds == 0 {
		return f
	}
	into := make([]int64, f.kinds)
	for id := range snapshot.Nodes(nil) {
		clear(into)
		name, _ := snapshot.Name(id)
		numbers(name, into)
		sums := f.groups[at[snapshot.Class(id)]].sums
		for i, n := range into {
			sums[i].add(sumOf(n))
		}
	}
	return f
}

// Total returns what all nodes have.
func (f *Fleet) Total() Amount { return f.amount(func(index.Class) bool { return true }) }

// For returns what pods with a list may use. The list need not be valid; a nil one may use
// the nodes without hard taints. The time is that of [index.Snapshot.FitList] and some
// nanoseconds for each class of nodes.
func (f *Fleet) For(tolerations []toleration.Toleration) Amount {
	var fit index.Fit
	f.fill(&fit, tolerations)
	return f.amount(fit.HasClass)
}

func (f *Fleet) fill(fit *index.Fit, tolerations []toleration.Toleration) {
	if f.snapshot != nil {
		f.snapshot.FitList(fit, tolerations)
	}
}

func (f *Fleet) amount(counts func(index.Class) bool) Amount {
	t := newTotal(f.kinds)
	for i := range f.groups {
		if g := &f.groups[i]; counts(g.class) {
			t.add(&g.total)
		}
	}
	return t.amount()
}
