package device

import (
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// tolerates is rule D2: the rules of nodes, without Gt and Lt.
func tolerates(t *toleration.Toleration, x *taint.Taint) bool {
	return !t.Operator.Comparison() && t.Tolerates(x)
}

// Tolerates reports whether some toleration of the list tolerates x, as far as
// allocating the device goes (rule D2). An empty list tolerates nothing.
func Tolerates(tolerations []toleration.Toleration, x *taint.Taint) bool {
	for i := range tolerations {
		if tolerates(&tolerations[i], x) {
			return true
		}
	}
	return false
}

// FirstUntolerated returns the index of the first taint that prevents the device
// from being allocated to a request with the tolerations, and whether there is one
// (rule D5): its effect is NoSchedule or NoExecute, and no toleration tolerates
// it. If there is none, the device may be allocated as far as taints go, to a
// request with admin access as to any other.
//
// Kubernetes does not say which taint it was. The first one follows from the order
// of the list: see [AppendEffective].
func FirstUntolerated(taints []taint.Taint, tolerations []toleration.Toleration) (index int, ok bool) {
	for i := range taints {
		if prevents(&taints[i], tolerations) {
			return i, true
		}
	}
	return 0, false
}

// Filter appends to dst the taints that prevent the device from being allocated to
// a request with the tolerations, in their order, and returns the extended slice
// (rule D5). dst may be taints[:0], which filters in place, but must not overlap
// taints in any other way. The result shares TimeAdded with taints.
func Filter(dst, taints []taint.Taint, tolerations []toleration.Toleration) []taint.Taint {
	for i := range taints {
		if prevents(&taints[i], tolerations) {
			dst = append(dst, taints[i])
		}
	}
	return dst
}

// prevents reports whether x keeps a device from a request with the tolerations.
func prevents(x *taint.Taint, tolerations []toleration.Toleration) bool {
	return taint.Hard.Has(x.Effect) && !Tolerates(tolerations, x)
}

// AppendEffective appends to dst the taints of a device: its own, which its slice
// has, and then those of the rules that select it, in the order of rules (rule
// D4). Equal taints are all kept. dst must not overlap own. The result shares
// TimeAdded with the arguments.
//
// Kubernetes keeps no order among rules. Sort them by name where the order has to
// be the same each time. A [RuleSet] does so, and is faster with many rules.
func AppendEffective(dst, own []taint.Taint, rules []Rule, id ID) []taint.Taint {
	dst = append(dst, own...)
	for i := range rules {
		if rules[i].Selects(id) {
			dst = append(dst, rules[i].Taint)
		}
	}
	return dst
}
