package index

import (
	"github.com/tolero-dev/tolero/compile"
	"github.com/tolero-dev/tolero/compile/internal/probe"
	"github.com/tolero-dev/tolero/taint"
)

// forgetPeak gives back the memory of an index that was more than twice as large, in a time
// that follows what went. Nodes and lists keep their positions, which IDs and classes have.
// There must be no base.
func (ix *Index) forgetPeak() {
	if ix.peak <= 2*ix.size()+1000 {
		return
	}
	ix.freeNodes, ix.freeLists, ix.freeSets = nil, nil, nil
	node := func(i uint32) bool { return ix.nodes.At(i).used() }
	ix.names.Shed(node)
	ix.nodes.Shed(node)
	ix.lists.Shed(func(i uint32) bool { return ix.lists.At(i).used() })
	ix.sets.Shed(func(i uint32) bool { return ix.sets.At(i).used() })
	ix.internAgain()
	ix.byName, ix.byList, ix.bySet = probe.Table{}, probe.Table{}, probe.Table{}
	for i := range uint32(ix.nodes.Len()) {
		if node(i) {
			ix.byName.Insert(hashText(ix.seed, *ix.names.At(i)), i)
		}
	}
	for i := range uint32(ix.lists.Len()) {
		if l := ix.lists.At(i); l.used() {
			ix.byList.Insert(l.hash, i)
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
	for i := range uint32(ix.lists.Len()) {
		if !ix.lists.At(i).used() {
			continue
		}
		l := ix.lists.Edit(i)
		taints = ix.vocabulary.AppendTaints(taints[:0], l.taints)
		l.taints = fresh.Append(make([]compile.TaintID, 0, len(taints)), taints)
		l.hash = hashTaints(ix.seed, l.taints)
		s := ix.sets.Edit(l.set)
		s.taints = hardOf(nil, l.taints)
		s.hash = hashTaints(ix.seed, s.taints)
	}
	ix.vocabulary = fresh
}
