package manifest

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// read reads sources that have to be right.
func read(t *testing.T, sources ...string) *Cluster {
	t.Helper()
	var l Loader
	for i, source := range sources {
		if err := l.Read(fmt.Sprintf("file%d", i+1), strings.NewReader(source)); err != nil {
			t.Fatal(err)
		}
	}
	return l.Cluster()
}

// summary returns nodes and pods in a form that is easy to write down.
func summary(c *Cluster) []string {
	var lines []string
	for _, n := range c.Nodes {
		line := fmt.Sprintf("%d %s: [%s]", n.Document, strings.TrimSpace(n.Item+" "+n.ID()), taint.FormatList(n.SpecTaints))
		if n.Unschedulable {
			line += " cordoned"
		}
		lines = append(lines, line)
	}
	for _, p := range c.Pods {
		line := fmt.Sprintf("%d %s: [%s]", p.Document, strings.TrimSpace(p.Item+" "+p.ID()), toleration.FormatList(p.SpecTolerations))
		if p.NodeName != "" {
			line += " on " + p.NodeName
		}
		if p.Count != 1 {
			line += fmt.Sprintf(" x%d", p.Count)
		}
		lines = append(lines, line)
	}
	return lines
}

const (
	nodeJSON = `{"apiVersion":"v1","kind":"Node","metadata":{"name":"n"},"spec":{"taints":[{"key":"a","value":"b","effect":"NoSchedule"}]}}`
	podJSON  = `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p","namespace":"d"},"spec":{"nodeName":"n","tolerations":[{"key":"a","operator":"Exists"}]}}`
	nodeYAML = "apiVersion: v1\nkind: Node\nmetadata: {name: \"n\"}\nspec:\n  taints:\n  - {key: a, value: b, effect: NoSchedule}\n"
	podYAML  = "apiVersion: v1\nkind: Pod\nmetadata: {name: p, namespace: d}\nspec:\n  nodeName: \"n\"\n  tolerations:\n  - {key: a, operator: Exists}\n"
)

// unexported compares all that is read.
var unexported = cmp.AllowUnexported(Node{}, Pod{})

// indented is text as an item of a block list.
func indented(text string) string {
	return "- " + strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "\n  ") + "\n"
}

func TestForms(t *testing.T) {
	single := []string{"1 Node n: [a=b:NoSchedule]", "2 Pod d/p: [a] on n"}
	listed := []string{"1 items[0] Node n: [a=b:NoSchedule]", "1 items[1] Pod d/p: [a] on n"}
	for _, test := range []struct {
		name, text string
		want       []string
	}{
		{"JSON stream", nodeJSON + podJSON, single},
		{"JSON stream with space", "\n " + nodeJSON + "\r\n\t" + podJSON + "\n", single},
		{"JSON with a byte order mark", "\ufeff" + nodeJSON + podJSON, single},
		{"JSON with a null", nodeJSON + " null " + podJSON, single},
		{"JSON List", `{"apiVersion":"v1","items":[` + nodeJSON + "," + podJSON + `],"kind":"List"}`, listed},
		{"JSON list without an object", "[" + nodeJSON + ",\n" + podJSON + "]", []string{"1 [0] Node n: [a=b:NoSchedule]", "1 [1] Pod d/p: [a] on n"}},
		{
			"nested", `{"kind":"List","items":[{"kind":"List","items":[` + nodeJSON + `]},{"kind":"List","items":[]},` + podJSON + `]}`,
			[]string{"1 items[0].items[0] Node n: [a=b:NoSchedule]", "1 items[2] Pod d/p: [a] on n"},
		},
		{
			"lists of one kind", `{"kind":"NodeList","apiVersion":"v1","items":[{"metadata":{"name":"n"},"spec":{"taints":[]}}]}` +
				`{"items":[{"metadata":{"name":"p"}}],"kind":"PodList"}{"kind":"PodList","items":null}`,
			[]string{"1 items[0] Node n: []", "2 items[0] Pod p: []"},
		},
		{"YAML documents", nodeYAML + "---\n" + podYAML, single},
		{"YAML with CRLF", strings.ReplaceAll(nodeYAML+"---\n"+podYAML, "\n", "\r\n"), single},
		{"YAML with byte order marks", "\ufeff" + nodeYAML + "---\n\ufeff" + podYAML + "\ufeff---\n# end\n", single},
		{"YAML with empty documents", "# first\n---\n---\n" + nodeYAML + "--- # second\n# nothing\n---\n" + podYAML + "...\n", single},
		{"YAML with directives", "%YAML 1.1\n---\n" + nodeYAML + "...\n%YAML 1.1\n---\n" + podYAML, single},
		{"YAML List", "apiVersion: v1\nitems:\n" + indented(nodeYAML) + indented(podYAML) + "kind: List\n", listed},
		{"YAML in flow style", "{kind: List, items: [" + nodeJSON + ",\n " + podJSON + "]}", listed},
		{"JSON in YAML documents", "---\n" + nodeJSON + "\n---\n" + podJSON + "\n", single},
		{"JSON and then YAML", nodeJSON + "\n---\n" + podYAML, single},
		{"YAML aliases", "kind: Pod\nmetadata: {name: a}\nspec:\n  tolerations: [&t {key: a, operator: Exists}, *t]\n", []string{"1 Pod a: [a,a]"}},
		{"separators in block scalars", "kind: Pod\nmetadata:\n  name: a\n  annotations:\n    x: |\n      ---\n      kind: Node\n      ---\n", []string{"1 Pod a: []"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := read(t, test.text)
			if diff := cmp.Diff(test.want, summary(c)); diff != "" {
				t.Errorf("objects (-want +got):\n%s", diff)
			}
			if len(c.Faults) > 0 {
				t.Errorf("faults: %v", c.Faults)
			}
		})
	}
}

