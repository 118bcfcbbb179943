package device

// Tolerates reports whether some toleration of the list tolerates x, as far as
// allocating the device goes (rule D2). An empty list tolerates nothing.
func Tolerates(tolerations []Toleration, x *Taint) bool {
	for i := range tolerations {
		if tolerations[i].Tolerates(x) {
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
// of the list: see [AppendEffective]. The time is proportional to the product of the
// lengths.
func FirstUntolerated(taints []Taint, tolerations []Toleration) (index int, ok bool) {
	for i := range taints {
		if taints[i].Prevents() && !Tolerates(tolerations, &taints[i]) {
			return i, true
		}
	}
	return 0, false
}

// Filter appends to dst the taints that prevent the device from being allocated to
// a request with the tolerations, in their order, and returns the extended slice
// (rule D5). dst may be taints[:0], which filters in place, but must not overlap
// taints in any other way. The result shares TimeAdded with taints.
func Filter(dst, taints []Taint, tolerations []Toleration) []Taint {
	for i := range taints {
		if taints[i].Prevents() && !Tolerates(tolerations, &taints[i]) {
			dst = append(dst, taints[i])
		}
	}
	return dst
}

// AppendEffective appends to dst the taints of a device: its own, which its slice
// has, and then those of the rules that select it, in the order of rules (rule
// D4). Equal taints are all kept. dst must not overlap own. The result shares
// TimeAdded with the arguments. It allocates only for the growth of dst.
//
// Kubernetes keeps no order among rules. Sort them by name where the order has to
// be the same each time.
func AppendEffective(dst, own []Taint, rules []Rule, id ID) []Taint {
	dst = append(dst, own...)
	for i := range rules {
		if rules[i].Selects(id) {
			dst = append(dst, rules[i].Taint)
		}
	}
	return dst
}
