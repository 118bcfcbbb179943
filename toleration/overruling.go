package toleration

import (
	"math"
	"slices"

	"github.com/tolero-dev/tolero/taint"
)

// overruling returns, for each toleration, the index of the earliest one that
// overrules it, or none: some valid NoExecute taint matches both, and the earlier
// one is the first to match it and has other seconds. It leaves out tolerations
// that r does not count, and those with an empty key that are not Exists.
func (r Rules) overruling(tolerations []Toleration) []int {
	order, positions := r.evicting(tolerations)
	g := newGrants(tolerations, order)
	result, all := fill(len(tolerations)), noMatch
	set := func(position int, m matched) {
		if j := g.otherThan(m, position); j != none {
			result[order[position]] = order[j]
		}
	}
	var o overview
	for _, key := range keysOf(&g.firsts) {
		if key != "" && taint.CheckKey(key) != nil {
			continue
		}
		o.look(&g, key)
		all = g.join(all, o.every)
		if key == "" {
			continue
		}
		for _, position := range positions[key] {
			set(position, o.of(&g, &tolerations[order[position]]))
		}
	}
	for _, position := range positions[""] {
		set(position, all)
	}
	return result
}

// evicting returns the indexes of the tolerations that overruling compares, and by key
// their positions among them.
func (r Rules) evicting(tolerations []Toleration) (order []int, positions map[string][]int) {
	positions = make(map[string][]int)
	for i := range tolerations {
		t := &tolerations[i]
		if t.evicting() && r.counts(t) && (t.Key != "" || t.Operator == OpExists) {
			positions[t.Key] = append(positions[t.Key], len(order))
			order = append(order, i)
		}
	}
	return order, positions
}

// matched says which tolerations are the first matches of a set of taints: the
// least position, and the least of one with other seconds than that. Each is
// none if there is none.
type matched struct{ first, other int }

var noMatch = matched{none, none}

// join returns what is matched of two sets of taints together.
func (g *Grants) join(a, b matched) matched {
	if b.first < a.first {
		a, b = b, a
	}
	for _, position := range [...]int{b.first, b.other} {
		if position < a.other && g.levelOf(position) != g.levelOf(a.first) {
			a.other = position
		}
	}
	return a
}

// otherThan returns the least position in m of a toleration with other seconds
// than the one at position, or none.
func (g *Grants) otherThan(m matched, position int) int {
	if m.first != none && g.levelOf(m.first) != g.levelOf(position) {
		return m.first
	}
	return m.other
}

// overview says what is matched of the valid NoExecute taints with one key.
type overview struct {
	key    string
	every  matched // with any value
	probes probes  // of which no integer is negative
	upTo   []matched
	from   []matched // with an integer up to each of the probes, or from it on
}

// look makes o the overview of key.
func (o *overview) look(g *Grants, key string) {
	f, p := &g.firsts, &o.probes
	p.probe(key, f)
	negative, _ := slices.BinarySearch(p.integers, 0)
	p.integers = slices.Delete(p.integers, 0, negative)
	o.key, o.every = key, matched{f.firstOfRest(key), none}
	for _, w := range p.words {
		if taint.CheckValue(w) == nil {
			o.every = g.join(o.every, matched{f.firstOfWord(key, w), none})
		}
	}
	n := len(p.integers)
	o.upTo, o.from = make([]matched, n), make([]matched, n)
	upTo, from := noMatch, noMatch
	for i := range n {
		upTo = g.join(upTo, matched{f.firstOfInteger(key, p.integers[i]), none})
		from = g.join(from, matched{f.firstOfInteger(key, p.integers[n-1-i]), none})
		o.upTo[i], o.from[n-1-i] = upTo, from
	}
	o.every = g.join(o.every, upTo)
}

// of returns what is matched of the taints that t matches, which has the key.
func (o *overview) of(g *Grants, t *Toleration) matched {
	switch values := t.values(); values.kind {
	case everyValue:
		return o.every
	case oneWord:
		if taint.CheckValue(values.word) == nil {
			return matched{g.firsts.firstOfWord(o.key, values.word), none}
		}
	case integers:
		if r, ok := values.run.clip(true); ok {
			return o.ofRun(g, r)
		}
	}
	return noMatch
}

// ofRun returns what is matched of the taints with an integer of r, which is a
// single one or starts at 0 or has no upper bound. Both ends are among the probes.
func (o *overview) ofRun(g *Grants, r run) matched {
	at, _ := slices.BinarySearch(o.probes.integers, r.lo)
	switch {
	case r.lo == r.hi:
		return matched{g.firsts.firstOfInteger(o.key, r.lo), none}
	case r.hi == math.MaxInt64:
		return o.from[at]
	}
	after, _ := slices.BinarySearch(o.probes.integers, r.hi+1)
	return o.upTo[after-1]
}