func TestKinds(t *testing.T) {
	const spec = "{tolerations: [{key: a, operator: Exists}], nodeName: x}"
	for _, test := range []struct{ text, want string }{
		{"apiVersion: v1\nkind: Pod\nspec: " + spec, "[a] on x"},
		{"apiVersion: v1\nkind: PodTemplate\ntemplate: {spec: " + spec + "}", "[a] on x"},
		{"apiVersion: v1\nkind: ReplicationController\nspec: {replicas: 2, template: {spec: " + spec + "}}", "[a] on x x2"},
		{"apiVersion: apps/v1\nkind: Deployment\nspec: {template: {spec: " + spec + "}}", "[a] on x"},
		{"apiVersion: apps/v1\nkind: Deployment\nspec: {replicas: null, template: {spec: " + spec + "}}", "[a] on x"},
		{"apiVersion: extensions/v1beta1\nkind: Deployment\nspec: {replicas: 3, template: {spec: " + spec + "}}", "[a] on x x3"},
		{"apiVersion: apps/v1\nkind: StatefulSet\nspec: {replicas: 4, template: {spec: " + spec + "}}", "[a] on x x4"},
		{"apiVersion: apps/v1\nkind: ReplicaSet\nspec: {replicas: 5, template: {spec: " + spec + "}}", "[a] on x x5"},
		{"apiVersion: apps/v1\nkind: DaemonSet\nspec: {template: {spec: " + spec + "}}", "[a] on x"},
		{"apiVersion: batch/v1\nkind: Job\nspec: {parallelism: 6, template: {spec: " + spec + "}}", "[a] on x x6"},
		{"apiVersion: batch/v1\nkind: CronJob\nspec: {jobTemplate: {spec: {parallelism: 7, template: {spec: " + spec + "}}}}", "[a] on x x7"},
		{"apiVersion: batch/v1\nkind: CronJob\nspec: {}", "[]"},
		{"kind: Deployment\nspec: {template: {spec: " + spec + "}}", "[a] on x"},
	} {
		c := read(t, test.text)
		got := summary(c)
		if len(got) != 1 || !strings.HasSuffix(got[0], ": "+test.want) {
			t.Errorf("%s\ngot %v, want %s", test.text, got, test.want)
		}
		if len(c.Faults) > 0 {
			t.Errorf("%s\nfaults: %v", test.text, c.Faults)
		}
	}
}

