package main

import (
	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// engine prepares for the questions about a fleet, given its distinct taint
// lists. It is the one place where the rules are applied: another engine, such
// as an index, needs to be no more than another function of this type.
type engine func(fleet [][]taint.Taint) evaluator

// evaluator answers what the taint lists of the fleet mean to pods with the
// given tolerations: answers[i] is about the i-th list. It may be called by
// several goroutines at a time, and retains nothing.
type evaluator func(tolerations []toleration.Toleration, answers []answer)

// answer is what one taint list means to one toleration list.
type answer struct {
	match.Verdict
	// first is the index of the taint that refuses the pod: the first hard one
	// that is not tolerated. It counts only if the verdict is Unschedulable.
	first int
	// soft is how many PreferNoSchedule taints are not tolerated. It counts
	// only if the verdict is Avoid.
	soft int64
}

// matchEngine asks package match about each pair of lists anew: the canonical
// answer, and the measure for other engines.
func matchEngine(fleet [][]taint.Taint) evaluator {
	return func(tolerations []toleration.Toleration, answers []answer) {
		for i, taints := range fleet {
			a := answer{Verdict: match.Decide(taints, tolerations)}
			switch a.Scheduling {
			case match.Unschedulable:
				a.first, _ = match.FirstUntolerated(taints, tolerations, taint.Hard)
			case match.Avoid:
				a.soft = match.Score(taints, tolerations)
			}
			answers[i] = a
		}
	}
}
