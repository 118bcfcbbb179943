package compile_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/tolero-dev/tolero/compile"
	"github.com/tolero-dev/tolero/fuzz/notation"
	"github.com/tolero-dev/tolero/fuzz/target"
	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/match/matchtest"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// world is a vocabulary, the node lists that are interned in it and the Matchers that
// were ever compiled for it.
type world struct {
	v        compile.Vocabulary
	nodes    []node
	matchers []*compiled
}

type node struct {
	taints []taint.Taint
	ids    []compile.TaintID
}

type compiled struct {
	compile.Matcher
	tolerations []toleration.Toleration
}

// fork returns a copy of w that may be changed apart. Matchers are of their vocabulary.
func (w *world) fork() *world {
	return &world{v: w.v.Fork(), nodes: slices.Clone(w.nodes)}
}

func (w *world) add(taints []taint.Taint) {
	w.nodes = append(w.nodes, node{taints, w.v.Append(nil, taints)})
}

func (w *world) remove(i int) {
	w.v.Release(w.nodes[i].ids)
	w.nodes = slices.Delete(w.nodes, i, i+1)
}

func (w *world) compile(tolerations []toleration.Toleration) {
	m := &compiled{tolerations: tolerations}
	m.Compile(&w.v, tolerations, comparisons)
	w.matchers = append(w.matchers, m)
}

// failer is what a check needs of a testing.T or a rapid.T.
type failer interface {
	Helper()
	Fatalf(format string, args ...any)
}

// check compares w with what it has to hold, and every Matcher with match on every
// node.
func (w *world) check(t failer) {
	t.Helper()
	if err := w.v.Inspect(); err != nil {
		t.Fatalf("%v", err)
	}
	want := make(map[taint.Taint]compile.TaintID)
	uses := make(map[compile.TaintID]int)
	for _, n := range w.nodes {
		for i, id := range n.ids {
			x := n.taints[i]
			x.TimeAdded = nil
			if known, ok := want[x]; ok && known != id {
				t.Fatalf("%v has the IDs %#x and %#x", x, known, id)
			}
			want[x] = id
			uses[id]++
			if got, ok := w.v.Taint(id); !ok || got != x {
				t.Fatalf("%#x stands for %v, %v, want %v", id, got, ok, x)
			}
			if got, ok := w.v.ID(&n.taints[i]); !ok || got != id {
				t.Fatalf("%v has the ID %#x, %v, want %#x", x, got, ok, id)
			}
			if id.Effects() != x.Effect.Set() || id.Index() >= w.v.Indexes() {
				t.Fatalf("%v has effects %v and index %d of %d", x, id.Effects(), id.Index(), w.v.Indexes())
			}
		}
	}
	if len(uses) != len(want) || w.v.Len() != len(want) {
		t.Fatalf("%d taints have %d IDs, and the vocabulary has %d", len(want), len(uses), w.v.Len())
	}
	all := make(map[compile.TaintID]int)
	indexes := make(map[int]bool)
	for _, id := range w.v.AppendIDs(nil, taint.AllEffects) {
		all[id] = w.v.Uses(id)
		indexes[id.Index()] = true
	}
	if !maps.Equal(all, uses) || len(indexes) != len(uses) {
		t.Fatalf("all taints are %v with %d indexes, want %v", all, len(indexes), uses)
	}
	for i, m := range w.matchers {
		m.check(t, &w.v, w.nodes, i)
	}
}

var effectSets = []taint.EffectSet{0, taint.Hard, taint.Soft, taint.Evicting, taint.OtherEffects, taint.AllEffects, 0xff}

