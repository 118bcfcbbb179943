package explain

import (
	"maps"
	"slices"

	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// Change says what an edit of [Query.Edit] does to a toleration. It is a set of changes,
// combined with |; each lets the toleration tolerate more taints, or for longer. The zero
// Change is none. A Change is a small integer, free to copy and to share.
type Change uint8

// The changes.
const (
	// AnyValue makes the operator Exists and removes the value.
	AnyValue Change = 1 << iota
	// AnyEffect removes the effect.
	AnyEffect
	// NoSeconds removes the seconds. The API server allows this, alone, on pods
	// that exist.
	NoSeconds
)

// Apply returns t with the changes of c. Unknown bits do nothing.
func (c Change) Apply(t toleration.Toleration) toleration.Toleration {
	if c&AnyValue != 0 {
		t.Operator, t.Value = toleration.OpExists, ""
	}
	if c&AnyEffect != 0 {
		t.Effect = ""
	}
	if c&NoSeconds != 0 {
		t.TolerationSeconds = nil
	}
	return t
}

// Edit is a change of one toleration. It is plain data, free to copy and to share. It
// shares strings and seconds with the list. The zero Edit changes nothing.
type Edit struct {
	Index    int // of the toleration in the list
	Old, New toleration.Toleration
	// Changes are those of [Query.Edit]: New is Changes applied to Old. In an edit of
	// [Query.Correct] they are zero, and [Edit.Fields] says what changes.
	Changes Change
}

// Edit returns the least widening of the pod's tolerations that reaches the goal, for
// those who write the list: the API server does not allow most edits on pods that exist.
// An edit only widens a toleration: the pod still tolerates all that it did, and for as
// long. [Query.Correct] may find a smaller change that does not keep all of this.
//
// A toleration that has the key of a taint and no seconds can be widened to any value, to
// any effect, or to both. One with seconds is not widened: it would tolerate the other
// taints for that time only. A taint whose key no such toleration has gets an addition, as
// in [Query.Add]; all others are reached by widening, with as few AnyValue and
// AnyEffect as possible. Of several ways with as few, Edit prefers changing an effect to
// changing values, and that to changing both, and then the one that is earliest in the list.
//
// Under [ToStay] and [ToScheduleAndStay], the tolerations that count then for a NoExecute
// taint lose their seconds. If every taint has a key, as valid ones do, no change can be
// left out.
//
// If values are hidden, additions are as in [Query.Add], and the edits are those
// for the true values. Edit takes n log n steps.
func (q *Query) Edit(goal Goal) Repair {
	widenable := q.widenable()
	groups := make(map[string]*group) // the taints that can be reached, by key
	var others []*taint.Taint
	for _, x := range q.inTheWay(goal, func(*toleration.Toleration, *taint.Taint) bool { return false }) {
		if len(widenable[x.Key]) == 0 {
			others = append(others, x)
			continue
		}
		if groups[x.Key] == nil {
			groups[x.Key] = new(group)
		}
		groups[x.Key].add(x)
	}
	changes := make(map[int]Change) // by index
	for key, g := range groups {
		q.widen(changes, g, widenable[key])
	}
	r := Repair{Goal: goal, Additions: q.additions(others), Edits: q.edits(changes)}
	if goal.forever() {
		q.dropSeconds(changes, &r)
		r.Edits = q.edits(changes)
	}
	return r
}

// widenable returns the indexes of the tolerations that can be widened, by key.
func (q *Query) widenable() map[string][]int {
	byKey := make(map[string][]int)
	for i := range q.Tolerations {
		if t := &q.Tolerations[i]; t.Key != "" && t.TolerationSeconds == nil {
			byKey[t.Key] = append(byKey[t.Key], i)
		}
	}
	return byKey
}

// edits returns the changes as edits, in the order of the list.
func (q *Query) edits(changes map[int]Change) []Edit {
	var list []Edit
	for _, i := range slices.Sorted(maps.Keys(changes)) {
		old := q.Tolerations[i]
		list = append(list, Edit{i, old, changes[i].Apply(old), changes[i]})
	}
	return list
}

// dropSeconds adds the changes that remove seconds, for the pod with the repair.
func (q *Query) dropSeconds(changes map[int]Change, r *Repair) {
	repaired := Query{Rules: q.Rules, Taints: q.Taints, Tolerations: r.Apply(nil, q.Tolerations)}
	first := newFinder(repaired.Tolerations, repaired.evicting())
	for i := range q.Taints {
		x := &q.Taints[i]
		if x.Effect != taint.NoExecute {
			continue
		}
		j := first.first(x) // there is one
		if repaired.Tolerations[j].TolerationSeconds != nil {
			changes[j-len(r.Additions)] |= NoSeconds // additions have none
		}
	}
}

// widen adds the changes that let tolerations with the given indexes, at least
// one, tolerate all of g.
func (q *Query) widen(changes map[int]Change, g *group, indexes []int) {
	for _, i := range indexes {
		if t := &q.Tolerations[i]; counts(q.Rules, t) && g.toleratedBy(*t) {
			changes[i] |= AnyEffect
			return
		}
	}
	firstWith := func(suits func(taint.Effect) bool) int {
		return slices.IndexFunc(indexes, func(i int) bool { return suits(q.Tolerations[i].Effect) })
	}
	another := func(e taint.Effect) bool {
		return slices.ContainsFunc(g.effects, func(f taint.Effect) bool { return f != e })
	}
	if n := firstWith(func(e taint.Effect) bool { return e == "" || !another(e) }); n >= 0 {
		changes[indexes[n]] |= AnyValue
		return
	}
	var each []int // for each effect
	for _, effect := range g.effects {
		each = append(each, firstWith(func(e taint.Effect) bool { return e == effect }))
	}
	if slices.Contains(each, -1) {
		changes[indexes[0]] |= AnyValue | AnyEffect
		return
	}
	for _, n := range each {
		changes[indexes[n]] |= AnyValue
	}
}
