package manifest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tolero-dev/tolero/toleration"
)

// load reads text, which must be fine as a source.
func load(t *testing.T, l *Loader, text string) *Cluster {
	t.Helper()
	if err := l.Read("f", strings.NewReader(text)); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return l.Cluster()
}

// nested returns an object with value at the path.
func nested(path, value string) string {
	names := strings.Split(path, ".")
	return `{"` + strings.Join(names, `":{"`) + `":` + value + strings.Repeat("}", len(names))
}

// Each kind has its pods' spec at one path, in its API groups only.
func TestPathsOfKinds(t *testing.T) {
	const template = "spec.template.spec"
	for kind, c := range map[string]struct {
		path   string
		groups []string
	}{
		"Pod":                   {"spec", []string{"v1"}},
		"PodTemplate":           {"template.spec", []string{"v1"}},
		"ReplicationController": {template, []string{"v1"}},
		"Deployment":            {template, []string{"apps/v1", "extensions/v1beta1"}},
		"ReplicaSet":            {template, []string{"apps/v1", "extensions/v1beta1"}},
		"DaemonSet":             {template, []string{"apps/v1", "extensions/v1beta1"}},
		"StatefulSet":           {template, []string{"apps/v1"}},
		"Job":                   {template, []string{"batch/v1"}},
		"CronJob":               {"spec.jobTemplate.spec.template.spec", []string{"batch/v1"}},
	} {
		fields := nested(c.path, `{"tolerations":[{"key":7},{"key":"a","effect":"never"}]}`)[1:]
		for _, group := range append(c.groups, "other.io/v1") {
			got := load(t, new(Loader), fmt.Sprintf(`{"kind":%q,"apiVersion":%q,%s`, kind, group, fields))
			if group == "other.io/v1" {
				if len(got.Pods) > 0 || got.Others[kind] != 1 {
					t.Errorf("%s of %s: %d pods", kind, group, len(got.Pods))
				}
				continue
			}
			if len(got.Pods) != 1 {
				t.Errorf("%s of %s: %d pods, others %v", kind, group, len(got.Pods), got.Others)
				continue
			}
			if field := got.Pods[0].SpecField(0); field != c.path+".tolerations[1]" {
				t.Errorf("%s: field %s", kind, field)
			}
			if lines := faults(got); len(lines) != 2 || !strings.Contains(lines[1], c.path+".tolerations[1].effect: ") {
				t.Errorf("%s: faults %q", kind, lines)
			}
		}
	}
}

// Faults about a field that is missing or must not be there have no value.
func TestFaultsWithoutValue(t *testing.T) {
	c := load(t, new(Loader), `{"items":[{"kind":"Node","spec":{"tolerations":[],"taints":[{"key":"a","effect":"NoSchedule","what":1}]}}]}`)
	problems := make(map[string]int)
	for _, f := range c.Faults {
		problems[f.Err.Problem]++
		if f.Err.Value != "" {
			t.Errorf("value %q in %s", f.Err.Value, f.Error())
		}
	}
	if problems["required value"] != 1 || problems["forbidden"] != 2 {
		t.Errorf("got %q", faults(c))
	}
}

// What is no fault: fields of objects that are neither nodes nor pods, whatever their
// types; two nodes without names; labels that nobody asks for; no replicas.
func TestNoFaults(t *testing.T) {
	for _, text := range []string{
		`{"kind":"Other","metadata":7,"spec":{"taints":[{"what":1}],"tolerations":[{"key":7},{"what":1}],"replicas":-1}}`,
		`{"kind":"Node"}{"kind":"Node"}`,
		`{"kind":"Pod","metadata":{"labels":7}}`,
		`{"kind":"Deployment","spec":{"replicas":0}}`,
		`{"kind":"Job","spec":{"parallelism":0}}`,
	} {
		if c := load(t, new(Loader), text); len(c.Faults) > 0 {
			t.Errorf("%s: %q", text, faults(c))
		}
	}
}

// Faults elsewhere in an object come before those of its tolerations, and do not say that
// a toleration is left out.
func TestOrderOfFaults(t *testing.T) {
	c := load(t, new(Loader), `{"kind":"Pod","metadata":{"name":"p"},"spec":{"tolerations":[{"key":7}],"nodeName":7}}`)
	want := []string{
		`f: document 1: Pod p: spec.nodeName: invalid value "7": want a string, found a number`,
		`f: document 1: Pod p: spec.tolerations[0].key: invalid value "7": want a string, found a number; the toleration is left out`,
	}
	if got := faults(c); strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got %q", got)
	}
	many := strings.Repeat(`{"operator":"Exists"},`, 21)
	c = load(t, new(Loader), `{"kind":"Pod","spec":{"tolerations":[`+many+`{"key":7}]}}`)
	if got := faults(c); len(got) != 1 || !strings.Contains(got[0], "spec.tolerations[21].key") {
		t.Errorf("got %q", got)
	}
}