func TestOtherKinds(t *testing.T) {
	c := read(t, `{"kind":"Job","apiVersion":"batch.volcano.sh/v1alpha1","spec":{"tolerations":7,"replicas":"x"}}
		{"kind":"Service","spec":{"taints":{}}}{"kind":"Service"}{"kind":"Node","apiVersion":"example.com/v1"}{"kind":"AllowList"}{"kind":"List"}`)
	want := map[string]int{"Job": 1, "Service": 2, "Node": 1, "AllowList": 1}
	if diff := cmp.Diff(want, c.Others); diff != "" {
		t.Errorf("others (-want +got):\n%s", diff)
	}
	if len(c.Nodes)+len(c.Pods)+len(c.Faults) > 0 {
		t.Errorf("got %+v", c)
	}
}

// TestOwners has a Deployment of three pods, of which two are in the input,
// with what is between them and an old ReplicaSet.
func TestOwners(t *testing.T) {
	c := read(t, `[
		{"kind":"Deployment","metadata":{"name":"d","uid":"1"},"spec":{"replicas":3}},
		{"kind":"ReplicaSet","metadata":{"name":"r","uid":"2","ownerReferences":[{"kind":"Deployment","uid":"1"}]},"spec":{"replicas":3}},
		{"kind":"ReplicaSet","metadata":{"name":"old","uid":"3","ownerReferences":[{"kind":"Deployment","uid":"1"}]},"spec":{"replicas":0}},
		{"kind":"Pod","metadata":{"name":"a","uid":"4","ownerReferences":[{"kind":"ReplicaSet","uid":"2"}]}},
		{"kind":"Pod","metadata":{"name":"b","ownerReferences":[{"kind":"ReplicaSet","uid":"2"},{"uid":null},{"uid":""}]}},
		{"kind":"StatefulSet","metadata":{"name":"s","uid":"5"}},
		{"kind":"StatefulSet","metadata":{"name":"t"}}]`)
	want := []string{"1 [3] Pod a: []", "1 [4] Pod b: []", "1 [5] StatefulSet s: []", "1 [6] StatefulSet t: []"}
	if diff := cmp.Diff(want, summary(c)); diff != "" {
		t.Errorf("pods (-want +got):\n%s", diff)
	}
	if c.Absent != 3 {
		t.Errorf("absent: %d, want 3", c.Absent)
	}
}

func TestF7Cordon(t *testing.T) {
	for _, test := range []struct{ spec, want string }{
		{"{unschedulable: true}", "node.kubernetes.io/unschedulable:NoSchedule"},
		{"{unschedulable: false}", ""},
		{"{}", ""},
		{"{taints: [{key: a, effect: NoExecute}]}", "a:NoExecute"},
		{"{unschedulable: true, taints: [{key: a, effect: NoExecute}]}", "node.kubernetes.io/unschedulable:NoSchedule,a:NoExecute"},
		{
			"{unschedulable: true, taints: [{key: a, effect: NoExecute}, {key: node.kubernetes.io/unschedulable, effect: NoSchedule}]}",
			"a:NoExecute,node.kubernetes.io/unschedulable:NoSchedule",
		},
		{
			"{unschedulable: true, taints: [{key: node.kubernetes.io/unschedulable, value: x, effect: NoSchedule}]}",
			"node.kubernetes.io/unschedulable:NoSchedule,node.kubernetes.io/unschedulable=x:NoSchedule",
		},
	} {
		c := read(t, "kind: Node\nspec: "+test.spec)
		if got := taint.FormatList(c.Nodes[0].Taints()); got != test.want {
			t.Errorf("%s: got %q, want %q", test.spec, got, test.want)
		}
	}
}

func TestHostNetwork(t *testing.T) {
	for _, test := range []struct {
		text string
		want bool
	}{
		{"kind: Pod\nspec: {hostNetwork: true}", true},
		{"kind: Pod\nspec: {hostNetwork: false}", false},
		{"kind: Pod\nspec: {}", false},
		{"kind: DaemonSet\nspec: {template: {spec: {hostNetwork: true}}}", true},
		{"kind: DaemonSet\nspec: {hostNetwork: true, template: {spec: {}}}", false},
		{"kind: CronJob\nspec: {jobTemplate: {spec: {template: {spec: {hostNetwork: true}}}}}", true},
	} {
		if c := read(t, test.text); len(c.Pods) != 1 || c.Pods[0].HostNetwork != test.want {
			t.Errorf("%s: got %+v, want %v", test.text, c.Pods, test.want)
		}
	}
}

