package whatif

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/tolero-dev/tolero/compile/index"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// evaluated returns what a plan in kubectl's words does.
func evaluated(t *testing.T, ix *index.Index, p *Pods, text string) *Result {
	t.Helper()
	plan, err := Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	r, err := Evaluate(ix.Snapshot(), p, plan, Options{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// A result writes the taints of its nodes down when it is first asked for them, and once: nodes
// with the same taints share a list, which nothing can be appended to in place, whether the plan
// changes them or only the lists of pods.
func TestTaintsAreWrittenDownOnce(t *testing.T) {
	const nodes, taints = 5, 3
	var ix index.Index
	var p Pods
	for i := range nodes {
		name := fmt.Sprint(i)
		ix.Set(name, tainted(taints, taint.PreferNoSchedule))
		p.Set(Pod{Name: name, Node: name, Owner: "web"})
	}
	ix.Set("other", tainted(1, taint.NoExecute))
	for text, all := range map[string]int{"taint nodes --all x:NoSchedule": taints + 1 + 2, "tolerations x web": taints} {
		want := min(all, taints+1)
		r := evaluated(t, &ix, &p, text)
		r.Summary()
		for range r.Evictions() {
			t.Errorf("%s: evicts", text)
		}
		if r.outcome.written != nil {
			t.Errorf("%s: taints that nobody has asked for are written down", text)
		}
		if got := r.outcome.added; len(got) != want-taints {
			t.Errorf("%s: the snapshot does not have %v", text, got)
		}
		var lists []*taint.Taint
		for range 2 {
			for name, after := range r.Nodes() {
				if name == "other" {
					continue
				}
				if len(after) != want || cap(after) != want {
					t.Errorf("%s: node %s has %v, and room for %d", text, name, after, cap(after))
				}
				lists = append(lists, &after[0])
			}
		}
		if n := len(r.outcome.written); n != all || cap(r.outcome.written) != n {
			t.Errorf("%s: %d taints are written down, and there is room for %d", text, n, cap(r.outcome.written))
		}
		if len(lists) != 2*nodes || len(slices.Compact(lists)) != 1 {
			t.Errorf("%s: %d nodes have different lists", text, len(lists))
		}
	}
}

// The same taint is kept once for all groups if it was among the last eight that were added;
// one with another time is another one.
func TestAddedTaintsAreKeptOnce(t *testing.T) {
	var o outcomes
	const latest = 8
	list := tainted(latest+1, taint.NoSchedule)
	list[1].TimeAdded = &taint.Time{Time: time.Unix(1, 0)}
	position := func(t *taint.Taint) int {
		runs := o.add(nil, t)
		return int(runs[0].first)
	}
	for range 2 {
		for i := range latest {
			if got := position(&list[i]); got != i {
				t.Errorf("taint %d is at %d", i, got)
			}
		}
	}
	position(&list[latest])
	if got := position(&list[0]); got != latest+1 || len(o.added) != latest+2 {
		t.Errorf("a taint that was added long ago is at %d of %d", got, len(o.added))
	}
	untimed := list[1]
	untimed.TimeAdded = nil
	if a, b := position(&list[1]), position(&untimed); a == b {
		t.Error("taints with different times are the same")
	}
}

// Groups whose taints are in the same places share their runs, if others with these runs were
// among the last eight patterns. Each group gets the taints of its own class.
func TestPatternsAreKeptOnce(t *testing.T) {
	var o outcomes
	const latest = 8
	pattern := func(length int) int {
		o.addGroup(index.Class{}, 0, []run{{0, uint32(length)}, {7, 0}})
		return int(o.groups[len(o.groups)-1].pattern)
	}
	for range 2 {
		for i := range latest {
			if got := pattern(i); got != i || !slices.Equal(o.pattern(uint32(got)), []run{{7, 0}, {0, uint32(i)}}) {
				t.Errorf("pattern %d is at %d: %v", i, got, o.pattern(uint32(got)))
			}
		}
	}
	pattern(latest)
	if got := pattern(0); got != latest+1 || len(o.runs) != 2*(latest+2) || len(o.groups) != 2*latest+2 {
		t.Errorf("a pattern that was added long ago is at %d, of %d groups with %d runs", got, len(o.groups), len(o.runs))
	}
}

// The pods of a node that are all evicted alike need no fates of their own. Others have theirs,
// whatever the nodes before have.
func TestFatesAreKeptWhereTheyDiffer(t *testing.T) {
	var ix index.Index
	var p Pods
	seconds := int64(60)
	lists := map[rune][]toleration.Toleration{
		's': {{Key: "x", Operator: toleration.OpExists}},
		'l': {{Key: "x", Operator: toleration.OpExists, TolerationSeconds: &seconds}},
	}
	for i, pods := range []string{"gg", "gs", "ll", "ssg", "s"} { // go, stay, and go later
		node := fmt.Sprint("node-", i)
		ix.Set(node, nil)
		for j, c := range pods {
			p.Set(Pod{Name: fmt.Sprint(i, string(c), j), Node: node, Tolerations: lists[c]})
		}
	}
	r := evaluated(t, &ix, &p, "taint nodes --all x:NoExecute")
	var gone []string
	for e := range r.Evictions() {
		gone = append(gone, e.Pod)
	}
	if want := []string{"0g0", "0g1", "1g0", "2l0", "2l1", "3g2"}; !slices.Equal(gone, want) {
		t.Errorf("evicted are %q, want %q", gone, want)
	}
	if n := len(r.fates.bytes); n != 2+3 {
		t.Errorf("%d fates are kept, want 5", n)
	}
	if r := evaluated(t, &ix, &p, "taint nodes node-0 node-2 x:NoExecute"); r.Summary().Evicted() != 4 || len(r.fates.bytes) > 0 {
		t.Errorf("fates %v are kept, and all pods are evicted", r.fates.bytes)
	}
}

// Taints that follow each other in the snapshot are one run, and nothing else is.
func TestRunsAreExtended(t *testing.T) {
	for _, c := range []struct {
		runs []run
		i    int
		want []run
	}{
		{nil, 0, []run{{0, 1}}},
		{[]run{{3, 1}}, 2, []run{{2, 2}}},
		{[]run{{9, 1}, {3, 4}}, 2, []run{{9, 1}, {2, 5}}},
		{[]run{{3, 1}}, 1, []run{{3, 1}, {1, 1}}},
		{[]run{{3, 1}}, 3, []run{{3, 1}, {3, 1}}},
		{[]run{{3, 1}}, 4, []run{{3, 1}, {4, 1}}},
		{[]run{{3, 0}}, 2, []run{{3, 0}, {2, 1}}}, // it is of those that were added
	} {
		if got := extend(slices.Clone(c.runs), c.i); !slices.Equal(got, c.want) {
			t.Errorf("%v with %d is %v, want %v", c.runs, c.i, got, c.want)
		}
	}
}

// Where a plan changes fewer than half of the nodes that it selects, the result has no room for
// the others.
func TestNodesThatDoNotChangeTakeNoRoom(t *testing.T) {
	for _, c := range []struct{ nodes, changed, room int }{{4, 2, 4}, {4, 1, 1}, {5, 2, 2}, {3, 3, 3}, {3, 0, 0}} {
		var ix index.Index
		var p Pods
		for i := range c.nodes {
			var taints []taint.Taint
			if i < c.changed {
				taints = append(taints, uncordoned)
			}
			ix.Set(fmt.Sprint(i), taints)
		}
		r := evaluated(t, &ix, &p, "uncordon --all")
		if len(r.nodes) != c.changed || cap(r.nodes) != c.room {
			t.Errorf("%d of %d nodes change: there are %d, and room for %d, want %d", c.changed, c.nodes, len(r.nodes), cap(r.nodes), c.room)
		}
	}
}
