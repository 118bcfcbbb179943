package affinity

import (
	"encoding/json"
	"testing"

	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/component-helpers/scheduling/corev1/nodeaffinity"
	"k8s.io/component-helpers/storage/volume"

	"github.com/tolero-dev/tolero/match/affinity"
)

// nodeSelector returns the terms as Kubernetes' own type.
func nodeSelector(t *testing.T, a *affinity.Required) *v1.NodeSelector {
	t.Helper()
	text, err := json.Marshal(a)
	if err != nil {
		t.Fatal(err)
	}
	required := new(v1.NodeSelector)
	if err := json.Unmarshal(text, required); err != nil {
		t.Fatal(err)
	}
	return required
}

// reaches asks Kubernetes whether nodes with the labels reach a volume with the terms.
func reaches(t *testing.T, a *affinity.Required, labels map[string]string) bool {
	t.Helper()
	pv := &v1.PersistentVolume{Spec: v1.PersistentVolumeSpec{NodeAffinity: &v1.VolumeNodeAffinity{Required: nodeSelector(t, a)}}}
	return volume.CheckNodeAffinity(pv, labels) == nil
}

// admits asks Kubernetes.
func admits(t *testing.T, a *affinity.Required, name string, labels map[string]string) bool {
	t.Helper()
	var nodes *v1.Affinity
	if a.Terms != nil {
		nodes = &v1.Affinity{NodeAffinity: &v1.NodeAffinity{RequiredDuringSchedulingIgnoredDuringExecution: nodeSelector(t, a)}}
	}
	required := nodeaffinity.NewRequiredNodeAffinity(a.NodeSelector, nodes)
	// An error is about a term that is refused; the scheduler goes by the answer.
	matches, _ := required.Match(&v1.Node{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: labels}})
	return matches
}

var (
	nodes = []map[string]string{nil, {"a": "x"}, {"a": "5"}, {"a": ""}, {"a": "-5", "b": "x"}, {"a": "05", "b": "7"}, {"b": "9223372036854775808"}}
	words = [][]string{nil, {""}, {"x"}, {"5"}, {"x", "5"}, {"5", "7"}, {"+4"}, {"-6"}, {"04"}, {"a b"}, {"node-1"}}
)

// requirements has every one of a small universe.
func requirements(keys ...string) (list []affinity.Requirement) {
	for _, key := range keys {
		for _, operator := range []string{"In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt", "", "in"} {
			for _, values := range words {
				list = append(list, affinity.Requirement{Key: key, Operator: operator, Values: values})
			}
		}
	}
	return list
}

// Every term of up to two requirements for labels, and of one for fields, on every node.
func TestMatches(t *testing.T) {
	counted := map[bool]int{}
	check := func(a affinity.Required) {
		for _, labels := range nodes {
			for _, name := range []string{"", "node-1"} {
				want := admits(t, &a, name, labels)
				if got := a.Matches(name, labels); got != want {
					t.Fatalf("%+v on %q with %v: %t, want %t", a, name, labels, got, want)
				}
				counted[want]++
			}
			of := affinity.Required{Volumes: [][]affinity.Term{a.Terms}}
			if a.Terms == nil {
				continue
			}
			if got, want := of.Matches("node-1", labels), reaches(t, &a, labels); got != want {
				t.Fatalf("volume with %+v and %v: %t, want %t", a, labels, got, want)
			}
		}
	}
	forLabels, forFields := requirements("a", "b", "a b", ""), requirements("metadata.name", "spec.unschedulable", "")
	for _, selector := range append(nodes, map[string]string{"a b": "x"}) {
		check(affinity.Required{NodeSelector: selector})
		check(affinity.Required{NodeSelector: selector, Terms: []affinity.Term{}})
		check(affinity.Required{NodeSelector: selector, Terms: []affinity.Term{{}, {Expressions: forLabels[1:2]}}})
	}
	for i, r := range forLabels {
		one := affinity.Term{Expressions: []affinity.Requirement{r}}
		check(affinity.Required{Terms: []affinity.Term{one}})
		for j := i % 7; j < len(forLabels); j += 7 {
			check(affinity.Required{Terms: []affinity.Term{{Expressions: []affinity.Requirement{r, forLabels[j]}}}})
			check(affinity.Required{Terms: []affinity.Term{one, {Expressions: forLabels[j : j+1]}}})
		}
	}
	for i, r := range forFields {
		check(affinity.Required{Terms: []affinity.Term{{Fields: []affinity.Requirement{r}}}})
		for j := i % 7; j < len(forLabels); j += 7 {
			check(affinity.Required{Terms: []affinity.Term{{Fields: []affinity.Requirement{r}, Expressions: forLabels[j : j+1]}}})
		}
	}
	if counted[true] < 1000 || counted[false] < 1000 {
		t.Errorf("answers: %v", counted)
	}
}
