package dialect_test

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/tolero-dev/tolero/fuzz/input"
	"github.com/tolero-dev/tolero/fuzz/notation"
	"github.com/tolero-dev/tolero/fuzz/target"
	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/match/dialect"
	"github.com/tolero-dev/tolero/match/matchtest"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

func node(t testing.TB, text string) []taint.Taint {
	t.Helper()
	list, err := notation.Taints(text)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func pod(t testing.TB, text string) []toleration.Toleration {
	t.Helper()
	list, err := notation.Tolerations(text)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// What each project answers. A dot is yes and a number the index of the taint that
// refuses.
func TestProfiles(t *testing.T) {
	names := []string{"armada", "cluster-autoscaler", "descheduler", "descheduler-utilization", "kai", "karmada", "karpenter", "koordinator", "kube-controller-manager", "kubelet",
		"kubernetes", "kueue", "kueue-nodes", "node-readiness-controller", "ocm", "popeye", "rook", "volcano", "yunikorn"}
	for i, p := range dialect.All() {
		if i >= len(names) || p.Name != names[i] {
			t.Fatalf("%d: %s", i, p.Name)
		}
	}
	for _, c := range []struct{ taints, tolerations, want string }{
		{"", "", "..................."},
		{"a:NoSchedule", "", "00000000..0000.0000"},
		{"a:NoSchedule", "a", "..................."},
		{"a=x:NoSchedule", "a", "...............0..."}, // Exists is text to Popeye
		{"a=x:NoSchedule", "a==x:NoExecute", "00000000..0000..000"},
		{"a=x:NoSchedule", "a==y,b==x", "00000000..0000.0000"},
		{"a:NoExecute", "", "00.00000000000.0000"},
		{"a:PreferNoSchedule", "", "0..0..0........00.."},
		{"a:Other", "", "0..0..0........00.."},
		{"a:NoSelect", "", "0..0..0.......000.."},
		{"a:NoSelectIfNew", "", "0..0..0.......000.."},
		{"a:NoSelectIfNew", "a", "..................."},
		{"a:PreferNoSelect", "", "0..0..0........00.."},
		{"a=5:NoSchedule", "a>4", "00..00.0..0.00.0.00"},
		{"a=5:NoExecute", "a>4", "00..00.0000.00.0.00"},
		{"a:NoSchedule,b:NoSchedule", "*", "...1...........0..."}, // one toleration, two taints
		{"a:NoSchedule,b:NoSchedule", "b", "00000000..0000.0000"},
		{"node.kubernetes.io/not-ready:NoExecute", "", "0..000.0000000.0000"},
		{"node.kubernetes.io/unreachable:NoExecute", "", "0..00000000000.0000"},
		{"node.kubernetes.io/unreachable:NoSchedule", "", "0.0000.0..0000.0000"},
		{"node.cloudprovider.kubernetes.io/uninitialized=true:NoSchedule", "", "0.0000.0..0000.0000"},
		{"readiness.k8s.io/network:NoSchedule", "", "000000.0..0000.0000"},
		{"karpenter.sh/unregistered:NoExecute", "", "00.000.0000000.0000"},
		{"startup-taint.cluster-autoscaler.kubernetes.io/x:NoSchedule", "", "0.000000..0000.0000"},
		{"ToBeDeletedByClusterAutoscaler=1:NoSchedule,b:NoSchedule", "", "01000000..0000.0000"},
	} {
		got := ""
		for _, p := range dialect.All() {
			if i, refused := p.Refuses(node(t, c.taints), pod(t, c.tolerations)); refused {
				got += string(rune('0' + i))
			} else if i != 0 {
				t.Errorf("%s: index %d", p.Name, i)
			} else {
				got += "."
			}
		}
		if got != c.want {
			t.Errorf("%s with %q:\n got %s\nwant %s", c.taints, c.tolerations, got, c.want)
		}
	}
}

// Kubernetes with either rules is match.
func TestKubernetesIsMatch(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		taints := matchtest.Taints().Draw(t, "taints")
		tolerations := matchtest.Tolerations(taints).Draw(t, "tolerations")
		p := dialect.Kubernetes()
		p.Rules.Comparisons = rapid.Bool().Draw(t, "comparisons")
		i, refused := p.Refuses(taints, tolerations)
		j, untolerated := match.FirstUntolerated(taints, tolerations, taint.Hard, p.Rules)
		if i != j || refused != untolerated {
			t.Fatalf("%d %v, want %d %v", i, refused, j, untolerated)
		}
	})
}

