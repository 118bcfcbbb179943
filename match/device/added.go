package device

import (
	"time"

	"github.com/tolero-dev/tolero/taint"
)

// SetDefaults sets TimeAdded to now in whole seconds if it is missing, as the API
// server does with every device of a slice and every rule that is written to it
// (rule D11). It points TimeAdded to a new time and leaves an old one alone.
//
// A slice that is written again without TimeAdded gets a new one each time, and
// whatever seconds are running start anew. A driver has to repeat the time that
// the API server set.
func (t *Taint) SetDefaults(now time.Time) {
	if !t.added() {
		t.TimeAdded = &taint.Time{Time: now.Truncate(time.Second)}
	}
}

// SetDefaults sets the operator to Equal if it is empty, as the API server does
// with every toleration that is written to it (rule D13).
func (t *Toleration) SetDefaults() {
	if t.Operator == "" {
		t.Operator = OpEqual
	}
}

// SetDefaults sets the TimeAdded of the taint: see [Taint.SetDefaults].
func (r *Rule) SetDefaults(now time.Time) {
	r.Taint.SetDefaults(now)
}

// PrepareUpdate makes of r, which is to replace old, what the API server stores
// (rule D11): TimeAdded is set to now in whole seconds where it is missing, and
// also if the effect is another and the time is still the one of old. So seconds
// count from when the rule got its effect. A change of key, value or selector
// leaves the time as it is.
func (r *Rule) PrepareUpdate(old *Rule, now time.Time) {
	r.SetDefaults(now)
	if r.Taint.Effect != old.Taint.Effect && old.Taint.added() && r.Taint.TimeAdded.Equal(old.Taint.TimeAdded.Time) {
		r.Taint.TimeAdded = nil
		r.SetDefaults(now)
	}
}
