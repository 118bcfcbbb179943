package explain

import (
	"slices"

	"github.com/tolero-dev/tolero/match/internal/spelling"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// corrector is a query and what is known about each key of its taints.
type corrector struct {
	*Query
	goal      Goal
	keys      []*keyed
	byKey     map[string]*keyed
	truncated bool // not all keys that may be misspelled were compared
	tried     int  // corrections; each takes a constant number of steps
}

// keyed is the taints with one key that the goal asks for, and the tolerations that can be
// changed to tolerate them.
type keyed struct {
	key     string
	targets []target // one of each effect
	pool    []int    // the tolerations with the key, or with one that is like it
}

// target is a taint that the goal asks for, and what tolerates it.
type target struct {
	*taint.Taint
	covering []int // the tolerations of the pool
	anyKey   int   // the first toleration without a key, or nowhere
}

// newCorrector returns nil for taints that are not valid together.
func newCorrector(q *Query, goal Goal) *corrector {
	c := &corrector{Query: q, goal: goal, byKey: make(map[string]*keyed)}
	if !c.addTaints() {
		return nil
	}
	for i := range q.Tolerations {
		if k := c.byKey[q.Tolerations[i].Key]; k != nil {
			k.pool = append(k.pool, i)
		}
	}
	c.findCovering()
	c.findMisspelled()
	return c
}

// addTaints adds the taints that the goal asks for. It stops and returns false at one
// without a key, or with the key and the effect of another.
func (c *corrector) addTaints() bool {
	for i := range c.Taints {
		x := &c.Taints[i]
		if !c.goal.effects().Has(x.Effect) {
			continue
		}
		k := c.byKey[x.Key]
		if k == nil {
			k = &keyed{key: x.Key}
			c.byKey[x.Key] = k
			c.keys = append(c.keys, k)
		}
		if x.Key == "" || slices.ContainsFunc(k.targets, func(y target) bool { return y.Effect == x.Effect }) {
			return false
		}
		k.targets = append(k.targets, target{Taint: x})
	}
	return true
}

// findCovering finds the tolerations that tolerate each taint.
func (c *corrector) findCovering() {
	anyKey := newFinder(c.Tolerations, c.indexes(func(t *toleration.Toleration) bool { return t.Key == "" && counts(c.Rules, t) }))
	for _, k := range c.keys {
		for n := range k.targets {
			x := &k.targets[n]
			x.anyKey = anyKey.first(x.Taint)
			for _, i := range k.pool {
				if c.covers(&c.Tolerations[i], x.Taint) {
					x.covering = append(x.covering, i)
				}
			}
		}
	}
}

// findMisspelled adds the tolerations whose key is like that of a taint in the way to the
// pool of that key. A key that some taint of the node has is not misspelled.
func (c *corrector) findMisspelled() {
	var spellings spelling.Keys
	for _, k := range c.keys {
		for n := range k.targets {
			if !c.reached(&k.targets[n], nil, nowhere) {
				spellings.Add(k.key)
			}
		}
	}
	meant := make(map[string]*keyed) // nil for a key that is not misspelled
	for i := range c.Taints {
		meant[c.Taints[i].Key] = nil
	}
	for i := range c.Tolerations {
		key := c.Tolerations[i].Key
		k, known := meant[key]
		if !known && key != "" {
			nearest, _ := spellings.Nearest(key)
			k = c.byKey[nearest]
			meant[key] = k
		}
		if k != nil {
			k.pool = append(k.pool, i)
		}
	}
	for _, k := range c.keys {
		slices.Sort(k.pool)
	}
	c.truncated = spellings.Exhausted()
}

// covers reports whether t counts and tolerates x.
func (c *corrector) covers(t *toleration.Toleration, x *taint.Taint) bool {
	return t.Tolerates(x, c.Rules)
}

// limited reports whether seconds can be in the way of the goal for x.
func (c *corrector) limited(x target) bool {
	return c.goal.forever() && taint.Evicting.Has(x.Effect)
}

// limiting returns the toleration without a key whose seconds, if it has any, count for a
// taint of k, or would count if no other toleration did, or nowhere.
func (c *corrector) limiting(k *keyed) int {
	if n := slices.IndexFunc(k.targets, c.limited); n >= 0 {
		return k.targets[n].anyKey
	}
	return nowhere
}

// reached reports whether x is out of the way of the goal after the edits, of which there
// are at most two. The toleration with the index open, unless that is nowhere, has lost
// its seconds.
func (c *corrector) reached(x *target, edits []changed, open int) bool {
	kept := func(i int) bool { return !slices.ContainsFunc(edits, func(e changed) bool { return e.index == i }) }
	first, form := x.anyKey, toleration.Toleration{}
	if n := slices.IndexFunc(x.covering, kept); n >= 0 {
		first = min(first, x.covering[n])
	}
	if first != nowhere {
		form = c.Tolerations[first]
	}
	for i := range edits {
		if e := &edits[i]; e.index < first && c.covers(&e.form, x.Taint) {
			first, form = e.index, e.form
		}
	}
	return first != nowhere && (!c.limited(*x) || form.TolerationSeconds == nil || first == open)
}