// What does not count in the cluster is in the spec only (rule N4).
func TestN4Tolerations(t *testing.T) {
	const text = `{"kind":"Pod","spec":{"tolerations":[{"key":"a","operator":"Gt","value":"1"},{"key":"b","operator":"Exists"},{"key":"c","operator":"Lt","value":"1"}]}}`
	for _, test := range []struct {
		rules  toleration.Rules
		counts string
		faults []string
	}{
		{toleration.Rules{}, "b", []string{
			`f: document 1: Pod (unnamed): spec.tolerations[0].operator: unsupported value "Gt": must be Exists, Equal or empty; ` +
				`Lt and Gt need the feature gate TaintTolerationComparisonOperators; the toleration does not count`,
			`f: document 1: Pod (unnamed): spec.tolerations[2].operator: unsupported value "Lt": must be Exists, Equal or empty; ` +
				`Lt and Gt need the feature gate TaintTolerationComparisonOperators; the toleration does not count`,
		}},
		{toleration.Rules{Comparisons: true}, "a>1,b,c<1", nil},
	} {
		l := Loader{Rules: test.rules}
		if err := l.Read("f", strings.NewReader(text)); err != nil {
			t.Fatal(err)
		}
		c := l.Cluster()
		if diff := cmp.Diff(test.faults, faults(c)); diff != "" {
			t.Errorf("%+v: faults (-want +got):\n%s", test.rules, diff)
		}
		p := &c.Pods[0]
		if got := toleration.FormatList(p.Tolerations()); got != test.counts {
			t.Errorf("%+v: %s count, want %s", test.rules, got, test.counts)
		}
		if got := toleration.FormatList(p.SpecTolerations); got != "a>1,b,c<1" {
			t.Errorf("%+v: written: %s", test.rules, got)
		}
	}
	made := Pod{SpecTolerations: []toleration.Toleration{toleration.MustParse("a>1")}}
	if got := made.Tolerations(); len(got) != 0 {
		t.Errorf("of a pod that was not read %q count", got)
	}
}

// Where nothing has to be changed the lists are not copied.
func TestListsAreShared(t *testing.T) {
	c := read(t, nodeJSON, podJSON)
	if &c.Nodes[0].Taints()[0] != &c.Nodes[0].SpecTaints[0] || &c.Pods[0].Tolerations()[0] != &c.Pods[0].SpecTolerations[0] {
		t.Error("copied")
	}
}

// Entries that do not decode shift no index in messages.
func TestSpecField(t *testing.T) {
	c := read(t, `{"kind":"Node","spec":{"taints":[{"key":"a"},{"key":0},1,{"key":"b"},{"key":"c"},{"key":false}]}}
		{"kind":"Deployment","spec":{"template":{"spec":{"tolerations":[{"key":0},{"key":"a"},{"key":"b"}]}}}}
		{"kind":"Pod","spec":{"tolerations":[{"key":"a"},{"key":"b"}]}}`)
	for _, test := range []struct {
		fields func(int) string
		want   []string
	}{
		{c.Nodes[0].SpecField, []string{"spec.taints[0]", "spec.taints[3]", "spec.taints[4]"}},
		{c.Pods[0].SpecField, []string{"spec.template.spec.tolerations[1]", "spec.template.spec.tolerations[2]"}},
		{c.Pods[1].SpecField, []string{"spec.tolerations[0]", "spec.tolerations[1]"}},
		{(&Pod{}).SpecField, []string{"tolerations[0]", "tolerations[1]"}},
		{(&Node{}).SpecField, []string{"spec.taints[0]"}},
	} {
		for i, want := range test.want {
			if got := test.fields(i); got != want {
				t.Errorf("got %s, want %s", got, want)
			}
		}
	}
	if got := taint.FormatList(c.Nodes[0].SpecTaints); got != `a:"",b:"",c:""` && len(c.Nodes[0].SpecTaints) != 3 {
		t.Errorf("taints %s", got)
	}
}

