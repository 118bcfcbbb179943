package whatif

import (
	"slices"

	"github.com/tolero-dev/tolero/compile/index"
	"github.com/tolero-dev/tolero/taint"
)

// buffers is memory that evaluations use in turns. No result shares it.
type buffers struct {
	selection
	groups    []nodeGroup
	groupOf   []uint32 // by position in nodes
	pairs     []pair
	classes   []index.Class
	lists     []taint.Taint    // of some groups before the plan
	ends      []int            // of these lists
	listRows  []index.TaintRow // of these taints
	rows      []index.TaintRow // of groups and pairs
	on        [][]resident     // by position in nodes
	kinds     []kind           // of the pods on some nodes
	ofNode    []fate           // of the pods on a node
	gone      []index.PodClass // of the pods that are evicted from some nodes
	onPair    []int            // how many pods, by pair
	next      []uint32
	order     []uint32
	ofChain   []int32
	taints    []taint.Taint
	edited    [2][]taint.Taint
	groupRows groupRows
	runs      []run // of a group
	outcomes  outcomes
	fates     fates
	tallies   tallies
	moving    []move
	ofPairs   []taint.Taint
	changed   []bool // by position in nodes: whether the node is in the result
	text      []byte

	touched limit // means nothing: see readKinds

	unplaced      []int // positions of nodes whose place is not known yet
	unplacedNames []string
	positionsOf   []uint32 // in the directory, of these names

	positions map[uint64]uint32
	most      int // how many entries it had
}

// reset empties the buffers that an evaluation appends to.
func (b *buffers) reset() {
	b.groups, b.groupOf, b.pairs = b.groups[:0], b.groupOf[:0], b.pairs[:0]
	b.classes, b.rows, b.ofPairs = b.classes[:0], b.rows[:0], b.ofPairs[:0]
	b.fates.reset()
	b.tallies.reset()
}

// emptied returns positions without entries.
func (b *buffers) emptied() map[uint64]uint32 {
	if b.positions == nil {
		b.positions = make(map[uint64]uint32)
	}
	clear(b.positions)
	return b.positions
}

// settle ends an evaluation: the buffers then retain no pods, no names that the plan gives, and
// nothing of the result. Emptying a map takes as long as the most entries that it ever had, so
// small plans after a large one get a new map.
func (b *buffers) settle() {
	clear(b.on)
	clear(b.groups)
	clear(b.pairs)
	clear(b.ofPairs)
	b.outcomes.reset()
	if b.most = max(b.most, len(b.nodes)); b.most > 8*len(b.nodes)+1<<10 {
		b.positions, b.most = nil, 0
	}
	b.selection = selection{nodes: b.nodes[:0], ids: b.ids[:0]}
}

// forget drops the taints and names of a snapshot that the next evaluation does not look at.
func (b *buffers) forget() {
	for _, taints := range [...][]taint.Taint{b.lists, b.taints, b.edited[0], b.edited[1]} {
		clear(taints[:cap(taints)])
	}
	clear(b.unplacedNames[:cap(b.unplacedNames)])
}

// store returns a copy of a list at the end of a buffer.
func store[T any](buffer *[]T, list []T) []T {
	first := len(*buffer)
	*buffer = append(*buffer, list...)
	return slices.Clip((*buffer)[first:])
}

// zeros returns a slice of n zeros, in the memory of s if it is large enough.
func zeros[T any](s []T, n int) []T {
	if n > cap(s) {
		return make([]T, n)
	}
	s = s[:n]
	clear(s)
	return s
}
