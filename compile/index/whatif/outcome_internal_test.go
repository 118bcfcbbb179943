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
	for text, want := range map[string]int{"taint nodes --all x:NoSchedule": taints + 1, "tolerations x web": taints} {
		r := evaluated(t, &ix, &p, text)
		r.Summary()
		for range r.Evictions() {
			t.Errorf("%s: evicts", text)
		}
		if r.outcome.lists != nil {
			t.Errorf("%s: taints that nobody has asked for are written down", text)
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
	for i := range latest {
		if got := o.add(&list[i]); got != ^code(i) {
			t.Errorf("taint %d has code %d", i, got)
		}
	}
	for i := range latest {
		if got := o.add(&list[i]); got != ^code(i) {
			t.Errorf("taint %d has code %d when it comes again", i, got)
		}
	}
	o.add(&list[latest])
	if got := o.add(&list[0]); got != ^code(latest+1) || len(o.added) != latest+2 {
		t.Errorf("a taint that was added long ago has code %d, of %d", got, len(o.added))
	}
	untimed := list[1]
	untimed.TimeAdded = nil
	if a, b := o.add(&list[1]), o.add(&untimed); a == b {
		t.Error("taints with different times have the same code")
	}
}

// The pods of a node that are all evicted alike need no fates of their own. Others have theirs,
// whatever the nodes before have; there is room for them at once.
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
	if len(r.fates) != 2+3 || cap(r.fates) != 10 {
		t.Errorf("%d fates are kept, and room is for %d, want 5 and 10", len(r.fates), cap(r.fates))
	}
	if r := evaluated(t, &ix, &p, "taint nodes node-0 node-2 x:NoExecute"); r.Summary().Evicted() != 4 || r.fates != nil {
		t.Errorf("fates %v are kept, and all pods are evicted", r.fates)
	}
}
