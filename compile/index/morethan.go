package index

import (
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// FitsMoreThan reports whether more than n nodes fit a pod with a toleration list (rule F2):
// whether [Fit.Len] is greater than n after [Snapshot.FitList]. It is often faster, because
// it does not fill f if more than n nodes have no hard taint, or no hard taint except one
// whose key and value a toleration has. n may be negative. The list need not be valid, and
// counts by the rules of the snapshot.
//
// It also returns how many tolerations, taints and sets of taints it looked at; the time is
// at most proportional to that. f is a buffer, which must not be in use elsewhere: afterwards
// it says nothing until it is filled again. It may retain what [Fit] does.
func (s *Snapshot) FitsMoreThan(f *Fit, tolerations []toleration.Toleration, n int) (more bool, steps int) {
	if s.within(0) > n || s.fitsAlone(tolerations, n) {
		return true, 1 + len(tolerations)
	}
	s.FitList(f, tolerations)
	return f.Len() > n, 1 + len(tolerations) + f.plan.steps()
}

// fitsAlone reports whether more than n nodes have a single hard taint, one whose key and
// value a toleration has. Those of Gt and Lt count only where comparisons do.
func (s *Snapshot) fitsAlone(tolerations []toleration.Toleration, n int) bool {
	for i := range tolerations {
		t := &tolerations[i]
		values := t.Values()
		if values.Kind != toleration.OneValue || t.Operator.Comparison() && !s.rules.Comparisons {
			continue
		}
		for _, effect := range hard {
			x := taint.Taint{Key: t.Key, Value: values.Value, Effect: effect}
			if (t.Effect == "" || t.Effect == effect) && s.havingOnly(&x) > n {
				return true
			}
		}
	}
	return false
}

// havingOnly returns how many nodes have this hard taint and no other. It looks only at the
// first set that watches the taint, and returns zero if that set has more taints.
func (s *Snapshot) havingOnly(x *taint.Taint) int {
	e, inUse := s.vocabulary.ID(x)
	if !inUse {
		return 0
	}
	position, _ := s.hardTaintOf(e) // as it is in use, some set has it
	first := s.taints.At(position).first[primary]
	if first == 0 || len(s.sets.sets.At(first-1).elements) > 1 {
		return 0
	}
	return int(*s.counts.At(first - 1))
}
