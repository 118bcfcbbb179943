package whatif

import (
	"fmt"
	"testing"

	"github.com/tolero-dev/tolero/compile/index"
	"github.com/tolero-dev/tolero/taint"
)

// A cache that has counted so many rounds that the numbers run out does not serve again, and
// taints that fill one are forgotten.
func TestCachesThatDoNotServe(t *testing.T) {
	var ix index.Index
	var p Pods
	fleet := ix.Snapshot()
	for range 20 { // the pool may forget one
		m := p.recall(fleet)
		m.round = mostRounds + 1
		p.caches.Put(m)
		if m := p.recall(fleet); m.round > mostRounds {
			t.Fatalf("one that has counted %d rounds", m.round)
		}
	}
	m := p.recall(fleet)
	for i := 0; !m.tolerators.Full(); i++ {
		m.tolerators.Row(&taint.Taint{Key: fmt.Sprint(i), Effect: taint.NoSchedule})
	}
	p.caches.Put(m)
	if p.recall(fleet).tolerators.Full() {
		t.Error("one that is full")
	}
}
