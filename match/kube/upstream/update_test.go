package upstream

import (
	"fmt"
	"slices"
	"testing"

	"k8s.io/kubernetes/pkg/api/pod"
	podtest "k8s.io/kubernetes/pkg/api/pod/testing"
	"k8s.io/kubernetes/pkg/apis/core/validation"
	"pgregory.net/rapid"

	"github.com/tolero-dev/tolero/toleration"
)

// compareUpdate compares the faults of a pod whose tolerations change from old
// to updated. What upstream allows depends on the real gate and on the old pod
// (rule N5). Upstream names a missing toleration once, whatever the number, and
// ValidateUpdate each: as sets they are the same.
func compareUpdate(t rapid.TB, rules toleration.Rules, updated, old []toleration.Toleration) (valid bool) {
	oldPod := podtest.MakePod("p", podtest.SetResourceVersion("1"), podtest.SetTolerations(coreTolerations(old)...))
	newPod := podtest.MakePod("p", podtest.SetResourceVersion("1"), podtest.SetTolerations(coreTolerations(updated)...))
	options := pod.GetValidationOptionsFromPodSpecAndMeta(&newPod.Spec, &oldPod.Spec, &newPod.ObjectMeta, &oldPod.ObjectMeta)
	errs := validation.ValidatePodUpdate(newPod, oldPod, options)
	want := below("tolerations", upstreamFaults(errs, "spec.tolerations"))
	if len(want) == 0 && len(errs) > 0 {
		t.Fatalf("the pod of the test has other faults: %v", errs)
	}
	compareFaults(t, [2][]toleration.Toleration{updated, old}, rules.ValidateUpdate(updated, old), want)
	return len(want) == 0
}

// withRules runs the test with the feature gate off and on, and with the Rules
// of such a cluster.
func withRules(t *testing.T, run func(t *testing.T, rules toleration.Rules)) {
	for _, on := range []bool{false, true} {
		t.Run(fmt.Sprintf("gate %t", on), func(t *testing.T) {
			setGate(t, on)
			run(t, toleration.Rules{Comparisons: on})
		})
	}
}

// TestV3N5ValidateUpdate changes every list of up to two tolerations to every
// other one, from a universe in which each field differs from item to item.
func TestV3N5ValidateUpdate(t *testing.T) {
	items := []toleration.Toleration{
		{Key: "a", Operator: toleration.OpExists, Effect: "NoExecute"},
		{Key: "a", Operator: toleration.OpExists, Effect: "NoExecute", TolerationSeconds: seconds(0)},
		{Key: "a", Operator: toleration.OpExists, Effect: "NoExecute", TolerationSeconds: seconds(300)},
		{Key: "b", Operator: toleration.OpExists, Effect: "NoExecute"},
		{Key: "a", Operator: toleration.OpExists, Effect: "NoSchedule"},
		{Key: "a", Operator: toleration.OpEqual, Effect: "NoExecute"},
		{Key: "a", Effect: "NoExecute"}, // to updates, the empty operator is not Equal
		{Key: "a", Effect: "NoExecute", Value: "x"},
		{Key: "a", Operator: toleration.OpGt, Effect: "NoExecute", Value: "5"},
		{Key: "b", Operator: toleration.OpLt, Value: "5"},
		{Key: "a", Operator: "gt", Value: "5"},                                                 // not valid, and no comparison
		{Key: "a", Operator: toleration.OpGt, Effect: "NoExecute", Value: "x"},                 // not valid
		{Key: "a", Operator: toleration.OpExists, Effect: "", TolerationSeconds: seconds(300)}, // not valid
	}
	lists := listsUpTo(2, items)
	withRules(t, func(t *testing.T, rules toleration.Rules) {
		valid := 0
		for _, old := range lists {
			for _, updated := range lists {
				if compareUpdate(t, rules, updated, old) {
					valid++
				}
			}
		}
		t.Logf("%d updates compared, %d valid", len(lists)*len(lists), valid)
	})
}

func TestV3N5ValidateUpdateGenerated(t *testing.T) {
	withRules(t, func(t *testing.T, rules toleration.Rules) {
		rapid.Check(t, func(t *rapid.T) { compareDrawnUpdate(t, rules) })
	})
}

func compareDrawnUpdate(t *rapid.T, rules toleration.Rules) {
	old := tolerationLists.Draw(t, "old")
	added := tolerationLists.Draw(t, "added")
	updated := slices.Clone(added)
	if rapid.Bool().Draw(t, "keep") {
		updated = slices.Concat(old, added)
	}
	for i := range updated {
		if rapid.IntRange(0, 3).Draw(t, "change seconds") == 0 {
			updated[i].TolerationSeconds = rapid.SampledFrom(secondsWords).Draw(t, "seconds")
		}
	}
	compareUpdate(t, rules, updated, old)
}
