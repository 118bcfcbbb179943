package resource

import (
	"slices"

	resourceapi "k8s.io/api/resource/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/tolero-dev/tolero/match/device"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// Taint returns t as this module's type. The result shares TimeAdded with t: it points
// to the same instant under another type. It does not allocate.
func Taint(t *resourceapi.DeviceTaint) taint.Taint {
	return taint.Taint{Key: t.Key, Value: t.Value, Effect: taint.Effect(t.Effect), TimeAdded: (*taint.Time)(t.TimeAdded)}
}

// V1Taint is the inverse of [Taint]: no field is lost either way.
func V1Taint(t *taint.Taint) resourceapi.DeviceTaint {
	return resourceapi.DeviceTaint{Key: t.Key, Value: t.Value, Effect: resourceapi.DeviceTaintEffect(t.Effect), TimeAdded: (*metav1.Time)(t.TimeAdded)}
}

// Toleration returns t as this module's type. The result shares TolerationSeconds with
// t. It does not allocate.
func Toleration(t *resourceapi.DeviceToleration) toleration.Toleration {
	return toleration.Toleration{
		Key: t.Key, Operator: toleration.Operator(t.Operator), Value: t.Value, Effect: taint.Effect(t.Effect), TolerationSeconds: t.TolerationSeconds,
	}
}

// V1Toleration is the inverse of [Toleration]: no field is lost either way.
func V1Toleration(t *toleration.Toleration) resourceapi.DeviceToleration {
	return resourceapi.DeviceToleration{
		Key: t.Key, Operator: resourceapi.DeviceTolerationOperator(t.Operator), Value: t.Value,
		Effect: resourceapi.DeviceTaintEffect(t.Effect), TolerationSeconds: t.TolerationSeconds,
	}
}

// AppendTaints appends taints to dst as this module's type, each converted by [Taint],
// and returns the extended slice. It allocates once if dst lacks room and else not at
// all. An empty list appended to nil is nil.
func AppendTaints(dst []taint.Taint, taints []resourceapi.DeviceTaint) []taint.Taint {
	return appendEach(dst, taints, Taint)
}

// AppendV1Taints is the inverse of [AppendTaints].
func AppendV1Taints(dst []resourceapi.DeviceTaint, taints []taint.Taint) []resourceapi.DeviceTaint {
	return appendEach(dst, taints, V1Taint)
}

// AppendTolerations appends tolerations to dst as this module's type, each converted by
// [Toleration]. Otherwise it is like [AppendTaints].
func AppendTolerations(dst []toleration.Toleration, tolerations []resourceapi.DeviceToleration) []toleration.Toleration {
	return appendEach(dst, tolerations, Toleration)
}

// AppendV1Tolerations is the inverse of [AppendTolerations].
func AppendV1Tolerations(dst []resourceapi.DeviceToleration, tolerations []toleration.Toleration) []resourceapi.DeviceToleration {
	return appendEach(dst, tolerations, V1Toleration)
}

func appendEach[From, To any](dst []To, list []From, convert func(*From) To) []To {
	if len(list) == 0 {
		return dst
	}
	dst = slices.Grow(dst, len(list))
	for i := range list {
		dst = append(dst, convert(&list[i]))
	}
	return dst
}

// Slice returns a slice as this module's type: its driver, pool, generation, and the
// names and taints of its devices.
func Slice(s *resourceapi.ResourceSlice) device.Slice {
	slice := device.Slice{Driver: s.Spec.Driver, Pool: device.Pool{Name: s.Spec.Pool.Name, Generation: s.Spec.Pool.Generation}}
	slice.Devices = appendEach(nil, s.Spec.Devices, func(d *resourceapi.Device) device.Device {
		return device.Device{Name: d.Name, Taints: AppendTaints(nil, d.Taints)}
	})
	return slice
}
