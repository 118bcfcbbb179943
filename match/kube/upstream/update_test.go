package upstream

import (
	"slices"
	"testing"

	podtest "k8s.io/kubernetes/pkg/api/pod/testing"
	"k8s.io/kubernetes/pkg/apis/core/validation"
	"pgregory.net/rapid"

	"github.com/tolero-dev/tolero/toleration"
)

// compareUpdate compares the faults of a pod whose tolerations change from old
// to updated, with the gate on. Upstream names a missing toleration once,
// whatever the number, and ValidateUpdate each: as sets they are the same.
func compareUpdate(t rapid.TB, updated, old []toleration.Toleration) (valid bool) {
	oldPod := podtest.MakePod("p", podtest.SetResourceVersion("1"), podtest.SetTolerations(coreTolerations(old)...))
	newPod := podtest.MakePod("p", podtest.SetResourceVersion("1"), podtest.SetTolerations(coreTolerations(updated)...))
	errs := validation.ValidatePodUpdate(newPod, oldPod, validation.PodValidationOptions{AllowTaintTolerationComparisonOperators: true})
	want := below("tolerations", upstreamFaults(errs, "spec.tolerations"))
	if len(want) == 0 && len(errs) > 0 {
		t.Fatalf("the pod of the test has other faults: %v", errs)
	}
	compareFaults(t, [2][]toleration.Toleration{updated, old}, toleration.Rules{Comparisons: true}.ValidateUpdate(updated, old), want)
	return len(want) == 0
}

// TestV3ValidateUpdate changes every list of up to two tolerations to every
// other one, from a universe in which each field differs from item to item.
func TestV3ValidateUpdate(t *testing.T) {
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
		{Key: "a", Operator: toleration.OpGt, Effect: "NoExecute", Value: "x"},                 // not valid
		{Key: "a", Operator: toleration.OpExists, Effect: "", TolerationSeconds: seconds(300)}, // not valid
	}
	lists, valid := listsUpTo(2, items), 0
	for _, old := range lists {
		for _, updated := range lists {
			if compareUpdate(t, updated, old) {
				valid++
			}
		}
	}
	t.Logf("%d updates compared, %d valid", len(lists)*len(lists), valid)
}

func TestV3ValidateUpdateGenerated(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
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
		compareUpdate(t, updated, old)
	})
}
