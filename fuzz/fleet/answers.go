package fleet

import (
	"cmp"
	"maps"
	"math/bits"
	"slices"
	"strings"

	"github.com/tolero-dev/tolero/compile/index"
	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// compare compares all answers of a Fit with those of match.
func (m *Model) compare(f *index.Fit, want *Taken, tolerations []toleration.Toleration) {
	words, listed, count := f.AppendWords(nil), m.listed(f), 0
	for name, taints := range want.Nodes {
		m.compareID(want.Snapshot, name, want.IDs[name])
		_, refused := match.FirstUntolerated(taints, tolerations, taint.Hard, Comparing)
		if !refused {
			count++
		}
		id, slot := want.IDs[name], want.Snapshot.Slot(want.IDs[name])
		bit := words[slot/64]>>(slot%64)&1 != 0
		if got := f.Has(id); got == refused || listed[id] == refused || bit == refused {
			m.Fatalf("%s with %q, pod %q: has %v, listed %v, bit %v", name, taint.FormatList(taints), toleration.FormatList(tolerations), got, listed[id], bit)
		}
		m.compareClass(f, want.Snapshot.Class(id), taints, tolerations)
	}
	taken := 0
	for _, word := range words {
		taken += bits.OnesCount64(word)
	}
	if f.Len() != count || len(listed) != count || taken != count || want.Snapshot.Len() != len(want.Nodes) {
		m.Fatalf("%d fit, %d listed, %d bits, want %d; %d nodes, want %d", f.Len(), len(listed), taken, count, want.Snapshot.Len(), len(want.Nodes))
	}
	if n := want.Snapshot.Len(); len(words)*64 > n+n/4+5*64 {
		m.Fatalf("%d words for %d nodes", len(words), n)
	}
	if f.Has(index.NodeID{}) || f.HasClass(index.Class{}) || want.Snapshot.Class(index.NodeID{}) != (index.Class{}) {
		m.Fatalf("no node fits")
	}
	m.compareGone(f, want)
	m.compareReasons(f, want, tolerations)
	m.compareScores(f, want, tolerations)
}

// listed returns the nodes that a Fit iterates over.
func (m *Model) listed(f *index.Fit) map[index.NodeID]bool {
	listed := map[index.NodeID]bool{}
	for id := range f.Nodes() {
		if listed[id] {
			m.Fatalf("%v comes twice", id)
		}
		listed[id] = true
	}
	return listed
}

// compareID: names and IDs lead to each other.
func (m *Model) compareID(s *index.Snapshot, name string, id index.NodeID) {
	if got, ok := s.Name(id); !ok || got != name {
		m.Fatalf("%v is %q, %v; want %s", id, got, ok, name)
	}
	if got, ok := s.ID(name); !ok || got != id || !s.Has(id) || !s.HasClass(s.Class(id)) {
		m.Fatalf("%s is %v, %v; want %v", name, got, ok, id)
	}
}

// compareGone: an ID of another time is of no node.
func (m *Model) compareGone(f *index.Fit, want *Taken) {
	live := map[index.NodeID]bool{}
	for id := range maps.Values(want.IDs) {
		live[id] = true
	}
	for _, id := range m.gone {
		if (f.Has(id) || want.Snapshot.Has(id) || want.Snapshot.Slot(id) >= 0) && !live[id] {
			m.Fatalf("%v fits, but was gone", id)
		}
	}
}

// compareClass compares what a Fit says of the class of a node.
func (m *Model) compareClass(f *index.Fit, class index.Class, taints []taint.Taint, tolerations []toleration.Toleration) {
	if _, refused := match.FirstUntolerated(taints, tolerations, taint.Hard, Comparing); class == (index.Class{}) || f.HasClass(class) == refused {
		m.Fatalf("class %v of %q fits: %v", class, taint.FormatList(taints), !refused)
	}
	for _, effects := range []taint.EffectSet{taint.Hard, taint.AllEffects, taint.Soft, taint.OtherEffects, taint.Evicting} {
		left := match.Filter(nil, taints, tolerations, effects, Comparing)
		got, found := f.FirstUntolerated(class, effects)
		if count := f.CountUntolerated(class, effects); found != (len(left) > 0) || found && timeless(left[0]) != got || count != int64(len(left)) {
			m.Fatalf("%v of %q: %v is the first of %d, want %v", effects, taint.FormatList(taints), got, count, left)
		}
	}
	after, evicted := f.EvictionDelay(class)
	wantAfter, wantEvicted := match.EvictionDelay(taints, tolerations, Comparing)
	if after != wantAfter || evicted != wantEvicted {
		m.Fatalf("evicted %v after %v, want %v after %v", evicted, after, wantEvicted, wantAfter)
	}
}

// timeless returns what an index knows of a taint.
func timeless(t taint.Taint) taint.Taint {
	t.TimeAdded = nil
	return t
}

func (m *Model) compareScores(f *index.Fit, want *Taken, tolerations []toleration.Toleration) {
	var candidates []index.NodeID
	var scores []int64
	for name, taints := range want.Nodes {
		candidates = append(candidates, want.IDs[name])
		scores = append(scores, match.CountUntolerated(taints, tolerations, taint.Soft, Comparing))
	}
	match.NormalizeScores(scores)
	// Those that the snapshot does not have get no score, and do not count for the others.
	for i, id := range append([]index.NodeID{{}}, m.gone...) {
		if !slices.Contains(candidates, id) {
			at := min(i*3, len(candidates))
			candidates, scores = slices.Insert(candidates, at, id), slices.Insert(scores, at, 0)
		}
	}
	if got := f.AppendScores([]int64{7}, candidates); got[0] != 7 || !slices.Equal(got[1:], scores) {
		m.Fatalf("scores %d, want %d", got[1:], scores)
	}
}

func (m *Model) compareReasons(f *index.Fit, want *Taken, tolerations []toleration.Toleration) {
	refused := map[taint.Taint]int{}
	for _, taints := range want.Nodes {
		if i, ok := match.FirstUntolerated(taints, tolerations, taint.Hard, Comparing); ok {
			refused[timeless(taints[i])]++
		}
	}
	reasons := f.AppendReasons(nil, -1)
	for i, reason := range reasons {
		if n, ok := refused[reason.Taint]; !ok || n != reason.Nodes {
			m.Fatalf("%v refuses %d nodes, want %d", reason.Taint, reason.Nodes, n)
		}
		if i > 0 && !before(reasons[i-1], reason) {
			m.Fatalf("%v comes after %v", reason, reasons[i-1])
		}
		delete(refused, reason.Taint)
	}
	if len(refused) > 0 {
		m.Fatalf("reasons are missing: %v", refused)
	}
}

// before reports whether a reason comes before another: that with more nodes, and of those
// with as many the first by key, value and effect.
func before(a, b index.Reason) bool {
	return cmp.Or(cmp.Compare(b.Nodes, a.Nodes), strings.Compare(a.Taint.Key, b.Taint.Key),
		strings.Compare(a.Taint.Value, b.Taint.Value), strings.Compare(string(a.Taint.Effect), string(b.Taint.Effect))) < 0
}