// A misspelled field is told with the one that is meant.
func TestMeantFields(t *testing.T) {
	for _, field := range []string{"key", "operator", "value", "effect", "tolerationSeconds", "timeAdded"} {
		c := load(t, new(Loader), `{"kind":"Pod","spec":{"tolerations":[{"operator":"Exists","`+strings.ToUpper(field)+`":1}]}}`)
		if got := faults(c); len(got) != 1 || !strings.Contains(got[0], "(is "+field+" meant?") {
			t.Errorf("%s: %q", field, got)
		}
	}
}

// A field that would be read in the right case is ignored, and reported, wherever it
// stands; fields of other kinds may have any names.
func TestCaseOfFields(t *testing.T) {
	for _, c := range []struct{ text, path, meant string }{
		{`{"kind":"Pod","Spec":{"nodeName":"n"}}`, "Spec", "spec"},
		{`{"kind":"Pod","metadata":{"Name":"n"}}`, "metadata.Name", "name"},
		{`{"kind":"Pod","spec":{"NodeName":"n"}}`, "spec.NodeName", "nodeName"},
		{`{"kind":"Deployment","spec":{"Template":{}}}`, "spec.Template", "template"},
		{`{"kind":"Deployment","spec":{"template":{"SPEC":{}}}}`, "spec.template.SPEC", "spec"},
		{`{"kind":"Deployment","spec":{"template":{"spec":{"Tolerations":[{}]}}}}`, "spec.template.spec.Tolerations", "tolerations"},
		{`{"kind":"List","Items":[{"kind":"Pod"}]}`, "Items", "items"},
		{`{"kind":"Pod","metadata":{"labels":{"Name":"n"}},"other":{"Spec":1},"Others":1}`, "", ""},
		{`{"kind":"Service","Spec":{},"metadata":{"Name":""}}`, "", ""},
	} {
		var want []string
		if c.path != "" {
			want = []string{c.path + ": forbidden: there is no such field; it is ignored (is " + c.meant + " meant? Case matters)"}
		}
		got := faults(load(t, new(Loader), c.text))
		if len(got) != len(want) || len(want) > 0 && !strings.HasSuffix(got[0], ": "+want[0]) {
			t.Errorf("%s: %q", c.text, got)
		}
	}
}

// Only the operators Gt and Lt of tolerations that are fine otherwise are said not to
// count.
func TestNotCounted(t *testing.T) {
	for text, want := range map[string]string{
		`{"key":"a","operator":"Gt","value":"5"}`:       "operator: unsupported value ... does not count",
		`{"key":"a","operator":"Equals"}`:               "operator: unsupported value ...",
		`{"key":"a","operator":"Exists","effect":"Gt"}`: "effect: unsupported value ...",
		`{"key":"Gt","value":"Lt","effect":"Lt"}`:       "effect: unsupported value ...",
		`{"key":"a/b/Gt","operator":"Exists"}`:          "key: invalid value ...",
	} {
		c := load(t, new(Loader), `{"kind":"Pod","spec":{"tolerations":[`+text+`]}}`)
		got := faults(c)
		start, end, _ := strings.Cut(want, "...")
		if len(got) != 1 || !strings.Contains(got[0], start) || strings.Contains(got[0], "not count") != (end != "") {
			t.Errorf("%s: %q, want %s", text, got, want)
		}
	}
}

// Where Gt and Lt count, what is wrong with a toleration that has one does not mean that it
// does not count.
func TestCounted(t *testing.T) {
	l := &Loader{Rules: toleration.Rules{Comparisons: true}}
	c := load(t, l, `{"kind":"Pod","spec":{"tolerations":[{"operator":"Gt","value":"5"},{"key":"a","operator":"Lt","value":"x"}]}}`)
	if got := strings.Join(faults(c), "\n"); len(c.Faults) < 2 || !strings.Contains(got, `operator: invalid value "Gt"`) || strings.Contains(got, "not count") {
		t.Errorf("got %s", got)
	}
}