// check compares the answers of a Matcher with those of match.
func (m *compiled) check(t failer, v *compile.Vocabulary, nodes []node, age int) {
	t.Helper()
	fail := func(question string, taints []taint.Taint, got, want any) {
		t.Helper()
		t.Fatalf("Matcher %d: %s\n\ttolerations %q\n\ttaints      %+q\n\tgot  %v\n\twant %v", age, question, toleration.FormatList(m.tolerations), taints, got, want)
	}
	for _, n := range nodes {
		if got, want := m.Decide(n.ids), match.Decide(n.taints, m.tolerations, comparisons); got != want {
			fail("Decide", n.taints, got, want)
		}
		for _, effects := range effectSets {
			gotIndex, got := m.FirstUntolerated(n.ids, effects)
			if wantIndex, want := match.FirstUntolerated(n.taints, m.tolerations, effects, comparisons); got != want || gotIndex != wantIndex {
				fail("FirstUntolerated "+effects.String(), n.taints, gotIndex, wantIndex)
			}
		}
		for i := range n.taints {
			got, want := m.Tolerates(n.ids[i]), match.Tolerates(m.tolerations, &n.taints[i], comparisons)
			if got != want {
				fail("Tolerates", n.taints[i:i+1], got, want)
			}
			first, ok := m.FirstTolerating(n.ids[i])
			if wantFirst, want := match.FirstTolerating(m.tolerations, &n.taints[i], comparisons); ok != want || first != wantFirst {
				fail("FirstTolerating", n.taints[i:i+1], first, wantFirst)
			}
		}
	}
	for _, effects := range effectSets {
		want := make(map[compile.TaintID]int)
		for _, id := range v.AppendIDs(nil, effects) {
			if x, _ := v.Taint(id); match.Tolerates(m.tolerations, &x, comparisons) {
				want[id]++
			}
		}
		got := make(map[compile.TaintID]int)
		for _, id := range m.AppendTolerated(nil, effects) {
			got[id]++
		}
		if !maps.Equal(got, want) {
			fail("AppendTolerated "+effects.String(), nil, got, want)
		}
	}
}

// checkSet compares the set of a Matcher with match, which compiles it again if need be.
func (m *compiled) checkSet(t failer, nodes []node) {
	t.Helper()
	set := m.Set()
	for _, n := range nodes {
		for _, effects := range []taint.EffectSet{0, taint.Hard, taint.Soft, taint.Evicting, taint.Hard | taint.Soft} {
			gotIndex, got := set.FirstUntolerated(n.ids, effects)
			if wantIndex, want := match.FirstUntolerated(n.taints, m.tolerations, effects, comparisons); got != want || gotIndex != wantIndex {
				t.Fatalf("the set of %q has of %+q as first with %v %d, want %d", toleration.FormatList(m.tolerations), n.taints, effects, gotIndex, wantIndex)
			}
		}
		for i := range n.taints {
			if want := match.Tolerates(m.tolerations, &n.taints[i], comparisons); n.taints[i].Effect.Known() && set.Has(n.ids[i]) != want {
				t.Fatalf("the set of %q has %v: %v", toleration.FormatList(m.tolerations), n.taints[i], !want)
			}
		}
	}
}

// few generates taints of which many are equal, so that keys and values come and go.
var few = rapid.Custom(func(t *rapid.T) taint.Taint {
	return taint.Taint{
		Key:    rapid.SampledFrom([]string{"", "a", "b", "c"}).Draw(t, "key"),
		Value:  rapid.SampledFrom([]string{"", "x", "-3", "0", "5", "7", "9", "05"}).Draw(t, "value"),
		Effect: rapid.SampledFrom([]taint.Effect{taint.NoSchedule, taint.PreferNoSchedule, taint.NoExecute, "Odd", ""}).Draw(t, "effect"),
	}
})

// fewTolerations generates lists that are about the same taints in several ways.
var fewTolerations = rapid.SliceOfN(rapid.Custom(func(t *rapid.T) toleration.Toleration {
	near := few.Draw(t, "near")
	return toleration.Toleration{
		Key: near.Key, Value: near.Value,
		Operator:          rapid.SampledFrom([]toleration.Operator{toleration.OpEqual, toleration.OpExists, toleration.OpGt, toleration.OpLt}).Draw(t, "operator"),
		Effect:            rapid.SampledFrom([]taint.Effect{near.Effect, ""}).Draw(t, "effect"),
		TolerationSeconds: rapid.Ptr(rapid.Int64Range(-1, 3), true).Draw(t, "seconds"),
	}
}), 0, 6)

// tolerations generates lists.
var tolerations = rapid.Custom(func(t *rapid.T) []toleration.Toleration {
	if rapid.Bool().Draw(t, "few") {
		return fewTolerations.Draw(t, "tolerations")
	}
	return matchtest.Tolerations(rapid.SliceOfN(few, 1, 4).Draw(t, "near")).Draw(t, "tolerations")
})

