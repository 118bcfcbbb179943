package index

import (
	"github.com/tolero-dev/tolero/compile"
	"github.com/tolero-dev/tolero/compile/internal/probe"
	"github.com/tolero-dev/tolero/taint"
)

// forgetPeak gives back the memory of an index that was more than twice as large, in a time
// that follows what went. Nodes and classes keep their positions, which a NodeID and a Class have.
// There must be no base.
func (ix *Index) forgetPeak() {
	if ix.peak <= 2*ix.size()+1000 {
		return
	}
	ix.freeNodes, ix.freeClasses, ix.freeSets = nil, nil, nil
	node := func(i uint32) bool { return ix.nodes.At(i).used() }
	ix.names.Shed(node)
	ix.nodes.Shed(node)
	ix.classes.Shed(func(i uint32) bool { return ix.classes.At(i).used() })
	ix.sets.Shed(func(i uint32) bool { return ix.sets.At(i).used() })
	ix.internAgain()
	ix.byName, ix.byClass, ix.bySet = probe.Table{}, probe.Table{}, probe.Table{}
	for i := range uint32(ix.nodes.Len()) {
		if node(i) {
			ix.byName.Insert(hashText(ix.seed, *ix.names.At(i)), i)
		}
	}
	for i := range uint32(ix.classes.Len()) {
		if class := ix.classes.At(i); class.used() {
			ix.byClass.Insert(class.hash, i)
		}
	}
	for i := range uint32(ix.sets.Len()) {
		if s := ix.sets.At(i); s.used() {
			ix.bySet.Insert(s.hash, i)
		}
	}
	ix.peak = ix.size()
}

// internAgain gives all taints new IDs, in a vocabulary that never had others.
func (ix *Index) internAgain() {
	var fresh compile.Vocabulary
	var taints []taint.Taint
	for i := range uint32(ix.classes.Len()) {
		if !ix.classes.At(i).used() {
			continue
		}
		class := ix.classes.Edit(i)
		taints = ix.vocabulary.AppendTaints(taints[:0], class.taints)
		class.taints = fresh.Append(make([]compile.TaintID, 0, len(taints)), taints)
		class.hash = hashTaints(ix.seed, class.taints)
		s := ix.sets.Edit(class.set)
		s.taints = hardOf(nil, class.taints)
		s.hash = hashTaints(ix.seed, s.taints)
	}
	ix.vocabulary = fresh
}
