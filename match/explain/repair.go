package explain

import (
	"fmt"
	"slices"

	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// Goal is what a [Repair] is to reach. The zero Goal is [ToSchedule]. A Goal is a
// small integer, free to copy and to share.
type Goal uint8

// The goals.
const (
	// ToSchedule lets the scheduler place the pod on the node: every NoSchedule
	// and NoExecute taint is tolerated (rule F2).
	ToSchedule Goal = iota
	// ToStay keeps the pod from being evicted: every NoExecute taint is tolerated
	// forever (rules E1, E2).
	ToStay
	// ToScheduleAndStay is both: NoSchedule taints are tolerated, and NoExecute taints
	// forever.
	ToScheduleAndStay
)

var goals = [...]string{"schedule", "stay", "schedule and stay"}

// String returns "schedule", "stay" or "schedule and stay", and for any other value
// its number, such as "Goal(9)".
func (g Goal) String() string {
	if int(g) < len(goals) {
		return goals[g]
	}
	return fmt.Sprintf("Goal(%d)", uint8(g))
}

// effects returns the effects of the taints that must be tolerated.
func (g Goal) effects() taint.EffectSet {
	if g == ToStay {
		return taint.Evicting
	}
	return taint.Hard
}

// forever reports whether NoExecute taints must be tolerated without a limit.
func (g Goal) forever() bool {
	return g == ToStay || g == ToScheduleAndStay
}

// Repair is a change of a pod's tolerations that reaches a goal. The zero Repair
// changes nothing. It is plain data: it may be read concurrently, and a copy shares
// its slices. It shares strings and seconds with the lists of the [Query].
type Repair struct {
	Goal Goal
	// Additions are tolerations to add, without seconds. They come before those of
	// the pod, because the first one that matches a taint counts.
	Additions []toleration.Toleration
	// Edits are changes of tolerations of the pod, in the order of the list.
	Edits []Edit
	// Truncated reports that [Query.Correct] had more than 10,000 pairs of keys to compare
	// and left out the rest: a smaller change may exist.
	Truncated bool
}

// Empty reports whether r changes nothing: the goal is reached already.
func (r Repair) Empty() bool {
	return len(r.Additions) == 0 && len(r.Edits) == 0
}

// Apply appends to dst the repaired list, and returns the extended slice: the
// additions, and then the tolerations, which must be those of the [Query], with the
// edits. An edit of a toleration that the list does not have is left out. dst must
// not overlap tolerations.
func (r Repair) Apply(dst, tolerations []toleration.Toleration) []toleration.Toleration {
	dst = append(dst, r.Additions...)
	start := len(dst)
	dst = append(dst, tolerations...)
	for i := range r.Edits {
		if e := &r.Edits[i]; e.Index >= 0 && e.Index < len(tolerations) {
			dst[start+e.Index] = e.New
		}
	}
	return dst
}

// Add returns the least additions that reach the goal: one toleration for each different
// taint that is in the way, in the order of the node. They tolerate these taints and, if
// the taints are valid, no others. No addition can be left out. Whatever else you add to
// reach the goal, wherever in the list, tolerates all of this too. Fewer but wider
// tolerations can be enough; these are the narrowest.
//
// The API server allows the additions on pods that exist
// ([toleration.Rules.ValidateUpdate]). They are valid if the taints are. If values are
// hidden, they are wider: they tolerate every value of the key with that effect.
//
// A taint is in the way if it is not tolerated. Under [ToStay] and [ToScheduleAndStay], a
// NoExecute taint is also in the way if the toleration that counts for it has seconds. A
// goal that is none of the three acts as ToSchedule.
func (q *Query) Add(goal Goal) Repair {
	inTheWay := q.inTheWay(goal, func(t *toleration.Toleration, x *taint.Taint) bool {
		return goal.forever() && taint.Evicting.Has(x.Effect) && t.TolerationSeconds != nil
	})
	return Repair{Goal: goal, Additions: q.additions(inTheWay)}
}

// inTheWay returns the taints with the effects of the goal that no toleration
// tolerates that counts, or of which the first one is not enough.
func (q *Query) inTheWay(goal Goal, notEnough func(*toleration.Toleration, *taint.Taint) bool) []*taint.Taint {
	counting := q.counting()
	var list []*taint.Taint
	for i := range q.Taints {
		x := &q.Taints[i]
		if !goal.effects().Has(x.Effect) {
			continue
		}
		if j := counting.first(x); j == nowhere || notEnough(&q.Tolerations[j], x) {
			list = append(list, x)
		}
	}
	return list
}

// additions returns the narrowest tolerations of the taints, each once.
func (q *Query) additions(taints []*taint.Taint) []toleration.Toleration {
	var wanted []toleration.Toleration
	known := make(map[toleration.Toleration]bool) // none has seconds
	for _, x := range taints {
		if t := q.tolerationFor(x); !known[t] {
			known[t] = true
			wanted = append(wanted, t)
		}
	}
	return slices.DeleteFunc(wanted, func(t toleration.Toleration) bool {
		// A taint without a key, which is not valid, has one that tolerates others too.
		anyKey := t
		anyKey.Key = ""
		return anyKey != t && known[anyKey]
	})
}

// tolerationFor returns the narrowest toleration of x.
func (q *Query) tolerationFor(x *taint.Taint) toleration.Toleration {
	if q.HideValues {
		return toleration.Toleration{Key: x.Key, Operator: toleration.OpExists, Effect: x.Effect}
	}
	return toleration.For(x)
}
