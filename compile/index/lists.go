package index

import (
	"cmp"
	"slices"

	"github.com/tolero-dev/tolero/compile"
	"github.com/tolero-dev/tolero/taint"
)

// A list is all taints of some nodes in their order; callers know it as a Class. A set is
// the hard ones of them, without order and each once: it decides the verdict, and the list
// the first untolerated taint (rule F3), scores, and when a pod has to leave. Both exist
// while a node has them.

// list is the taints that some nodes have.
type list struct {
	taints []compile.TaintID // in the order of the nodes; never written to
	stamp  uint64            // tells the lists that had the position one after the other apart
	set    uint32
	nodes  uint32 // how many nodes have it; none if the position is free
	at     uint32 // where it is in newLists, unless the base has it
	hash   uint32
}

func (l *list) used() bool { return l.stamp != 0 }

// set is the hard taints that some lists have.
type set struct {
	taints []compile.TaintID // NoSchedule first; never written to
	lists  uint32            // how many lists have it; none if the position is free
	hash   uint32
}

func (s *set) used() bool { return s.lists != 0 }

// hardNumber numbers the hard effects: NoSchedule, NoExecute.
func hardNumber(effects taint.EffectSet) int {
	if effects&taint.Evicting != 0 {
		return 1
	}
	return 0
}

// listOf returns the position of the list of taints, made if need be. A new one has no
// nodes yet.
func (ix *Index) listOf(taints []taint.Taint) uint32 {
	if position, known := ix.findList(taints); known {
		return position
	}
	ids := ix.vocabulary.Append(make([]compile.TaintID, 0, len(taints)), taints)
	if ix.base != nil && len(ix.newLists) >= ix.mostLists {
		ix.dropBase()
	}
	l := list{taints: ids, stamp: ix.newStamp(), at: uint32(len(ix.newLists)), hash: hashTaints(ix.seed, ids), set: ix.setOf(ids)}
	ix.sets.Edit(l.set).lists++
	position := place(&ix.lists, &ix.freeLists, ix.byList.Len(), (*list).used, l)
	ix.byList.Insert(l.hash, position)
	if ix.base != nil {
		ix.newLists = append(ix.newLists, position)
	}
	return position
}

// findList returns the position of the list of taints, if there is one.
func (ix *Index) findList(taints []taint.Taint) (position uint32, known bool) {
	ids := ix.buffer[:0]
	for i := range taints {
		id, inUse := ix.vocabulary.ID(&taints[i])
		if !inUse {
			return 0, false
		}
		ids = append(ids, id)
	}
	ix.buffer = ids
	for position := range ix.byList.Candidates(hashTaints(ix.seed, ids)) {
		if slices.Equal(ix.lists.At(position).taints, ids) {
			return position, true
		}
	}
	return 0, false
}

// setOf returns the position of the set of taints, made if need be. A new one has no lists
// yet.
func (ix *Index) setOf(taints []compile.TaintID) uint32 {
	hard := hardOf(ix.buffer[:0], taints)
	ix.buffer = hard
	hash := hashTaints(ix.seed, hard)
	for position := range ix.bySet.Candidates(hash) {
		if slices.Equal(ix.sets.At(position).taints, hard) {
			return position
		}
	}
	if slices.Equal(hard, taints) { // as of most lists
		hard = taints
	} else {
		hard = slices.Clone(hard)
	}
	position := place(&ix.sets, &ix.freeSets, ix.bySet.Len(), (*set).used, set{taints: hard, hash: hash})
	ix.bySet.Insert(hash, position)
	return position
}

// hardOf returns the hard ones of taints as a set, in the memory of a buffer.
func hardOf(buffer, taints []compile.TaintID) (hard []compile.TaintID) {
	for _, id := range taints {
		if id.Effects()&taint.Hard != 0 {
			buffer = append(buffer, id)
		}
	}
	slices.SortFunc(buffer, func(a, b compile.TaintID) int {
		return cmp.Or(cmp.Compare(a.Effects(), b.Effects()), cmp.Compare(a, b))
	})
	return slices.Compact(buffer)
}

// leave takes a node from a list. A list without nodes goes, and a set without lists.
func (ix *Index) leave(position uint32) {
	l := ix.lists.Edit(position)
	if l.nodes--; l.nodes > 0 {
		return
	}
	ix.byList.Remove(l.hash, position)
	ix.release(l.taints)
	if s := ix.sets.Edit(l.set); s.lists > 1 {
		s.lists--
	} else {
		ix.bySet.Remove(s.hash, l.set)
		vacate(&ix.sets, &ix.freeSets, l.set)
	}
	vacate(&ix.lists, &ix.freeLists, position)
}

// release gives back taints. Those that a base may have stay in use as long as the base,
// so that none of its IDs comes to stand for another taint.
func (ix *Index) release(taints []compile.TaintID) {
	if ix.base == nil {
		ix.vocabulary.Release(taints)
	} else {
		ix.released = append(ix.released, taints...)
	}
}
