package explain

import (
	"cmp"
	"maps"
	"slices"
	"strconv"

	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// Change says what an edit of [Query.Edit] does to a toleration: a set of changes,
// combined with |. Each lets it tolerate more taints, or for longer. The zero Change is none. A
// Change is a small integer, free to copy and to share.
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

// Apply returns t with the changes of c. Bits that are no change do nothing.
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
// those who write the list: the API server does not allow most of them on pods that
// exist. An edit widens a toleration: it never takes away what was tolerated, nor time.
// [Query.Correct] can find a smaller change, which may.
//
// A toleration that has the key of a taint and no seconds can be widened, to any
// value or any effect or both; one with seconds would pass them on. A taint whose
// key no such toleration has gets an addition, as in [Query.Add]; every other one
// is reached by widening. No smaller number of AnyValue and AnyEffect does that. If
// several do with as many, an effect is changed rather than values, and values
// rather than both, and then what is earliest in the list.
//
// Under a goal that asks for time, the tolerations that count then for a NoExecute
// taint lose their seconds. If every taint has a key, as valid ones do, none of all the
// changes can be left out.
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

// group is the taints of one key that no toleration tolerates.
type group struct {
	effects  []taint.Effect // each once; of valid taints there are two at most
	extremes []taint.Taint  // see tolerates
	words    int            // how many of those are no integers
}

func (g *group) add(x *taint.Taint) {
	if !slices.Contains(g.effects, x.Effect) {
		g.effects = append(g.effects, x.Effect)
	}
	same := func(y taint.Taint) bool { return y.Value == x.Value }
	switch {
	case slices.ContainsFunc(g.extremes, same):
	case isInteger(x.Value):
		g.addInteger(*x)
	case g.words < 2:
		g.words++
		g.extremes = append(g.extremes, *x)
	}
}

// addInteger adds a taint with an integer as its value, and leaves out the one of
// three that is between the others.
func (g *group) addInteger(x taint.Taint) {
	g.extremes = append(g.extremes, x)
	var integers []taint.Taint
	for _, y := range g.extremes {
		if isInteger(y.Value) {
			integers = append(integers, y)
		}
	}
	if len(integers) < 3 {
		return
	}
	slices.SortFunc(integers, func(a, b taint.Taint) int {
		m, _ := strconv.ParseInt(a.Value, 10, 64)
		n, _ := strconv.ParseInt(b.Value, 10, 64)
		return cmp.Compare(m, n)
	})
	g.extremes = slices.DeleteFunc(g.extremes, func(y taint.Taint) bool { return y.Value == integers[1].Value })
}

// toleratedBy reports whether t, with any effect, tolerates all of g. The values that
// a toleration matches are all values, one word, or integers without a gap. So it
// is enough to ask about two words and about the least and the greatest integer.
func (g *group) toleratedBy(t toleration.Toleration) bool {
	t.Effect = ""
	for i := range g.extremes {
		if !t.Tolerates(&g.extremes[i]) {
			return false
		}
	}
	return true
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
	firstWith := func(suits func(taint.Effect) bool) (index int, found bool) {
		n := slices.IndexFunc(indexes, func(i int) bool { return suits(q.Tolerations[i].Effect) })
		if n < 0 {
			return 0, false
		}
		return indexes[n], true
	}
	one := func(e taint.Effect) bool { return e == "" || len(g.effects) == 1 && e == g.effects[0] }
	if i, found := firstWith(one); found {
		changes[i] |= AnyValue
		return
	}
	if len(g.effects) == 2 {
		i, found := firstWith(func(e taint.Effect) bool { return e == g.effects[0] })
		j, both := firstWith(func(e taint.Effect) bool { return e == g.effects[1] })
		if found && both {
			changes[i] |= AnyValue
			changes[j] |= AnyValue
			return
		}
	}
	changes[indexes[0]] |= AnyValue | AnyEffect
}
