package lint_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/tolero-dev/tolero/fuzz/input"
	"github.com/tolero-dev/tolero/fuzz/notation"
	"github.com/tolero-dev/tolero/fuzz/target"
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
		taints, err := notation.Taints(text)
		if err != nil {
			t.Fatal(err)
		}
		f.Nodes = append(f.Nodes, lint.Node{Name: fmt.Sprint("n", i), Taints: taints})
	}
	for i, text := range pods {
		text, daemonSet := strings.CutPrefix(text, "ds ")
		tolerations, err := notation.Tolerations(text)
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
				`error: n1, taints[0].key: "a b": the name must consist of letters, digits, "-", "_" and ".", and begin and end with a letter or digit (invalid-taint); rename the key`},
		{"vendors and startup", []string{"", "node.cilium.io/agent-not-ready:NoExecute,readiness.k8s.io/x:NoSchedule,nvidia.com/gpu:NoSchedule"},
			[]string{"ds amd.com/gpu,nidhogg.uswitch.com/a.b,nvidia.com/gpu", "kubernetes.io/arch==arm64"}, false, ""},
		{"a vendor's key with another value", []string{"", "nvidia.com/gpu:NoSchedule"}, []string{"nvidia.com/gpu==present:NoSchedule"}, false,
			"info: p0, tolerations[0]: no node has a taint that nvidia.com/gpu==present:NoSchedule matches, but there is nvidia.com/gpu:NoSchedule (matches-no-node); correct the effect or the value, or remove it"},
		{"pods only", nil, []string{"team-a", "gpu==a100:NoSchedule"}, false, ""},
		{"nodes only", []string{"team-a:NoSchedule", "gpu=a100:NoSchedule"}, nil, false, ""},
		{"what is added", nil, []string{"ds *,node.kubernetes.io/not-ready:NoExecute,node.kubernetes.io/network-unavailable:NoSchedule",
			"*:NoSchedule,node.kubernetes.io/memory-pressure:NoSchedule,node.kubernetes.io/memory-pressure:NoSchedule"}, false, ""},
		{"siblings", []string{"team-a:NoSchedule", "pool1:NoSchedule"}, []string{"team-b,team-a", "pool2,pool1"}, false,
			"info: p0, tolerations[0]: no node has a taint that team-b matches (matches-no-node); remove it, unless nodes with such a taint come and go\n" +
				"info: p1, tolerations[0]: no node has a taint that pool2 matches (matches-no-node); remove it, unless nodes with such a taint come and go"},
		{"invalid-toleration", []string{"a:NoSchedule"}, []string{"a:noschedule", "a:xyz"}, false,
			`error: p0, tolerations[0].effect: "noschedule": must be NoSchedule, PreferNoSchedule, NoExecute or empty (is NoSchedule meant? Case matters) (invalid-toleration); probably NoSchedule` + "\n" +
				`error: p1, tolerations[0].effect: "xyz": must be NoSchedule, PreferNoSchedule, NoExecute or empty (invalid-toleration); make it NoSchedule, PreferNoSchedule or NoExecute` + "\n" +
				"warning: p0, tolerations[0]: a:noschedule matches no valid taint (never-matches); correct or remove it\n" +
				"warning: p1, tolerations[0]: a:xyz matches no valid taint (never-matches); correct or remove it\n" +
				"info: n0, taints[0]: no pod tolerates a:NoSchedule (untolerated); add a==:NoSchedule to the pods that the nodes are for, or remove the taint"},
		{"never-matches with the gate on", []string{"a=1:NoSchedule"}, []string{"a<0,a"}, true, "warning: p0, tolerations[0]: a<0 matches no valid taint (never-matches); correct or remove it"},
		{"never-matches with the gate off", []string{"a=1:NoSchedule"}, []string{"a>0,a=1"}, false,
			`error: p0, tolerations[0].operator: "Gt": must be Exists, Equal or empty; Lt and Gt need the feature gate TaintTolerationComparisonOperators (invalid-toleration); list the values with Equal, or turn the feature gate on` + "\n" +
				"warning: p0, tolerations[0]: a>0 does not count without the feature gate TaintTolerationComparisonOperators (never-matches); turn the feature gate on, or list the values with Equal"},
		{"order-decides", []string{"a:NoExecute"}, []string{"a:NoExecute@5,*:NoExecute@9", "*:NoExecute@9,a:NoExecute@5"}, false,
			"warning: p0, tolerations: for a:NoExecute, a:NoExecute@5 counts because it is first, and another order gives another time (order-decides); " +
				"keep the order, or give all that match it the same seconds\n" +
				"warning: p1, tolerations: for a:NoExecute, *:NoExecute@9 counts because it is first, and another order gives another time (order-decides); " +
				"remove tolerations[1]\n" +
				"warning: p1, tolerations[1]: the seconds of a:NoExecute@5 never count: those before it match all of its taints (useless-seconds); remove it"},
		{"likely-misspelled", []string{"dedicated:NoSchedule", "node.kubernetes.io/not-raedy:NoSchedule"}, []string{"dedicatd", "dedicated,node.kubernetes.io/not-raedy,gpu"}, false,
			"warning: n1, taints[0].key: the key of node.kubernetes.io/not-raedy:NoSchedule looks like a well-known one (likely-misspelled); probably node.kubernetes.io/not-ready\n" +
				"warning: p0, tolerations[0].key: no taint has the key of dedicatd, and it looks like another one (likely-misspelled); probably dedicated\n" +
				"info: p1, tolerations[2]: no node has a taint that gpu matches (matches-no-node); remove it, unless nodes with such a taint come and go"},
		{"a misspelled taint", []string{"dedicated:NoSchedule", "dedicated:NoSchedule,team-a:NoSchedule", "dedicatd=x:NoSchedule,team-b:NoSchedule", "Dedicated:NoSchedule"},
			[]string{"dedicated,team-a,*:NoSchedule", "Dedicated"}, false,
			"warning: n2, taints[0].key: no toleration has the key of dedicatd=x:NoSchedule, and it looks like another one (likely-misspelled); probably dedicated"},
		{"names of three letters", []string{"nvidia.com/gpu:NoSchedule", "example.com/cpu:NoSchedule"}, []string{"nvidia.com/gpus", "example.com/gpu", "*:NoSchedule"}, false,
			"warning: p0, tolerations[0].key: no taint has the key of nvidia.com/gpus, and it looks like another one (likely-misspelled); probably nvidia.com/gpu\n" +
				"info: p1, tolerations[0]: no node has a taint that example.com/gpu matches (matches-no-node); remove it, unless nodes with such a taint come and go"},
		{"keys that differ in case", []string{"pool:NoSchedule,Pool:NoSchedule"}, []string{"pool,*:NoSchedule"}, false,
			"warning: n0, taints[1].key: no toleration has the key of Pool:NoSchedule, and it looks like another one (likely-misspelled); probably pool"},
		{"misspelled on both sides", []string{"dedicatd:NoSchedule"}, []string{"dedicated,*:NoSchedule"}, false,
			"warning: p0, tolerations[0].key: no taint has the key of dedicated, and it looks like another one (likely-misspelled); probably dedicatd"},
		{"not-a-number", []string{"a=05:NoSchedule", "b=x:NoExecute", "a=5:NoSchedule"}, []string{"a>4,a=05", "b<9:NoExecute,b"}, true,
			"warning: n0, taints[0].value: p0 has a>4, and the value of a=05:NoSchedule is not a canonical integer (not-a-number); make it one, such as 0 or 15, or tolerate it with Exists or Equal\n" +
				"warning: n1, taints[0].value: p1 has b<9:NoExecute, and the value of b=x:NoExecute is not a canonical integer (not-a-number); make it one, such as 0 or 15, or tolerate it with Exists or Equal\n" +
				"info: p1, tolerations[0]: b<9:NoExecute is covered by tolerations[1], b (redundant); remove it"},
		{"everything", nil, []string{"*", "*", "ds *", "*:NoSchedule,*:NoExecute"}, false,
			"info: p0 and 1 more, tolerations: the pod tolerates every taint: nodes that are unreachable or shut down, too (everything); name the keys that are meant\n" +
				"info: p3, tolerations: the pod tolerates every taint: nodes that are unreachable or shut down, too (everything); name the keys that are meant"},
		{"redundant", []string{"a:NoSchedule"}, []string{"a:NoSchedule,a,a"}, false,
			"info: p0, tolerations[0]: a:NoSchedule is covered by tolerations[1], a (redundant); remove it\n" +
				"info: p0, tolerations[2]: a is covered by tolerations[1], a (redundant); remove it"},
		{"matches-no-node", []string{"a=x:NoSchedule"}, []string{"a=y,a=x:NoExecute,a=x", "a=y"}, false,
			"info: p0, tolerations[1]: a=x:NoExecute is covered by tolerations[2], a=x (redundant); remove it\n" +
				"info: p0, tolerations[0]: no node has a taint that a=y matches, but there is a=x:NoSchedule (matches-no-node); correct the effect or the value, or remove it\n" +
				"info: p1, tolerations[0]: no node has a taint that a=y matches, but there is a=x:NoSchedule (matches-no-node); correct the effect or the value, or remove it"},
		{"values that are never set", []string{"a:NoSchedule"}, []string{"ToBeDeletedByClusterAutoscaler==:NoSchedule,node.kubernetes.io/not-ready==true:NoExecute@300,a",
			"ToBeDeletedByClusterAutoscaler==1735689600:NoSchedule,node.kubernetes.io/not-ready==:NoExecute,node-role.kubernetes.io/control-plane==true"}, false,
			"warning: p0, tolerations[0].value: ToBeDeletedByClusterAutoscaler==:NoSchedule matches no taint: those with its key have a time as their value (never-matches); make the operator Exists, without a value\n" +
				"warning: p0, tolerations[1].value: node.kubernetes.io/not-ready==true:NoExecute@300 matches no taint: those with its key have no value (never-matches); make the operator Exists, without a value"},
		{"seconds that overflow", []string{"a:NoExecute"}, []string{"a:NoExecute@9223372036", "a:NoExecute@9223372037"}, false,
			"warning: p1, tolerations[0].tolerationSeconds: the seconds of a:NoExecute@9223372037 overflow: Kubernetes evicts the pod at another time or never (useless-seconds); remove the seconds to tolerate it forever"},
		{"covered by several", []string{"a=1:NoSchedule"}, []string{"a==x:NoSchedule,a:NoSchedule", "a<5:NoSchedule,a>2:NoSchedule,a>0:NoSchedule"}, true,
			"info: p0, tolerations[0]: a==x:NoSchedule is covered by tolerations[1], a:NoSchedule (redundant); remove it\n" +
				"info: p1, tolerations[2]: a>0:NoSchedule makes no difference beside the others (redundant); remove it\n" +
				"info: p1, tolerations[1]: no node has a taint that a>2:NoSchedule matches, but there is a=1:NoSchedule (matches-no-node); correct the effect or the value, or remove it"},
		{"invalid operators and values", []string{"a:NoSchedule,a:NoSchedule"}, []string{`a?exists :NoSchedule`, "a:NoSchedule@5", "*==x", "a?Exists x"}, false,
			`error: n0, taints[1]: "a:NoSchedule": must be unique by key and effect (invalid-taint); remove one of the two` + "\n" +
				`error: p0, tolerations[0].operator: "exists": must be Exists, Equal or empty; Lt and Gt need the feature gate TaintTolerationComparisonOperators (is Exists meant? Case matters) (invalid-toleration); probably Exists` + "\n" +
				`error: p1, tolerations[0].effect: "NoSchedule": must be NoExecute when tolerationSeconds is set (invalid-toleration); make the effect NoExecute, or remove the seconds` + "\n" +
				`error: p2, tolerations[0].operator: "Equal": must be Exists when the key is empty, which matches every key and value (invalid-toleration); name a key, or make the operator Exists without a value` + "\n" +
				`error: p3, tolerations[0].value: "x": must be empty when the operator is Exists (invalid-toleration); remove the value, or make the operator Equal` + "\n" +
				"warning: p0, tolerations[0]: a?exists :NoSchedule matches no valid taint (never-matches); correct or remove it"},
		{"established keys", []string{"node-role.kubernetes.io/controlplane=true:NoSchedule", "node-role.kubernetes.io/contrl-plane:NoSchedule"}, []string{"*"}, false,
			"warning: n1, taints[0].key: the key of node-role.kubernetes.io/contrl-plane:NoSchedule looks like a well-known one (likely-misspelled); probably node-role.kubernetes.io/control-plane\n" +
				"info: p0, tolerations: the pod tolerates every taint: nodes that are unreachable or shut down, too (everything); name the keys that are meant"},
		{"established keys of tolerations", []string{"node-role.kubernetes.io/control-plane:NoSchedule"}, []string{"node-role.kubernetes.io/control-plane,node-role.kubernetes.io/controlplane", "node-role.kubernetes.io/contrl-plane"}, false,
			"warning: p1, tolerations[0].key: no taint has the key of node-role.kubernetes.io/contrl-plane, and it looks like another one (likely-misspelled); probably node-role.kubernetes.io/control-plane\n" +
				"info: p0, tolerations[1]: no node has a taint that node-role.kubernetes.io/controlplane matches (matches-no-node); remove it, unless nodes with such a taint come and go"},
		{"taints that pass", []string{"karpenter.sh/unregistered:NoExecute,node.cloudprovider.kubernetes.io/uninitialized=true:NoSchedule", "node-role.kubernetes.io/control-plane:NoSchedule"},
			[]string{"ds ", "node-role.kubernetes.io/control-plane"}, false,
			"info: p0, tolerations: taints keep it from 1 node, n1 first (daemonset-misses); add node-role.kubernetes.io/control-plane==:NoSchedule, if it is to run there"},
		{"many values of a key", []string{"a=1:NoSchedule", "a=2:NoSchedule,b:NoExecute", "a=x:NoSchedule", "a=4:NoSchedule", "a=5:NoExecute"}, []string{"ds a==2,a==5", "*:NoSchedule,b,a:NoExecute"}, false,
			"info: p0, tolerations: taints keep it from 4 nodes, n0 first (daemonset-misses); add a==1:NoSchedule, a==4:NoSchedule, a==x:NoSchedule and 1 more, if it is to run there"},
		{"ranges of a DaemonSet", []string{"a=1:NoSchedule", "a=2:NoSchedule", "a=3:NoSchedule", "a=4:NoSchedule", "a=5:NoSchedule", "a=x:NoSchedule"}, []string{"ds a>4,*<3", "ds a<3", "a"}, true,
			`error: p0, tolerations[1].operator: "Lt": must be Exists when the key is empty, which matches every key and value (invalid-toleration); name a key, or make the operator Exists without a value` + "\n" +
				"warning: n5, taints[0].value: p0 has a>4, and the value of a=x:NoSchedule is not a canonical integer (not-a-number); make it one, such as 0 or 15, or tolerate it with Exists or Equal\n" +
				"info: p0, tolerations: taints keep it from 3 nodes, n2 first (daemonset-misses); add a==3:NoSchedule, a==4:NoSchedule, a==x:NoSchedule, if it is to run there\n" +
				"info: p1, tolerations: taints keep it from 4 nodes, n2 first (daemonset-misses); add a:NoSchedule (any value), if it is to run there"},
		{"untolerated", []string{"a=x:NoSchedule", "a=x:NoSchedule,b:NoExecute", "c:PreferNoSchedule,node.kubernetes.io/disk-pressure:NoSchedule"}, []string{"b"}, false,
			"info: n0 and 1 more, taints[0]: no pod tolerates a=x:NoSchedule (untolerated); add a==x:NoSchedule to the pods that the nodes are for, or remove the taint"},
		{"tolerated by a DaemonSet alone", []string{"a=x:NoSchedule"}, []string{"ds *", ""}, false, ""},
		{"daemonset-misses", []string{"a=x:NoSchedule", "b:NoExecute", "b:NoExecute", "c:NoSchedule,d:NoExecute,e:NoSchedule", ""}, []string{"ds a", "ds a,b,d", "b,c,d,e"}, false,
			"info: p0, tolerations: taints keep it from 3 nodes, n1 first (daemonset-misses); add c==:NoSchedule, e==:NoSchedule, b==:NoExecute and 1 more, if it is to run there\n" +
				"info: p1, tolerations: taints keep it from 1 node, n3 first (daemonset-misses); add c==:NoSchedule, e==:NoSchedule, if it is to run there"},
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
	// A node counts once, whatever the number of its taints with the key.
	several := []string{"a=1:NoSchedule,a=2:NoExecute,a=3:PreferNoSchedule", "a=4:NoSchedule,a=5:NoExecute", "a=1:NoSchedule"}
	if r := lint.Check(fleet(t, several, []string{"a"}), lint.Options{Values: 5}); len(r.Findings) != 1 || r.Findings[0].Count != 3 {
		t.Errorf("got %s", lines(r))
	}
}

