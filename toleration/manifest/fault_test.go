package manifest

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tolero-dev/tolero/match/matchtest/corpus"
)

func faults(c *Cluster) []string {
	var lines []string
	for i := range c.Faults {
		lines = append(lines, c.Faults[i].Error())
	}
	return lines
}

func TestFaults(t *testing.T) {
	for _, test := range []struct {
		name, text string
		want       []string
		objects    string
	}{
		{"values of the wrong type", `kind: Pod
metadata: {name: p, namespace: d}
spec:
  tolerations:
  - {key: 1, operator: Exists}
  - {key: b, operator: Exists}
  - {key: c, value: true, effect: NoExecute}
  - {key: d, operator: Exists, effect: NoExecute, tolerationSeconds: soon}
  - {key: e, operator: Exists, effect: NoExecute, tolerationSeconds: 1.5}
  - wrong
`, []string{
			`f: document 1: Pod d/p: spec.tolerations[0].key: invalid value "1": want a string, found a number; the toleration is left out`,
			`f: document 1: Pod d/p: spec.tolerations[2].value: invalid value "true": want a string, found a boolean; the toleration is left out`,
			`f: document 1: Pod d/p: spec.tolerations[3].tolerationSeconds: invalid value "soon": want an integer that fits in 64 bits, found a string; the toleration is left out`,
			`f: document 1: Pod d/p: spec.tolerations[4].tolerationSeconds: invalid value "1.5": want an integer that fits in 64 bits; the toleration is left out`,
			`f: document 1: Pod d/p: spec.tolerations[5]: invalid value "wrong": want an object, found a string; the toleration is left out`,
		}, "1 Pod d/p: [b]"},

		{"unknown fields", `{"kind":"List","items":[{"kind":"Deployment","apiVersion":"apps/v1","metadata":{"name":"w"},"spec":{"template":{"spec":{"tolerations":[
			{"key":"a","operation":"Equal","value":"b","nested":{"x":[1]}},{"Key":"a","operator":"Exists"}]}}}}]}`, []string{
			`f: document 1, items[0]: Deployment w: spec.template.spec.tolerations[0].operation: forbidden: a toleration has no such field; it is ignored (is operator meant?)`,
			`f: document 1, items[0]: Deployment w: spec.template.spec.tolerations[0].nested: forbidden: a toleration has no such field; it is ignored`,
			`f: document 1, items[0]: Deployment w: spec.template.spec.tolerations[1].Key: forbidden: a toleration has no such field; it is ignored (is key meant? Case matters)`,
		}, "1 items[0] Deployment w: [a=b,*]"},

		{"what validation refuses", `kind: Node
metadata: {name: x}
spec:
  taints:
  - {key: a, effect: NoSchedule, timeAdded: today}
  - {key: b, effect: never}
  - {effect: NoSchedule}
  - {key: b, effect: never}
`, []string{
			`f: document 1: Node x: spec.taints[0].timeAdded: invalid value "today": want a time such as 2006-01-02T15:04:05Z; the taint is left out`,
			`f: document 1: Node x: spec.taints[1].effect: unsupported value "never": must be NoSchedule, PreferNoSchedule or NoExecute`,
			`f: document 1: Node x: spec.taints[2].key: invalid value "": the name must not be empty`,
			`f: document 1: Node x: spec.taints[3].effect: unsupported value "never": must be NoSchedule, PreferNoSchedule or NoExecute`,
			`f: document 1: Node x: spec.taints[3]: duplicate value "b:never": must be unique by key and effect`,
		}, `1 Node x: [b:never,"":NoSchedule,b:never]`},

		{"other fields", "kind: Deployment\nspec: {replicas: -1, tolerations: [], template: {spec: {tolerations: {}, nodeName: [1, {a: b}], hostNetwork: 1}}}\n" +
			"---\nkind: Node\nmetadata: 7\nspec: {unschedulable: \"yes\", tolerations: []}\n" +
			"---\nkind: Job\nspec: {parallelism: 4294967296}\n", []string{
			`f: document 1: Deployment (unnamed): spec.replicas: invalid value "-1": want a number of pods; it counts as 0`,
			`f: document 1: Deployment (unnamed): spec.template.spec.tolerations: invalid value "": want a list, found an object`,
			`f: document 1: Deployment (unnamed): spec.template.spec.nodeName: invalid value "": want a string, found a list`,
			`f: document 1: Deployment (unnamed): spec.template.spec.hostNetwork: invalid value "1": want a boolean, found a number`,
			`f: document 1: Deployment (unnamed): spec.tolerations: forbidden: a Deployment has its tolerations in spec.template.spec; these are ignored`,
			`f: document 2: Node (unnamed): metadata: invalid value "7": want an object, found a number`,
			`f: document 2: Node (unnamed): spec.unschedulable: invalid value "yes": want a boolean, found a string`,
			`f: document 2: Node (unnamed): spec.tolerations: forbidden: a Node has no tolerations; they are ignored`,
			`f: document 3: Job (unnamed): spec.parallelism: invalid value "4294967296": want an integer that fits in 32 bits`,
		}, "2 Node (unnamed): []\n3 Job (unnamed): []"},

		{"two nodes of one name", "kind: Node\nmetadata: {name: x}\n---\nkind: Node\nmetadata: {name: x}\n", []string{
			`f: document 2: Node x: metadata.name: duplicate value "x": another node of the input has this name; both count`,
		}, "1 Node x: []\n2 Node x: []"},

		{"a list without a kind", "items:\n- kind: Node\n  metadata: {name: x}\n", []string{
			`f: document 1: (unnamed): kind: required value: a list tells the kind of its items; the text may be cut off`,
		}, "1 items[0] Node x: []"},
	} {
		t.Run(test.name, func(t *testing.T) {
			var l Loader
			if err := l.Read("f", strings.NewReader(test.text)); err != nil {
				t.Fatal(err)
			}
			c := l.Cluster()
			if diff := cmp.Diff(test.want, faults(c)); diff != "" {
				t.Errorf("faults (-want +got):\n%s", diff)
			}
			if got := strings.Join(summary(c), "\n"); got != test.objects {
				t.Errorf("objects:\n%s\nwant:\n%s", got, test.objects)
			}
		})
	}
}

