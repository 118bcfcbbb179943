package page

import (
	"fmt"
	"slices"

	"github.com/tolero-dev/tolero/examples/internal/parallel"
	"github.com/tolero-dev/tolero/match/explain"
	"github.com/tolero-dev/tolero/taint"
)

// keyGroup is hard taints of one key that some column has, in its order.
type keyGroup struct {
	key    string
	taints []int
}

// edits finds the least widening of tolerations for each goal. Only tolerations with the
// key of a taint can be widened to tolerate it, and only those and the ones without a key
// count for how long, so that each key of a column is one question.
func (b *builder) edits() {
	groups := b.keyGroups()
	b.Edits = []Edit{{Changes: []Change{}}} // the first one is to change nothing
	known := map[string]uint32{fmt.Sprint(b.Edits[0]): 0}
	b.Editing = b.editsFor(explain.ToSchedule, groups, known)
	b.Staying = b.editsFor(explain.ToStay, groups, known)
}

// editsFor returns the index of an edit for each row and group.
func (b *builder) editsFor(goal explain.Goal, groups []keyGroup, known map[string]uint32) Packed {
	found := make([][]Edit, len(b.rows))
	parallel.Do(len(b.rows), func() func(int) {
		return func(i int) { found[i] = b.editsOf(goal, i, groups) }
	})
	all := make([]uint32, 0, len(b.rows)*len(groups))
	for i := range found {
		for _, edit := range found[i] {
			text := fmt.Sprint(edit)
			n, seen := known[text]
			if !seen {
				n = uint32(len(b.Edits))
				known[text] = n
				b.Edits = append(b.Edits, edit)
			}
			all = append(all, n)
		}
		found[i] = nil
	}
	return pack(all)
}

// keyGroups returns the different lists of hard taints with one key that columns have,
// as far as their reasons are known, and gives their numbers to the columns.
func (b *builder) keyGroups() []keyGroup {
	var groups []keyGroup
	known := make(map[string]int)
	for i := range b.Columns {
		byKey := make(map[string][]int)
		var keys []string
		b.Columns[i].Groups = []int{}
		for _, t := range b.Columns[i].Taints {
			if b.taints[t].Effect != taint.NoSchedule && b.taints[t].Effect != taint.NoExecute || t >= b.NearTaints {
				continue
			}
			key := b.taints[t].Key
			if byKey[key] == nil {
				keys = append(keys, key)
			}
			byKey[key] = append(byKey[key], t)
		}
		for _, key := range keys {
			text := fmt.Sprint(byKey[key])
			n, seen := known[text]
			if !seen {
				n = len(groups)
				known[text] = n
				groups = append(groups, keyGroup{key, byKey[key]})
				b.Groups = append(b.Groups, byKey[key])
			}
			b.Columns[i].Groups = append(b.Columns[i].Groups, n)
		}
	}
	return groups
}

// editsOf returns the edits of a row, one for each group.
func (b *builder) editsOf(goal explain.Goal, i int, groups []keyGroup) []Edit {
	edits := make([]Edit, len(groups))
	list := b.rows[i].tolerations
	byKey := make(map[string][]int) // indexes in the list
	for j := range list {
		byKey[list[j].Key] = append(byKey[list[j].Key], j)
	}
	known := make(map[question]Edit)
	for n, g := range groups {
		edits[n].Changes = []Change{}
		of := byKey[g.key]
		if len(of) == 0 && goal == explain.ToSchedule || !b.inTheWay(goal, i, g.taints) {
			continue
		}
		if any := byKey[""]; g.key != "" && len(any) > 0 {
			of = slices.Concat(of, any)
			slices.Sort(of)
		}
		if len(of) == 0 {
			continue
		}
		if len(of) > 1 || len(g.taints) > 1 {
			edits[n] = b.ask(goal, i, g.taints, of)
			continue
		}
		// What is to be done about one toleration depends on what differs.
		t := g.taints[0]
		q := question{of[0], b.near[i*b.NearTaints+t], b.taints[t].Effect}
		edit, seen := known[q]
		if !seen {
			edit = b.ask(goal, i, g.taints, of)
			known[q] = edit
		}
		edits[n] = edit
	}
	return edits
}

// inTheWay reports whether one of the taints may be in the way of the goal.
func (b *builder) inTheWay(goal explain.Goal, row int, taints []int) bool {
	return slices.ContainsFunc(taints, func(t int) bool {
		reason := b.Reasons[b.near[row*b.NearTaints+t]][0]
		if goal == explain.ToStay {
			return b.taints[t].Effect == taint.NoExecute && reason != tolerated
		}
		return reason == untolerated
	})
}

// question is a toleration, its reason not to tolerate a taint, and the taint's effect.
type question struct {
	toleration int
	reason     uint32
	effect     taint.Effect
}

// ask returns the least widening of the tolerations of a row with the given indexes that
// reaches the goal for the taints.
func (b *builder) ask(goal explain.Goal, row int, taints, of []int) Edit {
	q := explain.Query{Rules: b.fleet.Rules, Taints: pick(b.taints, taints), Tolerations: pick(b.rows[row].tolerations, of)}
	repair := q.Edit(goal)
	e := Edit{Changes: []Change{}}
	for _, edit := range repair.Edits {
		e.Changes = append(e.Changes, Change{of[edit.Index], edit.New.String()})
	}
	if len(e.Changes) == 0 {
		return e
	}
	for _, add := range repair.Additions {
		text := add.String()
		at := slices.IndexFunc(taints, func(t int) bool { return b.Taints[t].Add == text })
		e.Add = append(e.Add, at)
	}
	return e
}

// pick returns the elements of list with the given indexes.
func pick[T any](list []T, indexes []int) []T {
	picked := make([]T, len(indexes))
	for i, index := range indexes {
		picked[i] = list[index]
	}
	return picked
}