// A cluster without pods has none, and not an empty list; finished and terminating pods
// do not wait for a node.
func TestPods(t *testing.T) {
	if c := load(t, new(Loader), nodeJSON+`{"kind":"Deployment","spec":{"replicas":0}}`); c.Pods != nil {
		t.Errorf("got %#v", c.Pods)
	}
	for _, c := range []struct {
		pod  Pod
		want bool
	}{{Pod{}, true}, {Pod{NodeName: "n"}, false}, {Pod{Phase: "Failed"}, false}, {Pod{Phase: "Running"}, true}, {Pod{Terminating: true}, false}} {
		if got := c.pod.Pending(); got != c.want {
			t.Errorf("%+v: %t", c.pod, got)
		}
	}
	l := &Loader{Rules: toleration.Rules{Comparisons: true}}
	p := &load(t, l, `{"kind":"Pod","spec":{"tolerations":[{"key":"a","operator":"Gt","value":"5"}]}}`).Pods[0]
	if got := p.Tolerations(); len(got) != 1 || &got[0] != &p.SpecTolerations[0] {
		t.Errorf("got %v, not the list of the pod", got)
	}
}

// Lists may nest sixteen deep.
func TestNestedLists(t *testing.T) {
	lists := func(depth int) string {
		return strings.Repeat(`{"kind":"List","items":[`, depth) + nodeJSON + strings.Repeat("]}", depth)
	}
	if c := load(t, new(Loader), lists(maxNesting)); len(c.Nodes) != 1 {
		t.Errorf("%d nodes", len(c.Nodes))
	}
	if err := new(Loader).Read("f", strings.NewReader(lists(maxNesting+1))); err == nil || !strings.HasSuffix(err.Error(), "lists within lists, more than 16 deep") {
		t.Errorf("got %v", err)
	}
}

// Items have names and API versions of their own. Where they have none, the name is empty,
// and the version and the kind are those of the list.
func TestItems(t *testing.T) {
	c := load(t, new(Loader), `{"kind":"List","metadata":{"name":"l"},"items":[{"kind":"Pod"}]}`)
	if len(c.Pods) != 1 || c.Pods[0].Name != "" {
		t.Errorf("got %+v", c.Pods)
	}
	c = load(t, new(Loader), `{"kind":"DeploymentList","apiVersion":"other.io/v1","items":[{"metadata":{"name":"a"}},{"apiVersion":"apps/v1","metadata":{"name":"b"}}]}`)
	if len(c.Pods) != 1 || c.Pods[0].Name != "b" || c.Others["Deployment"] != 1 {
		t.Errorf("pods %v, others %v", c.Pods, c.Others)
	}
	c = load(t, new(Loader), `{"kind":"PodList","items":[{"items":[{"kind":"Pod"}]}]}`)
	if got := faults(c); len(c.Pods) != 1 || len(got) != 1 || !strings.Contains(got[0], "a list tells the kind of its items") {
		t.Errorf("%d pods, %q", len(c.Pods), got)
	}
	// A pod is one, and not lost, even if it has items.
	c = load(t, new(Loader), `{"kind":"Pod","metadata":{"name":"p"},"items":[{"kind":"Node"}]}`)
	if got := faults(c); len(c.Pods) != 1 || len(c.Nodes) != 1 || len(got) != 1 || !strings.HasSuffix(got[0], "Pod p: items: forbidden: a Pod has no items; they are read as those of a list") {
		t.Errorf("%d pods, %d nodes, %q", len(c.Pods), len(c.Nodes), got)
	}
}

// Tolerations without a pod are the elements of the outermost list, and only if they are
// asked for.
func TestBareElements(t *testing.T) {
	for _, c := range []struct {
		text  string
		bare  bool
		fault string
	}{
		{`[{"key":7}]`, true, "tolerations[0].key: invalid value \"7\": want a string, found a number; the toleration is left out"},
		{`[{"kind":"List","items":[{"kind":"Pod","metadata":7}]}]`, true, "metadata: invalid value \"7\": want an object, found a number"},
		{`{"kind":"List","items":[{"kind":"Pod","metadata":7}]}`, true, "metadata: invalid value \"7\": want an object, found a number"},
		{`[{"kind":"Pod","metadata":7}]`, false, "metadata: invalid value \"7\": want an object, found a number"},
	} {
		got := faults(load(t, &Loader{Bare: c.bare}, c.text))
		if len(got) != 1 || !strings.HasSuffix(got[0], c.fault) {
			t.Errorf("%s: %q", c.text, got)
		}
	}
	if err := new(Loader).Read("f", strings.NewReader(`[{"key":"a"}]`)); err == nil || !strings.Contains(err.Error(), "[0] has no kind") {
		t.Errorf("got %v", err)
	}
	if c := load(t, new(Loader), `[]`); len(c.Pods) > 0 {
		t.Errorf("got %+v", c.Pods)
	}
}
