package manifest

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestBare(t *testing.T) {
	for _, test := range []struct {
		name, text string
		want       []string
		faults     []string
	}{
		{"YAML", "- key: a\n  operator: Exists\n- {key: b, value: c, effect: NoExecute, tolerationSeconds: 5}\n", []string{"1 (unnamed): [a,b=c:NoExecute@5]"}, nil},
		{"JSON", `[{"operator":"Exists"}] [{"key":"a","operator":"Exists","effect":"NoExecute"}]`, []string{"1 (unnamed): [*]", "2 (unnamed): [a:NoExecute]"}, nil},
		{"empty", "[]", []string{"1 (unnamed): []"}, nil},
		{"a list of objects", "[" + podJSON + "," + nodeJSON + "]", []string{"1 [1] Node n: [a=b:NoSchedule]", "1 [0] Pod d/p: [a] on n"}, nil},
		{"beside objects", podYAML + "---\n- key: a\n  value: b\n", []string{"1 Pod d/p: [a] on n", "2 (unnamed): [a=b]"}, nil},
		{"faults", `[{"key":"a","operation":"Exists"},{"key":1,"operator":"Exists"},{"key":"a","operator":"In","value":"b"},{"Key":"a","value":""}]`,
			[]string{"1 (unnamed): [a=,a?In b,*=]"}, []string{
				`f: document 1: (unnamed): tolerations[0].operation: forbidden: a toleration has no such field; it is ignored (is operator meant?)`,
				`f: document 1: (unnamed): tolerations[1].key: invalid value "1": want a string, found a number; the toleration is left out`,
				`f: document 1: (unnamed): tolerations[2].operator: unsupported value "In": must be Exists, Equal or empty; Lt and Gt need the feature gate TaintTolerationComparisonOperators`,
				`f: document 1: (unnamed): tolerations[3].Key: forbidden: a toleration has no such field; it is ignored (is key meant? Case matters)`,
				`f: document 1: (unnamed): tolerations[3].operator: invalid value "": must be Exists when the key is empty, which matches every key and value`,
			}},
		{"a field twice", `[{"key":"a","operator":"Exists"},{"key":"b","key":"c"}]`, []string{"1 (unnamed): [a,c=]"},
			[]string{`f: document 1: (unnamed): tolerations[1].key: duplicate value "key": the field occurs more than once; the last one counts`}},
	} {
		t.Run(test.name, func(t *testing.T) {
			l := Loader{Bare: true}
			if err := l.Read("f", strings.NewReader(test.text)); err != nil {
				t.Fatal(err)
			}
			c := l.Cluster()
			if diff := cmp.Diff(test.want, summary(c)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(test.faults, faults(c)); diff != "" {
				t.Errorf("faults (-want +got):\n%s", diff)
			}
		})
	}
}

func TestBareErrors(t *testing.T) {
	for _, test := range []struct{ name, text, want string }{
		{"no field of a toleration", `[{"key":"a"},{"spec":{}}]`, "f: document 1, line 1: not a Kubernetes object: [0] has no kind"},
		{"a toleration among objects", "[" + podJSON + `,{"key":"a"}]`, "f: document 1, line 1: not a Kubernetes object: [1] has no kind"},
		{"no list", "key: a\n", "f: document 1, line 1: not a Kubernetes object: it has no kind"},
		{"within a list of objects", `{"items":[{"key":"a"}]}`, "f: document 1, line 1: not a Kubernetes object: items[0] has no kind"},
	} {
		t.Run(test.name, func(t *testing.T) {
			l := Loader{Bare: true}
			if err := l.Read("f", strings.NewReader(test.text)); err == nil || err.Error() != test.want {
				t.Errorf("error %v\nwant  %s", err, test.want)
			}
		})
	}
}

// Workloads holds also what does not count as pods.
func TestWorkloads(t *testing.T) {
	var l Loader
	err := l.Read("f", strings.NewReader("kind: Deployment\nmetadata: {name: none}\nspec: {replicas: 0, template: {spec: {tolerations: [{key: a, operator: Exists}]}}}\n"+
		"---\nkind: Job\nmetadata: {name: owner, uid: u}\n---\nkind: Pod\nmetadata: {name: owned, ownerReferences: [{uid: u}]}\n"))
	if err != nil {
		t.Fatal(err)
	}
	got := summary(&Cluster{Pods: l.Workloads()})
	want := []string{"1 Deployment none: [a] x0", "2 Job owner: []", "3 Pod owned: []"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