// Duplicates of one kind are told once each, and the last one counts.
func TestDuplicateKeys(t *testing.T) {
	const twice = `: the field occurs more than once; the last one counts`
	for _, test := range []struct {
		name, text string
		want       []string
		objects    string
	}{
		{"a key", `{"kind":"Pod","spec":{"tolerations":[{"key":"a","operator":"Exists"},{"key":"a","key":"b","key":"c","operator":"Equal"}]}}`, []string{
			`f: document 1: Pod (unnamed): spec.tolerations[1].key: duplicate value "key"` + twice,
		}, "1 Pod (unnamed): [a,c==]"},
		{"a key and null", `{"kind":"Pod","spec":{"nodeName":"a","nodeName":null,"tolerations":[{"key":"a","key":null,"operator":"Exists"}]}}`, []string{
			`f: document 1: Pod (unnamed): spec.nodeName: duplicate value "nodeName"` + twice,
			`f: document 1: Pod (unnamed): spec.tolerations[0].key: duplicate value "key"` + twice,
		}, "1 Pod (unnamed): [a] on a"},
		{"a list", `{"kind":"Pod","spec":{"tolerations":[{"key":"a","operator":"Exists"},{"key":"b"}],"tolerations":[{"key":"c"}]}}`, []string{
			`f: document 1: Pod (unnamed): spec.tolerations: duplicate value "tolerations"` + twice,
		}, "1 Pod (unnamed): [c=]"},
		{"objects are merged", `{"kind":"Pod","metadata":{"name":"p"},"spec":{"nodeName":"n"},"spec":{"tolerations":[]},"metadata":{"namespace":"d"}}`, []string{
			`f: document 1: Pod d/p: spec: duplicate value "spec"` + twice,
			`f: document 1: Pod d/p: metadata: duplicate value "metadata"` + twice,
		}, "1 Pod d/p: [] on n"},
		{"jobs are merged", `{"kind":"CronJob","spec":{"jobTemplate":{"spec":{"parallelism":3}},"jobTemplate":{"spec":{"template":{"spec":{"tolerations":[{"key":"a"}]}}}}}}`, []string{
			`f: document 1: CronJob (unnamed): spec.jobTemplate: duplicate value "jobTemplate"` + twice,
		}, "1 CronJob (unnamed): [a=] x3"},
		{"kinds", `{"kind":"Pod","kind":"Node"}`, []string{`f: document 1: Node (unnamed): kind: duplicate value "kind"` + twice}, "1 Node (unnamed): []"},
		{"items", `{"kind":"List","items":[` + podJSON + `],"items":[` + nodeJSON + `]}`, []string{
			`f: document 1: List (unnamed): items: duplicate value "items"` + twice,
		}, "1 items[0] Node n: [a=b:NoSchedule]\n1 items[0] Pod d/p: [a] on n"},
		{"objects in YAML", "kind: Pod\nspec: {nodeName: n}\nspec: {tolerations: [{key: a, key: b, operator: Exists}]}\n", []string{
			`f: document 1: Pod (unnamed): spec: duplicate value "spec"` + twice,
			`f: document 1: Pod (unnamed): spec.tolerations[0].key: duplicate value "key"` + twice,
		}, "1 Pod (unnamed): [b]"},
		{"a merge key and a field after it", mergeYAML("<<: *a, key: z"), nil, "1 Pod (unnamed): [a,z]"},
		{"a merge key and a field before it", mergeYAML("key: z, <<: *a"), nil, "1 Pod (unnamed): [a,a]"},
		{"two merge keys", mergeYAML("<<: [{effect: NoExecute, key: b}, *a], tolerationSeconds: 5, tolerationSeconds: 7"), nil, "1 Pod (unnamed): [a,b:NoExecute@7]"},
		{"what nobody reads", `{"kind":"Pod","spec":{"containers":[{"a":1,"a":2}]}}`, nil, "1 Pod (unnamed): []"},
		{"other kinds", `{"kind":"Service","metadata":7,"x":1,"x":2,"spec":{"nodeName":1}}`, []string{
			`f: document 1: Service (unnamed): x: duplicate value "x"` + twice,
		}, ""},
		{"the last one has another type", `{"kind":"Node","metadata":{"name":"a","name":7},"spec":{"unschedulable":true,"unschedulable":"no"}}`, []string{
			`f: document 1: Node (unnamed): metadata.name: duplicate value "name"` + twice,
			`f: document 1: Node (unnamed): metadata.name: invalid value "7": want a string, found a number`,
			`f: document 1: Node (unnamed): spec.unschedulable: duplicate value "unschedulable"` + twice,
			`f: document 1: Node (unnamed): spec.unschedulable: invalid value "no": want a boolean, found a string`,
		}, "1 Node (unnamed): []"},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := readAll(t, test.text)
			if diff := cmp.Diff(test.want, faults(c)); diff != "" {
				t.Errorf("faults (-want +got):\n%s", diff)
			}
			if got := strings.Join(summary(c), "\n"); got != test.objects {
				t.Errorf("objects:\n%s\nwant:\n%s", got, test.objects)
			}
		})
	}
}

