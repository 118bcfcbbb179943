package upstream

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	core "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	resourcehelper "k8s.io/component-helpers/resource"
	"pgregory.net/rapid"

	"github.com/tolero-dev/tolero/toleration/manifest"
)

// requested draws a container. Limits without requests are left out: the API server fills in
// what PodRequests then takes as given.
var requested = rapid.Custom(func(t *rapid.T) core.Container {
	names := []core.ResourceName{"cpu", "memory", "hugepages-2Mi", "ephemeral-storage", "nvidia.com/gpu"}
	amounts := []string{"0", "1", "250m", "1500m", "2", "999m", "1Gi", "1.5Ki", "3e2"}
	c := core.Container{Resources: core.ResourceRequirements{Requests: core.ResourceList{}}}
	for _, name := range rapid.SliceOfDistinct(rapid.SampledFrom(names), rapid.ID).Draw(t, "names") {
		c.Resources.Requests[name] = resource.MustParse(rapid.SampledFrom(amounts).Draw(t, "amount"))
	}
	if rapid.Bool().Draw(t, "sidecar") {
		always := core.ContainerRestartPolicyAlways
		c.RestartPolicy = &always
	}
	return c
})

// TestRequests holds what manifest says that pods request against kube-scheduler's PodRequests.
func TestRequests(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var pod core.Pod
		pod.Kind = "Pod"
		pod.Spec.InitContainers = rapid.SliceOfN(requested, 0, 4).Draw(t, "init containers")
		pod.Spec.Containers = rapid.SliceOfN(requested, 0, 3).Draw(t, "containers")
		for i := range pod.Spec.Containers {
			pod.Spec.Containers[i].RestartPolicy = nil
		}
		if rapid.Bool().Draw(t, "whole") {
			whole := requested.Draw(t, "of the pod").Resources
			pod.Spec.Resources = &whole
		}
		if rapid.Bool().Draw(t, "overhead") {
			pod.Spec.Overhead = requested.Draw(t, "overhead").Resources.Requests
		}
		text, err := json.Marshal(&pod)
		if err != nil {
			t.Fatal(err)
		}
		l := manifest.Loader{State: true}
		if err := l.Read("pod", strings.NewReader(string(text))); err != nil {
			t.Fatal(err)
		}
		got := l.Cluster().Pods[0].State.Requests
		want := resourcehelper.PodRequests(&pod, resourcehelper.PodResourcesOptions{})
		for name, q := range want {
			n := q.Value()
			if name == core.ResourceCPU {
				n = q.MilliValue()
			}
			if got[string(name)] != n {
				t.Fatalf("%s: %d, want %d in %s", name, got[string(name)], n, text)
			}
		}
		if len(got) != len(want) {
			t.Fatalf("%v, want %v", got, want)
		}
	})
}

// TestBudgetSelectors holds which pods a budget protects against the selectors of Kubernetes.
// One that Kubernetes refuses no budget has.
func TestBudgetSelectors(t *testing.T) {
	words := rapid.SampledFrom([]string{"", "a", "b"})
	keys := rapid.SampledFrom([]string{"k", "l"})
	compared := map[bool]int{}
	rapid.Check(t, func(t *rapid.T) {
		selector := metav1.LabelSelector{MatchLabels: rapid.MapOfN(keys, words, 0, 2).Draw(t, "labels")}
		for i := range rapid.IntRange(0, 2).Draw(t, "expressions") {
			selector.MatchExpressions = append(selector.MatchExpressions, metav1.LabelSelectorRequirement{
				Key: keys.Draw(t, fmt.Sprint("key ", i)), Operator: metav1.LabelSelectorOperator(rapid.SampledFrom([]string{"In", "NotIn", "Exists", "DoesNotExist"}).Draw(t, "operator")),
				Values: rapid.SliceOfN(words, 0, 2).Draw(t, "values"),
			})
		}
		upstream, err := metav1.LabelSelectorAsSelector(&selector)
		if err != nil {
			return
		}
		has := rapid.MapOfN(keys, words, 0, 2).Draw(t, "of the pod")
		text, _ := json.Marshal(map[string]any{"kind": "PodDisruptionBudget", "spec": map[string]any{"selector": &selector}})
		pod, _ := json.Marshal(map[string]any{"kind": "Pod", "metadata": map[string]any{"labels": has}})
		l := manifest.Loader{State: true}
		if err := l.Read("budget", strings.NewReader(string(text)+string(pod))); err != nil {
			t.Fatal(err)
		}
		c := l.Cluster()
		want := upstream.Matches(labels.Set(has))
		if got := c.Budgets[0].Protects(&c.Pods[0]); got != want {
			t.Fatalf("%s and %s: %t, want %t", text, pod, got, want)
		}
		compared[want]++
	})
	if compared[true] == 0 || compared[false] == 0 {
		t.Errorf("answers: %v", compared)
	}
}
