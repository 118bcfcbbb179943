package lint_test

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/tolero-dev/tolero/match/affinity"
	"github.com/tolero-dev/tolero/match/lint"
	"github.com/tolero-dev/tolero/taint"
)

var (
	drawLabels     = rapid.SampledFrom([]map[string]string{nil, {"zone": "a"}, {"zone": "b"}, {"zone": "a", "gpu": ""}})
	drawAttraction = rapid.SampledFrom([]affinity.Required{
		{}, selector("zone", "a"), selector("gpu", ""), require("zone", "NotIn", "a"), require("gpu", "Exists"), named("In", "n1"), named("NotIn", "n1"), {Terms: []affinity.Term{}},
	})
)

func selector(key, value string) affinity.Required {
	return affinity.Required{NodeSelector: map[string]string{key: value}}
}

func require(key, operator string, values ...string) affinity.Required {
	return affinity.Required{Terms: []affinity.Term{{Expressions: []affinity.Requirement{{Key: key, Operator: operator, Values: values}}}}}
}

func named(operator, name string) affinity.Required {
	return affinity.Required{Terms: []affinity.Term{{Fields: []affinity.Requirement{{Key: "metadata.name", Operator: operator, Values: []string{name}}}}}}
}

// A DaemonSet misses those nodes only that it is for, and is told of their taints only.
func TestDaemonSetsForSomeNodes(t *testing.T) {
	nodes := []string{"a:NoSchedule", "a:NoSchedule", "a:NoSchedule", "b:NoSchedule", ""}
	labels := []map[string]string{{"zone": "x"}, {"zone": "y"}, nil, {"zone": "y"}, {"zone": "z"}}
	found := func(count int, object, reason, fix string) lint.Finding {
		return lint.Finding{ID: lint.DaemonSetMisses, Severity: lint.Info, Object: object, Count: count, Field: "tolerations", Reason: reason, Fix: fix + ", if it is to run there"}
	}
	for name, c := range map[string]struct {
		attractions []affinity.Required
		want        []lint.Finding
	}{
		"all": {[]affinity.Required{{}, {}}, []lint.Finding{
			found(2, "p0", "taints keep it from 4 nodes, n0 first", "add a==:NoSchedule, b==:NoSchedule")}},
		"a zone": {[]affinity.Required{selector("zone", "y")}, []lint.Finding{
			found(1, "p0", "taints keep it from 2 nodes, n1 first", "add a==:NoSchedule, b==:NoSchedule")}},
		"a node": {[]affinity.Required{named("In", "n3")}, []lint.Finding{
			found(1, "p0", "taints keep it from 1 node, n3 first", "add b==:NoSchedule")}},
		"no zone": {[]affinity.Required{require("zone", "DoesNotExist")}, []lint.Finding{found(1, "p0", "taints keep it from 1 node, n2 first", "add a==:NoSchedule")}},
		"not a zone": {[]affinity.Required{require("zone", "NotIn", "x")}, []lint.Finding{
			found(1, "p0", "taints keep it from 3 nodes, n1 first", "add a==:NoSchedule, b==:NoSchedule")}},
		"no taint": {[]affinity.Required{selector("zone", "z")}, nil},
		"no node":  {[]affinity.Required{selector("zone", "none"), {Terms: []affinity.Term{}}}, nil},
		"one of them": {[]affinity.Required{selector("zone", "z"), selector("zone", "x"), selector("zone", "x"), selector("zone", "y")}, []lint.Finding{
			found(2, "p1", "taints keep it from 1 node, n0 first", "add a==:NoSchedule"),
			found(1, "p3", "taints keep it from 2 nodes, n1 first", "add a==:NoSchedule, b==:NoSchedule")}},
	} {
		f := fleet(t, nodes, nil)
		for i := range f.Nodes {
			f.Nodes[i].Labels = labels[i]
		}
		for i, a := range c.attractions {
			f.Pods = append(f.Pods, lint.Pod{Name: fmt.Sprint("p", i), DaemonSet: true, Affinity: a})
		}
		var got []lint.Finding
		for _, x := range lint.Check(f, lint.Options{}).Findings {
			if x.ID == lint.DaemonSetMisses {
				got = append(got, x)
			}
		}
		if fmt.Sprint(got) != fmt.Sprint(c.want) {
			t.Errorf("%s:\n got %v\nwant %v", name, got, c.want)
		}
	}
}

// A node counts once, whichever of its taints keep a DaemonSet away, and so does one with a
// taint that another node has, which the DaemonSet is not for.
func TestMissedOnce(t *testing.T) {
	for _, c := range []struct {
		nodes      []string
		zones      []string
		attraction affinity.Required
		want       string
	}{
		{[]string{"a:NoSchedule,b:NoSchedule", "b:NoSchedule"}, nil, affinity.Required{}, "2 nodes, n0 first"},
		{[]string{"b:NoSchedule", "a:NoSchedule,b:NoSchedule", "a:NoSchedule"}, nil, affinity.Required{}, "3 nodes, n0 first"},
		{[]string{"a:NoSchedule", "a:NoSchedule,b:NoSchedule", "b:NoSchedule"}, []string{"x", "y", "x"}, selector("zone", "y"), "1 node, n1 first"},
		{[]string{"a:NoSchedule", "a:NoSchedule,b:NoSchedule", "b:NoSchedule"}, []string{"x", "y", "y"}, selector("zone", "y"), "2 nodes, n1 first"},
		{[]string{"b:NoExecute", "a:NoSchedule"}, []string{"y", "y"}, selector("zone", "y"), "2 nodes, n0 first"},
	} {
		f := fleet(t, c.nodes, []string{"ds "})
		f.Pods[0].Affinity = c.attraction
		for i, zone := range c.zones {
			f.Nodes[i].Labels = map[string]string{"zone": zone}
		}
		if got := lines(lint.Check(f, lint.Options{})); !strings.Contains(got, "taints keep it from "+c.want) {
			t.Errorf("%q: %s", c.nodes, got)
		}
	}
}