// Whatever is added, released, added again in the same place and forked, every Matcher
// that was ever compiled answers as match does, and every fork holds what it held.
func TestHistories(t *testing.T) {
	rapid.Check(t, checkHistory)
	for name, hash := range compile.WeakHashes {
		t.Run(name, func(t *testing.T) { compile.WithHash(hash, func() { rapid.Check(t, checkHistory) }) })
	}
}

func FuzzHistories(f *testing.F) {
	target.Fuzz(f, target.Rapid(checkHistory))
}

func checkHistory(t *rapid.T) {
	worlds := []*world{{}}
	pick := func() *world { return worlds[rapid.IntRange(0, len(worlds)-1).Draw(t, "world")] }
	t.Repeat(map[string]func(*rapid.T){
		"add": func(t *rapid.T) {
			pick().add(rapid.SliceOfN(rapid.OneOf(few, few, matchtest.Taint()), 0, 4).Draw(t, "taints"))
		},
		"remove": func(t *rapid.T) {
			if w := pick(); len(w.nodes) > 0 {
				w.remove(rapid.IntRange(0, len(w.nodes)-1).Draw(t, "node"))
			}
		},
		"compile": func(t *rapid.T) {
			w := pick()
			if len(w.matchers) > 8 {
				w.matchers = w.matchers[1:]
			}
			w.compile(tolerations.Draw(t, "tolerations"))
		},
		"compile again": func(t *rapid.T) {
			if w := pick(); len(w.matchers) > 0 {
				m := w.matchers[rapid.IntRange(0, len(w.matchers)-1).Draw(t, "matcher")]
				m.tolerations = tolerations.Draw(t, "tolerations")
				m.Compile(&w.v, m.tolerations, comparisons)
			}
		},
		"set": func(t *rapid.T) {
			if w := pick(); len(w.matchers) > 0 {
				w.matchers[rapid.IntRange(0, len(w.matchers)-1).Draw(t, "matcher")].checkSet(t, w.nodes)
			}
		},
		"fork": func(t *rapid.T) {
			if len(worlds) < 4 {
				worlds = append(worlds, pick().fork())
			}
		},
		"": func(t *rapid.T) {
			for _, w := range worlds {
				w.check(t)
			}
		},
	})
}

// An ID that was given back and given to another taint never has the old answer.
func TestReusedIDs(t *testing.T) {
	var v compile.Vocabulary
	old := v.Append(nil, []taint.Taint{{Key: "a", Value: "1", Effect: taint.NoSchedule}, {Key: "a", Effect: "Odd"}})
	var m compile.Matcher
	list, err := toleration.ParseList("a=1,a:NoSchedule")
	if err != nil {
		t.Fatal(err)
	}
	list[1].Effect = "Odd"
	m.Compile(&v, list, comparisons)
	slices.Reverse(old)
	v.Release(old) // the last one that is released is the first to be given again
	others := v.Append(nil, []taint.Taint{{Key: "b", Value: "2", Effect: taint.NoSchedule}, {Key: "b", Effect: "Odd"}})
	slices.Reverse(old)
	if !slices.Equal(old, others) {
		t.Fatalf("the IDs %x were not given again, but %x", old, others)
	}
	for i, id := range others {
		if m.Tolerates(id) {
			t.Errorf("taint %d is tolerated because of the one that had its ID", i)
		}
	}
}

// A taint that took the place of another since the list was compiled matches the toleration
// for it, and not that for the other.
func TestReusedPlaces(t *testing.T) {
	list, err := toleration.ParseList("a=1:NoExecute@5,a,b=2")
	if err != nil {
		t.Fatal(err)
	}
	var v compile.Vocabulary
	old := v.Append(nil, []taint.Taint{{Key: "a", Value: "1", Effect: taint.NoExecute}})
	var m compile.Matcher
	m.Compile(&v, list, comparisons)
	v.Release(old)
	id := v.Append(nil, []taint.Taint{{Key: "b", Value: "2", Effect: taint.NoExecute}})[0]
	if id != old[0] {
		t.Fatalf("the ID %#x was not given again, but %#x", old[0], id)
	}
	if i, ok := m.FirstTolerating(id); i != 2 || !ok {
		t.Errorf("%d, %t: want the last toleration", i, ok)
	}
	if after, evicted := m.EvictionDelay([]compile.TaintID{id}); evicted {
		t.Errorf("evicted after %v", after)
	}
}

