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

// Lint returns what is remarkable in tolerations, in the order of the list, and
// nil if nothing is. It reports
//
//   - a toleration that can match no valid taint, such as Lt with zero or less
//     (rule N3);
//   - two tolerations that match some NoExecute taint in common and give it
//     different seconds, so that the eviction time depends on their order in
//     the list (rule E2).
//
// The time is proportional to the square of the length.
func (r Rules) Lint(tolerations []Toleration) []Remark {
	var remarks []Remark
	for i := range tolerations {
		t := &tolerations[i]
		if t.neverMatches() {
			remarks = append(remarks, Remark{i, fmt.Sprintf("%q matches no valid taint", t)})
		}
		for j := range i {
			if u := &tolerations[j]; orderMatters(u, t) {
				remarks = append(remarks, Remark{i, fmt.Sprintf(
					"%q overlaps %q, which stands before it and gives other seconds: the eviction time depends on their order", t, u)})
			}
		}
	}
	return remarks
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

// orderMatters reports whether the eviction time of a pod can depend on which
// of the two stands first.
func orderMatters(t, u *Toleration) bool {
	return (t.outlasts(u) || u.outlasts(t)) && t.evicting() && u.evicting() && t.Overlaps(u)
}