// Compare finds the pairs on which Refuses differs, and no others, and stops when it
// is told to.
func TestCompare(t *testing.T) {
	profiles := append(dialect.All(), dialect.Profile{Name: "none"})
	rapid.Check(t, func(t *rapid.T) {
		a, b := rapid.SampledFrom(profiles).Draw(t, "a"), rapid.SampledFrom(profiles).Draw(t, "b")
		nodes := rapid.SliceOfN(matchtest.Taints(), 0, 4).Draw(t, "nodes")
		var pods [][]toleration.Toleration
		for _, taints := range nodes {
			pods = append(pods, matchtest.Tolerations(taints).Draw(t, "pod"))
		}
		var want []dialect.Difference
		for i := range pods {
			for j := range nodes {
				_, refusedA := a.Refuses(nodes[j], pods[i])
				k, refusedB := b.Refuses(nodes[j], pods[i])
				if refusedB && !refusedA {
					want = append(want, dialect.Difference{Node: j, Pod: i, Admits: a.Name, Refuses: b.Name, Index: k, Taint: nodes[j][k]})
				}
			}
		}
		var got []dialect.Difference
		for d := range dialect.Compare(&a, &b, nodes, pods) {
			if d.Fact == (dialect.Fact{}) && a.Name != "none" {
				t.Fatalf("%v has no source", d)
			}
			d.Fact = dialect.Fact{}
			got = append(got, d)
		}
		if !slices.Equal(got, want) {
			t.Fatalf("got %v, want %v", got, want)
		}
		for d := range dialect.Compare(&a, &b, nodes, pods) {
			d.Fact = dialect.Fact{}
			if d != want[0] {
				t.Fatalf("the first is %v, not %v", want[0], d)
			}
			break
		}
	})
}

func TestWhy(t *testing.T) {
	profiles := map[string]dialect.Profile{}
	for _, p := range dialect.All() {
		profiles[p.Name] = p
	}
	profiles["own"] = dialect.Profile{Name: "own", Effects: taint.NoExecute.Set() | taint.Soft, Facts: []dialect.Fact{{dialect.Effects, "no NoSchedule", "here", ""}}}
	for _, c := range []struct{ a, b, taints, tolerations, want string }{
		{"karpenter", "kubernetes", "a=5:NoSchedule", "a>4",
			"pods[0]: karpenter admits it to nodes[0], kubernetes refuses it because of a=5:NoSchedule: Gt and Lt always count"},
		{"kubernetes", "karpenter", "a:PreferNoSchedule", "", "pods[0]: kubernetes admits it to nodes[0], karpenter refuses it because of a:PreferNoSchedule: " +
			"a taint with any effect keeps a pod out"},
		{"karpenter", "kubernetes", "readiness.k8s.io/net:NoSchedule", "", "pods[0]: karpenter admits it to nodes[0], kubernetes refuses it because of " +
			"readiness.k8s.io/net:NoSchedule: known ephemeral taints, by key and effect, and taints under readiness.k8s.io/ do not matter while a node starts"},
		{"kubernetes", "popeye", "a=x:NoSchedule", "a", "pods[0]: kubernetes admits it to nodes[0], popeye refuses it because of a=x:NoSchedule: key and value are compared as text: " +
			"Exists covers no taint that has a value, and effects and operators do not matter"},
		{"karpenter", "descheduler-utilization", "a:NoSchedule,b:NoSchedule", "*", "pods[0]: karpenter admits it to nodes[0], descheduler-utilization refuses it because of b:NoSchedule: " +
			"a pod with fewer tolerations than the node has taints is refused, whatever they tolerate"},
		{"kubernetes", "ocm", "a:NoSelect", "", "pods[0]: kubernetes admits it to nodes[0], ocm refuses it because of a:NoSelect: " +
			"the effects are NoSelect, NoSelectIfNew and PreferNoSelect; the last one only ranks"},
		{"popeye", "karmada", "a=x:NoSchedule", "a==x:NoExecute", "pods[0]: popeye admits it to nodes[0], karmada refuses it because of a=x:NoSchedule: " +
			"key and value are compared as text: Exists covers no taint that has a value, and effects and operators do not matter"},
		{"kueue", "volcano", "a=5:NoSchedule", "a>4", "pods[0]: kueue admits it to nodes[0], volcano refuses it because of a=5:NoSchedule: " +
			"Gt and Lt count in assignment, not in the node controller of topology-aware scheduling"},
		{"volcano", "kubernetes", "a:NoSchedule", "", ""},
		{"volcano", "karpenter", "a:PreferNoSchedule", "", "pods[0]: volcano admits it to nodes[0], karpenter refuses it because of a:PreferNoSchedule: " +
			"a taint with any effect keeps a pod out"},
		{"kubelet", "volcano", "a:NoSchedule", "", "pods[0]: kubelet admits it to nodes[0], volcano refuses it because of a:NoSchedule: " +
			"only NoExecute keeps out a pod that is bound, static pods excepted"},
		{"own", "volcano", "a:NoSchedule", "", "pods[0]: own admits it to nodes[0], volcano refuses it because of a:NoSchedule: no NoSchedule"},
	} {
		a, b, got := profiles[c.a], profiles[c.b], ""
		for d := range dialect.Compare(&a, &b, [][]taint.Taint{node(t, c.taints)}, [][]toleration.Toleration{pod(t, c.tolerations)}) {
			got += d.String()
		}
		if got != c.want {
			t.Errorf("%s, %s:\n got %s\nwant %s", c.a, c.b, got, c.want)
		}
	}
	if got := (dialect.Difference{Admits: "x", Refuses: "y", Taint: node(t, "a:NoSchedule")[0]}).String(); got != "pods[0]: x admits it to nodes[0], y refuses it because of a:NoSchedule" {
		t.Errorf("got %s", got)
	}
}

