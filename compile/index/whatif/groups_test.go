package whatif_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/tolero-dev/tolero/compile/index"
	"github.com/tolero-dev/tolero/compile/index/whatif"
	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// A node takes two steps where it has the taints of another: one to group it, and one to look
// up its pods. A soft taint of a group takes four: it is read, has no row, and comes before
// the step, after it and in the end.
func TestStepsOfGroups(t *testing.T) {
	count := func(nodes, taints int) int {
		var list []taint.Taint
		for i := range taints {
			list = append(list, taint.Taint{Key: fmt.Sprint(i), Effect: taint.PreferNoSchedule})
		}
		var ix index.Index
		for i := range nodes {
			ix.Set(fmt.Sprint(i), list)
		}
		plan, err := whatif.Parse("uncordon --all")
		if err != nil {
			t.Fatal(err)
		}
		return steps(t, ix.Snapshot(), new(whatif.Pods), plan)
	}
	if got, want := count(17, 3)-count(10, 3), 2*7; got != want {
		t.Errorf("%d steps for 7 nodes more, want %d", got, want)
	}
	if got, want := count(10, 8)-count(10, 3), 4*5; got != want {
		t.Errorf("%d steps for 5 taints more, want %d", got, want)
	}
}

// A taint that a plan keeps takes five steps: it is read, comes before the step, after it and
// in the end, and is kept. A hard one takes three more: it has no row, gets one, and is compared
// with a word of classes. None of them counts as removed, or as added.
func TestStepsOfKeptTaints(t *testing.T) {
	count := func(taints int) int {
		var list []taint.Taint
		for i := range taints {
			list = append(list, taint.Taint{Key: fmt.Sprint(i), Effect: effects[i%3]})
		}
		var ix index.Index
		ix.Set("node", list)
		plan, err := whatif.Parse("taint nodes --all x:NoSchedule")
		if err != nil {
			t.Fatal(err)
		}
		return steps(t, ix.Snapshot(), new(whatif.Pods), plan)
	}
	if got, want := count(12)-count(6), 4*8+2*5; got != want {
		t.Errorf("%d steps for 4 hard taints and 2 soft ones more, want %d", got, want)
	}
}

// Pods that get another list take a step for each 64 nodes and for each change of hard taints,
// once for all owners with the same lists before and after, in whatever order they come.
func TestStepsOfListsForOwners(t *testing.T) {
	const before, after, owners = 2, 3, 24
	list := func(i int) []toleration.Toleration {
		return []toleration.Toleration{{Key: fmt.Sprint(i), Operator: toleration.OpExists}}
	}
	count := func(nodes, changes int, same bool) int {
		var ix index.Index
		for i := range nodes {
			ix.Set(fmt.Sprint(i), []taint.Taint{{Key: "own", Value: fmt.Sprint(i % 20), Effect: taint.NoSchedule}})
		}
		var pods whatif.Pods
		var plan whatif.Plan
		for i := range owners {
			owner, k := fmt.Sprint(i), i
			if same {
				k = 0
			}
			pods.Set(whatif.Pod{Name: owner, Owner: owner, Tolerations: list(k % before)})
			plan.Steps = append(plan.Steps, whatif.Step{Action: whatif.SetTolerations, Owner: owner, Tolerations: list(k / before % after)})
		}
		for i := range changes {
			plan.Steps = append(plan.Steps, whatif.Step{Nodes: whatif.Nodes{Names: []string{fmt.Sprint(i)}}, Taints: taint.Change{Add: []taint.Taint{{Key: "out", Effect: taint.NoSchedule}}}})
		}
		return steps(t, ix.Snapshot(), &pods, plan)
	}
	for _, c := range []struct {
		same  bool
		pairs int
	}{{true, 1}, {false, before * after}} {
		if got, want := count(20+64*5, 0, c.same)-count(20, 0, c.same), 5*c.pairs; got != want {
			t.Errorf("%d steps for 5*64 nodes more and %d pairs of lists, want %d", got, c.pairs, want)
		}
	}
	change := func(changes int) int { return count(20, changes, false) - count(20, changes, true) }
	if got, want := change(7)-change(2), 5*(before*after-1); got != want {
		t.Errorf("%d steps for 5 changes and 5 pairs of lists more, want %d", got, want)
	}
}

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
