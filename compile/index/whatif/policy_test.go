package whatif_test

import (
	"testing"
	"time"

	"github.com/tolero-dev/tolero/compile/index"
	"github.com/tolero-dev/tolero/compile/index/whatif"
	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// Under match.SinceAdded the time that a taint is there already counts, also when another
// taint comes; a taint whose time nobody knows counts from now. The other policies do not
// ask for times.
func TestTimesOfTaints(t *testing.T) {
	var ix index.Index
	ix.Set("node", []taint.Taint{taint.MustParse("old:NoExecute"), taint.MustParse("unknown:NoExecute"), taint.MustParse("soft:PreferNoSchedule")})
	var pods whatif.Pods
	pods.Set(whatif.Pod{Name: "pod", Node: "node", Tolerations: []toleration.Toleration{
		toleration.MustParse("old:NoExecute@300"), toleration.MustParse("unknown:NoExecute@900"), toleration.MustParse("new:NoExecute@100"),
	}})
	plan, err := whatif.Parse("taint nodes node new:NoExecute")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		policy match.EvictionPolicy
		since  time.Duration // of the old taint
		asked  int
		want   whatif.Summary
		after  time.Duration
	}{
		{match.FirstMatch, -250 * time.Second, 0, whatif.Summary{Nodes: 1, EvictedLater: 1}, 100 * time.Second},
		{match.MostLenient, -250 * time.Second, 0, whatif.Summary{Nodes: 1, EvictedLater: 1}, 100 * time.Second},
		{99, -250 * time.Second, 0, whatif.Summary{Nodes: 1, EvictedLater: 1}, 100 * time.Second}, // acts as FirstMatch
		{match.SinceAdded, -250 * time.Second, 2, whatif.Summary{Nodes: 1, EvictedAnyway: 1}, 0},  // 50 s are left anyway
		{match.SinceAdded, -150 * time.Second, 2, whatif.Summary{Nodes: 1, EvictedLater: 1}, 100 * time.Second},
	} {
		asked := 0
		r, err := whatif.Evaluate(ix.Snapshot(), &pods, plan, whatif.Options{Policy: c.policy, Now: epoch, Added: func(node string, t taint.Taint) time.Time {
			if asked++; node == "node" && t.Key == "old" {
				return epoch.Add(c.since)
			}
			return time.Time{}
		}})
		if err != nil {
			t.Fatal(err)
		}
		if got := r.Summary(); got != c.want || asked != c.asked {
			t.Errorf("%v: %+v, asked %d times, want %+v and %d", c.policy, got, asked, c.want, c.asked)
		}
		for e := range r.Evictions() {
			if e.After != c.after || e.Taint.Key != "new" {
				t.Errorf("%v: %+v, want after %v because of new", c.policy, e, c.after)
			}
		}
	}
}

// Nodes with the same taints since different times are told apart, however alike they are.
func TestNodesHaveTimesOfTheirOwn(t *testing.T) {
	var ix index.Index
	var pods whatif.Pods
	since := map[string]time.Duration{"a": -250 * time.Second, "b": -100 * time.Second, "c": -250 * time.Second, "d": -299 * time.Second}
	for name := range since {
		ix.Set(name, []taint.Taint{taint.MustParse("old:NoExecute")})
		pods.Set(whatif.Pod{Name: "on-" + name, Node: name, Tolerations: []toleration.Toleration{
			toleration.MustParse("old:NoExecute@300"), toleration.MustParse("new:NoExecute@100"),
		}})
	}
	plan, err := whatif.Parse("taint nodes --all new:NoExecute")
	if err != nil {
		t.Fatal(err)
	}
	for range 2 { // the second time, everything is known
		r, err := whatif.Evaluate(ix.Snapshot(), &pods, plan, whatif.Options{Policy: match.SinceAdded, Now: epoch, Added: func(node string, x taint.Taint) time.Time {
			return epoch.Add(since[node])
		}})
		if err != nil {
			t.Fatal(err)
		}
		if got, want := r.Summary(), (whatif.Summary{Nodes: 4, EvictedLater: 1, EvictedAnyway: 3}); got != want {
			t.Errorf("%+v, want %+v", got, want)
		}
		for e := range r.Evictions() {
			if e.Node != "b" || e.After != 100*time.Second {
				t.Errorf("%+v", e)
			}
		}
	}
}

// In a cluster in which Gt does not count, a pod that has nothing else for a taint is evicted
// without the plan too, whatever seconds its list has and the plan gives it.
func TestSecondsOfComparisonsDoNotCount(t *testing.T) {
	for _, comparisons := range []bool{false, true} {
		rules := toleration.Rules{Comparisons: comparisons}
		ix, pods := index.New(rules), whatif.NewPods(rules)
		ix.Set("node", []taint.Taint{taint.MustParse("k=7:NoExecute")})
		pods.Set(whatif.Pod{Name: "pod", Node: "node", Owner: "web", Tolerations: []toleration.Toleration{toleration.MustParse("k>5:NoExecute@50")}})
		plan, err := whatif.Parse("tolerations k:NoExecute@20 web")
		if err != nil {
			t.Fatal(err)
		}
		r, err := whatif.Evaluate(ix.Snapshot(), pods, plan, whatif.Options{})
		if err != nil {
			t.Fatal(err)
		}
		want := whatif.Summary{Nodes: 1, EvictedAnyway: 1}
		if comparisons { // 20 s in the place of 50
			want = whatif.Summary{Nodes: 1, EvictedLater: 1}
		}
		if got := r.Summary(); got != want {
			t.Errorf("comparisons %t: %+v, want %+v", comparisons, got, want)
		}
	}
}
