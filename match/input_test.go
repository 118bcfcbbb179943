package match_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tolero-dev/tolero/fuzz/exported"
	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// questions are all exported functions and methods of the package, as questions about
// two lists.
var questions = map[string]func(taints []taint.Taint, tolerations []toleration.Toleration) any{
	"Tolerates": func(taints []taint.Taint, tolerations []toleration.Toleration) any {
		return slices.IndexFunc(taints, func(t taint.Taint) bool { return match.Tolerates(tolerations, &t) })
	},
	"FirstTolerating": func(taints []taint.Taint, tolerations []toleration.Toleration) any {
		var sum int
		for i := range taints {
			index, ok := match.FirstTolerating(tolerations, &taints[i])
			if sum += index; ok {
				sum++
			}
		}
		return sum
	},
	"Filter": func(taints []taint.Taint, tolerations []toleration.Toleration) any {
		return len(match.Filter(nil, taints, tolerations, taint.AllEffects))
	},
	"FirstUntolerated": func(taints []taint.Taint, tolerations []toleration.Toleration) any {
		_, ok := match.FirstUntolerated(taints, tolerations, taint.Hard)
		return ok
	},
	"FirstUntoleratedFunc": func(taints []taint.Taint, tolerations []toleration.Toleration) any {
		_, ok := match.FirstUntoleratedFunc(taints, tolerations, taint.Hard, nil)
		return ok
	},
	"Check": func(taints []taint.Taint, tolerations []toleration.Toleration) any {
		return match.Check(taints, tolerations, taint.AllEffects) != nil
	},
	"CountUntolerated": func(taints []taint.Taint, tolerations []toleration.Toleration) any {
		return match.CountUntolerated(taints, tolerations, taint.AllEffects)
	},
	"NormalizeScores": func(taints []taint.Taint, tolerations []toleration.Toleration) any {
		scores := make([]int64, len(taints))
		for i := range taints {
			scores[i] = match.CountUntolerated(taints[:i], tolerations, taint.Soft)
		}
		match.NormalizeScores(scores)
		match.NormalizeScores(nil)
		return len(scores) > 0 && slices.Max(scores) != 100
	},
	"Decide": func(taints []taint.Taint, tolerations []toleration.Toleration) any {
		return match.Decide(taints, tolerations)
	},
	"TolerationLists.FirstUntolerated": func(taints []taint.Taint, tolerations []toleration.Toleration) any {
		_, ok := match.TolerationLists{nil, tolerations}.FirstUntolerated(taints, taint.Hard)
		return ok
	},
	"TolerationLists.Decide": func(taints []taint.Taint, tolerations []toleration.Toleration) any {
		return match.TolerationLists{tolerations, nil, tolerations}.Decide(taints)
	},
	"EvictionPolicy.Decide": func(taints []taint.Taint, tolerations []toleration.Toleration) any {
		return match.SinceAdded.Decide(taints, tolerations, time.Unix(1<<40, 0))
	},
	"EvictionDelay": func(taints []taint.Taint, tolerations []toleration.Toleration) any {
		after, evicted := match.EvictionDelay(taints, tolerations)
		return [2]any{after, evicted}
	},
	"EvictionPolicy.Delay": func(taints []taint.Taint, tolerations []toleration.Toleration) any {
		after, evicted := match.MostLenient.Delay(taints, tolerations, time.Time{})
		return [2]any{after, evicted}
	},
	"EvictionPolicy.String": func(taints []taint.Taint, _ []toleration.Toleration) any {
		return match.EvictionPolicy(len(taints)).String()
	},
	"Scheduling.String": func(taints []taint.Taint, tolerations []toleration.Toleration) any {
		return match.Decide(taints, tolerations).Scheduling.String() + match.Scheduling(99).String()
	},
	"Eviction.String": func(taints []taint.Taint, tolerations []toleration.Toleration) any {
		return match.Decide(taints, tolerations).Eviction.String() + match.Eviction(99).String()
	},
	"Verdict.String": func(taints []taint.Taint, tolerations []toleration.Toleration) any {
		return match.Decide(taints, tolerations).String() + match.Verdict{Scheduling: 99, Eviction: 99}.String()
	},
	"Verdict.Sentence": func(taints []taint.Taint, tolerations []toleration.Toleration) any {
		v := match.Decide(taints, tolerations)
		return v.Sentence(taints) + v.Sentence(nil) + match.Verdict{Scheduling: match.Avoid, SchedulingTaint: -1, Eviction: 99}.Sentence(taints)
	},
	"KubeletAdmits": func(taints []taint.Taint, tolerations []toleration.Toleration) any {
		return match.KubeletAdmits(taints, tolerations)
	},
	"DaemonSetPlacement": func(taints []taint.Taint, tolerations []toleration.Toleration) any {
		run, keep := match.DaemonSetPlacement(taints, tolerations)
		return [2]bool{run, keep}
	},
	"Cordoned": func(_ []taint.Taint, tolerations []toleration.Toleration) any {
		return match.Cordoned(tolerations)
	},
}

