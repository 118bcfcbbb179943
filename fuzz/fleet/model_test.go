package fleet

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/tolero-dev/tolero/compile/index"
	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// model is an index and what it has to hold, with some snapshots of it and some pods.
type model struct {
	*testing.T
	ix    *index.Index
	fleet map[string][]taint.Taint
	taken []taken
	pods  *index.Pods
	lists []podList
	fit   index.Fit
	diff  index.Diff
}

// taken is a snapshot and the fleet that it was taken of.
type taken struct {
	snapshot *index.Snapshot
	fleet    map[string][]taint.Taint
	ids      map[string]index.NodeID
}

// podList is a class of pods and its tolerations.
type podList struct {
	class       index.PodClass
	tolerations []toleration.Toleration
}

// The model keeps so many snapshots and pods: the older ones go.
const (
	keptSnapshots = 3
	keptPods      = 4
)

func (m *model) set(name string, taints []taint.Taint) {
	m.ix.Set(name, taints)
	m.fleet[name] = taints
}

func (m *model) load(nodes map[string][]taint.Taint) {
	m.ix.Load(maps.All(nodes))
	maps.Copy(m.fleet, nodes)
}

func (m *model) remove(name string) {
	_, known := m.fleet[name]
	if m.ix.Delete(name) != known {
		m.Errorf("deleting %s: %v", name, !known)
	}
	delete(m.fleet, name)
}

func (m *model) snapshot() {
	t := taken{m.ix.Snapshot(), maps.Clone(m.fleet), map[string]index.NodeID{}}
	for name := range m.fleet {
		t.ids[name], _ = m.ix.ID(name)
	}
	m.taken = append(m.taken, t)
	if len(m.taken) > keptSnapshots {
		m.taken = slices.Delete(m.taken, 1, 2) // the first stays: it is to survive everything
	}
}

// fork goes on with a fork of a snapshot, and leaves the index alone.
func (m *model) fork(t *taken) {
	m.ix, m.fleet = t.snapshot.Fork(), maps.Clone(t.fleet)
}

func (m *model) addPod(tolerations []toleration.Toleration) {
	m.lists = append(m.lists, podList{m.pods.Add(tolerations), tolerations})
	if len(m.lists) > keptPods {
		m.pods.Remove(m.lists[0].class)
		m.lists = m.lists[1:]
	}
}

// check compares every snapshot with its fleet, for every pod, and the sweep and the
// differences of the snapshots too.
func (m *model) check() {
	for i := range m.taken {
		t := &m.taken[i]
		for name, id := range t.ids {
			if got, ok := t.snapshot.ID(name); !ok || got != id || !t.snapshot.Has(id) {
				m.Errorf("snapshot %d: the ID of %s is %v, %v; want %v", i, name, got, ok, id)
			}
		}
		if t.snapshot.Len() != len(t.fleet) {
			m.Errorf("snapshot %d has %d nodes, want %d", i, t.snapshot.Len(), len(t.fleet))
		}
		for _, pod := range m.lists {
			t.snapshot.FitList(&m.fit, pod.tolerations)
			m.checkFit(&m.fit, t, pod.tolerations)
		}
	}
}

// checkFit compares a Fit with match, node by node.
func (m *model) checkFit(f *index.Fit, t *taken, tolerations []toleration.Toleration) {
	words := f.AppendWords(nil)
	fits := map[index.NodeID]bool{}
	for id := range f.Nodes() {
		fits[id] = true
	}
	count := 0
	for name, taints := range t.fleet {
		id := t.ids[name]
		_, refused := match.FirstUntolerated(taints, tolerations, taint.Hard)
		if !refused {
			count++
		}
		bit := words[t.snapshot.Slot(id)/64]>>(t.snapshot.Slot(id)%64)&1 != 0
		if f.Has(id) == refused || f.HasClass(t.snapshot.Class(id)) == refused || fits[id] == refused || bit == refused {
			m.Errorf("%s with %s, pod %s: has %v, class %v, iterated %v, bit %v", name, taint.FormatList(taints), toleration.FormatList(tolerations),
				f.Has(id), f.HasClass(t.snapshot.Class(id)), fits[id], bit)
		}
	}
	if f.Len() != count || len(fits) != count {
		m.Errorf("%d fit, %d iterated, want %d", f.Len(), len(fits), count)
	}
}

// sweep asks for all pods at once about the last snapshot.
func (m *model) sweep() {
	if len(m.taken) == 0 {
		return
	}
	last := &m.taken[len(m.taken)-1]
	visited := map[index.PodClass]bool{}
	fits := make([]index.Fit, 1)
	last.snapshot.Sweep(fits, m.pods, func(_ int, c index.PodClass, f *index.Fit) bool {
		visited[c] = true
		m.checkFit(f, last, m.pods.Tolerations(c))
		return true
	})
	for _, pod := range m.lists {
		if !visited[pod.class] {
			m.Errorf("the sweep misses %s", toleration.FormatList(pod.tolerations))
		}
	}
}

// compareTwo compares the difference of two snapshots with that of their fleets, for
// every pod and node.
func (m *model) compareTwo(before, after *taken) {
	m.diff.Between(before.snapshot, after.snapshot)
	type verdict struct {
		pod  index.PodClass
		name string
	}
	got := map[verdict]string{}
	var change index.Change
	for move := range m.diff.Moves() {
		m.diff.Change(&change, m.pods, move)
		for name := range m.diff.Names(move) {
			for class := range change.NowFit() {
				got[verdict{class, name}] += "fits now "
			}
			for class := range change.FitNoMore() {
				got[verdict{class, name}] += "fits no more "
			}
			for class := range change.MustLeave() {
				got[verdict{class, name}] += "must leave "
			}
		}
	}
	want := map[verdict]string{}
	names := maps.Clone(before.fleet)
	maps.Copy(names, after.fleet)
	for name := range names {
		for _, pod := range m.lists {
			if became := became(before, after, name, pod.tolerations); became != "" {
				want[verdict{pod.class, name}] = became
			}
		}
	}
	if !maps.Equal(got, want) {
		m.Errorf("what changed is %s, want %s", fmt.Sprint(got), fmt.Sprint(want))
	}
}

// became says what became of a pod and a node between two fleets.
func became(before, after *taken, name string, tolerations []toleration.Toleration) (what string) {
	a, inA := before.fleet[name]
	b, inB := after.fleet[name]
	_, refusedA := match.FirstUntolerated(a, tolerations, taint.Hard)
	_, refusedB := match.FirstUntolerated(b, tolerations, taint.Hard)
	fitA, fitB := inA && !refusedA, inB && !refusedB
	switch {
	case !fitA && fitB:
		what = "fits now "
	case fitA && !fitB:
		what = "fits no more "
	}
	_, evictedA := match.FirstUntolerated(a, tolerations, taint.Evicting)
	_, evictedB := match.FirstUntolerated(b, tolerations, taint.Evicting)
	if inA && inB && !evictedA && evictedB {
		what += "must leave "
	}
	return what
}
