package matrix

import (
	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// engine prepares for the questions about a fleet, and returns a function that
// makes evaluators, one for each goroutine. The rules are applied in engines and
// nowhere else.
type engine func(nodes []*nodeClass) (start func() evaluator)

// evaluator tells what the taint lists of the fleet mean to pods with the given
// tolerations. It calls visit for each class of nodes whose answer differs from the
// answer for a pod without tolerations, once each, in any order; it may call it for
// others too. So an engine that knows which classes have a tolerated taint has few
// to visit. It retains nothing.
type evaluator func(tolerations []toleration.Toleration, visit func(class int, a answer))

// answer is what one taint list means to one toleration list.
type answer struct {
	match.Verdict // without the taints that decided
	// first is the index of the taint that refuses the pod: the first hard one
	// that is not tolerated (rule F3). Zero unless the verdict is Unschedulable.
	first int
	// soft is how many PreferNoSchedule taints are not tolerated (rule F4).
	// Zero unless the verdict is Avoid.
	soft int64
}

// matchEngine asks package match about each pair of lists anew. Its answers are the
// canonical ones; other engines must give the same.
func matchEngine(nodes []*nodeClass) func() evaluator {
	return func() evaluator {
		return func(tolerations []toleration.Toleration, visit func(int, answer)) {
			for i, class := range nodes {
				visit(i, canonical(class.taints, tolerations))
			}
		}
	}
}

// counted are the rules for the lists of a class, which hold only what counts.
var counted = toleration.Rules{Comparisons: true}

// canonical returns the answer of package match.
func canonical(taints []taint.Taint, tolerations []toleration.Toleration) answer {
	a := answer{Verdict: match.Decide(taints, tolerations, counted)}
	switch a.Scheduling {
	case match.Unschedulable:
		a.first = a.SchedulingTaint
	case match.Avoid:
		a.soft = match.CountUntolerated(taints, tolerations, taint.Soft, counted)
	}
	a.SchedulingTaint, a.EvictionTaint = 0, 0
	return a
}

// plainAnswers returns the answers for a pod without tolerations, by class.
func plainAnswers(nodes []*nodeClass) []answer {
	answers := make([]answer, len(nodes))
	for i, class := range nodes {
		answers[i] = canonical(class.taints, nil)
	}
	return answers
}