// A taint that a list has twice is on one node.
func TestTaintTwice(t *testing.T) {
	r := lint.Check(fleet(t, []string{"a:NoSchedule,b:NoSchedule,a:NoSchedule", "b:NoSchedule,a:NoSchedule"}, []string{"b"}), lint.Options{})
	i := slices.IndexFunc(r.Findings, func(f lint.Finding) bool { return f.ID == lint.Untolerated })
	if i < 0 || r.Findings[i].Count != 2 || r.Findings[i].Field != "taints[0]" {
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
		{lint.Options{Silence: []lint.Silence{{Object: "n3"}, {ID: lint.Untolerated, Object: "n4"}, {ID: lint.Redundant, Object: "n5"}}}, 100, 148},
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
			f.Nodes = append(f.Nodes, lint.Node{Name: fmt.Sprint("n", i), Taints: matchtest.Taints().Draw(t, "taints"), Labels: drawLabels.Draw(t, "labels")})
			f.Pods = append(f.Pods, lint.Pod{Name: fmt.Sprint("p", i), DaemonSet: i == 2, Affinity: drawAttraction.Draw(t, "attraction"),
				Tolerations: matchtest.Tolerations(f.Nodes[rapid.IntRange(0, i).Draw(t, "of")].Taints).Draw(t, "tolerations")})
		}
		r := lint.Check(f, lint.Options{Limit: -1})
		untolerated := map[taint.Taint]bool{}
		for _, n := range f.Nodes {
			for _, x := range n.Taints {
				x.TimeAdded = nil
				byAny := slices.ContainsFunc(f.Pods, func(p lint.Pod) bool { return match.Tolerates(p.Tolerations, &x, f.Rules) })
				if taint.Hard.Has(x.Effect) && !byAny && x.Key != taint.KeyNotReady && x.Key != taint.KeyUnreachable {
					untolerated[x] = true
				}
			}
		}
		if got := r.Counts[lint.Untolerated]; got != len(untolerated) {
			t.Fatalf("%d untolerated taints, want %d", got, len(untolerated))
		}
		for _, p := range f.Pods {
			if p.DaemonSet {
				checkMisses(t, f, r, p)
			}
		}
		checkMatchesNoNode(t, f, r)
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

// The fix is short, and the additions are the least and all of them, to a thousand.
func TestAdditions(t *testing.T) {
	var nodes, want []string
	for i := range 4 {
		nodes = append(nodes, fmt.Sprintf("k%d:NoExecute", i), fmt.Sprintf("many=%d:NoSchedule", i))
	}
	for i := range 4 {
		want = append(want, fmt.Sprintf("many==%d:NoSchedule", i))
	}
	for i := range 4 {
		want = append(want, fmt.Sprintf("k%d==:NoExecute", i))
	}
	found := lint.Check(fleet(t, nodes, []string{"ds "}), lint.Options{}).Findings
	last := found[len(found)-1]
	const fix = "add many:NoSchedule (any value), k0==:NoExecute, k1==:NoExecute and 2 more, if it is to run there"
	if got := toleration.FormatList(last.Additions); got != strings.Join(want, ",") || last.Fix != fix || last.MoreAdditions != 0 {
		t.Errorf("%s; %s; %d more", last.Fix, got, last.MoreAdditions)
	}
	text, err := json.Marshal(last)
	if part := `"additions":[{"key":"many","operator":"Equal","value":"0","effect":"NoSchedule"},`; err != nil || !strings.Contains(string(text), part) {
		t.Errorf("%s, %v", text, err)
	}
	for i := range 999 {
		nodes = append(nodes, fmt.Sprintf("many=x%d:NoSchedule", i))
	}
	for n, want := range map[int][2]int{1000: {1000, 0}, 1001: {1000, 1}, 1007: {1000, 7}} {
		found = lint.Check(fleet(t, nodes[:n], []string{"ds "}), lint.Options{}).Findings
		if last := found[len(found)-1]; len(last.Additions) != want[0] || last.MoreAdditions != want[1] {
			t.Errorf("%d taints: %d additions and %d more", n, len(last.Additions), last.MoreAdditions)
		}
	}
}

// checkMisses asks match where the DaemonSet runs, of the nodes that it is for and without the taints that come and go.
func checkMisses(t *rapid.T, f *lint.Fleet, r lint.Report, p lint.Pod) {
	misses, mended := 0, 0 // without the additions, and with them
	var additions []toleration.Toleration
	for _, found := range r.Findings {
		if found.ID == lint.DaemonSetMisses {
			additions = found.Additions
		} else if found.Additions != nil || found.MoreAdditions != 0 {
			t.Fatalf("%s has additions", found)
		}
	}
	needed := make(map[toleration.Toleration]bool)
	for _, n := range f.Nodes {
		if !p.Affinity.Matches(n.Name, n.Labels) {
			continue
		}
		stays := slices.DeleteFunc(slices.Clone(n.Taints), func(x taint.Taint) bool { return x.Key == taint.KeyNotReady || x.Key == taint.KeyUnreachable })
		if run, _ := match.DaemonSetPlacement(stays, p.Tolerations, f.Rules); !run {
			misses++
		}
		for _, x := range match.Filter(nil, stays, p.Tolerations, taint.Hard, f.Rules) {
			needed[toleration.For(&x)] = true
		}
		if run, _ := match.DaemonSetPlacement(stays, append(slices.Clone(p.Tolerations), additions...), f.Rules); !run {
			mended++
		}
	}
	if mended > 0 || len(additions) != len(needed) || slices.ContainsFunc(additions, func(u toleration.Toleration) bool { return !needed[u] }) {
		t.Fatalf("the additions %s leave out %d nodes; %d are needed", toleration.FormatList(additions), mended, len(needed))
	}
	got := 0
	for _, found := range r.Findings {
		if found.ID == lint.DaemonSetMisses {
			reason := strings.NewReplacer("taints keep it from ", "", " nodes", "", " node", "").Replace(found.Reason)
			fmt.Sscan(reason, &got)
		}
	}
	if got != misses {
		t.Fatalf("the DaemonSet misses %d nodes, want %d", got, misses)
	}
}

// checkMatchesNoNode asks match about each toleration that is found to match no node.
func checkMatchesNoNode(t *rapid.T, f *lint.Fleet, r lint.Report) {
	for _, p := range f.Pods {
		for i, u := range p.Tolerations {
			found := slices.ContainsFunc(r.Findings, func(found lint.Finding) bool {
				return (found.ID == lint.MatchesNoNode || found.ID == lint.LikelyMisspelled) && found.Object == p.Name &&
					strings.HasPrefix(found.Field, fmt.Sprintf("tolerations[%d]", i))
			})
			matches := slices.ContainsFunc(f.Nodes, func(n lint.Node) bool {
				return slices.ContainsFunc(n.Taints, func(x taint.Taint) bool { return u.Tolerates(&x, toleration.Rules{Comparisons: true}) })
			})
			if found && matches {
				t.Fatalf("%s matches a node", u)
			}
		}
	}
}

// checkRemovals applies, one at a time, the fixes that remove what makes no difference.
func checkRemovals(t *rapid.T, f *lint.Fleet, r lint.Report) {
	for _, found := range r.Findings {
		p := slices.IndexFunc(f.Pods, func(p lint.Pod) bool { return p.Name == found.Object })
		if !isRemoval(found) || p < 0 {
			continue
		}
		list := f.Pods[p].Tolerations
		redundant, _, _, _ := toleration.Redundant(list)
		at := -1
		fmt.Sscanf(found.Field, "tolerations[%d]", &at)
		var left []toleration.Toleration
		for i, u := range list {
			place := fmt.Sprintf("tolerations[%d]", i)
			named := found.Field == place || strings.Contains(found.Fix, place)
			if !named && !(strings.Contains(found.Fix, " more") && i < len(redundant) && redundant[i] && i > at) {
				left = append(left, u)
			}
		}
		before := list
		for _, n := range f.Nodes {
			if got, want := match.Decide(n.Taints, left, f.Rules), match.Decide(n.Taints, before, f.Rules); got != want {
				t.Fatalf("%s: %s: %s is %v, not %v", toleration.FormatList(before), found, n.Name, got, want)
			}
		}
		m, err := toleration.NewMeaning(f.Rules.Active(nil, before))
		if n, _ := toleration.NewMeaning(f.Rules.Active(nil, left)); err == nil && !n.Equal(m) {
			t.Fatalf("%s: %s: leaves %s", toleration.FormatList(before), found, toleration.FormatList(left))
		}
		was, is := removalsOf(f, list, found), removalsOf(f, left, found)
		if is >= was {
			t.Fatalf("%s: %s: remains in %s", toleration.FormatList(before), found, toleration.FormatList(left))
		}
	}
}

// isRemoval reports whether the fix removes tolerations of a list and leaves its meaning.
func isRemoval(f lint.Finding) bool {
	is := f.ID == lint.Redundant || f.ID == lint.UselessSeconds || f.ID == lint.OrderDecides
	return is && strings.HasPrefix(f.Fix, "remove ") && !strings.HasPrefix(f.Fix, "remove the seconds")
}

// removalsOf counts the findings about one list with such fixes: those about its order, or the
// others, one of which can become another.
func removalsOf(f *lint.Fleet, list []toleration.Toleration, like lint.Finding) (n int) {
	one := &lint.Fleet{Rules: f.Rules, Pods: []lint.Pod{{Name: "p", Tolerations: list}}}
	for _, found := range lint.Check(one, lint.Options{Limit: -1}).Findings {
		if isRemoval(found) && (found.ID == lint.OrderDecides) == (like.ID == lint.OrderDecides) {
			n++
		}
	}
	return n
}

// The lists that were found on real clusters. A change of these numbers asks for a look
// at the findings.
func TestCorpus(t *testing.T) {
	f := new(lint.Fleet)
	for i, list := range corpus.Taints() {
		if list.Scope == "" {
			f.Nodes = append(f.Nodes, lint.Node{Name: fmt.Sprintf("%s %d", list.Node, i), Taints: list.Taints})
		}
	}
	for i, list := range corpus.Tolerations() {
		if list.Scope == "" {
			f.Pods = append(f.Pods, lint.Pod{Name: fmt.Sprintf("%s %d", list.Workload, i), Tolerations: list.Tolerations, DaemonSet: list.Kind == "DaemonSet"})
		}
	}
	r := lint.Check(f, lint.Options{Limit: -1})
	// Reviewed by hand: what is invalid uses Gt, and does not count; one autoscaler's key
	// has a value that no time is; Key2 and key2 are of two clusters. Tolerations
	// match no node and DaemonSets miss nodes because these lists are from many clusters.
	const want = "map[daemonset-misses:26 everything:6 invalid-toleration:5 likely-misspelled:1 matches-no-node:72 never-matches:6 order-decides:1 redundant:2]"
	if got := fmt.Sprint(r.Counts); got != want {
		t.Errorf("%d nodes and %d pods: %s", len(f.Nodes), len(f.Pods), got)
	}
	for _, found := range r.Findings {
		if testing.Verbose() {
			t.Log(found)
		}
	}
}

// Every list that the API server refuses, and that decodes, has an error with a fix.
func TestInvalidCorpus(t *testing.T) {
	checked := 0
	for _, list := range corpus.Invalid() {
		var f lint.Fleet
		n, p := lint.Node{Name: "n"}, lint.Pod{Name: "p"}
		f.Rules.Comparisons = true
		switch {
		case list.Taints != nil && json.Unmarshal(list.Taints, &n.Taints) == nil:
			f.Nodes = []lint.Node{n}
		case list.Tolerations != nil && json.Unmarshal(list.Tolerations, &p.Tolerations) == nil:
			f.Pods = []lint.Pod{p}
		default:
			continue // what is wrong is the type of a field
		}
		checked++
		r := lint.Check(&f, lint.Options{})
		unknownField := strings.Contains(fmt.Sprint(list.Why), "unknown field") // which decoding leaves out
		if r.Counts[lint.InvalidTaint]+r.Counts[lint.InvalidToleration] == 0 && !unknownField {
			t.Errorf("%s: %s%s: %v: %s", list.Source, list.Taints, list.Tolerations, list.Why, lines(r))
		}
		for _, found := range r.Findings {
			if found.Fix == "" {
				t.Errorf("no fix: %s", found)
			}
			if strings.Contains(found.Reason, `"NO_SCHEDULE"`) && found.Fix != "probably NoSchedule" {
				t.Errorf("another fix: %s", found)
			}
		}
	}
	if checked < 15 {
		t.Errorf("only %d lists", checked)
	}
}

func TestWords(t *testing.T) {
	for s, want := range map[lint.Severity]string{lint.Info: "info", lint.Warning: "warning", lint.Error: "error", 9: "Severity(9)"} {
		if s.String() != want {
			t.Errorf("got %q", s)
		}
	}
	for _, id := range lint.IDs() {
		if id == lint.InvalidTaint && id.Severity() != lint.Error || id == lint.DaemonSetMisses && id.Severity() != lint.Info {
			t.Errorf("%s: %s", id, id.Severity())
		}
	}
	if lint.ID("x").Severity() != lint.Info || len(lint.IDs()) != 17 {
		t.Error("another number of IDs")
	}
	r := lint.Check(fleet(t, []string{"a:NoSchedule"}, []string{""}), lint.Options{})
	text, err := json.Marshal(r)
	const want = `{"findings":[{"id":"untolerated","severity":"info","object":"n0","count":1,"field":"taints[0]","key":"a","reason":"no pod tolerates a:NoSchedule",` +
		`"fix":"add a==:NoSchedule to the pods that the nodes are for, or remove the taint"}],"counts":{"untolerated":1},"silenced":0}`
	if err != nil || string(text) != want {
		t.Errorf("got %s, %v", text, err)
	}
	var back lint.Report
	if err := json.Unmarshal(text, &back); err != nil || fmt.Sprint(back) != fmt.Sprint(r) {
		t.Errorf("read back: %v, %v", back, err)
	}
	for before := lint.Info; before <= lint.Error; before++ {
		for want := lint.Info; want <= lint.Error; want++ {
			got := before
			if text, err := want.MarshalText(); err != nil || got.UnmarshalText(text) != nil || got != want {
				t.Errorf("%v: read as %v", want, got)
			}
		}
	}
	for _, field := range []string{"", "x"} {
		f := lint.Finding{Object: "o", Count: 2, Field: field, Reason: "r", Fix: "f", ID: lint.Redundant}
		if got, want := f.String(), strings.ReplaceAll("info: o and 1 more, x: r (redundant); f", ", x", map[string]string{"x": ", x"}[field]); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
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
	f.Add("a=x:NoExecute,b:NoSchedule", "aa:NoExecute@5")                                      // waiting and evicted
	target.Fuzz(f, func(t *testing.T, taints, tolerations string) {
		x, list := input.Taints(taints), input.Tolerations(tolerations)
		fleet := &lint.Fleet{Nodes: []lint.Node{{Name: "n", Taints: x}}, Pods: []lint.Pod{{Name: "p", Tolerations: list}, {Name: "d", Tolerations: list, DaemonSet: true}, {Name: "w", Tolerations: list, Pending: true}, {Name: "r", Tolerations: list, Node: "n"}}}
		r := lint.Check(fleet, lint.Options{Limit: -1})
		if again := lint.Check(fleet, lint.Options{Limit: -1}); lines(again) != lines(r) {
			t.Errorf("another order:\n%s\n%s", lines(again), lines(r))
		}
	})
}
