package device

import (
	"time"

	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// SetTaintDefaults sets TimeAdded to now in whole seconds if it is missing, as the API
// server does with every device of a slice and every rule that is written to it
// (rule D11). It points TimeAdded to a new time and leaves an old one alone.
//
// A slice that is written again without TimeAdded gets a new one each time, and
// whatever seconds are running start anew. A driver has to repeat the time that
// the API server set: see [UpsertTaint].
func SetTaintDefaults(x *taint.Taint, now time.Time) {
	if x.TimeAdded.IsZero() {
		x.TimeAdded = &taint.Time{Time: now.Truncate(time.Second)}
	}
}

// UpsertTaint is [taint.Upsert] for a driver: if x has no TimeAdded, it gets that of the
// first taint that it replaces, so that the seconds of tolerations do not start anew with
// each write of the slice (rule D11).
func UpsertTaint(dst, taints []taint.Taint, x taint.Taint) (list []taint.Taint, changed bool) {
	if i, found := taint.Find(taints, &x); found && x.TimeAdded.IsZero() {
		x.TimeAdded = taints[i].TimeAdded
	}
	return taint.Upsert(dst, taints, x)
}

// SetTolerationDefaults sets the operator to Equal if it is empty, as the API server does
// with every toleration of a claim, and not with those of pods (rule D13).
func SetTolerationDefaults(t *toleration.Toleration) {
	if t.Operator == "" {
		t.Operator = toleration.OpEqual
	}
}

// SetDefaults sets the TimeAdded of the taint: see [SetTaintDefaults].
func (r *Rule) SetDefaults(now time.Time) {
	SetTaintDefaults(&r.Taint, now)
}

// PrepareUpdate makes of r, which is to replace old, what the API server stores
// (rule D11): TimeAdded is set to now in whole seconds where it is missing, and
// also if the effect is another and the time is still the one of old. So seconds
// count from when the rule got its effect. A change of key, value or selector
// leaves the time as it is.
func (r *Rule) PrepareUpdate(old *Rule, now time.Time) {
	r.SetDefaults(now)
	if r.Taint.Effect != old.Taint.Effect && !old.Taint.TimeAdded.IsZero() && r.Taint.TimeAdded.Equal(old.Taint.TimeAdded.Time) {
		r.Taint.TimeAdded = nil
		r.SetDefaults(now)
	}
}
