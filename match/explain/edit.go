package explain

import (
	"maps"
	"slices"

	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// Edit is a change of one toleration. It is plain data, free to copy and to share. It
// shares strings and seconds with the list. The zero Edit changes nothing.
type Edit struct {
	Index    int // of the toleration in the list
	Old, New toleration.Toleration
}

// Edit returns the least widening of the pod's tolerations that reaches the goal, for
// those who write the list: the API server does not allow most edits on pods that exist.
// An edit only widens a toleration: the pod still tolerates all that it did, and for as
// long. [Query.Correct] may find a smaller change that does not keep all of this.
//
// A toleration that has the key of a taint and no seconds can be widened to any value, to
// any effect, or to both. One with seconds is not widened: it would tolerate the other
// taints for that time only. A taint whose key no such toleration has gets an addition, as
// in [Query.Add]; all others are reached by widening as few values and effects as
// possible. Of several ways with as few, Edit prefers changing an effect to
// changing values, and that to changing both, and then the one that is earliest in the list.
//
// Under [ToStay] and [ToScheduleAndStay], the tolerations that count then for a NoExecute
// taint lose their seconds. If every taint has a key, as valid ones do, no change can be
// left out.
//
// If values are hidden, additions are as in [Query.Add], and the edits are those
// for the true values.
func (q *Query) Edit(goal Goal) Repair {
	widenable := q.widenable()
	groups := make(map[string][]*taint.Taint) // those that can be reached, by key
	var others []*taint.Taint
	for _, x := range q.inTheWay(goal, func(*toleration.Toleration, *taint.Taint) bool { return false }) {
		if len(widenable[x.Key]) == 0 {
			others = append(others, x)
			continue
		}
		groups[x.Key] = append(groups[x.Key], x)
	}
	w := widened{q.Tolerations, make(map[int]*toleration.Toleration)}
	for key, g := range groups {
		q.widen(w, g, widenable[key])
	}
	r := Repair{Goal: goal, Additions: q.additions(others), Edits: w.edits()}
	if goal.forever() {
		q.dropSeconds(w, &r)
		r.Edits = w.edits()
	}
	return r
}

// widened is a list and, by their indexes, the tolerations that become wider.
type widened struct {
	list    []toleration.Toleration
	byIndex map[int]*toleration.Toleration
}

// at returns the toleration with the index, to be changed.
func (w *widened) at(i int) *toleration.Toleration {
	if w.byIndex[i] == nil {
		t := w.list[i]
		w.byIndex[i] = &t
	}
	return w.byIndex[i]
}

func anyValue(t *toleration.Toleration) { t.Operator, t.Value = toleration.OpExists, "" }

// edits returns the changes as edits, in the order of the list.
func (w *widened) edits() []Edit {
	var list []Edit
	for _, i := range slices.Sorted(maps.Keys(w.byIndex)) {
		list = append(list, Edit{i, w.list[i], *w.byIndex[i]})
	}
	return list
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

// dropSeconds adds the changes that remove seconds, for the pod with the repair.
func (q *Query) dropSeconds(w widened, r *Repair) {
	repaired := Query{Rules: q.Rules, Taints: q.Taints, Tolerations: r.Apply(nil, q.Tolerations)}
	first := newFinder(repaired.Tolerations, repaired.evicting())
	for i := range q.Taints {
		x := &q.Taints[i]
		if x.Effect != taint.NoExecute {
			continue
		}
		j := first.first(x) // there is one
		if repaired.Tolerations[j].TolerationSeconds != nil {
			w.at(j - len(r.Additions)).TolerationSeconds = nil // additions have none
		}
	}
}

// widen adds the changes that let tolerations with the given indexes, at least one, tolerate all
// of some taints with their key.
func (q *Query) widen(w widened, taints []*taint.Taint, indexes []int) {
	var effects []taint.Effect // each once
	for _, x := range taints {
		if !slices.Contains(effects, x.Effect) {
			effects = append(effects, x.Effect)
		}
	}
	for _, i := range indexes {
		t := q.Tolerations[i]
		t.Effect = ""
		if !slices.ContainsFunc(taints, func(x *taint.Taint) bool { return !t.Tolerates(x, q.Rules) }) {
			w.at(i).Effect = ""
			return
		}
	}
	firstWith := func(suits func(taint.Effect) bool) int {
		n := slices.IndexFunc(indexes, func(i int) bool { return suits(q.Tolerations[i].Effect) })
		if n < 0 {
			return nowhere
		}
		return indexes[n]
	}
	another := func(e taint.Effect) bool {
		return slices.ContainsFunc(effects, func(f taint.Effect) bool { return f != e })
	}
	if i := firstWith(func(e taint.Effect) bool { return e == "" || !another(e) }); i != nowhere {
		anyValue(w.at(i))
		return
	}
	var each []int // for each effect
	for _, effect := range effects {
		each = append(each, firstWith(func(e taint.Effect) bool { return e == effect }))
	}
	if slices.Contains(each, nowhere) {
		anyValue(w.at(indexes[0]))
		w.at(indexes[0]).Effect = ""
		return
	}
	for _, i := range each {
		anyValue(w.at(i))
	}
}
