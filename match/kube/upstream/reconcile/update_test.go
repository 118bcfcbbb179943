package reconcile

import (
	"fmt"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	featuregatetesting "k8s.io/component-base/featuregate/testing"
	"k8s.io/kubernetes/pkg/api/pod"
	podtest "k8s.io/kubernetes/pkg/api/pod/testing"
	"k8s.io/kubernetes/pkg/apis/batch"
	batchvalidation "k8s.io/kubernetes/pkg/apis/batch/validation"
	"k8s.io/kubernetes/pkg/apis/core"
	"k8s.io/kubernetes/pkg/apis/core/validation"
	"k8s.io/kubernetes/pkg/features"

	"github.com/tolero-dev/tolero/taint/reconcile"
	"github.com/tolero-dev/tolero/toleration"
)

// The items differ in each field, and some are not valid.
var items = []toleration.Toleration{
	{Key: "a", Operator: toleration.OpExists, Effect: "NoExecute"},
	{Key: "a", Operator: toleration.OpExists, Effect: "NoExecute", TolerationSeconds: new(int64(0))},
	{Key: "a", Operator: toleration.OpExists, Effect: "NoExecute", TolerationSeconds: new(int64(300))},
	{Key: "b", Operator: toleration.OpExists, Effect: "NoExecute"},
	{Key: "a", Operator: toleration.OpEqual, Effect: "NoExecute"},
	{Key: "a", Effect: "NoExecute", Value: "x"},
	{Key: "a", Operator: toleration.OpGt, Effect: "NoExecute", Value: "5"},
	{Key: "b", Operator: toleration.OpLt, Value: "5"},
	{Key: "a", Operator: "gt", Value: "5"},
	{Key: "a", Operator: toleration.OpGt, Value: "x"},
	{Operator: toleration.OpEqual, Value: "x"},
}

// lists returns every list of up to two items, and nil beside the empty one.
func lists() [][]toleration.Toleration {
	all := [][]toleration.Toleration{nil, {}}
	for _, x := range items {
		all = append(all, []toleration.Toleration{x})
		for _, y := range items {
			all = append(all, []toleration.Toleration{x, y})
		}
	}
	return all
}

// compare asks both about every change of one list to another, with the feature gate
// off and on.
func compare(t *testing.T, object reconcile.Object, upstream func(old, updated []core.Toleration) field.ErrorList) {
	t.Helper()
	for _, on := range []bool{false, true} {
		t.Run(fmt.Sprintf("gate %t", on), func(t *testing.T) {
			featuregatetesting.SetFeatureGateDuringTest(t, utilfeature.DefaultFeatureGate, features.TaintTolerationComparisonOperators, on)
			allowed, refused := 0, 0
			for _, old := range lists() {
				for _, updated := range lists() {
					errs := upstream(converted(old), converted(updated))
					err := reconcile.UpdateAllowed(object, old, updated, toleration.Rules{Comparisons: on})
					if (err == nil) != (len(errs) == 0) {
						t.Fatalf("%v, %s to %s: %v, Kubernetes says %v", object, toleration.FormatList(old), toleration.FormatList(updated), err, errs)
					}
					if err == nil {
						allowed++
					} else {
						refused++
					}
				}
			}
			if allowed == 0 || refused == 0 {
				t.Errorf("%d allowed and %d refused", allowed, refused)
			}
			t.Logf("%d allowed and %d refused", allowed, refused)
		})
	}
}

func converted(list []toleration.Toleration) []core.Toleration {
	if list == nil {
		return nil
	}
	out := make([]core.Toleration, len(list))
	for i, x := range list {
		out[i] = core.Toleration{
			Key: x.Key, Operator: core.TolerationOperator(x.Operator), Value: x.Value,
			Effect: core.TaintEffect(x.Effect), TolerationSeconds: x.TolerationSeconds,
		}
	}
	return out
}

