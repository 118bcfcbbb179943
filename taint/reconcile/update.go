package reconcile

import (
	"errors"
	"slices"

	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// Object is what the tolerations belong to: it decides which changes the API server
// allows. Any other Object than these four counts as a [Pod].
type Object string

// The objects.
const (
	// Pod is a pod that exists. Tolerations can be added and their seconds changed
	// (rule V3).
	Pod Object = "pod"
	// GatedPod is a pod with scheduling gates. Unlike its node selector, its
	// tolerations are like those of any other pod.
	GatedPod Object = "gated pod"
	// SuspendedJob is the template of a Job that is suspended and has no pods; see
	// [Job.Object]. It may become any valid list.
	SuspendedJob Object = "suspended job"
	// RunningJob is the template of any other Job. It does not change.
	RunningJob Object = "running job"
)

// allows reports whether the API server allows the operation.
func (o Object) allows(op Op) bool {
	switch o {
	case SuspendedJob:
		return true
	case RunningJob:
		return false
	}
	return op != Remove
}

// Job has what decides whether the API server lets the tolerations of a Job's template
// change: fields of the Job as it is before the change. The zero Job is not suspended.
type Job struct {
	Suspend            bool  // spec.suspend is true
	Started            bool  // status.startTime is set
	SuspendedCondition bool  // the condition Suspended is true
	Active             int32 // status.active
}

// Object returns [SuspendedJob] if the template of j can change, and else
// [RunningJob]: since Kubernetes 1.36 by default, the Job must be suspended, have no
// active pods, and either never have started or have the condition Suspended. Before,
// with the feature gate MutableSchedulingDirectivesForSuspendedJobs off, it must be
// suspended and never have started, and active pods do not matter.
func (j Job) Object() Object {
	if j.Suspend && (!j.Started || j.SuspendedCondition) && j.Active == 0 {
		return SuspendedJob
	}
	return RunningJob
}

// UpdateAllowed returns nil if the API server of a default cluster, or of one with the given
// rules, lets the tolerations of the object change from old to updated, and else a
// [*taint.FieldErrors] with every reason in words.
//
// For pods that is [toleration.Rules.ValidateUpdate]. For templates of Jobs, updated
// must be valid, where Gt and Lt are allowed if the cluster has them or old has one;
// and for RunningJob, updated must be equal to old. The time is proportional to the lengths.
func UpdateAllowed(object Object, old, updated []toleration.Toleration, rules ...toleration.Rules) error {
	r := toleration.Rules{Comparisons: len(rules) > 0 && rules[0].Comparisons}
	if object != SuspendedJob && object != RunningJob {
		return r.ValidateUpdate(updated, old)
	}
	// A template that has comparisons may keep them, like a pod (rule N5).
	r.Comparisons = r.Comparisons || slices.ContainsFunc(old, isComparison)
	err := r.Validate(updated)
	if object == SuspendedJob || slices.EqualFunc(old, updated, asWritten) {
		return err
	}
	var faults taint.FieldErrors
	faults.Add("tolerations", "forbidden", toleration.FormatList(updated), onlySuspended)
	if invalid := new(taint.FieldErrors); errors.As(err, &invalid) {
		faults.Faults = append(faults.Faults, invalid.Faults...)
	}
	return faults.Err()
}

func isComparison(t toleration.Toleration) bool { return t.Operator.Comparison() }

const onlySuspended = "the template of a Job can change only while the Job is suspended, has no active pods, " +
	"and has never started or has the condition Suspended"

// asWritten reports whether a and b are equal, their operators as they are written.
func asWritten(a, b toleration.Toleration) bool { return a.Operator == b.Operator && a.Equal(&b) }
