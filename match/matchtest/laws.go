package matchtest

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// laws are what must hold between answers. A matcher that agrees with package
// match passes if package match does; the laws are there to catch an error that
// a matcher and package match have in common.
var laws = []struct {
	name  string
	check func(*world)
}{
	{"tolerates all", (*world).tolerateEverything},
	{"more tolerations", (*world).addToleration},
	{"order of tolerations", (*world).shuffleTolerations},
	{"parts of a verdict", (*world).takeVerdictApart},
	{"time of a verdict", (*world).compareVerdictWithDelay},
	{"one by one", (*world).askOneByOne},
	{"effects", (*world).splitEffects},
	{"predicate", (*world).applyPredicate},
	{"more taints", (*world).addTaint},
}

func runLaws(t *testing.T, new New) {
	for _, law := range laws {
		t.Run(law.name, rapid.MakeCheck(func(rt *rapid.T) {
			taints := Taints().Draw(rt, "taints")
			law.check(&world{T: rt, new: new, taints: taints, tolerations: Tolerations(taints).Draw(rt, "tolerations")})
		}))
	}
}

// world is what a law is about.
type world struct {
	*rapid.T
	new         New
	taints      []taint.Taint
	tolerations []toleration.Toleration
}

// tolerateEverything: with Exists for every key and effect in the list, nothing
// is left.
func (w *world) tolerateEverything() {
	at := rapid.IntRange(0, len(w.tolerations)).Draw(w.T, "at")
	m := w.new(slices.Insert(slices.Clone(w.tolerations), at, toleration.Toleration{Operator: toleration.OpExists}))
	if m.Filter != nil {
		if left := m.Filter(nil, w.taints, taint.AllEffects); len(left) > 0 {
			w.Fatalf("%v left by a list that tolerates everything", left)
		}
	}
	if m.Decide != nil {
		if v := m.Decide(w.taints); v.Scheduling != match.Schedulable || v.Eviction == match.EvictNow && !w.hasSeconds() {
			w.Fatalf("%v for a list that tolerates everything", v)
		}
	}
}

func (w *world) hasSeconds() bool {
	return slices.ContainsFunc(w.tolerations, func(t toleration.Toleration) bool { return t.TolerationSeconds != nil })
}

// addToleration: one more toleration never makes a taint untolerated.
func (w *world) addToleration() {
	more := append(slices.Clone(w.tolerations), Toleration().Draw(w.T, "more"))
	before, after := w.new(w.tolerations), w.new(more)
	if before.Tolerates == nil {
		return
	}
	for i := range w.taints {
		if before.Tolerates(&w.taints[i]) && !after.Tolerates(&w.taints[i]) {
			w.Fatalf("%v is no longer tolerated", w.taints[i])
		}
	}
}

// shuffleTolerations: the order of tolerations matters for seconds only.
func (w *world) shuffleTolerations() {
	a, b := w.new(w.tolerations), w.new(rapid.Permutation(w.tolerations).Draw(w.T, "shuffled"))
	if a.Decide != nil {
		if v, other := a.Decide(w.taints), b.Decide(w.taints); v.Scheduling != other.Scheduling || v.SchedulingTaint != other.SchedulingTaint {
			w.Fatalf("scheduling depends on the order of tolerations: %+v, %+v", v, other)
		}
	}
	if a.CountUntolerated != nil {
		if n, other := a.CountUntolerated(w.taints, taint.Soft), b.CountUntolerated(w.taints, taint.Soft); n != other {
			w.Fatalf("the count depends on the order of tolerations: %d, %d", n, other)
		}
	}
	if a.EvictionDelay != nil {
		lenient := delayOf(a.EvictionDelay(w.taints, match.MostLenient, Epoch()))
		if other := delayOf(b.EvictionDelay(w.taints, match.MostLenient, Epoch())); lenient != other {
			w.Fatalf("the lenient delay depends on the order of tolerations: %v, %v", lenient, other)
		}
	}
}

// takeVerdictApart: what a verdict says of scheduling is what its parts say.
func (w *world) takeVerdictApart() {
	m := w.new(w.tolerations)
	if m.Decide == nil {
		return
	}
	v := m.Decide(w.taints)
	if m.FirstUntolerated != nil {
		want := index{}
		if hard := indexOf(m.FirstUntolerated(w.taints, taint.Hard)); hard.ok {
			want = hard
		} else if soft := indexOf(m.FirstUntolerated(w.taints, taint.Soft)); soft.ok {
			want = soft
		}
		if want.ok != (v.Scheduling != match.Schedulable) || want.i != v.SchedulingTaint {
			w.Fatalf("%+v, but the first untolerated taint: %v", v, want)
		}
	}
	if m.CountUntolerated != nil {
		hard, soft := m.CountUntolerated(w.taints, taint.Hard) > 0, m.CountUntolerated(w.taints, taint.Soft) > 0
		if hard != (v.Scheduling == match.Unschedulable) || (!hard && soft) != (v.Scheduling == match.Avoid) {
			w.Fatalf("%v, but untolerated hard taints: %v, soft ones: %v", v, hard, soft)
		}
	}
}