// mergeYAML is a pod with the toleration "a" and one that refers to it.
func mergeYAML(fields string) string {
	return "kind: Pod\nspec:\n  tolerations:\n  - &a {key: a, operator: Exists}\n  - {" + fields + "}\n"
}

// readAll reads one source that may have faults.
func readAll(t *testing.T, text string) *Cluster {
	t.Helper()
	var l Loader
	if err := l.Read("f", strings.NewReader(text)); err != nil {
		t.Fatal(err)
	}
	return l.Cluster()
}

// What is probably meant is said for words in the wrong case and for common slips,
// and for nothing else.
func TestMeant(t *testing.T) {
	for _, test := range []struct{ entry, end string }{
		{`"operator":"exists"`, "(is Exists meant? Case matters)"},
		{`"operator":"EQUAL","value":"x"`, "(is Equal meant? Case matters)"},
		{`"operator":"Equals"`, "(is Equal meant?)"},
		{`"operator":"gt","value":"1"`, "(is Gt meant? Case matters)"},
		{`"operator":"In"`, "the feature gate TaintTolerationComparisonOperators"},
		{`"operator":"Exists","effect":"noschedule"`, "(is NoSchedule meant? Case matters)"},
		{`"operator":"Exists","effect":"NotSchedule"`, "(is NoSchedule meant?)"},
		{`"operator":"Exists","effect":"Exists"`, "must be NoSchedule, PreferNoSchedule, NoExecute or empty"},
		{`"operator":"Exists","Effect":"NoSchedule"`, "(is effect meant? Case matters)"},
		{`"operator":"Exists","operation":"x"`, "(is operator meant?)"},
		{`"operator":"Exists","effects":"x"`, "it is ignored"},
		{`"operator":"Exists","timeAdded":"x"`, "it is ignored"}, // a field of a taint
	} {
		got := faults(readAll(t, `{"kind":"Pod","spec":{"tolerations":[{"key":"a",`+test.entry+`}]}}`))
		if len(got) != 1 || !strings.HasSuffix(got[0], test.end) {
			t.Errorf("%s: got %q, want an end as %q", test.entry, got, test.end)
		}
	}
	got := faults(readAll(t, `{"kind":"Node","spec":{"taints":[{"key":"a","effect":"NOEXECUTE"}]}}`))
	if len(got) != 1 || !strings.HasSuffix(got[0], "(is NoExecute meant? Case matters)") {
		t.Errorf("a taint: %q", got)
	}
}