// Profiles that are put together: taints that are left out are not compared as text, but
// they are counted.
func TestOwnProfiles(t *testing.T) {
	text := dialect.Profile{Name: "text", Effects: taint.Hard, ByText: true}
	number := dialect.Profile{Name: "number", Effects: taint.NoExecute.Set(), ByCount: true, Facts: []dialect.Fact{{dialect.Matches, "too few", "here", ""}}}
	taints := node(t, "a=x:PreferNoSchedule,b:NoSchedule")
	if i, refused := text.Refuses(taints, nil); i != 1 || !refused {
		t.Errorf("%d, %t", i, refused)
	}
	if i, refused := text.Refuses(node(t, "b=5:NoSchedule"), pod(t, "b>5")); refused { // the operator does not matter
		t.Errorf("%d, %t", i, refused)
	}
	if i, refused := number.Refuses(taints, nil); i != 0 || !refused {
		t.Errorf("%d, %t", i, refused)
	}
	all := dialect.Kubernetes()
	for d := range dialect.Compare(&all, &number, [][]taint.Taint{taints}, [][]toleration.Toleration{pod(t, "b")}) {
		if d.Index != 1 || d.Fact.Text != "too few" {
			t.Errorf("%v", d)
		}
	}
	for d := range dialect.Compare(&all, &number, [][]taint.Taint{node(t, "a=x:PreferNoSchedule")}, [][]toleration.Toleration{nil}) {
		if d.Index != 0 || d.Fact.Text != "too few" {
			t.Errorf("%v", d)
		}
	}
}

// A skew of gates: what kube-scheduler places is evicted at once.
func TestSkew(t *testing.T) {
	scheduler, evictions := dialect.Kubernetes(), dialect.KubeControllerManager()
	scheduler.Rules.Comparisons = true
	nodes, pods := [][]taint.Taint{node(t, "a=5:NoExecute")}, [][]toleration.Toleration{pod(t, "a>4")}
	n := 0
	for d := range dialect.Compare(&scheduler, &evictions, nodes, pods) {
		n++
		if d.Fact.Topic != dialect.Comparisons {
			t.Errorf("%v", d)
		}
	}
	evictions.Rules.Comparisons = true
	for range dialect.Compare(&scheduler, &evictions, nodes, pods) {
		n += 10
	}
	if n != 1 {
		t.Errorf("%d differences", n)
	}
}