// IDs that the vocabulary never gave, or does not have any more, are no taints.
func TestForeignIDs(t *testing.T) {
	var v, empty compile.Vocabulary
	ids := v.Append(nil, others)
	foreign := []compile.TaintID{0, 1, 8, 1 << 4, 1<<4 | 8, 3<<4 | 8, 1 << 36, 1<<63 | 1, ^compile.TaintID(0)}
	for i := range 64 {
		foreign = append(foreign, ids[0]^1<<i)
	}
	v.Release(ids[3:])
	foreign = append(foreign, ids[3:]...)
	for i := range 20 { // more odd taints than pairs
		v.Append(nil, []taint.Taint{{Key: "a", Effect: taint.Effect(fmt.Sprint("Odd", i))}})
	}
	for i := range compile.TaintID(40) {
		for key := range compile.TaintID(8) {
			foreign = append(foreign, key<<36|i<<4|1, key<<36|i<<4|4)
		}
	}
	list, err := notation.Tolerations("*>5,*=x,a,a=1,b>3,*:NoExecute@300")
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range []*compile.Vocabulary{&v, &empty} {
		for _, tolerations := range [][]toleration.Toleration{nil, list, list[:5]} {
			var m, zero compile.Matcher
			m.Compile(v, tolerations, comparisons)
			set := m.Set()
			var old compile.Matcher
			old.Compile(v, tolerations, comparisons)
			v.Append(nil, []taint.Taint{{Key: "a", Value: fmt.Sprint("new", v.Len()), Effect: taint.NoSchedule}})
			m.Compile(v, tolerations, comparisons)
			for _, m := range []*compile.Matcher{&m, &old, &zero} {
				for _, id := range foreign {
					if _, inUse := v.Taint(id); !inUse && v.Uses(id) != 0 {
						t.Errorf("%#x has uses and no taint", id)
					}
					m.Tolerates(id)
					m.FirstUntolerated([]compile.TaintID{id}, taint.AllEffects)
					m.FirstUntolerated([]compile.TaintID{id}, taint.Hard)
					m.FirstTolerating(id)
					m.Decide([]compile.TaintID{id})
					set.Has(id)
					set.FirstUntolerated([]compile.TaintID{id}, taint.AllEffects)
				}
			}
			if zero.Tolerates(ids[0]) {
				t.Error("the zero Matcher tolerates something")
			}
		}
	}
	var noKey compile.Matcher
	noKey.Compile(&v, list[:2], comparisons)
	for _, odds := range []int{0, 100} { // as many odd taints more
		for i := range odds {
			v.Append(nil, []taint.Taint{{Effect: taint.Effect(fmt.Sprint("Odder", i))}})
		}
		for places := compile.TaintID(v.Indexes() / 4); places < 300; places++ {
			for _, key := range []compile.TaintID{1, 300} {
				if id := key<<36 | places<<4 | 1; noKey.Tolerates(id) || v.Uses(id) != 0 {
					t.Errorf("%#x has no place, and is tolerated: %t, in use: %d", id, noKey.Tolerates(id), v.Uses(id))
				}
			}
		}
		for places := range compile.TaintID(100) {
			id := 1<<36 | places<<4 | 1
			if _, inUse := v.Taint(id); !inUse && noKey.Tolerates(id) {
				t.Errorf("%#x is not in use and tolerated", id)
			}
		}
		noKey.Compile(&v, list[:2], comparisons)
	}
	if uses := v.Uses(0); uses != 0 {
		t.Errorf("zero has %d uses", uses)
	}
	if _, ok := v.Taint(ids[3]); ok {
		t.Errorf("a released ID stands for a taint")
	}
	if got := fmt.Sprint(v.AppendTaints(nil, []compile.TaintID{0, ids[0]})[1]); got != "a=x:NoSchedule" {
		t.Errorf("got %s", got)
	}
}
