package index

import (
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// FitsMore reports whether more than n nodes fit a pod with a toleration list (rule F2),
// as [Fit.Len] would count them after [Snapshot.FitList], and often in less time: it does
// not count if the nodes without hard taints are more than n, or those whose only hard
// taint has the key and the value of a toleration. It also returns how many tolerations,
// taints and sets of taints there were to look at, to which the time is proportional at
// most. f is a buffer: fill it again before asking it.
func (s *Snapshot) FitsMore(f *Fit, tolerations []toleration.Toleration, n int) (more bool, looks int) {
	if s.within(0) > n || s.fitsAlone(tolerations, n) {
		return true, 1 + len(tolerations)
	}
	s.FitList(f, tolerations)
	return f.Len() > n, 1 + len(tolerations) + f.plan.looks()
}

// fitsAlone reports whether more than n nodes have, of all hard taints, just the one that
// a toleration names.
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

// havingOnly returns how many nodes have a hard taint and no other one, or zero if it is
// not the first set that watches the taint.
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