// TestPhaseAndOwner has pods that run, wait and have ended, and their controllers.
func TestPhaseAndOwner(t *testing.T) {
	c := read(t, `{"kind":"List","items":[
		{"kind":"Pod","metadata":{"name":"a","ownerReferences":[{"kind":"Job","name":"x"},{"kind":"ReplicaSet","name":"r","controller":true,"uid":"1"}]},"status":{"phase":"Running","x":[]}},
		{"kind":"Pod","metadata":{"name":"b","ownerReferences":[{"kind":"Node","name":"n","controller":false}]},"status":{"phase":"Pending"}},
		{"kind":"Pod","metadata":{"name":"c"},"spec":{"nodeName":"n"},"status":{"phase":"Succeeded"}},
		{"kind":"Pod","metadata":{"name":"d"},"status":{"phase":"Failed"}},
		{"kind":"Pod","metadata":{"name":"e"},"status":null},
		{"kind":"Job","metadata":{"name":"f"},"status":{"phase":"Failed"}}]}`)
	var got []string
	for i := range c.Pods {
		p := &c.Pods[i]
		got = append(got, fmt.Sprint(p.Name, " ", p.Phase, " ", p.Owner, " ", p.Finished()))
	}
	if diff := cmp.Diff([]string{"a Running ReplicaSet/r false", "b Pending  false", "e   false", "f   false"}, got); diff != "" {
		t.Errorf("pods (-want +got):\n%s", diff)
	}
	if c.Finished != 2 || c.Absent != 0 || len(c.Faults) > 0 {
		t.Errorf("finished %d, absent %d, %v", c.Finished, c.Absent, c.Faults)
	}
}

// A workload whose pods have all finished is still their owner.
func TestFinishedOwner(t *testing.T) {
	c := read(t, `{"kind":"Job","metadata":{"uid":"1"}}{"kind":"Pod","metadata":{"ownerReferences":[{"uid":"1"}]},"status":{"phase":"Succeeded"}}`)
	if len(c.Pods) != 0 || c.Finished != 1 || c.Absent != 1 {
		t.Errorf("got %+v", c)
	}
}

func TestFields(t *testing.T) {
	c := read(t, `{"kind":"Pod","spec":{"tolerations":[
		{"key":"k","operator":"Equal","value":"v","effect":"NoExecute","tolerationSeconds":9223372036854775807},
		{"key":"k","operator":"Exists","effect":null,"tolerationSeconds":null}, null]}}
		{"kind":"Node","spec":{"taints":[{"key":"k","value":"v","effect":"NoExecute","timeAdded":"2026-03-02T10:00:00+01:00"},{"key":"l","effect":"NoExecute","timeAdded":null}]}}`)
	if got, want := toleration.FormatList(c.Pods[0].SpecTolerations), "k==v:NoExecute@9223372036854775807,k,*="; got != want {
		t.Errorf("tolerations %s, want %s", got, want)
	}
	added := c.Nodes[0].SpecTaints[0].TimeAdded
	if added == nil || added.String() != "2026-03-02 09:00:00 +0000 UTC" || c.Nodes[0].SpecTaints[1].TimeAdded != nil {
		t.Errorf("taints %v, time %v", c.Nodes[0].SpecTaints, added)
	}
}

func TestSeveralSources(t *testing.T) {
	c := read(t, nodeJSON, podYAML)
	if len(c.Nodes) != 1 || len(c.Pods) != 1 || c.Nodes[0].File != "file1" || c.Pods[0].File != "file2" {
		t.Errorf("got %+v", c)
	}
}

func TestSlowReader(t *testing.T) {
	for _, text := range []string{nodeJSON + podJSON, nodeYAML + "---\n" + podYAML} {
		var l Loader
		if err := l.Read("slow", iotest.OneByteReader(strings.NewReader(text))); err != nil {
			t.Error(err)
		}
		if c := l.Cluster(); len(c.Nodes) != 1 || len(c.Pods) != 1 {
			t.Errorf("got %+v", c)
		}
	}
}

func TestBrokenReader(t *testing.T) {
	broken := errors.New("broken")
	for _, start := range []string{"", nodeJSON, `{"kind":`, nodeYAML} {
		var l Loader
		err := l.Read("f", iotest.DataErrReader(&failing{strings.NewReader(start), broken}))
		if !errors.Is(err, broken) {
			t.Errorf("after %q: error %v", start, err)
		}
	}
}

// failing reads all of a text and then fails.
type failing struct {
	text *strings.Reader
	err  error
}

func (r *failing) Read(p []byte) (int, error) {
	if r.text.Len() == 0 {
		return 0, r.err
	}
	return r.text.Read(p)
}

