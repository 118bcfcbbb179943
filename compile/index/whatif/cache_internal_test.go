package whatif

import (
	"fmt"
	"testing"

	"github.com/tolero-dev/tolero/compile/index"
	"github.com/tolero-dev/tolero/taint"
)

// A cache whose round numbers run out is not used again, and full Tolerators are replaced.
func TestCachesThatAreReplaced(t *testing.T) {
	var ix index.Index
	var p Pods
	fleet := ix.Snapshot()
	for range 20 { // the pool may forget one
		m := p.recall(fleet)
		m.round = mostRounds + 1
		p.caches.Put(m)
		if m := p.recall(fleet); m.round > mostRounds {
			t.Fatalf("a cache that has counted %d rounds is used again", m.round)
		}
	}
	m := p.recall(fleet)
	for i := 0; !m.tolerators.Full(); i++ {
		m.tolerators.Row(&taint.Taint{Key: fmt.Sprint(i), Effect: taint.NoSchedule})
	}
	p.caches.Put(m)
	if p.recall(fleet).tolerators.Full() {
		t.Error("full Tolerators are used again")
	}
}

// A small plan after a large one empties the map of the large one once, and the next ones do
// not; plans of about the same size keep it.
func TestLargeMapsAreLetGo(t *testing.T) {
	var b buffers
	plan := func(nodes int) {
		b.reset()
		b.emptied()[uint64(nodes)] = 1
		b.nodes = append(b.nodes, make([]selected, nodes)...)
		b.settle()
	}
	for _, c := range []struct {
		nodes int
		kept  bool
	}{{100_000, true}, {15_000, true}, {100_000, true}, {12_372, true}, {12_371, false}, {1024, true}, {0, true}, {1025, true}, {0, false}, {10, true}} {
		if plan(c.nodes); (b.positions != nil) != c.kept {
			t.Errorf("after a plan for %d nodes: kept %t, want %t", c.nodes, b.positions != nil, c.kept)
		}
	}
	if b.emptied()[10] != 0 {
		t.Error("there are entries of the last plan")
	}
}