// A consumer that stops gets no more.
func TestCompareStops(t *testing.T) {
	a, b := dialect.Kubernetes(), dialect.Karpenter()
	nodes := [][]taint.Taint{node(t, "a:PreferNoSchedule"), node(t, "b:PreferNoSchedule")}
	n := 0
	for d := range dialect.Compare(&a, &b, nodes, make([][]toleration.Toleration, 2)) {
		if n++; n == 3 {
			if d.Pod != 1 || d.Node != 0 {
				t.Errorf("%v", d)
			}
			break
		}
	}
	if n != 3 {
		t.Errorf("%d", n)
	}
}

// Every rule of every profile has a source, and each project has its own name.
func TestRulesHaveSources(t *testing.T) {
	all := dialect.All()
	for i, p := range all {
		if i > 0 && p.Name <= all[i-1].Name {
			t.Errorf("%s comes after %s", p.Name, all[i-1].Name)
		}
		topics := map[dialect.Topic]bool{}
		for _, f := range p.Facts {
			topics[f.Topic] = true
			if f.Text == "" || f.Source == "" {
				t.Errorf("%s: %+v", p.Name, f)
			}
		}
		for topic, needed := range map[dialect.Topic]bool{
			dialect.Effects:     true,
			dialect.Comparisons: !p.ByText, // else operators do not matter
			dialect.Matches:     p.ByText || p.ByCount,
			dialect.LeftOut:     len(p.LeavesOut) > 0,
			dialect.Relaxes:     p.Yields != 0,
		} {
			if topics[topic] != needed {
				t.Errorf("%s: a fact about %q: %t, want %t", p.Name, topic, topics[topic], needed)
			}
		}
		for _, s := range p.Selectors {
			if !strings.Contains(s.Source, ".go") {
				t.Errorf("%s: %+v has no source", p.Name, s)
			}
		}
		if p.Version == "" || len(p.Selectors) == 0 {
			t.Errorf("%s has no version or no classes", p.Name)
		}
	}
}

// TestRan says whose facts were all only read.
func TestRan(t *testing.T) {
	var read []string
	for _, p := range dialect.All() {
		if !slices.ContainsFunc(p.Facts, func(f dialect.Fact) bool { return f.Ran != "" }) {
			read = append(read, p.Name)
		}
	}
	if want := []string{"cluster-autoscaler", "node-readiness-controller"}; !slices.Equal(read, want) {
		t.Errorf("%q, want %q", read, want)
	}
}

func TestRelaxed(t *testing.T) {
	p := dialect.Karpenter()
	taints := node(t, "a:PreferNoSchedule,b:NoExecute")
	if i, refused := p.Refuses(taints, nil); !refused || i != 0 {
		t.Errorf("refuses %d", i)
	}
	relaxed := p.Relaxed()
	if i, refused := relaxed.Refuses(taints, nil); !refused || i != 1 {
		t.Errorf("relaxed: refuses %d", i)
	}
	if relaxed.Yields != 0 || p.Yields != taint.Soft {
		t.Errorf("%v, %v", relaxed.Yields, p.Yields)
	}
}

// Each profile says what it takes a taint for.
func TestClassesDiffer(t *testing.T) {
	for text, want := range map[string]string{
		"readiness.k8s.io/net:NoSchedule":                             "karpenter: ephemeral, node-readiness-controller: startup",
		"ToBeDeletedByClusterAutoscaler=1:NoSchedule":                 "cluster-autoscaler: ephemeral",
		"karpenter.sh/unregistered:NoExecute":                         "karpenter: ephemeral",
		"startup-taint.cluster-autoscaler.kubernetes.io/x:NoSchedule": "cluster-autoscaler: startup",
		"cluster.karmada.io/not-ready:NoExecute":                      "karmada: status",
		"cluster.karmada.io/unreachable:NoSchedule":                   "karmada: status",
		"cluster.karmada.io/unschedulable:NoSchedule":                 "karmada: status",
		"cluster.open-cluster-management.io/unavailable:NoSelect":     "ocm: status",
		"cluster.open-cluster-management.io/unreachable:NoSelect":     "ocm: status",
	} {
		var got []string
		for _, p := range dialect.All() {
			if class := p.Class(&node(t, text)[0]); class != dialect.Permanent {
				got = append(got, p.Name+": "+class.String())
			}
		}
		if s := strings.Join(got, ", "); s != want {
			t.Errorf("%s: %s", text, s)
		}
	}
}