// TestV3Pods compares pods, without and with scheduling gates.
func TestV3Pods(t *testing.T) {
	for object, tweaks := range map[reconcile.Object][]podtest.Tweak{
		reconcile.Pod:      {podtest.SetNodeName("n")},
		reconcile.GatedPod: {podtest.SetSchedulingGates(core.PodSchedulingGate{Name: "example.com/wait"})},
	} {
		t.Run(string(object), func(t *testing.T) {
			compare(t, object, func(old, updated []core.Toleration) field.ErrorList {
				before := podtest.MakePod("p", append(tweaks, podtest.SetResourceVersion("1"), podtest.SetTolerations(old...))...)
				after := podtest.MakePod("p", append(tweaks, podtest.SetResourceVersion("1"), podtest.SetTolerations(updated...))...)
				options := pod.GetValidationOptionsFromPodSpecAndMeta(&after.Spec, &before.Spec, &after.ObjectMeta, &before.ObjectMeta)
				return validation.ValidatePodUpdate(after, before, options)
			})
		})
	}
}

// newJob returns a valid Job in that state.
func newJob(state reconcile.Job, tolerations []core.Toleration) *batch.Job {
	labels := map[string]string{batch.JobNameLabel: "j", batch.ControllerUidLabel: "1", batch.LegacyJobNameLabel: "j", batch.LegacyControllerUidLabel: "1"}
	j := &batch.Job{
		ObjectMeta: metav1.ObjectMeta{Name: "j", Namespace: "n", UID: "1", ResourceVersion: "1"},
		Spec: batch.JobSpec{
			Suspend: &state.Suspend, Completions: new(int32(1)), Parallelism: new(int32(1)), BackoffLimit: new(int32(1)),
			CompletionMode: new(batch.NonIndexedCompletion),
			Selector:       &metav1.LabelSelector{MatchLabels: map[string]string{batch.ControllerUidLabel: "1"}},
			Template: core.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: labels},
				Spec:       podtest.MakePod("p", podtest.SetRestartPolicy(core.RestartPolicyNever), podtest.SetTolerations(tolerations...)).Spec,
			},
		},
	}
	j.Status.Active = state.Active
	if state.Started {
		j.Status.StartTime = &metav1.Time{}
	}
	if state.SuspendedCondition {
		j.Status.Conditions = []batch.JobCondition{{Type: batch.JobSuspended, Status: core.ConditionTrue}}
	}
	return j
}

// options returns what pkg/registry/batch/job/strategy.go of Kubernetes 1.37.1 gives to
// the validation. That package cannot be linked without etcd's client, so the few
// lines that matter here are repeated.
func options(after, before *batch.Job) batchvalidation.JobValidationOptions {
	suspended := before.Spec.Suspend != nil && *before.Spec.Suspend
	notStarted := before.Status.StartTime == nil
	hasSuspendedCondition := batchvalidation.IsConditionTrue(before.Status.Conditions, batch.JobSuspended)
	mutable := suspended && (notStarted || hasSuspendedCondition) && before.Status.Active == 0
	o := batchvalidation.JobValidationOptions{
		PodValidationOptions:             pod.GetValidationOptionsFromPodTemplate(&after.Spec.Template, &before.Spec.Template),
		RequirePrefixedLabels:            true,
		AllowMutableSchedulingDirectives: suspended && notStarted,
	}
	if utilfeature.DefaultFeatureGate.Enabled(features.MutablePodResourcesForSuspendedJobs) {
		o.AllowMutablePodResources = mutable
	}
	if utilfeature.DefaultFeatureGate.Enabled(features.MutableSchedulingDirectivesForSuspendedJobs) {
		o.AllowMutableSchedulingDirectives = mutable
	}
	return o
}

// TestJobs compares the templates of Jobs in every state.
func TestJobs(t *testing.T) {
	for i := range 16 {
		state := reconcile.Job{Suspend: i&1 != 0, Started: i&2 != 0, SuspendedCondition: i&4 != 0, Active: int32(i >> 3)}
		t.Run(fmt.Sprintf("%+v", state), func(t *testing.T) {
			compare(t, state.Object(), func(old, updated []core.Toleration) field.ErrorList {
				before, after := newJob(state, old), newJob(state, updated)
				return batchvalidation.ValidateJobUpdate(after, before, options(after, before))
			})
		})
	}
}
