package resource

import (
	"time"

	resourceapi "k8s.io/api/resource/v1"

	"github.com/tolero-dev/tolero/match/device"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// ToleratesTaint reports whether the toleration tolerates the taint, with the signature
// and the answers of resourceclaim.ToleratesTaint (rule D2). It does not allocate.
func ToleratesTaint(toleration resourceapi.DeviceToleration, taint resourceapi.DeviceTaint) bool {
	x := Taint(&taint)
	return tolerated(&x, []resourceapi.DeviceToleration{toleration})
}

// FirstUntolerated returns the index of the first taint that prevents the device from
// being allocated to a request with the tolerations, and whether there is one: see
// [device.FirstUntolerated] (rule D5). It does not allocate.
func FirstUntolerated(taints []resourceapi.DeviceTaint, tolerations []resourceapi.DeviceToleration) (index int, ok bool) {
	for i := range taints {
		x := Taint(&taints[i])
		if taint.Hard.Has(x.Effect) && !tolerated(&x, tolerations) {
			return i, true
		}
	}
	return 0, false
}

func tolerated(x *taint.Taint, tolerations []resourceapi.DeviceToleration) bool {
	for i := range tolerations {
		if t := [...]toleration.Toleration{Toleration(&tolerations[i])}; device.Tolerates(t[:], x) {
			return true
		}
	}
	return false
}

// EvictionTime returns when the pods that use the device are evicted because of its
// taints, and whether they are at all: see [device.EvictionTime] (rules D6, D7). It
// allocates the tolerations as this module's type.
func EvictionTime(taints []resourceapi.DeviceTaint, tolerations []resourceapi.DeviceToleration) (at time.Time, evicted bool) {
	list := AppendTolerations(nil, tolerations)
	for i := range taints {
		x := [...]taint.Taint{Taint(&taints[i])}
		if e, ok := device.EvictionTime(x[:], list); ok && (!evicted || e.At.Before(at)) {
			at, evicted = e.At, true
		}
	}
	return at, evicted
}