// TestDump reads the same cluster as JSON and as YAML.
func TestDump(t *testing.T) {
	var clusters []*Cluster
	for _, name := range []string{"cluster.json", "cluster.yaml"} {
		text, err := os.ReadFile("../../examples/internal/matrix/testdata/" + name)
		if err != nil {
			t.Fatal(err)
		}
		clusters = append(clusters, read(t, string(text)))
	}
	if diff := cmp.Diff(clusters[0], clusters[1], unexported); diff != "" {
		t.Errorf("JSON and YAML differ:\n%s", diff)
	}
	if c := clusters[0]; len(c.Nodes) != 10 || len(c.Pods) != 16 || len(c.Faults) > 0 {
		t.Errorf("%d nodes, %d pods, faults %v", len(c.Nodes), len(c.Pods), c.Faults)
	}
}

// A pod waits for a node unless it has one, has ended, or is being deleted.
func TestPending(t *testing.T) {
	c := read(t, `{"kind":"List","items":[
		{"kind":"Pod","metadata":{"name":"waits"},"status":{"phase":"Pending"}},
		{"kind":"Pod","metadata":{"name":"runs"},"spec":{"nodeName":"n"},"status":{"phase":"Running"}},
		{"kind":"Pod","metadata":{"name":"starts"},"spec":{"nodeName":"n"},"status":{"phase":"Pending"}},
		{"kind":"Pod","metadata":{"name":"failed"},"status":{"phase":"Failed"}},
		{"kind":"Pod","metadata":{"name":"succeeded"},"spec":{"nodeName":"n"},"status":{"phase":"Succeeded"}},
		{"kind":"Pod","metadata":{"name":"stops","deletionTimestamp":"2026-01-01T00:00:00Z"},"spec":{"nodeName":"n"},"status":{"phase":"Running"}},
		{"kind":"Pod","metadata":{"name":"never ran","deletionTimestamp":"2026-01-01T00:00:00Z"},"status":{"phase":"Pending"}},
		{"kind":"Pod","metadata":{"name":"null","deletionTimestamp":null}},
		{"kind":"Deployment","apiVersion":"apps/v1","metadata":{"name":"workload"},"spec":{"replicas":3}},
		{"kind":"Deployment","apiVersion":"apps/v1","metadata":{"name":"deleted","deletionTimestamp":"2026-01-01T00:00:00Z"},"spec":{"replicas":3}}]}`)
	var all, pending []string
	for i := range c.Pods {
		all = append(all, c.Pods[i].Name)
		if c.Pods[i].Terminating != (c.Pods[i].Name == "stops") {
			t.Errorf("%s: terminating %v", c.Pods[i].Name, c.Pods[i].Terminating)
		}
	}
	for p := range c.Pending() {
		pending = append(pending, p.Name)
	}
	if got := strings.Join(all, " "); got != "waits runs starts stops null workload" {
		t.Errorf("pods: %s", got)
	}
	if got := strings.Join(pending, " "); got != "waits null workload" {
		t.Errorf("pending: %s", got)
	}
	if c.Finished != 4 || len(c.Faults) > 0 {
		t.Errorf("finished %d, %v", c.Finished, c.Faults)
	}
	for p := range c.Pending() {
		if p.Name != "waits" {
			t.Errorf("after a break: %s", p.Name)
		}
		break
	}
	for range new(Cluster).Pending() {
		t.Error("an empty cluster has a pending pod")
	}
}

// A quoted text with a line "items:" is text, however long the document is: the pods of a
// large list are all read.
func TestTextLikeItems(t *testing.T) {
	const pods = 2000
	text := "apiVersion: v1\nkind: List\nmetadata:\n  annotations:\n    note: \"the Service is one of the\nitems:\n- kind: Service\nand no pod\"\nitems:\n" + strings.Repeat(indented(podYAML), pods)
	if c := read(t, text); len(c.Pods) != pods || len(text) < 256<<10 {
		t.Errorf("%d pods of %d in %d bytes", len(c.Pods), pods, len(text))
	}
}

// What looks like a directive within a document is text.
func TestPercentSigns(t *testing.T) {
	c := read(t, "kind: \"Po\n%d\"\n")
	if c.Others["Po %d"] != 1 {
		t.Errorf("got %v", c.Others)
	}
}
