package index_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/tolero-dev/tolero/compile/index"
	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/match/matchtest"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// model is a fleet as a map, and every snapshot of it that was taken.
type model struct {
	*rapid.T
	ix    *index.Index
	fleet map[string][]taint.Taint
	ids   map[string]index.NodeID
	gone  []index.NodeID
	taken []taken
	fit   index.Fit
	diff  index.Diff
	pods  *index.Pods
}

// taken is a snapshot and what it has to hold.
type taken struct {
	snapshot *index.Snapshot
	fleet    map[string][]taint.Taint
	ids      map[string]index.NodeID
}

// Whatever is done to the index, every snapshot gives the answers of match for
// the fleet as it was when the snapshot was taken.
func TestSnapshotsAgreeWithMatch(t *testing.T) {
	rapid.Check(t, checkModel)
}

func FuzzIndex(f *testing.F) {
	f.Fuzz(rapid.MakeFuzz(checkModel))
}

// comparing is a cluster whose tolerations may have Gt and Lt: all count, as for match.
var comparing = toleration.Rules{Comparisons: true}

func checkModel(t *rapid.T) {
	m := &model{T: t, ix: index.New(comparing), fleet: map[string][]taint.Taint{}, ids: map[string]index.NodeID{}, pods: index.NewPods(comparing)}
	t.Repeat(map[string]func(*rapid.T){
		"set":      m.set,
		"many":     m.setMany,
		"load":     m.load,
		"delete":   m.remove,
		"snapshot": m.snapshot,
		"fork":     m.fork,
		"fit":      m.ask,
		"pod":      m.addPod,
		"diff":     m.compareTwo,
	})
	m.snapshot(t)
	m.ask(t)
	m.compareTwo(t)
}

var names = rapid.Map(rapid.IntRange(0, 20), func(i int) string { return fmt.Sprint("node-", i) })

func (m *model) set(t *rapid.T) {
	m.put(t, names.Draw(t, "name"), matchtest.Taints().Draw(t, "taints"))
}

// setMany gives many nodes the same taints, so that lists outgrow shared pages.
func (m *model) setMany(t *rapid.T) {
	taints := matchtest.Taints().Draw(t, "taints")
	first := rapid.IntRange(0, 300).Draw(t, "first")
	for i := range rapid.IntRange(1, 150).Draw(t, "n") {
		m.put(t, fmt.Sprint("pool-", first+i), taints)
	}
}

func (m *model) put(t *rapid.T, name string, taints []taint.Taint) {
	m.record(t, name, taints, m.ix.Set(name, taints))
}

// load sets some nodes at once, some of them twice.
func (m *model) load(t *rapid.T) {
	pools := rapid.SliceOfN(matchtest.Taints(), 1, 4).Draw(t, "pools")
	fleet := map[string][]taint.Taint{}
	m.ix.Load(func(yield func(string, []taint.Taint) bool) {
		for range rapid.IntRange(0, 100).Draw(t, "n") {
			name := fmt.Sprint("pool-", rapid.IntRange(0, 300).Draw(t, "i"))
			fleet[name] = rapid.SampledFrom(pools).Draw(t, "taints")
			if !yield(name, fleet[name]) {
				t.Fatal("Load stops early")
			}
		}
	})
	for _, name := range slices.Sorted(maps.Keys(fleet)) {
		id, _ := m.ix.ID(name)
		m.record(t, name, fleet[name], id)
	}
}

// record notes that a node was given taints and an ID.
func (m *model) record(t *rapid.T, name string, taints []taint.Taint, id index.NodeID) {
	if old, known := m.ids[name]; known && old != id {
		m.gone = append(m.gone, old)
	}
	m.fleet[name], m.ids[name] = taints, id
	if got, ok := m.ix.ID(name); !ok || got != id {
		t.Fatalf("the ID of %s is %v, %v; want %v", name, got, ok, id)
	}
}

