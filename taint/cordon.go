package taint

// WithCordon appends to dst the taints that a node has for a scheduler, and
// returns the extended slice: taints, and before them
// node.kubernetes.io/unschedulable:NoSchedule if the node is unschedulable
// (cordoned) and does not have that taint with an empty value yet (rule F7). It
// comes first because kube-scheduler looks at the cordon before it looks at
// taints; the order decides which untolerated taint is reported (rule F3).
//
// If it adds the cordon, index 0 of a new list is spec.unschedulable and index i is
// spec.taints[i-1]. A program that names fields passes nil for dst: the result has
// len(result)-len(taints) taints before those of the spec, one or none.
//
// If unschedulable is false, WithCordon adds nothing and removes nothing. The node
// controller puts the same taint into the spec.taints of a cordoned node, and
// takes it off when the node is uncordoned (rule C1); to do so yourself use
// [Remove] or [RemoveKey].
//
// taints is the node's spec.taints and unschedulable its spec.unschedulable. A
// nil list is an empty one. dst must not overlap taints. The result shares
// TimeAdded with taints.
func WithCordon(dst, taints []Taint, unschedulable bool) []Taint {
	if unschedulable && !cordoned(taints) {
		dst = append(dst, Taint{Key: KeyUnschedulable, Effect: NoSchedule})
	}
	return append(dst, taints...)
}

func cordoned(taints []Taint) bool {
	for i := range taints {
		if t := &taints[i]; t.Key == KeyUnschedulable && t.Effect == NoSchedule && t.Value == "" {
			return true
		}
	}
	return false
}
