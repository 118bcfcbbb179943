package fleet_test

import (
	"fmt"
	"maps"
	"testing"

	"github.com/tolero-dev/tolero/compile/index"
	"github.com/tolero-dev/tolero/fuzz/fleet"
	"github.com/tolero-dev/tolero/fuzz/input"
	"github.com/tolero-dev/tolero/fuzz/target"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

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
	target.Fuzz(f, func(t *testing.T, data []byte) {
		m := &model{Model: fleet.New(t)}
		b := input.New(data)
		for step := 0; step < 60 && !b.Done() && !t.Failed(); step++ {
			m.step(b)
			m.ask(step)
		}
		m.Snapshot()
		m.Sweep()
	})
}

// model decodes what is done to a fleet.Model.
type model struct {
	*fleet.Model
	pods []index.PodClass
}

// keptPods is how many pods there are at a time: the older ones go.
const keptPods = 4

func (m *model) addPod(tolerations []toleration.Toleration) {
	if m.pods = append(m.pods, m.Pods.Add(tolerations)); len(m.pods) > keptPods {
		m.Pods.Remove(m.pods[0])
		m.pods = m.pods[1:]
	}
}

// ask asks every snapshot about one pod after the other.
func (m *model) ask(step int) {
	if n := len(m.pods); n > 0 {
		m.Ask(m.Pods.Tolerations(m.pods[step%n]))
	}
}

// step decodes one operation and does it.
func (m *model) step(b *input.Bytes) {
	switch b.Choice(9) {
	case 0:
		m.Set(node(b.Choice(64)), b.Taints())
	case 1: // a pool
		n, taints := b.Choice(128), b.Taints()
		for i := range n {
			m.Set(node(i), taints)
		}
	case 2:
		m.Delete(node(b.Choice(64)))
	case 3:
		m.Snapshot()
	case 4:
		m.Sweep()
	case 5:
		m.addPod(b.Tolerations())
	case 6:
		if n := len(m.Taken); n > 0 {
			m.CompareTwo(&m.Taken[b.Choice(n)], &m.Taken[b.Choice(n)])
			m.CompareTwo(&m.Taken[0], &m.Taken[n-1])
		}
	case 7:
		nodes := map[string][]taint.Taint{}
		n, taints := b.Choice(128), b.Taints()
		for i := range n {
			nodes[node(i*3)] = taints
		}
		m.Load(maps.All(nodes))
	case 8:
		if n := len(m.Taken); n > 0 {
			m.Fork(&m.Taken[b.Choice(n)])
		}
	}
}

func node(i int) string { return fmt.Sprint("node-", i) }
