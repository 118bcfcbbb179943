// Package fleet does to an index what the bytes of a fuzzer say, and compares it after
// every step with a map of the fleet, and every older snapshot with the map of its time.
package fleet

import (
	"fmt"
	"testing"

	"github.com/tolero-dev/tolero/compile/index"
	"github.com/tolero-dev/tolero/fuzz/input"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// comparing is a cluster whose tolerations may have Gt and Lt: all count, as for match.
var comparing = toleration.Rules{Comparisons: true}

// FuzzFleet decodes bytes into operations.
func FuzzFleet(f *testing.F) {
	// A node is set, a pod added, a snapshot taken.
	f.Add([]byte{0, 1, 1, 0, 1, 0, 5, 1, 0, 1, 1, 0, 11, 3})
	// A pool outgrows the shared pages, and one of its nodes is deleted between two snapshots.
	f.Add([]byte{5, 1, 0, 0, 0, 11, 1, 40, 0, 1, 0, 1, 0, 3, 2, 40, 3, 6})
	// A timestamp replaces another, and a pod tolerates those above a bound.
	f.Add([]byte{5, 1, 6, 3, 0, 5, 11, 0, 0, 1, 6, 6, 0, 3, 0, 0, 1, 6, 8, 0, 3, 6, 4})
	// Nodes are loaded at once, twice.
	f.Add([]byte{7, 20, 1, 0, 1, 0, 3, 7, 20, 2, 0, 1, 0, 1, 1, 1, 3, 6, 5, 0, 4})
	// Two nodes, a snapshot, a change, and the older state is gone on with.
	f.Add([]byte{0, 1, 1, 0, 1, 0, 0, 2, 0, 3, 0, 1, 0, 8, 0, 0, 3, 1, 0, 1, 1, 3, 5, 0})
	f.Fuzz(func(t *testing.T, data []byte) {
		m := &model{T: t, ix: index.New(comparing), pods: index.NewPods(comparing), fleet: map[string][]taint.Taint{}}
		b := input.New(data)
		for step := 0; step < 60 && !b.Done() && !t.Failed(); step++ {
			m.step(b)
			m.check()
		}
	})
}

// step decodes one operation and does it.
func (m *model) step(b *input.Bytes) {
	switch b.Choice(9) {
	case 0:
		m.set(node(b.Choice(64)), b.Taints())
	case 1: // a pool
		n, taints := b.Choice(128), b.Taints()
		for i := range n {
			m.set(node(i), taints)
		}
	case 2:
		m.remove(node(b.Choice(64)))
	case 3:
		m.snapshot()
	case 4:
		m.sweep()
	case 5:
		m.addPod(b.Tolerations())
	case 6:
		if n := len(m.taken); n > 0 {
			m.compareTwo(&m.taken[b.Choice(n)], &m.taken[b.Choice(n)])
			m.compareTwo(&m.taken[0], &m.taken[n-1])
		}
	case 7:
		nodes := map[string][]taint.Taint{}
		n, taints := b.Choice(128), b.Taints()
		for i := range n {
			nodes[node(i*3)] = taints
		}
		m.load(nodes)
	case 8:
		if n := len(m.taken); n > 0 {
			m.fork(&m.taken[b.Choice(n)])
		}
	}
}

func node(i int) string { return fmt.Sprint("node-", i) }
