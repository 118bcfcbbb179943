package device

import (
	"slices"

	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// FindTaint returns the index of the first taint that matches x (see
// [Taint.Matches]), and whether there is one. There may be more of them.
func FindTaint(taints []Taint, x *Taint) (index int, found bool) {
	index = slices.IndexFunc(taints, func(t Taint) bool { return t.Matches(x) })
	return max(index, 0), index >= 0
}

// FindToleration returns the index of the first toleration that matches x (see
// [Toleration.Matches]), and whether there is one.
func FindToleration(tolerations []Toleration, x *Toleration) (index int, found bool) {
	index = slices.IndexFunc(tolerations, func(t Toleration) bool { return t.Matches(x) })
	return max(index, 0), index >= 0
}

// EqualTaints reports whether a and b hold equal taints in the same order. A nil
// list equals an empty one. It does not allocate.
func EqualTaints(a, b []Taint) bool {
	return slices.EqualFunc(a, b, func(t, u Taint) bool { return t.Equal(&u) })
}

// EqualTolerations reports whether a and b hold equal tolerations in the same
// order. A nil list equals an empty one. It does not allocate.
func EqualTolerations(a, b []Toleration) bool {
	return slices.EqualFunc(a, b, func(t, u Toleration) bool { return t.Equal(&u) })
}

// CloneTaints returns a copy of the list that shares nothing with it except
// strings. Nil gives nil.
func CloneTaints(taints []Taint) []Taint {
	clone := slices.Clone(taints)
	for i := range clone {
		if added := clone[i].TimeAdded; added != nil {
			clone[i].TimeAdded = &taint.Time{Time: added.Time}
		}
	}
	return clone
}

// CloneTolerations returns a copy of the list that shares nothing with it except
// strings. Nil gives nil.
func CloneTolerations(tolerations []Toleration) []Toleration {
	clone := slices.Clone(tolerations)
	for i := range clone {
		if seconds := clone[i].TolerationSeconds; seconds != nil {
			clone[i].TolerationSeconds = new(*seconds)
		}
	}
	return clone
}

// FromTaints appends node taints to dst as device taints: the same fields. Package
// device gives PreferNoSchedule no meaning.
func FromTaints(dst []Taint, taints []taint.Taint) []Taint {
	for i := range taints {
		dst = append(dst, Taint(taints[i]))
	}
	return dst
}

// FromTolerations appends node tolerations to dst as device tolerations: the same
// fields. Gt and Lt match nothing on devices.
func FromTolerations(dst []Toleration, tolerations []toleration.Toleration) []Toleration {
	for i := range tolerations {
		dst = append(dst, Toleration(tolerations[i]))
	}
	return dst
}