func (m *model) remove(t *rapid.T) {
	name := names.Draw(t, "name")
	if len(m.fleet) > 0 && rapid.Bool().Draw(t, "known") {
		name = rapid.SampledFrom(slices.Sorted(maps.Keys(m.fleet))).Draw(t, "name")
	}
	_, known := m.fleet[name]
	if got := m.ix.Delete(name); got != known {
		t.Fatalf("deleting %s: %v", name, got)
	}
	if known {
		m.gone = append(m.gone, m.ids[name])
		delete(m.fleet, name)
		delete(m.ids, name)
	}
}

func (m *model) snapshot(*rapid.T) {
	m.taken = append(m.taken, taken{m.ix.Snapshot(), maps.Clone(m.fleet), maps.Clone(m.ids)})
	if len(m.taken) > 6 {
		m.taken = m.taken[1:]
	}
}

// fork goes on with a fork of an older snapshot, and leaves the index alone.
func (m *model) fork(t *rapid.T) {
	if len(m.taken) == 0 {
		return
	}
	from := rapid.SampledFrom(m.taken).Draw(t, "from")
	m.gone = append(m.gone, slices.Collect(maps.Values(m.ids))...)
	m.ix, m.fleet, m.ids = from.snapshot.Fork(), maps.Clone(from.fleet), maps.Clone(from.ids)
}

// ask asks every snapshot about one pod.
func (m *model) ask(t *rapid.T) {
	var taints []taint.Taint
	if len(m.fleet) > 0 {
		taints = m.fleet[rapid.SampledFrom(slices.Sorted(maps.Keys(m.fleet))).Draw(t, "node")]
	}
	tolerations := matchtest.Tolerations(taints).Draw(t, "tolerations")
	for i := range m.taken {
		m.compare(t, &m.taken[i], tolerations)
	}
}

func (m *model) compare(t *rapid.T, want *taken, tolerations []toleration.Toleration) {
	s := want.snapshot
	s.FitList(&m.fit, tolerations)
	words := m.fit.AppendWords(nil)
	fitting := map[index.NodeID]bool{}
	for id := range m.fit.Nodes() {
		if fitting[id] {
			t.Fatalf("%v comes twice", id)
		}
		fitting[id] = true
	}
	count, bits := 0, 0
	for name, taints := range want.fleet {
		id := want.ids[name]
		_, refused := match.FirstUntolerated(taints, tolerations, taint.Hard)
		if !refused {
			count++
		}
		bit := words[s.Slot(id)/64]>>(s.Slot(id)%64)&1 != 0
		if got := m.fit.Has(id); got == refused || fitting[id] == refused || bit == refused {
			t.Fatalf("%s with %q, pod %q: has %v, iterated %v, bit %v", name, taint.FormatList(taints), toleration.FormatList(tolerations), got, fitting[id], bit)
		}
		m.compareClass(t, s.Class(id), taints, tolerations, refused)
		if got, ok := s.Name(id); !ok || got != name {
			t.Fatalf("%v is %q, %v; want %s", id, got, ok, name)
		}
		if got, ok := s.ID(name); !ok || got != id || !s.Has(id) || !s.HasClass(s.Class(id)) {
			t.Fatalf("%s is %v, %v; want %v", name, got, ok, id)
		}
	}
	for _, id := range m.gone {
		if (m.fit.Has(id) || s.Has(id) || s.Slot(id) >= 0) && !slices.Contains(slices.Collect(maps.Values(want.ids)), id) {
			t.Fatalf("%v fits, but was gone", id)
		}
	}
	if most := s.Len() + s.Len()/4 + 4*64; len(words)*64 > most+64 {
		t.Fatalf("%d words for %d nodes", len(words), s.Len())
	}
	for _, word := range words {
		for ; word != 0; word &= word - 1 {
			bits++
		}
	}
	if m.fit.Len() != count || len(fitting) != count || bits != count || s.Len() != len(want.fleet) {
		t.Fatalf("%d fit, %d iterated, %d bits, want %d; %d nodes, want %d", m.fit.Len(), len(fitting), bits, count, s.Len(), len(want.fleet))
	}
	if m.fit.Has(index.NodeID{}) || m.fit.HasClass(index.Class{}) || s.Class(index.NodeID{}) != (index.Class{}) {
		t.Fatal("no node fits")
	}
	m.compareReasons(t, want, tolerations)
	m.compareScores(t, want, tolerations)
}

