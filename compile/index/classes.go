package index

import (
	"cmp"
	"slices"

	"github.com/tolero-dev/tolero/compile"
	"github.com/tolero-dev/tolero/taint"
)

// A class is all taints of some nodes in their order; callers know it as a Class. A set is
// the hard ones of them, without order and each once: it decides the verdict, and the class
// the first untolerated taint (rule F3), scores, and when a pod has to leave. Both exist
// while a node has them.

// class is the taints that some nodes have.
type class struct {
	taints []compile.TaintID // in the order of the nodes; never written to
	stamp  uint64            // tells the classes that had the position one after the other apart
	set    uint32
	nodes  uint32 // how many nodes have it; none if the position is free
	at     uint32 // where it is in newClasses, unless the base has it
	hash   uint32
}

func (c *class) used() bool { return c.stamp != 0 }

// set is the hard taints that some classes have.
type set struct {
	taints  []compile.TaintID // NoSchedule first; never written to
	classes uint32            // how many classes have it; none if the position is free
	hash    uint32
}

func (s *set) used() bool { return s.classes != 0 }

// classOf returns the position of the class of taints, made if need be. A new one has no
// nodes yet.
func (ix *Index) classOf(taints []taint.Taint) uint32 {
	if position, known := ix.findClass(taints); known {
		return position
	}
	ids := ix.vocabulary.Append(make([]compile.TaintID, 0, len(taints)), taints)
	if ix.base != nil && len(ix.newClasses) >= ix.mostClasses {
		ix.dropBase()
	}
	fresh := class{taints: ids, stamp: ix.newStamp(), at: uint32(len(ix.newClasses)), hash: hashTaints(ix.seed, ids), set: ix.setOf(ids)}
	ix.sets.Edit(fresh.set).classes++
	position := occupy(&ix.classes, &ix.freeClasses, ix.byClass.Len(), (*class).used, fresh)
	ix.byClass.Insert(fresh.hash, position)
	if ix.base != nil {
		ix.newClasses = append(ix.newClasses, position)
	}
	return position
}

// findClass returns the position of the class of taints, if there is one.
func (ix *Index) findClass(taints []taint.Taint) (position uint32, known bool) {
	ids := ix.buffer[:0]
	for i := range taints {
		id, inUse := ix.vocabulary.ID(&taints[i])
		if !inUse {
			return 0, false
		}
		ids = append(ids, id)
	}
	ix.buffer = ids
	for position := range ix.byClass.Candidates(hashTaints(ix.seed, ids)) {
		if slices.Equal(ix.classes.At(position).taints, ids) {
			return position, true
		}
	}
	return 0, false
}

// setOf returns the position of the set of taints, made if need be. A new one has no classes
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
	if slices.Equal(hard, taints) { // as of most classes
		hard = taints
	} else {
		hard = slices.Clone(hard)
	}
	position := occupy(&ix.sets, &ix.freeSets, ix.bySet.Len(), (*set).used, set{taints: hard, hash: hash})
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

// leave takes a node from a class. A class without nodes goes, and a set without classes.
func (ix *Index) leave(position uint32) {
	class := ix.classes.Edit(position)
	if class.nodes--; class.nodes > 0 {
		return
	}
	ix.byClass.Remove(class.hash, position)
	ix.release(class.taints)
	if s := ix.sets.Edit(class.set); s.classes > 1 {
		s.classes--
	} else {
		ix.gone += 1 + len(s.taints)
		ix.bySet.Remove(s.hash, class.set)
		vacate(&ix.sets, &ix.freeSets, class.set)
	}
	vacate(&ix.classes, &ix.freeClasses, position)
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
