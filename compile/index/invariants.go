package index

import (
	"fmt"

	"github.com/tolero-dev/tolero/compile"
	"github.com/tolero-dev/tolero/compile/internal/invariant"
)

// check panics if the index is not whole, in a program that was built to check itself. It
// looks at everything while the index is small, and seldom once it is large.
func (ix *Index) check() {
	if invariant.Enabled && (ix.count < 64 || (ix.stamp+uint64(ix.count))%uint64(64+ix.count/4) == 0) {
		if err := ix.inspect(); err != nil {
			panic(err)
		}
	}
}

// inspect returns what is wrong with the index.
func (ix *Index) inspect() error {
	nodes, classes := make(map[uint32]uint32), make(map[uint32]uint32) // by class, and by set
	count := 0
	for i := range uint32(ix.nodes.Len()) {
		n := ix.nodes.At(i)
		if !n.used() {
			continue
		}
		count++
		nodes[n.class]++
		if number, known := ix.find(*ix.names.At(i)); !known || number != i {
			return fmt.Errorf("index: the name of node %d is of %d", i, number)
		}
	}
	if count != ix.count || count != ix.byName.Len() {
		return fmt.Errorf("index: %d nodes, counted as %d, with %d names", count, ix.count, ix.byName.Len())
	}
	uses := make(map[compile.TaintID]int)
	for _, id := range ix.released {
		uses[id]++
	}
	for i := range uint32(ix.classes.Len()) {
		class := ix.classes.At(i)
		if !class.used() {
			continue
		}
		if classes[class.set]++; class.nodes != nodes[i] {
			return fmt.Errorf("index: class %d has %d nodes, counted as %d", i, nodes[i], class.nodes)
		}
		for _, id := range class.taints {
			uses[id]++
		}
	}
	for i := range uint32(ix.sets.Len()) {
		if s := ix.sets.At(i); s.classes != classes[i] {
			return fmt.Errorf("index: set %d has %d classes, counted as %d", i, classes[i], s.classes)
		}
	}
	for id, n := range uses {
		if ix.vocabulary.Uses(id) != n {
			return fmt.Errorf("index: taint %v has %d uses, want %d", id, ix.vocabulary.Uses(id), n)
		}
	}
	if len(uses) != ix.vocabulary.Len() || len(nodes) != ix.byClass.Len() || len(classes) != ix.bySet.Len() {
		return fmt.Errorf("index: %d taints, %d classes and %d sets, want %d, %d and %d", ix.vocabulary.Len(), ix.byClass.Len(), ix.bySet.Len(), len(uses), len(nodes), len(classes))
	}
	return nil
}

// checkSteps panics if a Fit looked at more than the tolerations, and a few times the taints
// of the sets and of the transfers.
func (f *Fit) checkSteps() {
	if !invariant.Enabled {
		return
	}
	most := 8*len(f.matcher.Tolerations()) + 2*len(f.base.taints) + 8*len(f.base.split) + 64
	most += (len(f.base.common) + 1) * (len(f.base.split)/64 + 2)
	for i := range f.snapshot.transfers {
		t := &f.snapshot.transfers[i]
		if f.snapshot.last[i/64]>>(i%64)&1 != 0 {
			most += len(t.taints)
		}
		if t.place != none && t.same == uint32(i) {
			most += len(f.base.of(t.place, f.whole))
		}
		most++
	}
	if f.steps > most {
		panic(fmt.Sprintf("index: %d steps, want no more than %d", f.steps, most))
	}
}
