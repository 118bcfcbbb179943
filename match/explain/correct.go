package explain

import (
	"slices"

	"github.com/tolero-dev/tolero/match/internal/spelling"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// Correct returns the smallest change of the pod's tolerations that reaches the goal, for
// those who write the list. It corrects a misspelled key or a wrong value, effect or
// operator, and removes seconds that are in the way. After it the pod tolerates every
// taint of this node that the goal asks for, but may no longer tolerate others: unlike
// [Query.Edit], Correct may replace what a toleration matches.
//
// The smallest change changes the fewest fields, as [Repair.Size] counts them: an addition
// counts as four. Of several, Correct takes one that widens the fewest fields, where to
// widen is to make an operator Exists, Gt or Lt, or to remove an effect. Of these it takes
// one with the fewest edits. The same query always gets the same answer.
//
// Correct chooses among these changes:
//
//   - A toleration with the key of a taint that the goal asks for gets another operator,
//     value or effect, or loses its seconds.
//   - So does a toleration with a misspelled key, and gets the right one. A key is taken
//     for misspelled if no taint of the node has it, and if it is like the key of a taint
//     in the way, as a nearest miss is (see [Reason]). Of several such keys, the most
//     alike is the right one, and of equally alike ones the first.
//   - A toleration without a key loses its seconds.
//   - What [Query.Add] can add is added.
//
// If the toleration and the taints are valid, the edited toleration is valid too. It has
// seconds only with NoExecute, a value that goes with its operator, and Gt or Lt only if
// the cluster counts them.
//
// If the goal asks for taints that are not valid, one without a key or two with the same
// key and effect, Correct returns what [Query.Edit] does. If values are hidden, no edit
// has a value that the pod does not have already: Exists takes its place, which changes
// two fields. The edits can still give away a value, or rule one out. Correct takes
// n log n steps.
func (q *Query) Correct(goal Goal) Repair {
	c := newCorrector(q, goal)
	if c == nil {
		return q.Edit(goal)
	}
	// A toleration without a key can come first for taints of several keys. Removing its
	// seconds is one change that serves them all, and is needless if each is served
	// without it.
	closed := make([]correction, len(c.keys))
	with := make(map[int]*shared)
	for i, k := range c.keys {
		closed[i] = c.correct(k, nowhere)
		j := c.limiting(k)
		if j == nowhere {
			continue
		}
		if with[j] == nil {
			with[j] = &shared{cost: measure{fields: 1, edits: 1}}
		}
		with[j].add(i, closed[i], c.correct(k, j))
	}
	r := Repair{Goal: goal}
	edits := make(map[int]toleration.Toleration)
	for j, s := range with {
		if s.without.less(&s.cost) {
			continue
		}
		for n, i := range s.keys {
			closed[i] = s.corrections[n]
		}
		t := q.Tolerations[j]
		t.TolerationSeconds = nil
		edits[j] = t
	}
	for i := range closed {
		for _, e := range closed[i].edits {
			edits[e.index] = e.form
		}
	}
	r.Additions = c.additions(closed)
	for i := range q.Tolerations {
		if t, edited := edits[i]; edited {
			r.Edits = append(r.Edits, Edit{Index: i, Old: q.Tolerations[i], New: t})
		}
	}
	return r
}

// shared compares removing the seconds of a toleration without a key with keeping them,
// for the keys for whose taint it comes first.
type shared struct {
	keys          []int
	corrections   []correction // of each of them, without the seconds
	cost, without measure
}

func (s *shared) add(key int, closed, open correction) {
	s.keys, s.corrections = append(s.keys, key), append(s.corrections, open)
	s.without.add(&closed.measure)
	s.cost.add(&open.measure)
}

// measure is how large a change is. Fields come first.
type measure struct{ fields, wider, edits int }

func (m *measure) add(n *measure) {
	m.fields, m.wider, m.edits = m.fields+n.fields, m.wider+n.wider, m.edits+n.edits
}

func (m *measure) less(n *measure) bool {
	switch {
	case m.fields != n.fields:
		return m.fields < n.fields
	case m.wider != n.wider:
		return m.wider < n.wider
	}
	return m.edits < n.edits
}

// corrector is a query and what is known about each key of its taints.
type corrector struct {
	*Query
	goal Goal
	keys []*keyed
}

// keyed is the taints of a node with one key, and the tolerations that can be changed
// to tolerate them.
type keyed struct {
	key    string
	taints []*taint.Taint // that the goal asks for: of each effect one
	anyKey [2]int         // for each: the first toleration without a key that tolerates it
	pool   []int          // the tolerations with the key, or with one that is like it
	firsts [2][3]int      // for each taint: the first of the pool that tolerate it
}

// newCorrector returns nil for taints that are not valid together.
func newCorrector(q *Query, goal Goal) *corrector {
	c := &corrector{Query: q, goal: goal}
	byKey := make(map[string]*keyed)
	known := make(map[string]bool) // the keys of the node
	for i := range q.Taints {
		x := &q.Taints[i]
		known[x.Key] = true
		if !goal.effects().Has(x.Effect) {
			continue
		}
		k := byKey[x.Key]
		if k == nil {
			k = &keyed{key: x.Key}
			byKey[x.Key] = k
			c.keys = append(c.keys, k)
		}
		if x.Key == "" || len(k.taints) > 0 && k.taints[len(k.taints)-1].Effect == x.Effect || len(k.taints) == 2 {
			return nil
		}
		k.taints = append(k.taints, x)
	}
	for i := range q.Tolerations {
		if k := byKey[q.Tolerations[i].Key]; k != nil {
			k.pool = append(k.pool, i)
		}
	}
	c.findFirsts()
	c.findMisspelled(byKey, known)
	return c
}

// findFirsts finds the first tolerations that count for each taint.
func (c *corrector) findFirsts() {
	var anyKey []int
	for i := range c.Tolerations {
		if t := &c.Tolerations[i]; t.Key == "" && counts(c.Rules, t) {
			anyKey = append(anyKey, i)
		}
	}
	finders := newFinders(c.Tolerations, anyKey)
	for _, k := range c.keys {
		for n, x := range k.taints {
			k.anyKey[n] = finders.first(x)
			firsts := k.firsts[n][:0]
			for _, i := range k.pool {
				if len(firsts) < len(k.firsts[n]) && c.covers(&c.Tolerations[i], x) {
					firsts = append(firsts, i)
				}
			}
			for len(firsts) < len(k.firsts[n]) {
				firsts = append(firsts, nowhere)
			}
		}
	}
}

// findMisspelled adds the tolerations whose key is like that of a taint that is in the
// way to the pool of that key.
func (c *corrector) findMisspelled(byKey map[string]*keyed, known map[string]bool) {
	var spellings spelling.Keys
	for _, k := range c.keys {
		for n := range k.taints {
			if !c.reached(k, n, nil, nowhere) {
				spellings.Add(k.key)
			}
		}
	}
	nearest := make(map[string]*keyed) // nil for a key that is like none
	for i := range c.Tolerations {
		key := c.Tolerations[i].Key
		if key == "" || known[key] {
			continue
		}
		k, asked := nearest[key]
		if !asked {
			if like, found := spellings.Nearest(key); found {
				k = byKey[like]
			}
			nearest[key] = k
		}
		if k != nil {
			k.pool = append(k.pool, i)
		}
	}
	for _, k := range c.keys {
		slices.Sort(k.pool)
	}
}

// covers reports whether t counts and tolerates x.
func (c *corrector) covers(t *toleration.Toleration, x *taint.Taint) bool {
	return counts(c.Rules, t) && t.Tolerates(x)
}

// limiting returns the toleration without a key whose seconds count for a taint of k, or
// would count if no other toleration did. If there is none, it returns nowhere.
func (c *corrector) limiting(k *keyed) int {
	for n, x := range k.taints {
		if j := k.anyKey[n]; c.limited(x) && j != nowhere && c.Tolerations[j].TolerationSeconds != nil {
			return j
		}
	}
	return nowhere
}

// limited reports whether seconds can be in the way of the goal for x.
func (c *corrector) limited(x *taint.Taint) bool {
	return c.goal.forever() && x.Effect == taint.NoExecute
}

// additions returns those of the corrections, in the order of the node.
func (c *corrector) additions(list []correction) []toleration.Toleration {
	added := make(map[*taint.Taint]bool)
	for i := range list {
		for n, x := range c.keys[i].taints {
			added[x] = list[i].added[n]
		}
	}
	var taints []*taint.Taint
	for i := range c.Taints {
		if x := &c.Taints[i]; added[x] {
			taints = append(taints, x)
		}
	}
	return c.Query.additions(taints)
}
