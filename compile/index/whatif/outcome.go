package whatif

import (
	"slices"
	"sync"

	"github.com/tolero-dev/tolero/compile/index"
	"github.com/tolero-dev/tolero/taint"
)

// outcome is the taints that nodes have after a plan. They are written down when somebody asks
// for them: until then a number stands for each.
//
// The zero outcome has no groups. Any number of goroutines may use it. It must not be copied.
type outcome struct {
	outcomes
	once  sync.Once
	lists [][]taint.Taint // by group
}

// outcomes is the taints of groups of nodes, four bytes for each: most of them are in the
// snapshot, and a plan adds the same ones to many nodes. Memory that nobody has used before takes
// more time than filling it.
//
// The zero outcomes has no groups. One goroutine at a time may use it. It retains the taints that
// are added.
type outcomes struct {
	groups []outcomeGroup
	codes  []code // of all groups, one after the other
	added  []taint.Taint
}

// outcomeGroup is what a result keeps of a nodeGroup.
type outcomeGroup struct {
	class index.Class
	end   int // of its codes
	chain int32
}

// code is a taint of a group: the position among those that the class has in the snapshot, or
// else, negative, among those that were added.
type code int32

// latest is how many of the taints that were added last are looked at for another one.
const latest = 8

// add returns the code of a taint that the nodes of the group do not have in the snapshot.
func (o *outcomes) add(t *taint.Taint) code {
	n := len(o.added)
	for i := n - 1; i >= max(n-latest, 0); i-- {
		if o.added[i] == *t {
			return ^code(i)
		}
	}
	o.added = append(o.added, *t)
	return ^code(n)
}

// addGroup adds a group whose taints have these codes.
func (o *outcomes) addGroup(class index.Class, chain int32, codes []code) {
	o.codes = append(o.codes, codes...)
	o.groups = append(o.groups, outcomeGroup{class, len(o.codes), chain})
}

// reset takes all groups out, and retains no taints.
func (o *outcomes) reset() {
	clear(o.added)
	o.groups, o.codes, o.added = o.groups[:0], o.codes[:0], o.added[:0]
}

func (o *outcomes) clone() outcomes {
	return outcomes{slices.Clone(o.groups), slices.Clone(o.codes), slices.Clone(o.added)}
}

// taints returns the taints of each group. The first call writes them.
func (o *outcome) taints(fleet *index.Snapshot) [][]taint.Taint {
	o.once.Do(func() { o.write(fleet) })
	return o.lists
}

func (o *outcome) write(fleet *index.Snapshot) {
	o.lists = make([][]taint.Taint, len(o.groups))
	all := make([]taint.Taint, len(o.codes))
	var before []taint.Taint
	first := 0
	for i := range o.groups {
		g := &o.groups[i]
		before = fleet.AppendTaints(before[:0], g.class)
		for j := first; j < g.end; j++ {
			if c := o.codes[j]; c < 0 {
				all[j] = o.added[^c]
			} else {
				all[j] = before[c]
			}
		}
		o.lists[i] = all[first:g.end:g.end]
		first = g.end
	}
}
