package compile

import (
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// Compile makes m a Matcher for tolerations, valid or not, and for the taints of v: in a
// default cluster, or in one with the given rules (rule N4).
//
// The time is linear in the tolerations, of this list and of the one before, expected,
// whatever v has: some 20 to 50 ns each to look up keys and values. Equal and redundant
// ones cost nothing later. Compile allocates only to grow: once m has served for as
// large a vocabulary and as long a list, not at all.
//
// When taints come or go in v later, m still answers what match does, but it compares
// strings: compile again. A list that is
// changed later does not change m, except for the numbers that TolerationSeconds point
// to.
func (m *Matcher) Compile(v *Vocabulary, tolerations []toleration.Toleration, rules ...toleration.Rules) {
	list := append(m.tolerations[:0], tolerations...)
	clear(m.tolerations[min(len(list), len(m.tolerations)):]) // retain nothing of the last list
	m.tolerations, m.rules = list, toleration.Rules{}
	if len(rules) > 0 {
		m.rules = rules[0]
	}
	m.compile(v)
}

// Tolerations returns the list that m was compiled for. It is m's own: it must not be
// written to, and is good until m is compiled again.
func (m *Matcher) Tolerations() []toleration.Toleration { return m.tolerations }

// Current reports whether m was compiled for the taints that v has now: for v, or for a
// vocabulary that v is a fork of, or a fork of v, and no taint came or went in either
// since. Then its answers hold for the IDs of v, and none compares strings.
func (m *Matcher) Current(v *Vocabulary) bool { return !m.changed() && m.stamp == v.stamp }

// compile is Compile for the list and the rules that m has.
func (m *Matcher) compile(v *Vocabulary) {
	m.begin(v)
	for i := range m.tolerations {
		m.add(i, &m.tolerations[i])
	}
}

// begin makes m a Matcher that tolerates nothing.
func (m *Matcher) begin(v *Vocabulary) {
	for _, position := range m.keys {
		m.byKey[position] = 0
	}
	for _, position := range m.pairs {
		m.byPair[position] = 0
	}
	m.keys, m.pairs = m.keys[:0], m.pairs[:0]
	m.byKey = grow(m.byKey, v.keys.Len())
	m.byPair = grow(m.byPair, v.pairs.Len())
	m.vocabulary, m.stamp = v, v.stamp
	m.anyKey, m.further, m.filled = 0, 0, false
	m.bounds, m.anyBounds = m.bounds[:0], noBounds
	clear(m.anyValues)
	clear(m.order)
	m.order, m.limited = m.order[:0], false
}

// grow returns a slice with at least n items, of which those that are new are zero.
func grow[T any](s []T, n int) []T {
	return append(s, make([]T, max(0, n-len(s)))...)
}

// add takes in the i-th toleration.
func (m *Matcher) add(i int, t *toleration.Toleration) {
	if t.Operator.Comparison() && !m.rules.Comparisons {
		return
	}
	effects := taint.AllEffects &^ taint.OtherEffects
	if t.Effect != "" {
		effects &= t.Effect.Set()
	}
	if t.TolerationSeconds != nil && effects&taint.Evicting != 0 {
		m.limited = true
	}
	next := term{index: i, mask: keyMask, effects: effects}
	if t.Key == "" {
		next.mask = 0
	} else if key := m.vocabulary.findKey(t.Key); key != 0 {
		next.want = idOf(key, 0, 0)
	} else {
		return
	}
	switch values := t.Values(); values.Kind {
	case toleration.EveryValue:
		if t.Key == "" && t.Effect == "" {
			m.anyKey |= taint.OtherEffects
		}
		next.effects = m.addEvery(&next)
	case toleration.OneValue:
		next.effects = m.addValue(&next, values.Value)
	case toleration.IntegersAbove, toleration.IntegersBelow:
		next.effects = m.addBound(&next, values.Kind == toleration.IntegersAbove, values.Bound)
	default:
		return
	}
	if next.effects != 0 {
		m.order = append(m.order, next)
	}
}

// addEvery takes in every value of a term's key, and returns the effects of the term
// for which it is new.
func (m *Matcher) addEvery(t *term) (added taint.EffectSet) {
	added = t.effects &^ m.anyKey
	if t.mask == 0 {
		m.anyKey |= added
		return added
	}
	key := t.want.key()
	known := m.byKey[key]
	if added &^= known; added != 0 && known == 0 {
		m.keys = append(m.keys, key)
	}
	m.byKey[key] |= added
	return added
}

// addValue is addEvery for one value.
func (m *Matcher) addValue(t *term, value string) (added taint.EffectSet) {
	if added = t.effects &^ m.anyKey; t.mask == 0 {
		return m.addAnyValue(t, added, value)
	}
	pair := m.vocabulary.findPair(t.want.key(), value, "")
	if pair == 0 {
		return 0
	}
	t.mask, t.want = t.mask|pairMask, t.want|idOf(0, pair, 0)
	added &^= m.byKey[t.want.key()] | m.byPair[pair]
	m.addPair(pair, added)
	return added
}

// addPair takes in a pair.
func (m *Matcher) addPair(pair uint32, added taint.EffectSet) {
	if added != 0 && m.byPair[pair] == 0 {
		m.pairs = append(m.pairs, pair)
	}
	m.byPair[pair] |= added
}

// addAnyValue is addValue for a term without a key.
func (m *Matcher) addAnyValue(t *term, added taint.EffectSet, value string) taint.EffectSet {
	known := m.anyValues[value]
	if added &^= known; added == 0 {
		return 0
	}
	if m.anyValues == nil {
		m.anyValues = make(map[string]taint.EffectSet)
	}
	m.anyValues[value] = known | added
	m.further |= added
	t.form, t.value = equalTo, value
	return added
}
