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
