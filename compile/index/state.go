package index

import (
	"hash/maphash"
	"slices"

	"github.com/tolero-dev/tolero/compile"
	"github.com/tolero-dev/tolero/compile/internal/cow"
	"github.com/tolero-dev/tolero/compile/internal/probe"
	"github.com/tolero-dev/tolero/toleration"
)

// state is all that an index holds, and a snapshot of it.
type state struct {
	rules      toleration.Rules
	seed       maphash.Seed
	vocabulary compile.Vocabulary

	count  int // of nodes
	nodes  cow.Vector[node]
	names  cow.Vector[string]
	byName probe.Table

	classes cow.Vector[class]
	sets    cow.Vector[set]
	byClass probe.Table // of classes
	bySet   probe.Table // of sets

	// The base is nil in an index that has changed much since. What happened since is only
	// appended to, except for last.
	base       *base
	transfers  []transfer
	last       []uint64 // the transfers that are the last of nodes in the index; each state has its own
	newClasses []uint32
	released   []compile.TaintID // which go with the base
	gone       int               // at most so many sets of the base, and taints of these, are gone
}

// freeze returns a copy, which may be changed apart from a.
func (a *state) freeze() state {
	return state{
		rules: a.rules, seed: a.seed, vocabulary: a.vocabulary.Fork(),
		count: a.count, nodes: a.nodes.Freeze(), names: a.names.Freeze(), byName: a.byName.Fork(),
		classes: a.classes.Freeze(), sets: a.sets.Freeze(), byClass: a.byClass.Fork(), bySet: a.bySet.Fork(),
		base: a.base, transfers: slices.Clip(a.transfers), last: slices.Clone(a.last), gone: a.gone, newClasses: slices.Clip(a.newClasses), released: slices.Clip(a.released),
	}
}

// none is no position.
const none = ^uint32(0)

// occupy puts an item into a vector in which so many are in use, where it has room, or at
// its end. Positions that are known to be free are taken first; the others are looked for
// when these are used up.
func occupy[T any](v *cow.Vector[T], free *[]uint32, inUse int, used func(*T) bool, item T) (position uint32) {
	if len(*free) == 0 && v.Len() > inUse {
		for i := uint32(0); int(i) < v.Len() && len(*free) < mostFree; i++ {
			if !used(v.At(i)) {
				*free = append(*free, i)
			}
		}
	}
	last := len(*free) - 1
	if last < 0 {
		return v.Append(item)
	}
	position, *free = (*free)[last], (*free)[:last]
	*v.Edit(position) = item
	return position
}

// mostFree is how many free positions are known, at most, so that little is left of a peak.
const mostFree = 4096

// vacate makes an item that is in use one that is not.
func vacate[T any](v *cow.Vector[T], free *[]uint32, position uint32) {
	*v.Edit(position) = *new(T)
	if len(*free) < mostFree {
		*free = append(*free, position)
	}
}