// compareVerdictWithDelay: what a verdict says of eviction is what the delay
// says, and the taint that it names evicts as early alone.
func (w *world) compareVerdictWithDelay() {
	m := w.new(w.tolerations)
	if m.Decide == nil {
		return
	}
	v := m.Decide(w.taints)
	said := delay{v.After, v.Eviction != match.Stay}
	if (v.After > 0) != (v.Eviction == match.EvictAfter) {
		w.Fatalf("%v after %v", v, v.After)
	}
	if m.EvictionDelay != nil {
		if d := delayOf(m.EvictionDelay(w.taints, match.FirstMatch, Epoch())); d != said {
			w.Fatalf("%v, but the delay is %v", v, d)
		}
	}
	if v.Eviction == match.Stay {
		if v.EvictionTaint != 0 {
			w.Fatalf("%+v names a taint", v)
		}
		return
	}
	if alone := m.Decide(w.taints[v.EvictionTaint : v.EvictionTaint+1]); alone.Eviction != v.Eviction || alone.After != v.After {
		w.Fatalf("%+v, but that taint alone: %+v", v, alone)
	}
}

// askOneByOne: what is left is what is not tolerated, taint by taint.
func (w *world) askOneByOne() {
	m := w.new(w.tolerations)
	if m.Tolerates == nil {
		return
	}
	var left []taint.Taint
	for i := range w.taints {
		tolerated := m.Tolerates(&w.taints[i])
		if !tolerated {
			left = append(left, w.taints[i])
		}
		if m.FirstTolerating != nil {
			if _, ok := m.FirstTolerating(&w.taints[i]); ok != tolerated {
				w.Fatalf("%v is tolerated: %v, by a first toleration: %v", w.taints[i], tolerated, ok)
			}
		}
	}
	if m.Filter != nil {
		if all := m.Filter(nil, w.taints, taint.AllEffects); !taint.Equal(all, left) {
			w.Fatalf("left %v, untolerated one by one: %v", all, left)
		}
	}
	if m.CountUntolerated != nil {
		if n := m.CountUntolerated(w.taints, taint.AllEffects); n != int64(len(left)) {
			w.Fatalf("%d left, untolerated one by one: %v", n, left)
		}
	}
}

// splitEffects: what is left of some effects is the part of what is left that
// has them, and the first is the first of it.
func (w *world) splitEffects() {
	m := w.new(w.tolerations)
	if m.Filter == nil {
		return
	}
	set := taint.EffectSet(rapid.IntRange(0, int(taint.AllEffects)).Draw(w.T, "effects"))
	want := slices.DeleteFunc(m.Filter(nil, w.taints, taint.AllEffects), func(x taint.Taint) bool { return !set.Has(x.Effect) })
	if left := m.Filter(nil, w.taints, set); !taint.Equal(left, want) {
		w.Fatalf("left of %v: %v, want %v", set, left, want)
	}
	if m.FirstUntolerated != nil {
		if i, ok := m.FirstUntolerated(w.taints, set); ok != (len(want) > 0) || ok && !w.taints[i].Equal(&want[0]) {
			w.Fatalf("left of %v: %v, first %d, %v", set, want, i, ok)
		}
	}
}

// applyPredicate: a predicate may as well be asked before.
func (w *world) applyPredicate() {
	m := w.new(w.tolerations)
	key := rapid.SampledFrom(keys).Draw(w.T, "key")
	keep := func(x *taint.Taint) bool { return x.Key != key }
	kept := slices.DeleteFunc(slices.Clone(w.taints), func(x taint.Taint) bool { return !keep(&x) })
	if m.FirstUntoleratedFunc != nil && m.FirstUntolerated != nil {
		i, ok := m.FirstUntoleratedFunc(w.taints, taint.Hard, keep)
		j, want := m.FirstUntolerated(kept, taint.Hard)
		if ok != want || ok && !w.taints[i].Equal(&kept[j]) {
			w.Fatalf("first without key %q: %d, %v, want %d, %v of %v", key, i, ok, j, want, kept)
		}
	}
}

// addTaint: one more taint never makes a node better.
func (w *world) addTaint() {
	more := append(slices.Clone(w.taints), Taint().Draw(w.T, "more"))
	m := w.new(w.tolerations)
	if m.Decide == nil {
		return
	}
	before, after := m.Decide(w.taints), m.Decide(more)
	if after.Scheduling < before.Scheduling || after.Eviction < before.Eviction {
		w.Fatalf("%v became %v with the taint %v", before, after, more[len(more)-1])
	}
}