func TestClass(t *testing.T) {
	p := dialect.ClusterAutoscaler()
	for text, want := range map[string]dialect.Class{
		"a:NoSchedule": dialect.Permanent,
		"status-taint.cluster-autoscaler.kubernetes.io/a:NoSchedule": dialect.Status,
		"ignore-taint.cluster-autoscaler.kubernetes.io/a:NoExecute":  dialect.Startup,
		"DeletionCandidateOfClusterAutoscaler=1:PreferNoSchedule":    dialect.Ephemeral,
		"node.kubernetes.io/memory-pressure:NoSchedule":              dialect.Status,
		"node.kubernetes.io/memory-pressures:NoSchedule":             dialect.Permanent,
	} {
		if got := p.Class(&node(t, text)[0]); got != want {
			t.Errorf("%s: %v, want %v", text, got, want)
		}
	}
	k := dialect.Karpenter()
	for _, effect := range []string{"NoExecute", "PreferNoSchedule"} {
		if got := k.Class(&node(t, "node.kubernetes.io/unreachable:"+effect)[0]); got != dialect.Permanent {
			t.Errorf("another effect, %s: %v", effect, got)
		}
	}
}

// TestOwnSelectors: a cluster's own startup and status taints, which a selector that is
// added names, are left out where the project leaves out such taints.
func TestOwnSelectors(t *testing.T) {
	for _, c := range []struct {
		profile dialect.Profile
		without []dialect.Class
	}{
		{dialect.Karpenter(), []dialect.Class{dialect.Startup, dialect.Ephemeral}},
		{dialect.ClusterAutoscaler(), []dialect.Class{dialect.Startup, dialect.Status, dialect.Ephemeral}},
		{dialect.Kubernetes(), nil},
		{dialect.NodeReadiness(), nil},
	} {
		for _, class := range []dialect.Class{dialect.Permanent, dialect.Startup, dialect.Status, dialect.Ephemeral} {
			p := c.profile
			p.Selectors = append([]dialect.Selector{{Class: class, Key: "own"}}, p.Selectors...)
			if _, refused := p.Refuses(node(t, "own:NoSchedule"), nil); refused == slices.Contains(c.without, class) {
				t.Errorf("%s, %v: %t", p.Name, class, refused)
			}
		}
	}
}

func TestWords(t *testing.T) {
	for c, want := range map[interface{ String() string }]string{
		dialect.Permanent: "permanent", dialect.Startup: "startup", dialect.Status: "status", dialect.Ephemeral: "ephemeral", dialect.Class(9): "Class(9)",
		dialect.Elsewhere: "elsewhere", dialect.Effects: "effects", dialect.Comparisons: "comparisons", dialect.LeftOut: "left out", dialect.Matches: "matches", dialect.Relaxes: "relaxes", dialect.Topic(9): "Topic(9)",
	} {
		if c.String() != want {
			t.Errorf("got %q, want %q", c, want)
		}
	}
}

// FuzzCompare compares the two ways to ask for any lists.
func FuzzCompare(f *testing.F) {
	f.Add("a=5:NoSchedule", "a>4", 4, 2)                     // Gt counts for one
	f.Add("readiness.k8s.io/x:NoSchedule,a:Other", "", 2, 4) // left out by one
	target.Fuzz(f, func(t *testing.T, taints, tolerations string, first, second int) {
		x, list := input.Taints(taints), input.Tolerations(tolerations)
		all := dialect.All()
		a, b := all[uint(first)%uint(len(all))], all[uint(second)%uint(len(all))]
		_, refusedA := a.Refuses(x, list)
		i, refusedB := b.Refuses(x, list)
		n := 0
		for d := range dialect.Compare(&a, &b, [][]taint.Taint{x}, [][]toleration.Toleration{list}) {
			if n++; d.Index != i {
				t.Errorf("%v, want taint %d", d, i)
			}
		}
		if (n == 1) != (refusedB && !refusedA) {
			t.Errorf("%d differences of %s and %s", n, a.Name, b.Name)
		}
	})
}
