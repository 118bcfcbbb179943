package toleration

// Rules says which tolerations a cluster accepts and counts. Everything in this
// module that takes the view of a cluster has one, and the zero Rules is a
// default cluster. It may be compared with ==.
//
//	rules := toleration.Rules{}                  // a default cluster
//	rules := toleration.Rules{Comparisons: true} // one with the feature gate on
type Rules struct {
	// Comparisons is whether the feature gate
	// TaintTolerationComparisonOperators is on, which it is not by default. Only
	// then may new pods use the operators Gt and Lt, and only then do they match
	// anything (rules N4, N5).
	Comparisons bool
}

// Active appends to dst the tolerations that count, in their order, and returns
// the extended slice: all of them if r.Comparisons is set, and else those whose
// operator is not Gt or Lt (rule N4). It is for what takes a list and no rules,
// such as [NewMeaning]; [Toleration.Tolerates] and package match take both.
//
// dst may be tolerations[:0], which edits the list in place; it must not overlap
// tolerations in any other way. The result shares TolerationSeconds with
// tolerations.
func (r Rules) Active(dst, tolerations []Toleration) []Toleration {
	for i := range tolerations {
		if r.Comparisons || !tolerations[i].Operator.Comparison() {
			dst = append(dst, tolerations[i])
		}
	}
	return dst
}
