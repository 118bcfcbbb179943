package match_test

import (
	"testing"
	"time"

	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/match/matchtest"
	"github.com/tolero-dev/tolero/taint"
)

func TestDecide(t *testing.T) {
	const refused, avoided = match.Unschedulable, match.Avoid
	for _, c := range []struct {
		taints, tolerations string
		want                match.Verdict
		sentence            string
	}{
		{"", "", match.Verdict{}, "schedulable; may stay"},
		{"a:NoExecute", "a", match.Verdict{}, "schedulable; may stay"},
		{"a:NoExecute", "", match.Verdict{Scheduling: refused, Eviction: match.EvictNow},
			"not schedulable: a:NoExecute is not tolerated; evicted at once because of a:NoExecute"},
		{"a:NoExecute", "a@0", match.Verdict{Eviction: match.EvictNow}, "schedulable; evicted at once because of a:NoExecute"},
		{"a:NoExecute", "a@5", match.Verdict{Eviction: match.EvictAfter, After: 5 * time.Second}, "schedulable; evicted after 5s because of a:NoExecute"},
		{"a:NoExecute", "a@5,a@9", match.Verdict{Eviction: match.EvictAfter, After: 5 * time.Second}, "schedulable; evicted after 5s because of a:NoExecute"},
		{"x:NoSchedule,b:PreferNoSchedule,a:NoExecute", "a@5,x",
			match.Verdict{Scheduling: avoided, SchedulingTaint: 1, Eviction: match.EvictAfter, EvictionTaint: 2, After: 5 * time.Second},
			"schedulable but avoided: b:PreferNoSchedule is not tolerated; evicted after 5s because of a:NoExecute"},
		{"a:NoExecute,b:NoSchedule", "a@5",
			match.Verdict{Scheduling: refused, SchedulingTaint: 1, Eviction: match.EvictAfter, After: 5 * time.Second},
			"not schedulable: b:NoSchedule is not tolerated; evicted after 5s because of a:NoExecute"},
		// The first hard taint decides, though a soft one is before it.
		{"p:PreferNoSchedule,b:NoSchedule,c:NoExecute", "",
			match.Verdict{Scheduling: refused, SchedulingTaint: 1, Eviction: match.EvictNow, EvictionTaint: 2},
			"not schedulable: b:NoSchedule is not tolerated; evicted at once because of c:NoExecute"},
		// An untolerated taint comes before one that is tolerated for no time.
		{"a:NoExecute,b:NoExecute", "a@0",
			match.Verdict{Scheduling: refused, SchedulingTaint: 1, Eviction: match.EvictNow, EvictionTaint: 1},
			"not schedulable: b:NoExecute is not tolerated; evicted at once because of b:NoExecute"},
		// The least time decides, and of equal ones the first.
		{"a:NoExecute,b:NoExecute,c:NoExecute,d:NoExecute", "a@9,b@5,c@5,d",
			match.Verdict{Eviction: match.EvictAfter, EvictionTaint: 1, After: 5 * time.Second}, "schedulable; evicted after 5s because of b:NoExecute"},
		{"a:NoExecute,b:NoExecute", "a@9223372036854775807,b@9223372037",
			match.Verdict{Eviction: match.EvictAfter, After: match.MaxDelay}, "schedulable; evicted after 2562047h47m16.854775807s because of a:NoExecute"},
	} {
		taints, tolerations := node(t, c.taints), pod(t, c.tolerations)
		got := match.Decide(taints, tolerations)
		if got != c.want {
			t.Errorf("%q with %q: got %+v, want %+v", c.taints, c.tolerations, got, c.want)
		}
		if sentence := got.Sentence(taints); sentence != c.sentence {
			t.Errorf("%q with %q: got %q, want %q", c.taints, c.tolerations, sentence, c.sentence)
		}
	}
}

// The worked example of the documents.
func TestF5(t *testing.T) {
	taints := node(t, "key1=value1:NoSchedule,key1=value1:NoExecute,key2=value2:NoSchedule")
	got := match.Decide(taints, pod(t, "key1=value1:NoSchedule,key1=value1:NoExecute"))
	if want := (match.Verdict{Scheduling: match.Unschedulable, SchedulingTaint: 2}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if got, want := got.Sentence(taints), "not schedulable: key2=value2:NoSchedule is not tolerated; may stay"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestE2DecideByPolicy(t *testing.T) {
	taints := node(t, "a:NoExecute,b:NoExecute,c:PreferNoSchedule")
	taints[0].TimeAdded = &taint.Time{Time: matchtest.Epoch().Add(-50 * time.Second)}
	tolerations := pod(t, "a@60,a@300,b@70")
	for policy, want := range map[match.EvictionPolicy]match.Verdict{
		match.FirstMatch:     {EvictionTaint: 0, After: 60 * time.Second},
		match.MostLenient:    {EvictionTaint: 1, After: 70 * time.Second},
		match.SinceAdded:     {EvictionTaint: 0, After: 10 * time.Second},
		match.SinceAdded + 1: {EvictionTaint: 0, After: 60 * time.Second},
	} {
		want.Scheduling, want.SchedulingTaint, want.Eviction = match.Avoid, 2, match.EvictAfter
		if got := policy.Decide(taints, tolerations, matchtest.Epoch()); got != want {
			t.Errorf("%v: got %+v, want %+v", policy, got, want)
		}
	}
}

// A sentence about another list, or of a verdict that does not exist, is not
// helpful, but it does not panic.
func TestSentenceOfAnotherList(t *testing.T) {
	v := match.Verdict{Scheduling: match.Avoid, SchedulingTaint: 1, Eviction: match.EvictNow, EvictionTaint: -1}
	if got, want := v.Sentence(node(t, "a:NoSchedule")), "schedulable but avoided: taint 1 is not tolerated; evicted at once because of taint -1"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := (match.Verdict{Scheduling: 9, Eviction: 8}).Sentence(nil), "Scheduling(9); Eviction(8)"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestStrings(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{match.Verdict{}.String(), "schedulable, stay"},
		{match.Verdict{Scheduling: match.Avoid, Eviction: match.EvictNow}.String(), "avoid, evict now"},
		{match.Verdict{Scheduling: match.Unschedulable, Eviction: match.EvictAfter, After: 3e11}.String(), "unschedulable, evict after 5m0s"},
		{match.Scheduling(9).String(), "Scheduling(9)"},
		{match.Eviction(9).String(), "Eviction(9)"},
		{match.FirstMatch.String() + "," + match.MostLenient.String() + "," + match.SinceAdded.String(), "first match,most lenient,since added"},
		{match.EvictionPolicy(9).String(), "EvictionPolicy(9)"},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}
