package device

import "github.com/tolero-dev/tolero/taint"

// Effect says what a taint does to claims and pods that do not tolerate it. It is
// the type of node taints' effects, of which devices know another selection (rule
// D1). An effect that devices do not know, PreferNoSchedule and the empty one
// included, does as much as [None]: nothing.
type Effect = taint.Effect

// The effects of device taints.
const (
	// None does nothing. The taint informs, and as the taint of a rule it lets the
	// controller count what NoExecute would hit (rule D12).
	None Effect = "None"
	// NoSchedule keeps the device from being allocated.
	NoSchedule Effect = taint.NoSchedule
	// NoExecute keeps the device from being allocated, and evicts the pods that
	// use it.
	NoExecute Effect = taint.NoExecute
)

// MaxTaints is how many taints a driver may give a device (rule D13). Rules add
// theirs to them without limit.
const MaxTaints = 16

// Taint is a taint of a device, from its ResourceSlice or from a DeviceTaintRule,
// with the field names of the Kubernetes API. It has the fields of
// [taint.Taint], so that each converts to the other: device.Taint(t).
//
// The zero Taint is not valid, because a key and an effect are required, but
// every function of this package accepts it. A copy shares TimeAdded, which no
// function writes to. A Taint may be read concurrently. Equal taints may be side
// by side on a device.
type Taint struct {
	// Key is a qualified name, such as "gpu.example.com/unhealthy".
	Key string `json:"key"`
	// Value is a label value; it may be empty.
	Value string `json:"value,omitempty"`
	// Effect says what the taint does to who does not tolerate it.
	Effect Effect `json:"effect"`
	// TimeAdded is when the taint got its effect. The seconds of tolerations count
	// from it (rule D7), and the API server sets it where it is missing (rule
	// D11). A pointer to the zero time is the same as nil.
	TimeAdded *taint.Time `json:"timeAdded,omitempty"`
}

// Prevents reports whether t keeps a device from being allocated to who does not
// tolerate it: its effect is NoSchedule or NoExecute (rule D5).
func (t *Taint) Prevents() bool {
	return t.Effect == NoSchedule || t.Effect == NoExecute
}

// Matches reports whether t and u have the same key and effect, as on nodes. On
// a device that identifies nothing: it may have several such taints.
func (t *Taint) Matches(u *Taint) bool {
	return t.Key == u.Key && t.Effect == u.Effect
}

// Equal reports whether t and u have the same key, value and effect and were
// added at the same instant.
func (t *Taint) Equal(u *Taint) bool {
	return (*taint.Taint)(t).Equal((*taint.Taint)(u))
}

// added returns whether t has a TimeAdded that counts.
func (t *Taint) added() bool {
	return t.TimeAdded != nil && !t.TimeAdded.Time.IsZero()
}
