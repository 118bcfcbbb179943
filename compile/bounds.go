package compile

import (
	"math"

	"github.com/tolero-dev/tolero/taint"
)

// bounds is the integers that Gt and Lt tolerate, effect by effect (rules N1, N2). Of
// many Gt for an effect only the one with the least bound counts, and of many Lt the
// one with the greatest.
type bounds struct {
	above [knownEffects]int64 // the integers above it are tolerated: none above math.MaxInt64
	below [knownEffects]int64 // the integers below it are tolerated: none below math.MinInt64
}

// keyBounds is the bounds for the values of a key.
type keyBounds struct {
	bounds
	key uint32
}

// noBounds has nothing. Nobody writes to it.
var noBounds = bounds{
	above: [knownEffects]int64{math.MaxInt64, math.MaxInt64, math.MaxInt64},
	below: [knownEffects]int64{math.MinInt64, math.MinInt64, math.MinInt64},
}

// widen adds the integers above a bound, or below it, and returns the effects for which
// that made a difference.
func (b *bounds) widen(effects taint.EffectSet, above bool, bound int64) (widened taint.EffectSet) {
	for e := range knownEffects {
		effect := effects & (1 << e)
		switch {
		case effect == 0:
		case above && bound < b.above[e]:
			b.above[e] = bound
			widened |= effect
		case !above && bound > b.below[e]:
			b.below[e] = bound
			widened |= effect
		}
	}
	return widened
}

// has reports whether an integer is tolerated with the effect of a bit.
func (b *bounds) has(integer int64, bit int) bool {
	return integer > b.above[bit] || integer < b.below[bit]
}

// of returns the effects with which an integer is tolerated.
func (b *bounds) of(integer int64) (effects taint.EffectSet) {
	for e := range knownEffects {
		if b.has(integer, e) {
			effects |= 1 << e
		}
	}
	return effects
}

// addBound is addEvery for the integers above a bound or below it.
func (m *Matcher) addBound(t *term, above bool, bound int64) (added taint.EffectSet) {
	t.form, t.bound = belowBound, bound
	if above {
		t.form = aboveBound
	}
	b := &m.anyBounds
	if added = t.effects &^ m.anyKey; t.mask != 0 {
		key := t.want.key()
		if added &^= m.byKey[key]; added == 0 {
			return 0
		}
		b = m.boundsFor(key)
	}
	added = b.widen(added, above, bound)
	m.further |= added
	return added
}

// boundsOfKey returns the bounds for a key.
func (m *Matcher) boundsOfKey(key uint32) *bounds {
	if int(key) < len(m.boundsOf) {
		if at := int(m.boundsOf[key]); at < len(m.bounds) && m.bounds[at].key == key {
			return &m.bounds[at].bounds
		}
	}
	return &noBounds
}

// boundsFor is boundsOfKey for a key to whose bounds something is added.
func (m *Matcher) boundsFor(key uint32) *bounds {
	if b := m.boundsOfKey(key); b != &noBounds {
		return b
	}
	m.boundsOf = grow(m.boundsOf, m.vocabulary.keys.Len())
	m.boundsOf[key] = uint32(len(m.bounds))
	m.bounds = append(m.bounds, keyBounds{noBounds, key})
	return &m.bounds[len(m.bounds)-1].bounds
}
