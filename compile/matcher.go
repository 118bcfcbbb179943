package compile

import (
	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// Matcher answers the questions of package match for one toleration list, about taints
// that are interned in a [Vocabulary].
//
// The zero Matcher tolerates nothing; [Matcher.Compile] makes it one for a list, and
// later for another. A Matcher must not be copied once it is compiled. One goroutine at
// a time may compile it; while nobody does, and nobody changes the vocabulary, any
// number may ask. Until it is compiled again, it retains the vocabulary and the strings
// and seconds of the list, and after that its buffers: a byte or two for each key and each
// pair of key and value, and a copy of the longest list.
//
// No question allocates. An ID that is not in use is not tolerated, or answered as the
// taint that has its place now; it never panics.
type Matcher struct {
	vocabulary  *Vocabulary
	stamp       uint64                  // that of the vocabulary when m was compiled
	tolerations []toleration.Toleration // the list
	rules       toleration.Rules        // which of the list count

	// What is tolerated under any key, and by position with a key and with a pair.
	anyKey      taint.EffectSet
	byKey       []taint.EffectSet
	byPair      []taint.EffectSet
	keys, pairs []uint32 // the positions that are not empty

	// The table of a TaintSet, the taints that are in it, and whether it is filled.
	table  []taint.EffectSet
	spread []TaintID
	filled bool

	// What is tolerated of integers, and of values under any key.
	bounds    []keyBounds
	boundsOf  []uint32 // of a key: a position in bounds, if bounds has the key there
	anyBounds bounds
	anyValues map[string]taint.EffectSet
	further   taint.EffectSet // the effects for which there is any of it

	// order is the tolerations that are the first to match some taint that nodes may
	// have, in the order of the list.
	order []term
	// limited is whether the order of the list matters: a toleration that can match a
	// NoExecute taint has seconds.
	limited bool
}

// Tolerates reports what match.Tolerates does. It takes constant time: two loads and a
// test of bits, and where the list has Gt, Lt or Equal without a key, some more. Only a
// taint with an unknown effect is compared with every toleration; and so are all if the
// taints of the vocabulary have changed since m was compiled.
func (m *Matcher) Tolerates(id TaintID) bool {
	if m.changed() || id.unknown() {
		return m.resolve(id)
	}
	return m.has(id)
}

// has answers for a taint that was in use when m was compiled.
func (m *Matcher) has(id TaintID) bool {
	key, pair, effects := uint(id.key()), uint(id.pair()), id.Effects()
	if key >= uint(len(m.byKey)) || pair >= uint(len(m.byPair)) {
		return false
	}
	return effects&(m.anyKey|m.byKey[key]|m.byPair[pair]) != 0 || effects&m.further != 0 && m.lookFurther(id)
}

// lookFurther answers for integers, and for values under any key.
func (m *Matcher) lookFurther(id TaintID) bool {
	if uint(id.pair()) >= uint(m.vocabulary.pairs.Len()) {
		return false
	}
	if len(m.order) <= few {
		for i := range m.order {
			if m.matches(&m.order[i], id) {
				return true
			}
		}
		return false
	}
	p := m.vocabulary.pairs.At(id.pair())
	if bit := id.bit(); p.isInteger && (m.boundsOfKey(id.key()).has(p.integer, bit) || m.anyBounds.has(p.integer, bit)) {
		return true
	}
	return m.anyValues[p.value]&id.Effects() != 0
}

// few tolerations are compared in less time than a value is hashed.
const few = 4

// changed reports whether m was not compiled, or the taints of the vocabulary have changed
// since.
func (m *Matcher) changed() bool {
	return m.vocabulary == nil || m.vocabulary.stamp != m.stamp
}

// resolve answers for any ID.
func (m *Matcher) resolve(id TaintID) bool {
	if m.vocabulary == nil {
		return false
	}
	if !id.unknown() && !m.changed() {
		return m.has(id)
	}
	t, inUse := m.vocabulary.Taint(id)
	return inUse && match.Tolerates(m.tolerations, &t, m.rules)
}

// FirstUntolerated returns what match.FirstUntolerated does: the index of the first ID,
// in the order of the node, whose taint has one of the given effects and is not
// tolerated (rules F2, F3). The time is that of [Matcher.Tolerates] for each ID up to
// it. Most of it is the call: a loop over thousands of nodes asks [Matcher.Set], which
// is inlined.
func (m *Matcher) FirstUntolerated(ids []TaintID, effects taint.EffectSet) (index int, ok bool) {
	if len(ids) == 0 { // as most nodes; this is inlined
		return 0, false
	}
	return m.firstUntolerated(ids, effects)
}

// firstUntolerated has the test of has written out, and calls nothing that it returns
// from: what it needs stays in registers.
func (m *Matcher) firstUntolerated(ids []TaintID, effects taint.EffectSet) (index int, ok bool) {
	if m.changed() || effects&taint.OtherEffects != 0 {
		return m.firstResolved(ids, effects)
	}
	effects &^= m.anyKey
	byKey, byPair := m.byKey, m.byPair
	for i, id := range ids {
		asked, key, pair := effects&id.Effects(), uint(id.key()), uint(id.pair())
		if asked == 0 { // there may be many soft pairs, which need not be loaded
			continue
		}
		if key < uint(len(byKey)) && pair < uint(len(byPair)) && asked&(byKey[key]|byPair[pair]) != 0 {
			continue
		}
		if asked&m.further != 0 {
			return m.firstFurther(ids, i, effects)
		}
		return i, true
	}
	return 0, false
}

// firstFurther goes on from the i-th ID, which only a bound or a value under any key
// can tolerate.
func (m *Matcher) firstFurther(ids []TaintID, i int, effects taint.EffectSet) (index int, ok bool) {
	if !m.lookFurther(ids[i]) {
		return i, true
	}
	for i++; i < len(ids); i++ {
		if id := ids[i]; effects&id.Effects() != 0 && !m.has(id) {
			return i, true
		}
	}
	return 0, false
}

func (m *Matcher) firstResolved(ids []TaintID, effects taint.EffectSet) (index int, ok bool) {
	for i, id := range ids {
		if effects&id.Effects() != 0 && !m.resolve(id) {
			return i, true
		}
	}
	return 0, false
}

// Filter appends to dst the IDs whose taints have one of the given effects and are not
// tolerated, in their order, and returns the extended slice (rule F1). dst may be
// ids[:0] but must not overlap ids in any other way.
func (m *Matcher) Filter(dst, ids []TaintID, effects taint.EffectSet) []TaintID {
	for {
		i, ok := m.FirstUntolerated(ids, effects)
		if !ok {
			return dst
		}
		dst = append(dst, ids[i])
		ids = ids[i+1:]
	}
}

// CountUntolerated returns how many taints have one of the given effects and are not
// tolerated; duplicates count. With [taint.Soft] it is the raw score that
// kube-scheduler gives the node, of which more is worse (rule F4).
func (m *Matcher) CountUntolerated(ids []TaintID, effects taint.EffectSet) (count int64) {
	for _, id := range ids {
		if effects&id.Effects() != 0 && !m.Tolerates(id) {
			count++
		}
	}
	return count
}
