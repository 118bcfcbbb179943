package device

import (
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// None is the effect that only taints of devices have. It does nothing: the taint
// informs, and as the taint of a rule it lets the controller count what NoExecute would
// hit (rule D12).
//
// The others are [taint.NoSchedule], which keeps a device from being allocated, and
// [taint.NoExecute], which also evicts the pods that use it. Effects that devices do not
// know, PreferNoSchedule and the empty one included, do as much as None (rule D1).
const None taint.Effect = "None"

// Limits of the API (rule D13).
const (
	// MaxTaints is how many taints a driver may give a device. Rules add theirs to
	// them without limit.
	MaxTaints = 16
	// MaxTolerations is how many tolerations a request may have, as documented.
	// Kubernetes 1.37 does not enforce it.
	MaxTolerations = 16
)

// ID names a device: by its driver, the pool of its slice, and its name in the
// pool. The field names are those of an allocation result. The zero ID names no
// device that can exist. An ID is comparable with ==.
type ID struct {
	Driver string `json:"driver"`
	Pool   string `json:"pool"`
	Device string `json:"device"`
}

// String returns the names separated by slashes, as Kubernetes prints them. A
// pool's name may hold slashes too.
func (id ID) String() string {
	return id.Driver + "/" + id.Pool + "/" + id.Device
}

// Slice is the spec of a ResourceSlice, with the field names of the Kubernetes API
// as far as taints are concerned: some of the devices of a pool.
type Slice struct {
	Driver  string   `json:"driver"`
	Pool    Pool     `json:"pool"`
	Devices []Device `json:"devices,omitempty"`
}

// Pool is what a slice says of its pool. Of the slices of a pool only those with
// the greatest generation count (rule D9).
type Pool struct {
	Name       string `json:"name"`
	Generation int64  `json:"generation"`
}

// Device is a device of a slice, with the taints that its driver gives it.
type Device struct {
	Name   string        `json:"name"`
	Taints []taint.Taint `json:"taints,omitempty"`
}

// ID returns the name of a device of s with all its parts.
func (s *Slice) ID(device string) ID {
	return ID{s.Driver, s.Pool.Name, device}
}

// Allocation is one device that was allocated for a claim: an entry of
// status.allocation.devices.results, with the field names of the Kubernetes API
// as far as taints are concerned.
type Allocation struct {
	// Request is the request that the device was allocated for, or the request and
	// the sub-request with a slash between them.
	Request string `json:"request"`
	ID
	// Tolerations are those that the request had. They never change.
	Tolerations []toleration.Toleration `json:"tolerations,omitempty"`
}

// Rule is the spec of a DeviceTaintRule, with the field names of the Kubernetes
// API: it adds one taint to every device that it selects. The zero Rule selects
// nothing. A copy shares what the pointers point to, which no function writes to.
type Rule struct {
	// DeviceSelector selects the devices. Nil selects none of them.
	DeviceSelector *Selector `json:"deviceSelector,omitempty"`
	// Taint is what they get.
	Taint taint.Taint `json:"taint"`
}

// Selector selects devices: each part that is not nil must equal the name that
// the device has (rule D3). Names are compared with regard to case. The zero
// Selector selects every device.
type Selector struct {
	Driver *string `json:"driver,omitempty"`
	Pool   *string `json:"pool,omitempty"`
	Device *string `json:"device,omitempty"`
}

// Selects reports whether r adds its taint to the device (rule D3).
func (r *Rule) Selects(id ID) bool {
	s := r.DeviceSelector
	return s != nil && selects(s.Driver, id.Driver) && selects(s.Pool, id.Pool) && selects(s.Device, id.Device)
}

func selects(want *string, name string) bool {
	return want == nil || *want == name
}

// Equal reports whether r and u have equal selectors and taints. No selector, which
// selects nothing, equals only none.
func (r *Rule) Equal(u *Rule) bool {
	return selectionOf(r.DeviceSelector) == selectionOf(u.DeviceSelector) && r.Taint.Equal(&u.Taint)
}

// Clone returns a copy of r that shares nothing with it except strings.
func (r *Rule) Clone() Rule {
	clone := *r
	clone.Taint = taint.Clone([]taint.Taint{r.Taint})[0]
	if s := r.DeviceSelector; s != nil {
		clone.DeviceSelector = &Selector{cloneName(s.Driver), cloneName(s.Pool), cloneName(s.Device)}
	}
	return clone
}

func cloneName(name *string) *string {
	if name == nil {
		return nil
	}
	clone := *name
	return &clone
}
