package kube

import (
	"slices"

	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// Taint returns t as this module's type. The result shares TimeAdded with t: it
// points to the same instant under another type. It does not allocate.
func Taint(t *v1.Taint) taint.Taint {
	return taint.Taint{
		Key:       t.Key,
		Value:     t.Value,
		Effect:    taint.Effect(t.Effect),
		TimeAdded: (*taint.Time)(t.TimeAdded),
	}
}

// V1Taint is the inverse of [Taint]: no field is lost either way.
func V1Taint(t *taint.Taint) v1.Taint {
	return v1.Taint{
		Key:       t.Key,
		Value:     t.Value,
		Effect:    v1.TaintEffect(t.Effect),
		TimeAdded: (*metav1.Time)(t.TimeAdded),
	}
}

// Toleration returns t as this module's type. The result shares
// TolerationSeconds with t. It does not allocate.
func Toleration(t *v1.Toleration) toleration.Toleration {
	return toleration.Toleration{
		Key:               t.Key,
		Operator:          toleration.Operator(t.Operator),
		Value:             t.Value,
		Effect:            taint.Effect(t.Effect),
		TolerationSeconds: t.TolerationSeconds,
	}
}

// V1Toleration is the inverse of [Toleration]: no field is lost either way.
func V1Toleration(t *toleration.Toleration) v1.Toleration {
	return v1.Toleration{
		Key:               t.Key,
		Operator:          v1.TolerationOperator(t.Operator),
		Value:             t.Value,
		Effect:            v1.TaintEffect(t.Effect),
		TolerationSeconds: t.TolerationSeconds,
	}
}

// AppendTaints appends taints to dst as this module's type, each converted by
// [Taint], and returns the extended slice. It allocates once if dst lacks room
// and else not at all. An empty list appended to nil is nil.
//
// For a node's spec.taints, these are the taints as they are written, without the
// one that its cordon stands for: see [NodeTaints] for both.
func AppendTaints(dst []taint.Taint, taints []v1.Taint) []taint.Taint {
	dst = slices.Grow(dst, len(taints))
	for i := range taints {
		dst = append(dst, Taint(&taints[i]))
	}
	return dst
}

// AppendV1Taints is the inverse of [AppendTaints], item by item [V1Taint].
func AppendV1Taints(dst []v1.Taint, taints []taint.Taint) []v1.Taint {
	dst = slices.Grow(dst, len(taints))
	for i := range taints {
		dst = append(dst, V1Taint(&taints[i]))
	}
	return dst
}

// AppendTolerations appends tolerations to dst as this module's type, each
// converted by [Toleration], and returns the extended slice. It allocates once
// if dst lacks room and else not at all. An empty list appended to nil is nil.
func AppendTolerations(dst []toleration.Toleration, tolerations []v1.Toleration) []toleration.Toleration {
	dst = slices.Grow(dst, len(tolerations))
	for i := range tolerations {
		dst = append(dst, Toleration(&tolerations[i]))
	}
	return dst
}

// AppendV1Tolerations is the inverse of [AppendTolerations], item by item
// [V1Toleration].
func AppendV1Tolerations(dst []v1.Toleration, tolerations []toleration.Toleration) []v1.Toleration {
	dst = slices.Grow(dst, len(tolerations))
	for i := range tolerations {
		dst = append(dst, V1Toleration(&tolerations[i]))
	}
	return dst
}
