package whatif_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tolero-dev/tolero/compile/index"
	"github.com/tolero-dev/tolero/compile/index/whatif"
	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// Times are asked for NoExecute taints and for no others, once for each on each node that is
// selected, whatever effects there are.
func TestTimesThatAreAskedFor(t *testing.T) {
	list := []taint.Taint{
		{Key: "k", Effect: "A"}, {Key: "k", Effect: taint.NoExecute}, {Key: "k", Effect: "NoExecute2"},
		{Key: "k", Effect: taint.NoSchedule}, {Key: "k", Effect: taint.PreferNoSchedule}, {Key: "k"}, {Key: "l", Effect: taint.NoExecute},
	}
	var ix index.Index
	for _, name := range []string{"a", "b", "not selected"} {
		ix.Set(name, list)
	}
	var asked []string
	r := evaluated(t, ix.Snapshot(), new(whatif.Pods), "taint nodes a b x:NoSchedule", whatif.Options{
		Policy: match.SinceAdded, Now: epoch,
		Added: func(node string, x taint.Taint) time.Time {
			asked = append(asked, fmt.Sprint(node, " ", x))
			return epoch.Add(-time.Minute)
		},
	})
	if want := []string{"a k:NoExecute", "a l:NoExecute", "b k:NoExecute", "b l:NoExecute"}; !slices.Equal(asked, want) {
		t.Errorf("asked about %q, want %q", asked, want)
	}
	for name, taints := range r.Nodes() {
		for i := range taints {
			if timed := taints[i].TimeAdded != nil; timed != (taints[i].Effect == taint.NoExecute) {
				t.Errorf("node %s: %s has a time: %t", name, taints[i], timed)
			}
		}
	}
}

// The iteration over classes may end anywhere: among those that keep their list and among those
// that get another.
func TestClassesUntilEnough(t *testing.T) {
	var ix index.Index
	ix.Set("a", nil)
	var pods whatif.Pods
	for _, key := range []string{"k", "l", "m"} {
		pods.Set(whatif.Pod{Name: key, Node: "a", Tolerations: []toleration.Toleration{toleration.MustParse(key)}})
		pods.Set(whatif.Pod{Name: "other " + key, Node: "a", Owner: key})
	}
	r := evaluated(t, ix.Snapshot(), &pods, "taint nodes a x:NoExecute\ntolerations y k\ntolerations y l\ntolerations y m", whatif.Options{})
	var all []string
	for c := range r.Classes() {
		all = append(all, change(c))
	}
	if len(all) != 3+3 {
		t.Fatalf("%d classes, want 6", len(all))
	}
	for n := 1; n <= len(all); n++ {
		var got []string
		for c := range r.Classes() {
			if got = append(got, change(c)); len(got) == n {
				break
			}
		}
		if !slices.Equal(got, all[:n]) {
			t.Errorf("the first %d classes are %q, want %q", n, got, all[:n])
		}
	}
}

// A pod with a nanosecond left is evicted later, and one with none is evicted now.
func TestOneNanosecondLeft(t *testing.T) {
	var ix index.Index
	ix.Set("a", nil)
	var pods whatif.Pods
	pods.Set(whatif.Pod{Name: "pod", Node: "a", Tolerations: []toleration.Toleration{toleration.MustParse("out:NoExecute@100")}})
	for left, want := range map[time.Duration]whatif.Summary{0: {Nodes: 1, EvictedNow: 1}, 1: {Nodes: 1, EvictedLater: 1}, 2: {Nodes: 1, EvictedLater: 1}} {
		out := taint.Taint{Key: "out", Effect: taint.NoExecute, TimeAdded: &taint.Time{Time: epoch.Add(left - 100*time.Second)}}
		plan := whatif.Plan{Steps: []whatif.Step{{Nodes: whatif.Nodes{All: true}, Taints: taint.Change{Add: []taint.Taint{out}}}}}
		r, err := whatif.Evaluate(ix.Snapshot(), &pods, plan, whatif.Options{Policy: match.SinceAdded, Now: epoch})
		if err != nil {
			t.Fatal(err)
		}
		if got := r.Summary(); got != want {
			t.Errorf("%v left: %+v, want %+v", left, got, want)
		}
	}
}

// One time holds without the plan and with it: what changes nothing for a pod evicts it no sooner.
func TestOneTime(t *testing.T) {
	var ix index.Index
	var pods whatif.Pods
	ix.Set("a", []taint.Taint{taint.MustParse("out:NoExecute")})
	for i := range 100 {
		list := []toleration.Toleration{toleration.MustParse("out:NoExecute@300"), {Key: fmt.Sprint(i)}}
		pods.Set(whatif.Pod{Name: fmt.Sprint(i), Node: "a", Tolerations: list})
	}
	since := epoch.Add(-time.Minute)
	r := evaluated(t, ix.Snapshot(), &pods, "cordon a", whatif.Options{Policy: match.SinceAdded, Now: epoch, Added: func(string, taint.Taint) time.Time { return since }})
	if got, want := r.Summary(), (whatif.Summary{Nodes: 1, EvictedAnyway: 100}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// The policy that goes by the time must be told it.
func TestSinceAddedWithoutNow(t *testing.T) {
	var ix index.Index
	var pods whatif.Pods
	if _, err := whatif.Evaluate(ix.Snapshot(), &pods, whatif.Plan{}, whatif.Options{Policy: match.SinceAdded}); err == nil || !strings.HasPrefix(err.Error(), "now: ") {
		t.Errorf("got %v", err)
	}
}
