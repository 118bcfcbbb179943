package explain_test

import (
	"math/bits"
	"slices"
	"testing"

	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/match/explain"
	"github.com/tolero-dev/tolero/match/matchtest"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

var goals = [...]explain.Goal{explain.ToSchedule, explain.ToStay, explain.ToScheduleAndStay}

// reaches asks match whether a pod with the list reaches the goal.
func reaches(q *explain.Query, goal explain.Goal, list []toleration.Toleration) bool {
	v := match.Decide(q.Taints, list, q.Rules)
	schedules, stays := v.Scheduling != match.Unschedulable, v.Eviction == match.Stay
	switch goal {
	case explain.ToStay:
		return stays
	case explain.ToScheduleAndStay:
		return schedules && stays
	}
	return schedules
}

// checkAdd: the additions reach the goal, none can be left out, and they are the
// tolerations of taints of the node.
func checkAdd(t tester, q *explain.Query, goal explain.Goal) {
	t.Helper()
	r := q.Add(goal)
	if len(r.Edits) > 0 || !reaches(q, goal, r.Apply(nil, q.Tolerations)) {
		t.Fatalf("%s\n%v: %s", describe(q), goal, r)
	}
	if r.Empty() != reaches(q, goal, q.Tolerations) {
		t.Fatalf("%s\n%v is reached already, or not: %s", describe(q), goal, r)
	}
	checkNeeded(t, q, r)
	for _, u := range r.Additions {
		if !slices.ContainsFunc(q.Taints, func(x taint.Taint) bool { return toleration.For(&x) == u }) {
			t.Fatalf("%s\n%v: %s", describe(q), goal, r)
		}
	}
}

// checkNeeded: without any one of its changes, the repair does not reach the goal.
// With a taint without a key, which is invalid, an addition can make edits needless.
func checkNeeded(t tester, q *explain.Query, r explain.Repair) {
	t.Helper()
	if len(r.Edits) > 0 && taint.KeyExists(q.Taints, "") {
		return
	}
	for i := range r.Additions {
		less := r
		less.Additions = slices.Delete(slices.Clone(r.Additions), i, i+1)
		if reaches(q, r.Goal, less.Apply(nil, q.Tolerations)) {
			t.Fatalf("%s\n%v: %s\nwithout %s too", describe(q), r.Goal, r, r.Additions[i])
		}
	}
	for i, e := range r.Edits {
		for _, change := range [...]change{anyValue, anyEffect, noSeconds} {
			if changeOf(e)&change == 0 {
				continue
			}
			less := r
			less.Edits = slices.Clone(r.Edits)
			less.Edits[i].New = (changeOf(e) &^ change).apply(e.Old)
			if reaches(q, r.Goal, less.Apply(nil, q.Tolerations)) {
				t.Fatalf("%s\n%v: %s\nwithout change %d of %s too", describe(q), r.Goal, r, change, e)
			}
		}
	}
}

// change is how an edit widens a toleration: bits.
type change uint8

const (
	anyValue change = 1 << iota
	anyEffect
	noSeconds
)

func changeOf(e explain.Edit) (c change) {
	if e.Old.Operator != e.New.Operator || e.Old.Value != e.New.Value {
		c |= anyValue
	}
	if e.Old.Effect != e.New.Effect {
		c |= anyEffect
	}
	if e.Old.TolerationSeconds != e.New.TolerationSeconds {
		c |= noSeconds
	}
	return c
}

func (c change) apply(t toleration.Toleration) toleration.Toleration {
	if c&anyValue != 0 {
		t.Operator, t.Value = toleration.OpExists, ""
	}
	if c&anyEffect != 0 {
		t.Effect = ""
	}
	if c&noSeconds != 0 {
		t.TolerationSeconds = nil
	}
	return t
}

// checkEdit: the edits reach the goal, each is needed, none takes anything away, and
// no smaller number widens as much.
func checkEdit(t tester, q *explain.Query, goal explain.Goal) {
	t.Helper()
	r := q.Edit(goal)
	repaired := r.Apply(nil, q.Tolerations)
	if !reaches(q, goal, repaired) {
		t.Fatalf("%s\n%v: %s", describe(q), goal, r)
	}
	checkNeeded(t, q, r)
	last := -1
	for _, e := range r.Edits {
		if e.Index <= last || !e.Old.Equal(&q.Tolerations[e.Index]) || e.New != changeOf(e).apply(e.Old) || changeOf(e) == 0 {
			t.Fatalf("%s\n%v: %s", describe(q), goal, r)
		}
		last = e.Index
	}
	checkKeeps(t, q, r, repaired)
	if len(q.Tolerations) <= 4 {
		checkFewest(t, q, r)
	}
}

// covers reports whether a tolerates every taint that b tolerates, for however long: by their
// meanings, or taint by taint if they are not valid.
func covers(a, b []toleration.Toleration) bool {
	a, b = toleration.Clone(a), toleration.Clone(b)
	keys, values, effects := []string{"other"}, []string{"", "other"}, []taint.Effect{"Other", taint.NoSchedule, taint.PreferNoSchedule, taint.NoExecute}
	for _, list := range [...][]toleration.Toleration{a, b} {
		for i := range list {
			list[i].TolerationSeconds = nil
			keys, values, effects = append(keys, list[i].Key), append(values, list[i].Value), append(effects, list[i].Effect)
		}
	}
	m, err := toleration.NewMeaning(a)
	n, other := toleration.NewMeaning(b)
	if err == nil && other == nil {
		return m.Covers(n)
	}
	rules := toleration.Rules{Comparisons: true}
	for _, x := range (&matchtest.Universe{Keys: keys, Values: values, Effects: effects}).Taints() {
		if match.Tolerates(b, &x, rules) && !match.Tolerates(a, &x, rules) {
			return false
		}
	}
	return true
}

// checkKeeps: what was tolerated still is, for as long at least.
func checkKeeps(t tester, q *explain.Query, r explain.Repair, repaired []toleration.Toleration) {
	t.Helper()
	before, after := q.Rules.Active(nil, q.Tolerations), q.Rules.Active(nil, repaired)
	if !covers(after, before) {
		t.Fatalf("%s\n%v takes away: %s", describe(q), r.Goal, r)
	}
	keys, values := []string{"other"}, []string{"", "other"}
	for i := range q.Tolerations {
		keys, values = append(keys, q.Tolerations[i].Key), append(values, q.Tolerations[i].Value)
	}
	for i := range q.Taints {
		keys, values = append(keys, q.Taints[i].Key), append(values, q.Taints[i].Value)
	}
	for _, key := range keys {
		for _, value := range values {
			x := taint.Taint{Key: key, Value: value, Effect: taint.NoExecute}
			old, new := match.Decide([]taint.Taint{x}, before, q.Rules), match.Decide([]taint.Taint{x}, after, q.Rules)
			if later(&old, &new) {
				t.Fatalf("%s\n%v takes away time for %s: %s", describe(q), r.Goal, x, r)
			}
		}
	}
}

// checkFewest tries every way to widen tolerations.
func checkFewest(t tester, q *explain.Query, r explain.Repair) {
	t.Helper()
	var reachable []taint.Taint
	for _, x := range match.Filter(nil, q.Taints, q.Tolerations, effectsOf(r.Goal), q.Rules) {
		if slices.ContainsFunc(q.Tolerations, func(u toleration.Toleration) bool { return canWiden(&u) && u.Key == x.Key }) {
			reachable = append(reachable, x)
		}
	}
	for _, u := range r.Additions {
		if slices.ContainsFunc(reachable, func(x taint.Taint) bool { return toleration.For(&x) == u }) {
			t.Fatalf("%s\n%v adds what it could reach: %s", describe(q), r.Goal, r)
		}
	}
	used := 0
	for _, e := range r.Edits {
		used += bits.OnesCount8(uint8(changeOf(e) &^ noSeconds))
	}
	if fewest := fewestChanges(q, reachable, 0, slices.Clone(q.Tolerations)); used != fewest {
		t.Fatalf("%s\n%v widens %d times, %d are enough: %s", describe(q), r.Goal, used, fewest, r)
	}
}

func canWiden(u *toleration.Toleration) bool {
	return u.Key != "" && u.TolerationSeconds == nil
}

func effectsOf(goal explain.Goal) taint.EffectSet {
	if goal == explain.ToStay {
		return taint.Evicting
	}
	return taint.Hard
}

// fewestChanges returns how many changes of the tolerations from i on the taints
// need.
func fewestChanges(q *explain.Query, taints []taint.Taint, i int, list []toleration.Toleration) int {
	if _, left := match.FirstUntolerated(taints, list, taint.AllEffects, q.Rules); !left {
		return 0
	}
	if i == len(list) {
		return 1000
	}
	least, old := fewestChanges(q, taints, i+1, list), list[i]
	for change := anyValue; change < noSeconds && canWiden(&old); change++ {
		list[i] = change.apply(old)
		least = min(least, bits.OnesCount8(uint8(change))+fewestChanges(q, taints, i+1, list))
	}
	list[i] = old
	return least
}

func TestRepair(t *testing.T) {
	for _, c := range []struct {
		taints, tolerations string
		goal                explain.Goal
		add, edit           string
	}{
		{"", "", explain.ToSchedule, "change nothing", "change nothing"},
		{"a=x:NoSchedule", "", explain.ToSchedule, "add a==x:NoSchedule", "add a==x:NoSchedule"},
		{"a=x:NoSchedule,a=x:NoSchedule", "", explain.ToSchedule, "add a==x:NoSchedule", "add a==x:NoSchedule"},
		{"a:PreferNoSchedule", "", explain.ToScheduleAndStay, "change nothing", "change nothing"},
		{"a=x:NoSchedule", "", explain.ToStay, "change nothing", "change nothing"},
		{"a=x:NoSchedule", "", 9, "add a==x:NoSchedule", "add a==x:NoSchedule"},
		{"a:NoExecute", "a:NoExecute@5", 9, "change nothing", "change nothing"},
		{"a=x:NoSchedule", "a==y:NoSchedule", explain.ToSchedule, "add a==x:NoSchedule", "change tolerations[0], a==y:NoSchedule, to a:NoSchedule"},
		{"a=x:NoSchedule", "a==x:NoExecute", explain.ToSchedule, "add a==x:NoSchedule", "change tolerations[0], a==x:NoExecute, to a==x"},
		{"a=x:NoSchedule", "a==y:NoExecute", explain.ToSchedule, "add a==x:NoSchedule", "change tolerations[0], a==y:NoExecute, to a"},
		{"a=x:NoSchedule", "a:NoExecute@5", explain.ToSchedule, "add a==x:NoSchedule", "add a==x:NoSchedule"},
		{"a=x:NoSchedule", "*:NoExecute", explain.ToSchedule, "add a==x:NoSchedule", "add a==x:NoSchedule"},
		{"a=x:NoSchedule,a=x:NoExecute", "a==y:NoSchedule,a==y:NoExecute", explain.ToSchedule,
			"add a==x:NoSchedule\nadd a==x:NoExecute",
			"change tolerations[0], a==y:NoSchedule, to a:NoSchedule\nchange tolerations[1], a==y:NoExecute, to a:NoExecute"},
		// The seconds of the first toleration count, so additions come first.
		{"a:NoExecute", "*:NoExecute@5,a", explain.ToScheduleAndStay, "add a==:NoExecute", "change tolerations[0], *:NoExecute@5, to *:NoExecute"},
		{"a:NoExecute", "*:NoExecute@5,a", explain.ToSchedule, "change nothing", "change nothing"},
		{"a=x:NoExecute", "*:NoExecute@5,a==y:NoExecute", explain.ToStay, "add a==x:NoExecute", "change tolerations[0], *:NoExecute@5, to *:NoExecute"},
		// Gt does not count, with any effect.
		{"a=9:NoSchedule", "a>5:NoExecute", explain.ToSchedule, "add a==9:NoSchedule", "change tolerations[0], a>5:NoExecute, to a"},
		// Invalid taints.
		{`"":NoSchedule`, "*==x:NoSchedule", explain.ToSchedule, "add *==:NoSchedule", "add *==:NoSchedule"},
		{`"":NoSchedule,a:NoSchedule`, "", explain.ToSchedule, "add *==:NoSchedule", "add *==:NoSchedule"},
	} {
		q := parse(t, c.taints, c.tolerations)
		if got := q.Add(c.goal).String(); got != c.add {
			t.Errorf("%s, %v: added %q, want %q", describe(q), c.goal, got, c.add)
		}
		if got := q.Edit(c.goal).String(); got != c.edit {
			t.Errorf("%s, %v: edited %q, want %q", describe(q), c.goal, got, c.edit)
		}
	}
}

// With the gate on, a change of the effect can be enough for Gt. The least and the
// greatest integer decide, whatever is between.
func TestEditComparisons(t *testing.T) {
	for _, c := range []struct{ taints, tolerations, want string }{
		{"a=9:NoSchedule", "a>5:NoExecute", "change tolerations[0], a>5:NoExecute, to a>5"},
		{"a=9:NoSchedule,a=7:NoSchedule,a=6:NoSchedule,a=8:NoSchedule", "a>5:NoExecute", "change tolerations[0], a>5:NoExecute, to a>5"},
		{"a=9:NoSchedule,a=7:NoSchedule,a=5:NoSchedule,a=8:NoSchedule", "a>5:NoExecute", "change tolerations[0], a>5:NoExecute, to a"},
		{"a=7:NoSchedule,a=9:NoSchedule,a=8:NoSchedule", "a<9:NoExecute", "change tolerations[0], a<9:NoExecute, to a"},
		{"a=x:NoSchedule,a=x:NoSchedule,a=y:NoSchedule", "a=x:NoExecute", "change tolerations[0], a=x:NoExecute, to a"},
		{"a=10:NoSchedule", "a==10:NoExecute", "change tolerations[0], a==10:NoExecute, to a==10"},
		{"a=9223372036854775807:NoSchedule", "a==9223372036854775807:NoExecute", "change tolerations[0], a==9223372036854775807:NoExecute, to a==9223372036854775807"},
		{"a=9:NoSchedule,a=x:NoSchedule", "a>5:NoExecute", "change tolerations[0], a>5:NoExecute, to a"},
		{"a=z:NoSchedule,a=y:NoSchedule,a=x:NoSchedule", "a=x:NoExecute,a=z:NoExecute,a:NoExecute", "change tolerations[2], a:NoExecute, to a"},
	} {
		q := parse(t, c.taints, c.tolerations)
		q.Rules.Comparisons = true
		if got := q.Edit(explain.ToSchedule).String(); got != c.want {
			t.Errorf("%s: %q, want %q", describe(q), got, c.want)
		}
		check(t, q)
	}
}

// Whoever reaches the goal by adding tolerations, anywhere, tolerates what Add adds.
func TestAddIsLeast(t *testing.T) {
	others := []string{"", "a", "a==x", "a==x:NoSchedule", "a:NoExecute", "a:NoExecute@9", "*", "*:NoSchedule", "*:NoExecute@9", "a>0", "*=x"}
	nodes := []string{"a=x:NoSchedule", "a=x:NoExecute", "a=x:NoSchedule,a=x:NoExecute", "a=x:NoSchedule,a=1:NoExecute", "b:NoSchedule,a=1:NoExecute"}
	for _, node := range nodes {
		for _, pod := range []string{"", "a=x:NoSchedule", "a@9:", "*:NoExecute@5", "a=1:NoExecute@5"} {
			if pod == "a@9:" {
				pod = "a:NoExecute@9"
			}
			for _, first := range others {
				for _, second := range others {
					for _, last := range others {
						checkLeast(t, parse(t, node, pod), join(first, second), join(last))
					}
				}
			}
		}
	}
}

func join(parts ...string) string {
	text := ""
	for _, part := range parts {
		if text != "" && part != "" {
			text += ","
		}
		text += part
	}
	return text
}

// checkLeast compares additions before and after the list with those of Add.
func checkLeast(t *testing.T, q *explain.Query, before, after string) {
	t.Helper()
	first, last := parse(t, "", before).Tolerations, parse(t, "", after).Tolerations
	all := slices.Concat(first, q.Tolerations, last)
	for _, goal := range goals {
		if !reaches(q, goal, all) {
			continue
		}
		r := q.Add(goal)
		if !covers(q.Rules.Active(nil, slices.Concat(first, last)), r.Additions) {
			t.Fatalf("%s, %v: %q and %q are enough, not all of %s", describe(q), goal, before, after, r)
		}
	}
}

// An edit of another list is left out.
func TestApplyToAnotherList(t *testing.T) {
	r := parse(t, "a=x:NoSchedule", "b,a=y").Edit(explain.ToSchedule)
	if got := toleration.FormatList(r.Apply(nil, nil)); got != "" {
		t.Errorf("got %q", got)
	}
	for _, index := range []int{-1, 1} {
		r.Edits[0].Index = index
		if got := toleration.FormatList(r.Apply(nil, parse(t, "", "b").Tolerations)); got != "b" {
			t.Errorf("edit of %d: %q", index, got)
		}
	}
}

func TestGoalString(t *testing.T) {
	for goal, want := range map[explain.Goal]string{
		explain.ToSchedule: "schedule", explain.ToStay: "stay", explain.ToScheduleAndStay: "schedule and stay", 9: "Goal(9)",
	} {
		if got := goal.String(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
