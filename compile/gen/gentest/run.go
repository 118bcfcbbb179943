package gentest

import (
	"fmt"
	"testing"

	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/match/matchtest"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// rules count Gt and Lt: there is code for a list with them only if its cluster does.
var rules = toleration.Rules{Comparisons: true}

// Run compares m with package match for the list that m was made from, and fails
// t at the first difference. The nodes have every taint that the list tells
// apart and near-misses, one by one, and up to three of those that get different
// answers. Of lists of many hundreds of tolerations a part is taken.
func Run(t *testing.T, tolerations []toleration.Toleration, m Matcher) {
	t.Helper()
	taints, complete := universe(tolerations)
	if !complete {
		t.Logf("%d tolerations are too many to compare with all taints; %d are a part", len(tolerations), len(taints))
	}
	if err := check(taints, tolerations, m); err != nil {
		t.Error(err)
	}
}

// check compares the answers for each of the taints alone, and for lists of
// different ones.
func check(taints []taint.Taint, tolerations []toleration.Toleration, m Matcher) error {
	for i := range taints {
		if err := compare(taints[i:i+1], tolerations, m); err != nil {
			return err
		}
	}
	for list := range matchtest.Lists(different(taints, tolerations), 3) {
		if err := compare(list, tolerations, m); err != nil {
			return err
		}
	}
	return nil
}

// sets are the effects that are asked for.
var sets = [...]taint.EffectSet{taint.Hard, taint.Soft, taint.Evicting, taint.OtherEffects, taint.AllEffects, 0}

// compare compares all answers for one node.
func compare(taints []taint.Taint, tolerations []toleration.Toleration, m Matcher) error {
	for i := range taints {
		if got, want := m.Tolerates(&taints[i]), match.Tolerates(tolerations, &taints[i], rules); got != want {
			return fmt.Errorf("Tolerates(%q) = %v, package match says %v", taints[i], got, want)
		}
	}
	for _, effects := range sets {
		got, gotOK := m.FirstUntolerated(taints, effects)
		if want, wantOK := match.FirstUntolerated(taints, tolerations, effects, rules); got != want || gotOK != wantOK {
			return fmt.Errorf("FirstUntolerated(%q, %v) = %d, %v, package match says %d, %v", taints, effects, got, gotOK, want, wantOK)
		}
	}
	verdict, want := m.Decide(taints), match.Decide(taints, tolerations, rules)
	if m.nameless {
		want.SchedulingTaint, want.EvictionTaint = 0, 0
	}
	if verdict != want {
		return fmt.Errorf("Decide(%q) = %+v, package match says %+v", taints, verdict, want)
	}
	got, gotEvicted := m.EvictionDelay(taints)
	if want, wantEvicted := match.EvictionDelay(taints, tolerations, rules); got != want || gotEvicted != wantEvicted {
		return fmt.Errorf("EvictionDelay(%q) = %v, %v, package match says %v, %v", taints, got, gotEvicted, want, wantEvicted)
	}
	return nil
}

// manyDifferent is how many taints are put together in lists.
const manyDifferent = 12

// different returns some of the taints that differ in effect or answer.
func different(taints []taint.Taint, tolerations []toleration.Toleration) []taint.Taint {
	type kind struct {
		effect  taint.Effect
		verdict match.Verdict
	}
	var list []taint.Taint
	seen := make(map[kind]bool)
	for i := range taints {
		k := kind{taints[i].Effect, match.Decide(taints[i:i+1], tolerations, rules)}
		if !seen[k] && len(list) < manyDifferent {
			seen[k] = true
			list = append(list, taints[i])
		}
	}
	return list
}