// Every exported function has its answers for empty, invalid and huge input here.
func TestAllFunctionsAreAsked(t *testing.T) {
	exported.Same(t, questions)
}

// A nil list is an empty one, on either side.
func TestNilIsEmpty(t *testing.T) {
	taints, tolerations := node(t, "a:NoSchedule,b:NoExecute,c:PreferNoSchedule"), pod(t, "a,b@60")
	for name, ask := range questions {
		for _, c := range [][2]any{
			{ask(nil, nil), ask([]taint.Taint{}, []toleration.Toleration{})},
			{ask(taints, nil), ask(taints, []toleration.Toleration{})},
			{ask(nil, tolerations), ask([]taint.Taint{}, tolerations)},
		} {
			if c[0] != c[1] {
				t.Errorf("%s: %v of nil, %v of an empty list", name, c[0], c[1])
			}
		}
	}
	if match.Tolerates(nil, &taints[0]) {
		t.Error("no toleration tolerates a taint")
	}
	if i, ok := match.FirstTolerating(nil, &taints[0]); i != 0 || ok {
		t.Errorf("first of none: %d, %v", i, ok)
	}
	if !match.Cordoned(nil) {
		t.Error("no toleration tolerates the cordon")
	}
}

// Nothing that a user can write makes a function panic.
func TestOddInputHasAnAnswer(t *testing.T) {
	long := strings.Repeat("9", 1<<20)
	many := int64(-1 << 63)
	taints := []taint.Taint{{}, {}, {Key: "\xff", Value: "\x00", Effect: "noexecute"}, {Key: long, Value: long, Effect: taint.NoExecute}, {Effect: taint.NoExecute}}
	tolerations := []toleration.Toleration{{Operator: "In"}, {Key: long, Operator: "Gt", Value: "-"}, {Key: long, Value: long, TolerationSeconds: &many}, {Effect: "\xff"}}
	for name, ask := range questions {
		ask(taints, tolerations)
		ask(taints, nil)
		if ask(taints, tolerations) != ask(taints, tolerations) {
			t.Errorf("%s: two answers to one question", name)
		}
	}
}

// A nil taint is the one programming error, as it is in Kubernetes' functions.
func TestNilTaintPanics(t *testing.T) {
	for name, call := range map[string]func(){
		"Tolerates":       func() { match.Tolerates(make([]toleration.Toleration, 1), nil) },
		"FirstTolerating": func() { match.FirstTolerating(make([]toleration.Toleration, 1), nil) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s answers for a nil taint", name)
				}
			}()
			call()
		}()
	}
}

// A list in which everything is twice gets the answers of the list, except for counts.
func TestRepeatedInput(t *testing.T) {
	taints, tolerations := node(t, "a:NoSchedule,b:NoExecute,c:PreferNoSchedule"), pod(t, "a,b@60")
	counts := map[string]bool{"Filter": true, "CountUntolerated": true, "FirstTolerating": true, "EvictionPolicy.String": true}
	for name, ask := range questions {
		once, twice := ask(taints, tolerations), ask(slices.Concat(taints, taints), slices.Concat(tolerations, tolerations))
		if (once == twice) == counts[name] {
			t.Errorf("%s: %v once, %v twice", name, once, twice)
		}
	}
}

// 10,000 taints on a node and 10,000 tolerations on a pod are slow, not wrong.
func TestEnormousLists(t *testing.T) {
	taints := make([]taint.Taint, 10_000)
	tolerations := make([]toleration.Toleration, 10_000)
	for i := range taints {
		taints[i] = taint.Taint{Key: "k", Value: string(rune('a' + i)), Effect: taint.NoSchedule}
		tolerations[i] = toleration.Toleration{Key: "k", Value: string(rune('b' + i))}
	}
	if left := match.Filter(nil, taints, tolerations, taint.AllEffects); len(left) != 1 || left[0].Value != "a" {
		t.Errorf("%d taints left", len(left))
	}
}
