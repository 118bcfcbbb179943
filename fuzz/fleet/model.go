// Package fleet is a model of an index: a map of the fleet, with which every answer of
// the index and of every snapshot of it is compared, and the answers for pods with those
// of package match. What is done is chosen by a fuzzer's bytes here, and by the tests of
// package index there.
package fleet

import (
	"iter"
	"maps"
	"slices"

	"github.com/tolero-dev/tolero/compile"
	"github.com/tolero-dev/tolero/compile/index"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// TB is what a Model needs of a *testing.T or *rapid.T.
type TB interface {
	Helper()
	Fatalf(format string, args ...any)
}

// Comparing is a cluster whose tolerations may have Gt and Lt: all count, as for match.
var Comparing = toleration.Rules{Comparisons: true}

// Model is an index and what it has to hold, with some snapshots of it and some pods.
// Whatever differs from that ends the test. Use [New]; the zero Model is not ready. One
// goroutine at a time may use it, and it must not be copied. It retains what it is given.
type Model struct {
	TB
	Nodes map[string][]taint.Taint // to be read only
	Taken []Taken                  // some of the snapshots; to be read only
	Pods  *index.Pods

	ix      *index.Index
	ids     map[string]index.NodeID
	gone    []index.NodeID // some IDs that nodes had before
	fit     index.Fit
	matcher compile.Matcher
	diff    index.Diff
}

// Taken is a snapshot, and the fleet of which it was taken.
type Taken struct {
	Snapshot *index.Snapshot
	Nodes    map[string][]taint.Taint
	IDs      map[string]index.NodeID
}

// A Model keeps so many snapshots and old IDs.
const keptSnapshots, keptIDs = 4, 200

// New returns the model of an empty index.
func New(t TB) *Model {
	return &Model{TB: t, Nodes: map[string][]taint.Taint{}, Pods: index.NewPods(Comparing), ix: index.New(Comparing), ids: map[string]index.NodeID{}}
}

// Set gives a node its taints.
func (m *Model) Set(name string, taints []taint.Taint) {
	m.record(name, taints, m.ix.Set(name, taints))
}

// Load gives many nodes their taints at once. Names may come again.
func (m *Model) Load(nodes iter.Seq2[string, []taint.Taint]) {
	loaded := map[string][]taint.Taint{}
	m.ix.Load(func(yield func(string, []taint.Taint) bool) {
		for name, taints := range nodes {
			if loaded[name] = taints; !yield(name, taints) {
				m.Fatalf("Load stops early")
			}
		}
	})
	for name, taints := range loaded {
		id, _ := m.ix.ID(name)
		m.record(name, taints, id)
	}
}

// record notes that a node was given taints and an ID.
func (m *Model) record(name string, taints []taint.Taint, id index.NodeID) {
	if old, known := m.ids[name]; known && old != id {
		m.forget(old)
	}
	m.Nodes[name], m.ids[name] = taints, id
	if got, ok := m.ix.ID(name); !ok || got != id {
		m.Fatalf("the ID of %s is %v, %v; want %v", name, got, ok, id)
	}
}

// forget notes that no node has an ID any more.
func (m *Model) forget(id index.NodeID) {
	if m.gone = append(m.gone, id); len(m.gone) > keptIDs {
		m.gone = m.gone[1:]
	}
}

// Delete takes a node out, if it is there.
func (m *Model) Delete(name string) {
	_, known := m.Nodes[name]
	if got := m.ix.Delete(name); got != known {
		m.Fatalf("deleting %s: %v", name, got)
	}
	if known {
		m.forget(m.ids[name])
		delete(m.Nodes, name)
		delete(m.ids, name)
	}
}

// Snapshot takes a snapshot. The first one is kept, to survive everything, and the last.
func (m *Model) Snapshot() {
	m.Taken = append(m.Taken, Taken{m.ix.Snapshot(), maps.Clone(m.Nodes), maps.Clone(m.ids)})
	if len(m.Taken) > keptSnapshots {
		m.Taken = slices.Delete(m.Taken, 1, 2)
	}
}

// Fork goes on with a fork of a snapshot, and leaves the index alone.
func (m *Model) Fork(from *Taken) {
	for _, id := range m.ids {
		m.forget(id)
	}
	m.ix, m.Nodes, m.ids = from.Snapshot.Fork(), maps.Clone(from.Nodes), maps.Clone(from.IDs)
}

// Ask asks every snapshot about a pod: those at even positions by the list, and the
// others by a matcher that was compiled for the one before.
func (m *Model) Ask(tolerations []toleration.Toleration) {
	for i := range m.Taken {
		if s := m.Taken[i].Snapshot; i%2 == 0 {
			s.FitList(&m.fit, tolerations)
			s.Compile(&m.matcher, tolerations)
		} else {
			s.Fit(&m.fit, &m.matcher)
		}
		m.compare(&m.fit, &m.Taken[i], tolerations)
	}
}

// Sweep asks the last snapshot about all pods at once.
func (m *Model) Sweep() {
	if len(m.Taken) == 0 {
		return
	}
	last := &m.Taken[len(m.Taken)-1]
	visited := map[index.PodClass]bool{}
	last.Snapshot.Sweep(make([]index.Fit, 1), m.Pods, func(_ int, c index.PodClass, f *index.Fit) bool {
		visited[c] = true
		m.compare(f, last, m.Pods.Tolerations(c))
		return true
	})
	for class := range m.Pods.All() {
		if !visited[class] {
			m.Fatalf("the sweep misses %s", toleration.FormatList(m.Pods.Tolerations(class)))
		}
	}
}

// CompareTwo compares the difference of two snapshots with that of their fleets, and what
// it means to the pods.
func (m *Model) CompareTwo(before, after *Taken) {
	m.diff.Between(before.Snapshot, after.Snapshot)
	CheckDiff(m, &m.diff, m.Pods, before, after)
}
