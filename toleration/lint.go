package toleration

import (
	"fmt"

	"github.com/tolero-dev/tolero/taint"
)

// Remark is something that [Rules.Lint] found: a toleration that the API server
// accepts and that is still likely not to do what its author meant. It is plain
// data.
type Remark struct {
	Index int    // of the toleration in the list
	Text  string // what is remarkable, in words
}

// String returns one line with the field and the text.
func (r Remark) String() string {
	return fmt.Sprintf("tolerations[%d]: %s", r.Index, r.Text)
}

// Lint returns what is remarkable in tolerations for a cluster with rules r, in
// the order of the list, and nil if nothing is. It reports
//
//   - a toleration that matches no valid taint, such as Lt with zero or less
//     (rule N3), or that the cluster ignores because its operator is Gt or Lt
//     (rule N4);
//   - a toleration whose seconds do not count for some valid NoExecute taint that
//     it matches, because an earlier toleration matches the taint first and has
//     other seconds: the eviction time depends on their order (rule E2). The
//     remark names the earliest such toleration.
//
// There are at most two remarks on a toleration. Lint is for lists that the API
// server accepts. Invalid tolerations are allowed, but those with an empty key and
// another operator than Exists are not compared with others. It takes n log n
// steps.
func (r Rules) Lint(tolerations []Toleration) []Remark {
	var remarks []Remark
	overruling := r.overruling(tolerations)
	for i := range tolerations {
		t := &tolerations[i]
		switch {
		case !r.counts(t):
			remarks = append(remarks, Remark{i, fmt.Sprintf("%q matches nothing without the feature gate TaintTolerationComparisonOperators", t)})
		case t.neverMatches():
			remarks = append(remarks, Remark{i, fmt.Sprintf("%q matches no valid taint", t)})
		}
		if j := overruling[i]; j != none {
			remarks = append(remarks, Remark{i, fmt.Sprintf(
				"%q overlaps tolerations[%d], which comes first and has other seconds: the eviction time depends on their order", t, j)})
		}
	}
	return remarks
}

// counts reports whether a cluster with rules r counts t.
func (r Rules) counts(t *Toleration) bool {
	return r.Comparisons || !t.Operator.Comparison()
}

// neverMatches reports whether t matches no valid taint. The value of a valid
// taint is a label value, which cannot be a negative number.
func (t *Toleration) neverMatches() bool {
	switch values := t.values(); values.kind {
	case everyValue:
		return false
	case oneWord:
		return taint.CheckValue(values.word) != nil
	case integers:
		return values.run.hi < 0
	}
	return true
}