// What a node is called in findings need not be its name.
func TestNodeNames(t *testing.T) {
	f := fleet(t, []string{"a:NoSchedule", "a:NoSchedule"}, nil)
	f.Nodes[1].NodeName = "other"
	f.Pods = []lint.Pod{{Name: "p", DaemonSet: true, Affinity: named("In", "other")}}
	r := lint.Check(f, lint.Options{})
	const want = "taints keep it from 1 node, n1 first"
	if n := r.Counts[lint.DaemonSetMisses]; n != 1 || r.Findings[len(r.Findings)-1].Reason != want {
		t.Errorf("%s", lines(r))
	}
}

// Two attractions of which one text could be taken for the other.
func TestAttractionsDiffer(t *testing.T) {
	one := affinity.Term{Expressions: []affinity.Requirement{{Key: "zone", Operator: "In", Values: []string{"x"}}}}
	two := affinity.Term{Expressions: []affinity.Requirement{{Key: "zone", Operator: "In", Values: []string{"x"}}, {Key: "gpu", Operator: "Exists"}}}
	gpu := affinity.Term{Expressions: []affinity.Requirement{{Key: "gpu", Operator: "Exists"}}}
	f := fleet(t, []string{"a:NoSchedule"}, nil)
	f.Nodes[0].Labels = map[string]string{"zone": "x"}
	for i, terms := range [][]affinity.Term{{two}, {one, gpu}} { // both are required, or one of them
		f.Pods = append(f.Pods, lint.Pod{Name: fmt.Sprint("p", i), DaemonSet: true, Affinity: affinity.Required{Terms: terms}})
	}
	f.Pods = append(f.Pods, lint.Pod{Name: "p2", DaemonSet: true, Affinity: affinity.Required{NodeSelector: map[string]string{"zone": "y"}}})
	r := lint.Check(f, lint.Options{})
	if n := r.Counts[lint.DaemonSetMisses]; n != 1 {
		t.Errorf("%d findings, want that of p1:\n%s", n, lines(r))
	}
}

// DaemonSets with selectors on nodes that all differ are skipped when there are too many,
// and the steps stay few.
func TestSelectorsAreBounded(t *testing.T) {
	make := func(n int) *lint.Fleet {
		f := new(lint.Fleet)
		for i := range n {
			f.Nodes = append(f.Nodes, lint.Node{Name: fmt.Sprint("n", i), Labels: map[string]string{"host": fmt.Sprint(i)},
				Taints: []taint.Taint{{Key: "a", Value: fmt.Sprint(i), Effect: taint.NoSchedule}}})
			f.Pods = append(f.Pods, lint.Pod{Name: fmt.Sprint("p", i), DaemonSet: true, Affinity: require("host", "In", "none", fmt.Sprint("x", i))})
		}
		f.Pods = append(f.Pods, lint.Pod{Name: "all", DaemonSet: true})
		return f
	}
	const most = 10_000
	for _, n := range []int{50, 500, 1000} {
		steps, report := lint.StepsWithTargetSteps(make(n), most)
		if steps > 3*most+40*n {
			t.Errorf("%d steps for %d nodes and DaemonSets", steps, n)
		}
		if n > 50 && steps < most {
			t.Errorf("%d steps, of at most %d", steps, most)
		}
		if skipped := report.Skipped > 0; skipped != (n > 50) || report.Skipped >= n {
			t.Errorf("%d of %d are skipped", report.Skipped, n)
		}
		if report.Counts[lint.DaemonSetMisses] != 1 {
			t.Errorf("%d findings, want that of the DaemonSet for all nodes", report.Counts[lint.DaemonSetMisses])
		}
	}
}

// DaemonSets with long selectors are skipped sooner, so that the requirements that are
// compared with labels stay few too.
func TestLongSelectorsAreBounded(t *testing.T) {
	const nodes, daemonSets, most = 100, 4, 10_000
	for _, c := range []struct{ values, skipped int }{{1, 0}, {15, 0}, {40, 1}, {90, 3}, {200, 4}} {
		f := new(lint.Fleet)
		for i := range nodes {
			f.Nodes = append(f.Nodes, lint.Node{Name: fmt.Sprint("n", i), Labels: map[string]string{"host": fmt.Sprint(i)},
				Taints: []taint.Taint{{Key: "a", Value: "b", Effect: taint.NoSchedule}}})
		}
		for i := range daemonSets {
			values := make([]string, c.values)
			for j := range values {
				values[j] = fmt.Sprint("x", i, "-", j)
			}
			f.Pods = append(f.Pods, lint.Pod{Name: fmt.Sprint("p", i), DaemonSet: true, Affinity: require("host", "In", values...)})
		}
		if _, report := lint.StepsWithTargetSteps(f, most); report.Skipped != c.skipped {
			t.Errorf("%d values: %d are skipped, want %d", c.values, report.Skipped, c.skipped)
		}
	}
}
