package lint_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/match/lint"
	"github.com/tolero-dev/tolero/match/matchtest"
	"github.com/tolero-dev/tolero/match/matchtest/corpus"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// fleet makes a fleet of nodes n0, n1, ... and pods p0, p1, ... from lists as text. A
// pod whose text begins with "ds " is a DaemonSet.
func fleet(t testing.TB, nodes, pods []string) *lint.Fleet {
	t.Helper()
	f := new(lint.Fleet)
	for i, text := range nodes {
		taints, err := taint.ParseListLenient(text)
		if err != nil {
			t.Fatal(err)
		}
		f.Nodes = append(f.Nodes, lint.Node{Name: fmt.Sprint("n", i), Taints: taints})
	}
	for i, text := range pods {
		text, daemonSet := strings.CutPrefix(text, "ds ")
		tolerations, err := toleration.ParseListLenient(text)
		if err != nil {
			t.Fatal(err)
		}
		f.Pods = append(f.Pods, lint.Pod{Name: fmt.Sprint("p", i), Tolerations: tolerations, DaemonSet: daemonSet})
	}
	return f
}

func lines(r lint.Report) string {
	var list []string
	for _, f := range r.Findings {
		list = append(list, f.String())
	}
	return strings.Join(list, "\n")
}

func TestFindings(t *testing.T) {
	for _, c := range []struct {
		name        string
		nodes, pods []string
		comparisons bool
		want        string
	}{
		{"nothing", nil, nil, false, ""},
		{"all is well", []string{"a=x:NoSchedule", "", "b:PreferNoSchedule"}, []string{"a==x:NoSchedule,node.kubernetes.io/not-ready:NoExecute@300", ""}, false, ""},
		{"invalid-taint", []string{"a:NoShedule", `"a b":NoSchedule`}, nil, false,
			`error: n0, taints[0].effect: "NoShedule": must be NoSchedule, PreferNoSchedule or NoExecute (invalid-taint); probably NoSchedule` + "\n" +
				`error: n1, taints[0].key: "a b": the name must consist of letters, digits, "-", "_" and ".", and begin and end with a letter or digit (invalid-taint)`},
		{"pods only", nil, []string{"team-a", "gpu==a100:NoSchedule"}, false, ""},
		{"nodes only", []string{"team-a:NoSchedule", "gpu=a100:NoSchedule"}, nil, false, ""},
		{"what is added", nil, []string{"ds *,node.kubernetes.io/not-ready:NoExecute,node.kubernetes.io/network-unavailable:NoSchedule",
			"*:NoSchedule,node.kubernetes.io/memory-pressure:NoSchedule,node.kubernetes.io/memory-pressure:NoSchedule"}, false, ""},
		{"siblings", []string{"team-a:NoSchedule", "pool1:NoSchedule"}, []string{"team-b,team-a", "pool2,pool1"}, false,
			"info: p0, tolerations[0]: no node has a taint that team-b matches (matches-no-node)\n" +
				"info: p1, tolerations[0]: no node has a taint that pool2 matches (matches-no-node)"},
		{"invalid-toleration", []string{"a:NoSchedule"}, []string{"a:noschedule", "a:xyz"}, false,
			`error: p0, tolerations[0].effect: "noschedule": must be NoSchedule, PreferNoSchedule, NoExecute or empty (is NoSchedule meant? Case matters) (invalid-toleration)` + "\n" +
				`error: p1, tolerations[0].effect: "xyz": must be NoSchedule, PreferNoSchedule, NoExecute or empty (invalid-toleration)` + "\n" +
				"warning: p0, tolerations[0]: a:noschedule matches no valid taint (never-matches)\n" +
				"warning: p1, tolerations[0]: a:xyz matches no valid taint (never-matches)\n" +
				"info: n0, taints[0]: no pod tolerates a:NoSchedule (untolerated)"},
		{"never-matches with the gate on", []string{"a=1:NoSchedule"}, []string{"a<0,a"}, true, "warning: p0, tolerations[0]: a<0 matches no valid taint (never-matches)"},
		{"never-matches with the gate off", []string{"a=1:NoSchedule"}, []string{"a>0,a=1"}, false,
			`error: p0, tolerations[0].operator: "Gt": must be Exists, Equal or empty; Lt and Gt need the feature gate TaintTolerationComparisonOperators (invalid-toleration)` + "\n" +
				"warning: p0, tolerations[0]: a>0 does not count without the feature gate TaintTolerationComparisonOperators (never-matches)"},
		{"order-decides", []string{"a:NoExecute"}, []string{"a:NoExecute@5,*:NoExecute@9", "*:NoExecute@9,a:NoExecute@5"}, false,
			"warning: p0, tolerations: for a:NoExecute, a:NoExecute@5 counts because it is first, and another order gives another time (order-decides); " +
				"remove all but one of the tolerations that match it\n" +
				"warning: p1, tolerations: for a:NoExecute, *:NoExecute@9 counts because it is first, and another order gives another time (order-decides); " +
				"remove all but one of the tolerations that match it\n" +
				"warning: p1, tolerations[1]: the seconds of a:NoExecute@5 never count: those before it match all of its taints (useless-seconds); remove it, or move it to the front"},
		{"likely-misspelled", []string{"dedicated:NoSchedule", "node.kubernetes.io/not-raedy:NoSchedule"}, []string{"dedicatd", "dedicated,node.kubernetes.io/not-raedy,gpu"}, false,
			"warning: n1, taints[0].key: the key of node.kubernetes.io/not-raedy:NoSchedule looks like a well-known one (likely-misspelled); probably node.kubernetes.io/not-ready\n" +
				"warning: p0, tolerations[0].key: no taint has the key of dedicatd, and it looks like another one (likely-misspelled); probably dedicated\n" +
				"info: p1, tolerations[2]: no node has a taint that gpu matches (matches-no-node)"},
		{"not-a-number", []string{"a=05:NoSchedule", "b=x:NoExecute", "a=5:NoSchedule"}, []string{"a>4,a=05", "b<9:NoExecute,b"}, true,
			"warning: n0, taints[0].value: p0 has a>4, and the value of a=05:NoSchedule is not a canonical integer (not-a-number)\n" +
				"warning: n1, taints[0].value: p1 has b<9:NoExecute, and the value of b=x:NoExecute is not a canonical integer (not-a-number)\n" +
				"info: p1, tolerations[0]: b<9:NoExecute makes no difference beside the others (redundant); remove it"},
		{"everything", nil, []string{"*", "*", "ds *", "*:NoSchedule,*:NoExecute"}, false,
			"info: p0 and 1 more, tolerations: the pod tolerates every taint: nodes that are unreachable or shut down, too (everything); name the keys that are meant\n" +
				"info: p3, tolerations: the pod tolerates every taint: nodes that are unreachable or shut down, too (everything); name the keys that are meant"},
		{"redundant", []string{"a:NoSchedule"}, []string{"a:NoSchedule,a,a"}, false,
			"info: p0, tolerations[0]: a:NoSchedule makes no difference beside the others (redundant); remove it\n" +
				"info: p0, tolerations[2]: a makes no difference beside the others (redundant); remove it"},
		{"matches-no-node", []string{"a=x:NoSchedule"}, []string{"a=y,a=x:NoExecute,a=x", "a=y"}, false,
			"info: p0, tolerations[1]: a=x:NoExecute makes no difference beside the others (redundant); remove it\n" +
				"info: p0, tolerations[0]: no node has a taint that a=y matches (matches-no-node)\n" +
				"info: p1, tolerations[0]: no node has a taint that a=y matches (matches-no-node)"},
		{"untolerated", []string{"a=x:NoSchedule", "a=x:NoSchedule,b:NoExecute", "c:PreferNoSchedule,node.kubernetes.io/disk-pressure:NoSchedule"}, []string{"b"}, false,
			"info: n0 and 1 more, taints[0]: no pod tolerates a=x:NoSchedule (untolerated)"},
		{"daemonset-misses", []string{"a=x:NoSchedule", "b:NoExecute", "b:NoExecute", "c:NoSchedule,d:NoExecute,e:NoSchedule", ""}, []string{"ds a", "ds a,b,d", "b,c,d,e"}, false,
			"info: p0, tolerations: taints keep it from 3 nodes, n1 first (daemonset-misses); add b==:NoExecute,c==:NoSchedule,d==:NoExecute and 1 more\n" +
				"info: p1, tolerations: taints keep it from 1 node, n3 first (daemonset-misses); add c==:NoSchedule,e==:NoSchedule"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := fleet(t, c.nodes, c.pods)
			f.Rules.Comparisons = c.comparisons
			if got := lines(lint.Check(f, lint.Options{})); got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

func TestManyValues(t *testing.T) {
	var nodes []string
	for i := range 100 {
		nodes = append(nodes, fmt.Sprintf("a=%d:NoSchedule", i))
	}
	r := lint.Check(fleet(t, append(nodes, nodes[0]), []string{"a"}), lint.Options{})
	if want := `info: n0 and 100 more, taints[0].value: the key "a" has 100 values (many-values); tolerate it with Exists, and keep times and names out of the values of taints`; lines(r) != want {
		t.Errorf("got %s", lines(r))
	}
	if r := lint.Check(fleet(t, nodes[1:], []string{"a"}), lint.Options{}); len(r.Findings) > 0 {
		t.Errorf("got %s", lines(r))
	}
	if r := lint.Check(fleet(t, nodes[:2], []string{"a"}), lint.Options{Values: 2}); len(r.Findings) != 1 {
		t.Errorf("got %s", lines(r))
	}
}

func TestOptions(t *testing.T) {
	var nodes []string
	for i := range 150 {
		nodes = append(nodes, fmt.Sprintf("a%d:NoSchedule", i))
	}
	f := fleet(t, nodes, []string{""})
	for _, c := range []struct {
		options         lint.Options
		findings, count int
	}{
		{lint.Options{}, 100, 150}, {lint.Options{Limit: 7}, 7, 150}, {lint.Options{Limit: -1}, 150, 150},
		{lint.Options{Silence: []lint.Silence{{ID: lint.Untolerated}}}, 0, 0}, {lint.Options{Silence: []lint.Silence{{}}}, 0, 0},
		{lint.Options{Silence: []lint.Silence{{Object: "n3"}, {lint.Untolerated, "n4"}, {lint.Redundant, "n5"}}}, 100, 148},
	} {
		r := lint.Check(f, c.options)
		if len(r.Findings) != c.findings || r.Counts[lint.Untolerated] != c.count {
			t.Errorf("%+v: %d findings, %d", c.options, len(r.Findings), r.Counts[lint.Untolerated])
		}
	}
}

// The findings that are exact are exactly those that match gives, for any fleet.
func TestExactFindings(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := &lint.Fleet{Rules: toleration.Rules{Comparisons: rapid.Bool().Draw(t, "comparisons")}}
		for i := range rapid.IntRange(0, 4).Draw(t, "nodes") {
			f.Nodes = append(f.Nodes, lint.Node{Name: fmt.Sprint("n", i), Taints: matchtest.Taints().Draw(t, "taints")})
			f.Pods = append(f.Pods, lint.Pod{Name: fmt.Sprint("p", i), DaemonSet: i == 2,
				Tolerations: matchtest.Tolerations(f.Nodes[rapid.IntRange(0, i).Draw(t, "of")].Taints).Draw(t, "tolerations")})
		}
		r := lint.Check(f, lint.Options{Limit: -1})
		untolerated := map[taint.Taint]bool{}
		for _, n := range f.Nodes {
			for _, x := range n.Taints {
				x.TimeAdded = nil
				byAny := slices.ContainsFunc(f.Pods, func(p lint.Pod) bool { return match.Tolerates(f.Rules.Active(nil, p.Tolerations), &x) })
				if taint.Hard.Has(x.Effect) && !byAny && x.Key != taint.KeyNotReady && x.Key != taint.KeyUnreachable {
					untolerated[x] = true
				}
			}
		}
		if got := r.Counts[lint.Untolerated]; got != len(untolerated) {
			t.Fatalf("%d untolerated taints, want %d", got, len(untolerated))
		}
		for _, p := range f.Pods {
			if !p.DaemonSet {
				continue
			}
			misses := slices.ContainsFunc(f.Nodes, func(n lint.Node) bool {
				run, _ := match.DaemonSetPlacement(n.Taints, f.Rules.Active(nil, p.Tolerations))
				return !run
			})
			if (r.Counts[lint.DaemonSetMisses] > 0) != misses {
				t.Fatalf("the DaemonSet misses nodes: %v", misses)
			}
		}
		total := 0
		for _, n := range r.Counts {
			total += n
		}
		if total != len(r.Findings) {
			t.Fatalf("%d findings, counted %d", len(r.Findings), total)
		}
		checkRemovals(t, f, r)
	})
}

// checkRemovals removes what is said to make no difference.
func checkRemovals(t *rapid.T, f *lint.Fleet, r lint.Report) {
	for _, p := range f.Pods {
		var left []toleration.Toleration
		for i, u := range p.Tolerations {
			useless := slices.ContainsFunc(r.Findings, func(found lint.Finding) bool {
				return (found.ID == lint.Redundant || found.ID == lint.UselessSeconds) && found.Object == p.Name && found.Field == fmt.Sprintf("tolerations[%d]", i)
			})
			if !useless {
				left = append(left, u)
			}
		}
		if !toleration.Equivalent(f.Rules.Active(nil, left), f.Rules.Active(nil, p.Tolerations)) {
			t.Fatalf("%s is not %s", toleration.FormatList(left), toleration.FormatList(p.Tolerations))
		}
	}
}

// The lists that were found on real clusters. A change of these numbers asks for a look
// at the findings.
func TestCorpus(t *testing.T) {
	f := new(lint.Fleet)
	for i, list := range corpus.Taints() {
		if list.Scope == "" {
			f.Nodes = append(f.Nodes, lint.Node{Name: fmt.Sprint("node ", i), Taints: list.Taints})
		}
	}
	for i, list := range corpus.Tolerations() {
		if list.Scope == "" {
			f.Pods = append(f.Pods, lint.Pod{Name: fmt.Sprint("pod ", i), Tolerations: list.Tolerations})
		}
	}
	r := lint.Check(f, lint.Options{Limit: -1})
	// Reviewed by hand: one key is misspelled, and what is invalid uses Gt. That 70
	// tolerations match no node is because these lists are from many clusters.
	const want = "map[everything:8 invalid-toleration:5 likely-misspelled:1 matches-no-node:70 never-matches:5 order-decides:1 redundant:2]"
	if got := fmt.Sprint(r.Counts); got != want {
		t.Errorf("%d nodes and %d pods: %s", len(f.Nodes), len(f.Pods), got)
	}
	for _, found := range r.Findings {
		if testing.Verbose() && found.ID != lint.MatchesNoNode {
			t.Log(found)
		}
	}
}

func TestWords(t *testing.T) {
	for s, want := range map[lint.Severity]string{lint.Info: "info", lint.Warning: "warning", lint.Error: "error", 9: "Severity(9)"} {
		if s.String() != want {
			t.Errorf("got %q", s)
		}
	}
	r := lint.Check(fleet(t, []string{"a:NoSchedule"}, []string{""}), lint.Options{})
	text, err := json.Marshal(r)
	const want = `{"findings":[{"id":"untolerated","severity":"info","object":"n0","count":1,"field":"taints[0]","reason":"no pod tolerates a:NoSchedule"}],"counts":{"untolerated":1}}`
	if err != nil || string(text) != want {
		t.Errorf("got %s, %v", text, err)
	}
	var back lint.Report
	if err := json.Unmarshal(text, &back); err != nil || fmt.Sprint(back) != fmt.Sprint(r) {
		t.Errorf("read back: %v, %v", back, err)
	}
	severity := lint.Warning
	if severity.UnmarshalText([]byte("Severity(9)")) == nil || severity != lint.Warning {
		t.Error("an unknown severity is read")
	}
}

// Large fleets with all-different lists take n log n steps: this would not end otherwise.
func TestLargeFleet(t *testing.T) {
	f := new(lint.Fleet)
	for i := range 20_000 {
		value := fmt.Sprint("v", i)
		f.Nodes = append(f.Nodes, lint.Node{Name: value, Taints: []taint.Taint{{Key: "dedicated", Value: value, Effect: taint.NoSchedule}}})
		f.Pods = append(f.Pods, lint.Pod{Name: value, Tolerations: []toleration.Toleration{{Key: "dedicated", Value: fmt.Sprint("v", i+1)}}})
	}
	r := lint.Check(f, lint.Options{})
	if got := fmt.Sprint(r.Counts); got != "map[many-values:1 matches-no-node:1 untolerated:1]" {
		t.Errorf("got %s", got)
	}
}

// FuzzCheck has no panic, and findings that add up, for any lists.
func FuzzCheck(f *testing.F) {
	f.Add("dedicated=x:NoSchedule,a=05:NoExecute", "dedicatd,*:NoExecute@5,a>4,a:NoExecute@9") // misspelled, order, no number
	f.Add(`"":"",a:""`, `*="",a?In ""@9`)                                                      // invalid
	f.Fuzz(func(t *testing.T, taints, tolerations string) {
		x, err := taint.ParseListLenient(taints)
		if err != nil {
			t.Skip()
		}
		list, err := toleration.ParseListLenient(tolerations)
		if err != nil {
			t.Skip()
		}
		fleet := &lint.Fleet{Nodes: []lint.Node{{"n", x}}, Pods: []lint.Pod{{"p", list, false}, {"d", list, true}}}
		r := lint.Check(fleet, lint.Options{Limit: -1})
		if again := lint.Check(fleet, lint.Options{Limit: -1}); lines(again) != lines(r) {
			t.Errorf("another order:\n%s\n%s", lines(again), lines(r))
		}
	})
}
