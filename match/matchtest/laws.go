package matchtest

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// runLaws checks what has to hold between answers. A matcher that agrees with
// package match passes if package match does; the laws are there to catch an
// error that a matcher and package match have in common.
func runLaws(t *testing.T, new New) {
	for name, law := range map[string]func(*world){
		"tolerates all":        (*world).tolerateEverything,
		"more tolerates more":  (*world).addToleration,
		"order of tolerations": (*world).shuffleTolerations,
		"parts of a verdict":   (*world).takeVerdictApart,
		"filter and first":     (*world).compareFilterWithFirst,
		"more taints":          (*world).addTaint,
	} {
		t.Run(name, rapid.MakeCheck(func(rt *rapid.T) {
			taints := Taints().Draw(rt, "taints")
			law(&world{T: rt, new: new, taints: taints, tolerations: Tolerations(taints).Draw(rt, "tolerations")})
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
		if left := m.Filter(nil, w.taints); len(left) > 0 {
			w.Fatalf("%v left by a list that tolerates everything", left)
		}
	}
	if m.Decide != nil {
		if v := m.Decide(w.taints); v.Scheduling != match.Schedulable || v.Eviction == match.LeaveNow && !w.hasSeconds() {
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
	shuffled := rapid.Permutation(w.tolerations).Draw(w.T, "shuffled")
	a, b := w.new(w.tolerations), w.new(shuffled)
	if a.Decide != nil && a.Decide(w.taints).Scheduling != b.Decide(w.taints).Scheduling {
		w.Fatalf("scheduling depends on the order of tolerations: %v, %v", a.Decide(w.taints), b.Decide(w.taints))
	}
	if a.Score != nil && a.Score(w.taints) != b.Score(w.taints) {
		w.Fatalf("score depends on the order of tolerations: %v, %v", a.Score(w.taints), b.Score(w.taints))
	}
	if a.EvictionDelay != nil {
		lenient := delayOf(a.EvictionDelay(w.taints, match.MostLenient, Epoch))
		if other := delayOf(b.EvictionDelay(w.taints, match.MostLenient, Epoch)); lenient != other {
			w.Fatalf("the lenient delay depends on the order of tolerations: %v, %v", lenient, other)
		}
	}
}

// takeVerdictApart: a verdict is what its parts say.
func (w *world) takeVerdictApart() {
	m := w.new(w.tolerations)
	if m.Decide == nil {
		return
	}
	v := m.Decide(w.taints)
	if m.FirstUntolerated != nil {
		_, hard := m.FirstUntolerated(w.taints, taint.Hard)
		if hard != (v.Scheduling == match.Unschedulable) {
			w.Fatalf("%v, but an untolerated hard taint: %v", v, hard)
		}
	}
	if m.Score != nil {
		soft := m.Score(w.taints) > 0
		if v.Scheduling != match.Unschedulable && soft != (v.Scheduling == match.Avoid) {
			w.Fatalf("%v, but score %d", v, m.Score(w.taints))
		}
	}
	if (v.After > 0) != (v.Eviction == match.LeaveAfter) {
		w.Fatalf("%v after %v", v, v.After)
	}
}

// compareFilterWithFirst: the first untolerated taint is the first one left.
func (w *world) compareFilterWithFirst() {
	m := w.new(w.tolerations)
	if m.Filter == nil || m.FirstUntolerated == nil {
		return
	}
	left := m.Filter(nil, w.taints)
	i, ok := m.FirstUntolerated(w.taints, taint.AllEffects)
	if ok != (len(left) > 0) || ok && !w.taints[i].Equal(&left[0]) {
		w.Fatalf("left %v, first %d, %v", left, i, ok)
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
		w.Fatalf("%v became %v by the taint %v", before, after, more[len(more)-1])
	}
}