// A time that is a number is a fault, and none is not.
func TestTimeAdded(t *testing.T) {
	c := readAll(t, `{"kind":"Node","spec":{"taints":[{"key":"a","effect":"NoExecute","timeAdded":7},{"key":"b","effect":"NoExecute","timeAdded":null}]}}`)
	want := []string{`f: document 1: Node (unnamed): spec.taints[0].timeAdded: invalid value "7": want a time, found a number; the taint is left out`}
	if diff := cmp.Diff(want, faults(c)); diff != "" || len(c.Nodes[0].SpecTaints) != 1 || c.Nodes[0].SpecTaints[0].TimeAdded != nil {
		t.Errorf("%v, faults (-want +got):\n%s", c.Nodes[0].SpecTaints, diff)
	}
}

// An object with very many faults is read in linear time, and each is told.
func TestManyFaults(t *testing.T) {
	const n = 50_000
	entries := strings.Repeat(`{"key":1},{"key":"a","operator":"x"},`, n)
	c := readAll(t, `{"kind":"Pod","spec":{`+strings.Repeat(`"nodeName":"x",`, n)+`"tolerations":[`+entries+`{}]}}`)
	if len(c.Faults) != 2*n+2 || len(c.Pods[0].SpecTolerations) != n+1 {
		t.Errorf("%d faults, %d tolerations", len(c.Faults), len(c.Pods[0].SpecTolerations))
	}
}

// TestInvalidCorpus reads the lists that the API server refused: there has to
// be a fault in each.
func TestInvalidCorpus(t *testing.T) {
	for _, list := range corpus.Invalid() {
		text := `{"kind":"Node","spec":{"taints":` + string(list.Taints) + `}}`
		if list.Taints == nil {
			text = `{"kind":"Pod","spec":{"tolerations":` + string(list.Tolerations) + `}}`
		}
		var l Loader
		if err := l.Read("f", strings.NewReader(text)); err != nil {
			t.Fatal(err)
		}
		if len(l.Cluster().Faults) == 0 {
			t.Errorf("%s: no fault in %s; want %q", list.Source, text, list.Why)
		}
	}
}
