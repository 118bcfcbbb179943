package compile

import (
	"slices"

	"github.com/tolero-dev/tolero/taint"
)

// group is what is tolerated of the taints with one key, or with any key. Most
// groups tolerate every value or a single one, so these two come first and the
// rest is apart.
type group struct {
	key   string
	every taint.EffectSet // the effects that are tolerated whatever the value
	some  taint.EffectSet // those that are tolerated with value
	value string
	rest  *rest // what else is tolerated, or nil
}

// rest is what a group tolerates besides every value or a single one.
type rest struct {
	values  []valueEffects // values that are tolerated with some effects
	lookup  map[string]int // the positions in values if there are many, else nil
	numbers *numbers       // the integers that are tolerated, or nil
}

// valueEffects is a value and the effects that are tolerated with it.
type valueEffects struct {
	value   string
	effects taint.EffectSet
}

// fewValues is how many values a group scans; more are looked up in a map.
// BenchmarkValues compares the two.
var fewValues = 8

// tolerates reports whether g tolerates a taint with the given value and effect.
func (g *group) tolerates(value string, effect taint.EffectSet) bool {
	return g.every&effect != 0 || g.some&effect != 0 && g.value == value || g.rest != nil && g.rest.tolerates(value, effect)
}

func (r *rest) tolerates(value string, effect taint.EffectSet) bool {
	if i, found := r.find(value); found && r.values[i].effects&effect != 0 {
		return true
	}
	return r.numbers != nil && r.numbers.tolerates(value, effect)
}

func (r *rest) find(value string) (position int, found bool) {
	if r.lookup != nil {
		position, found = r.lookup[value]
		return position, found
	}
	for i := range r.values {
		if r.values[i].value == value {
			return i, true
		}
	}
	return 0, false
}

// add makes g tolerate the given effects with one value.
func (g *group) add(value string, effects taint.EffectSet) {
	if g.some == 0 || g.value == value {
		g.value, g.some = value, g.some|effects
		return
	}
	r := g.more()
	if i, found := r.find(value); found {
		r.values[i].effects |= effects
		return
	}
	r.values = append(r.values, valueEffects{value, effects})
	if r.lookup != nil {
		r.lookup[value] = len(r.values) - 1
	} else {
		r.index()
	}
}

// more returns the rest of g, made if need be.
func (g *group) more() *rest {
	if g.rest == nil {
		g.rest = &rest{}
	}
	return g.rest
}

// index makes the lookup if there are many values.
func (r *rest) index() {
	if r.lookup = nil; len(r.values) <= fewValues {
		return
	}
	r.lookup = make(map[string]int, len(r.values))
	for i := range r.values {
		r.lookup[r.values[i].value] = i
	}
}

// seal takes out of g what is tolerated anyway: the effects that g itself
// tolerates with every value, and those that are tolerated elsewhere.
func (g *group) seal(elsewhere taint.EffectSet) {
	g.every &^= elsewhere
	redundant := g.every | elsewhere
	if g.some &^= redundant; g.some == 0 {
		g.value = ""
	}
	if g.rest != nil && !g.rest.seal(redundant) {
		g.rest = nil
	}
}

// seal takes the redundant effects out of r, and reports whether it tolerates
// anything then.
func (r *rest) seal(redundant taint.EffectSet) (any bool) {
	all := len(r.values)
	for i := range r.values {
		r.values[i].effects &^= redundant
	}
	r.values = slices.DeleteFunc(r.values, func(v valueEffects) bool { return v.effects == 0 })
	if len(r.values) < all {
		r.index()
	}
	if r.numbers != nil && !r.numbers.seal(redundant) {
		r.numbers = nil
	}
	return len(r.values) > 0 || r.numbers != nil
}

// empty reports whether g tolerates nothing.
func (g *group) empty() bool {
	return g.every|g.some == 0 && g.rest == nil
}
