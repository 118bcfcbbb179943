package whatif

import (
	"slices"
	"sync"

	"github.com/tolero-dev/tolero/compile/index"
	"github.com/tolero-dev/tolero/taint"
)

// outcome is the taints that nodes have after a plan. They are written down when somebody asks
// for them, in place of the runs and of the taints that were added.
//
// The zero outcome has no groups. Any number of goroutines may use it. It must not be copied.
type outcome struct {
	outcomes
	once      sync.Once
	written   []taint.Taint // of all groups
	writtenTo []int         // where those of a group end
}

// outcomes is the taints of groups of nodes, in a few bytes: most of them are in the snapshot,
// and a plan adds the same ones to many nodes. Allocating memory takes more time than filling it.
//
// The zero outcomes has no groups. One goroutine at a time may use it. It retains the taints that
// are added.
type outcomes struct {
	groups []outcomeGroup
	ends   []uint32 // of the runs of each pattern
	runs   []run    // of all patterns, one after the other
	added  []taint.Taint
}

// outcomeGroup is what a result keeps of a nodeGroup.
type outcomeGroup struct {
	class   index.Class
	pattern uint32 // its runs, which other groups may have too
	chain   int32
}

// run is taints of a group that follow each other: length of those that its class has in the
// snapshot, from position first; or, if length is zero, the added taint at position first.
type run struct{ first, length uint32 }

// latest is how many of the taints, and of the patterns, that were added last are compared with
// the next one.
const latest = 8

// The taints of a group are looked at from the last to the first, and its runs are in that order
// until addGroup turns them around.

// add puts a taint that is not in the snapshot before the runs of a group.
func (o *outcomes) add(runs []run, t *taint.Taint) []run {
	i, n := len(o.added)-1, len(o.added)
	for i >= max(n-latest, 0) && o.added[i] != *t {
		i--
	}
	if i < max(n-latest, 0) {
		i, o.added = n, append(o.added, *t)
	}
	return append(runs, run{uint32(i), 0})
}

// extend puts the i-th taint of the class in the snapshot before the runs of a group.
func extend(runs []run, i int) []run {
	if n := len(runs); n > 0 && runs[n-1].length > 0 && runs[n-1].first == uint32(i)+1 {
		runs[n-1].first--
		runs[n-1].length++
		return runs
	}
	return append(runs, run{uint32(i), 1})
}

// addGroup adds a group with its runs, the last one first, and turns them around.
func (o *outcomes) addGroup(class index.Class, chain int32, runs []run) {
	slices.Reverse(runs)
	n := len(o.ends)
	i := n - 1
	for i >= max(n-latest, 0) && !slices.Equal(o.pattern(uint32(i)), runs) {
		i--
	}
	if i < max(n-latest, 0) {
		o.runs = append(o.runs, runs...)
		i, o.ends = n, append(o.ends, uint32(len(o.runs)))
	}
	o.groups = append(o.groups, outcomeGroup{class, uint32(i), chain})
}

// pattern returns the runs of a pattern.
func (o *outcomes) pattern(i uint32) []run {
	first := uint32(0)
	if i > 0 {
		first = o.ends[i-1]
	}
	return o.runs[first:o.ends[i]]
}

// reset takes all groups out, and retains no taints.
func (o *outcomes) reset() {
	clear(o.added)
	o.groups, o.ends, o.runs, o.added = o.groups[:0], o.ends[:0], o.runs[:0], o.added[:0]
}

func (o *outcomes) clone() outcomes {
	return outcomes{slices.Clone(o.groups), slices.Clone(o.ends), slices.Clone(o.runs), slices.Clone(o.added)}
}

// taints returns the taints of the nodes of a group. The first call writes those of all groups.
func (o *outcome) taints(fleet *index.Snapshot, group uint32) []taint.Taint {
	o.once.Do(func() { o.write(fleet) })
	first := 0
	if group > 0 {
		first = o.writtenTo[group-1]
	}
	end := o.writtenTo[group]
	return o.written[first:end:end]
}

func (o *outcome) write(fleet *index.Snapshot) {
	lengths, all := make([]int, len(o.ends)), 0
	for i := range lengths {
		for _, r := range o.pattern(uint32(i)) {
			lengths[i] += max(int(r.length), 1)
		}
	}
	for i := range o.groups {
		all += lengths[o.groups[i].pattern]
	}
	o.written, o.writtenTo = make([]taint.Taint, 0, all), make([]int, 0, len(o.groups))
	var before []taint.Taint
	for i := range o.groups {
		g := &o.groups[i]
		before = fleet.AppendTaints(before[:0], g.class)
		for _, r := range o.pattern(g.pattern) {
			if r.length == 0 {
				o.written = append(o.written, o.added[r.first])
			} else {
				o.written = append(o.written, before[r.first:r.first+r.length]...)
			}
		}
		o.writtenTo = append(o.writtenTo, len(o.written))
	}
	o.ends, o.runs, o.added = nil, nil, nil
}
