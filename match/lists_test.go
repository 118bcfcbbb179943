package match_test

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/match/matchtest"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// Several lists answer as one list of all their tolerations in order does (rules F2, F3,
// E1 to E3).
func TestTolerationListsAreOneList(t *testing.T) {
	several := 0 // pairs that no list alone answers
	rapid.Check(t, func(t *rapid.T) {
		taints := matchtest.Taints().Draw(t, "taints")
		lists := match.TolerationLists(rapid.SliceOfN(matchtest.Tolerations(taints), 0, 4).Draw(t, "lists"))
		joined := slices.Concat(lists...)
		rules := toleration.Rules{Comparisons: rapid.Bool().Draw(t, "comparisons")}
		for effects := taint.EffectSet(0); effects <= taint.AllEffects; effects++ {
			want, wantOK := match.FirstUntolerated(taints, joined, effects, rules)
			if i, ok := lists.FirstUntolerated(taints, effects, rules); i != want || ok != wantOK {
				t.Errorf("first untolerated of %v is %d, %t, want %d, %t", effects, i, ok, want, wantOK)
			}
		}
		want := match.Decide(taints, joined, rules)
		if got := lists.Decide(taints, rules); got != want {
			t.Errorf("decided %+v, want %+v", got, want)
		}
		if !slices.ContainsFunc(lists, func(list []toleration.Toleration) bool { return match.Decide(taints, list, rules) == want }) {
			several++
		}
	})
	if several == 0 {
		t.Error("one list alone always gave the answer")
	}
}

// An untolerated taint decides before one whose seconds are zero, as in one list (rule E1).
func TestE1TolerationLists(t *testing.T) {
	taints := node(t, "a:NoExecute,b:NoExecute")
	lists := match.TolerationLists{pod(t, "c"), pod(t, "a@0")}
	want := match.Verdict{Scheduling: match.Unschedulable, SchedulingTaint: 1, Eviction: match.EvictNow, EvictionTaint: 1}
	if got := lists.Decide(taints); got != want || match.Decide(taints, slices.Concat(lists...)) != want {
		t.Errorf("decided %+v, want %+v", got, want)
	}
}

// A Job's list comes after that of its pod: where both tolerate a taint, the pod's seconds
// count.
func ExampleTolerationLists() {
	minute, hour := int64(60), int64(3600)
	taints := []taint.Taint{{Key: "maintenance", Effect: taint.NoExecute}, {Key: "spot", Effect: taint.NoSchedule}}
	pod := []toleration.Toleration{{Key: "maintenance", Operator: toleration.OpExists, TolerationSeconds: &minute}}
	job := []toleration.Toleration{{Operator: toleration.OpExists, TolerationSeconds: &hour}}
	fmt.Println(match.TolerationLists{pod, job}.Decide(taints).Sentence(taints))
	fmt.Println(match.TolerationLists{job, pod}.Decide(taints).Sentence(taints))
	// Output:
	// schedulable; evicted after 1m0s because of maintenance:NoExecute
	// schedulable; evicted after 1h0m0s because of maintenance:NoExecute
}