func (m *model) compareScores(t *rapid.T, want *taken, tolerations []toleration.Toleration) {
	var candidates []index.NodeID
	var scores []int64
	for name, taints := range want.fleet {
		candidates = append(candidates, want.ids[name])
		scores = append(scores, match.CountUntolerated(taints, tolerations, taint.Soft))
	}
	match.NormalizeScores(scores)
	// Those that the snapshot does not have get no score, and do not count for the others.
	for i, id := range append([]index.NodeID{{}}, m.gone...) {
		if !slices.Contains(candidates, id) {
			at := min(i*3, len(candidates))
			candidates, scores = slices.Insert(candidates, at, id), slices.Insert(scores, at, 0)
		}
	}
	if got := m.fit.AppendScores([]int64{7}, candidates); got[0] != 7 || !slices.Equal(got[1:], scores) {
		t.Fatalf("scores %d, want %d", got[1:], scores)
	}
}

func (m *model) compareClass(t *rapid.T, class index.Class, taints []taint.Taint, tolerations []toleration.Toleration, refused bool) {
	if class == (index.Class{}) || m.fit.HasClass(class) == refused {
		t.Fatalf("class %v of %q fits: %v", class, taint.FormatList(taints), !refused)
	}
	first, found := m.fit.FirstUntolerated(class, taint.Hard)
	if i, _ := match.FirstUntolerated(taints, tolerations, taint.Hard); found != refused || found && (first.Key != taints[i].Key || first.Value != taints[i].Value || first.Effect != taints[i].Effect) {
		t.Fatalf("the first untolerated taint of %q is %v, %v", taint.FormatList(taints), first, found)
	}
	for _, effects := range []taint.EffectSet{taint.AllEffects, taint.Soft, taint.OtherEffects, taint.Evicting} {
		left := match.Filter(nil, taints, tolerations, effects)
		got, found := m.fit.FirstUntolerated(class, effects)
		if count := m.fit.CountUntolerated(class, effects); found != (len(left) > 0) || found && !sameTaint(got, left[0]) || count != int64(len(left)) {
			t.Fatalf("%v of %q: %v is the first of %d, want %v", effects, taint.FormatList(taints), got, count, left)
		}
	}
	if got, want := m.fit.CountUntolerated(class, taint.Soft), match.CountUntolerated(taints, tolerations, taint.Soft); got != want {
		t.Fatalf("score %d, want %d", got, want)
	}
	after, evicted := m.fit.EvictionDelay(class)
	wantAfter, wantEvicted := match.EvictionDelay(taints, tolerations)
	if after != wantAfter || evicted != wantEvicted {
		t.Fatalf("evicted %v after %v, want %v after %v", evicted, after, wantEvicted, wantAfter)
	}
}

// sameTaint compares what an index knows of a taint.
func sameTaint(a, b taint.Taint) bool {
	return a.Key == b.Key && a.Value == b.Value && a.Effect == b.Effect
}

func (m *model) compareReasons(t *rapid.T, want *taken, tolerations []toleration.Toleration) {
	refused := map[taint.Taint]int{}
	for _, taints := range want.fleet {
		if i, ok := match.FirstUntolerated(taints, tolerations, taint.Hard); ok {
			refused[taint.Taint{Key: taints[i].Key, Value: taints[i].Value, Effect: taints[i].Effect}]++
		}
	}
	last := 1 << 30
	for _, reason := range m.fit.AppendReasons(nil) {
		if refused[reason.Taint] != reason.Nodes || reason.Nodes > last {
			t.Fatalf("%v refuses %d nodes, want %d", reason.Taint, reason.Nodes, refused[reason.Taint])
		}
		last = reason.Nodes
		delete(refused, reason.Taint)
	}
	if len(refused) > 0 {
		t.Fatalf("reasons are missing: %v", refused)
	}
}
