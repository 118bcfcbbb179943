package compile

import (
	"math"

	"github.com/tolero-dev/tolero/taint"
)

// ToleratesAll reports whether m tolerates every taint that there can be with the given
// effects, whatever its key and value, because of tolerations without a key. For the
// empty set that is so. With [taint.OtherEffects] in the set it is false unless a
// toleration is just Exists.
func (m *Matcher) ToleratesAll(effects taint.EffectSet) bool {
	return effects&taint.AllEffects&^m.anyKey == 0
}

// AppendTolerated appends the IDs of those taints in use in the vocabulary that have one
// of the given effects and are tolerated to dst, each once and in no particular order,
// and returns the extended slice.
//
// The time follows what it looks at: the tolerations, and the values in use of the keys
// that are tolerated with Exists, Gt and Lt. It looks at every taint if an effect is
// tolerated without a key; for Gt, Lt and Equal without a key, which validation refuses;
// for unknown effects; and after the taints of the vocabulary have changed.
func (m *Matcher) AppendTolerated(dst []TaintID, effects taint.EffectSet) []TaintID {
	dst, _ = m.AppendToleratedWithin(dst, effects, math.MaxInt)
	return dst
}

// AppendToleratedWithin is [Matcher.AppendTolerated] for a caller that has another way if
// there is much to look at: rather than look at more than so many keys, and pairs of key
// and value, it gives up and returns false. The result is then incomplete.
func (m *Matcher) AppendToleratedWithin(dst []TaintID, effects taint.EffectSet, most int) (ids []TaintID, ok bool) {
	w := walk{m: m, effects: effects, found: dst, left: most}
	w.run()
	return w.found, w.left >= 0
}

// walk finds the taints with some effects that are tolerated.
type walk struct {
	m       *Matcher
	effects taint.EffectSet
	found   []TaintID
	left    int // how many keys and pairs it may still look at; less than none once it gave up
}

func (w *walk) run() {
	v := w.m.vocabulary
	switch {
	case v == nil:
	case w.m.changed() || w.effects&(w.m.anyKey|taint.OtherEffects) != 0 || w.m.anyBounds != noBounds || len(w.m.anyValues) > 0:
		if w.step(v.pairs.Len()) {
			w.keep(v.AppendIDs(w.found, w.effects))
		}
	default:
		w.byKey()
		w.byBound()
		w.byPair()
	}
}

// step reports whether the walk may look at n more.
func (w *walk) step(n int) bool {
	w.left -= n
	return w.left >= 0
}

// keep takes what is tolerated of the IDs that follow those found.
func (w *walk) keep(ids []TaintID) {
	n := len(w.found)
	w.found = ids[:n]
	for _, id := range ids[n:] {
		if w.m.Tolerates(id) {
			w.found = append(w.found, id)
		}
	}
}

// each calls visit with the pairs of a key that are in use with the effects.
func (w *walk) each(key uint32, visit func(position uint32, p *pair)) {
	chains := otherChain
	if w.effects&taint.Soft != 0 {
		chains = noChain
	}
	v := w.m.vocabulary
	for chain := range chains {
		for next := v.keys.At(key).first[chain]; next != 0 && w.step(1); {
			p := v.pairs.At(next)
			visit(next, p)
			next = p.next
		}
	}
}

// byKey takes what is tolerated because of its key.
func (w *walk) byKey() {
	for _, key := range w.m.keys {
		every := w.effects & w.m.byKey[key]
		if !w.step(1) || every == 0 {
			continue
		}
		w.each(key, func(position uint32, p *pair) {
			w.found = p.append(w.found, position, every)
		})
	}
}

// byBound takes what is tolerated because it is an integer, and not because of its key.
func (w *walk) byBound() {
	for i := range w.m.bounds {
		b := &w.m.bounds[i]
		effects := w.effects & w.m.further &^ w.m.byKey[b.key]
		if !w.step(1) || effects == 0 {
			continue
		}
		w.each(b.key, func(position uint32, p *pair) {
			if p.isInteger {
				w.found = p.append(w.found, position, effects&b.of(p.integer))
			}
		})
	}
}

// byPair takes what is tolerated because of its value, and for no other reason.
func (w *walk) byPair() {
	for _, position := range w.m.pairs {
		if !w.step(1) {
			return
		}
		p := w.m.vocabulary.pairs.At(position)
		effects := w.effects & w.m.byPair[position] &^ w.m.byKey[p.key]
		if p.isInteger {
			effects &^= w.m.boundsOfKey(p.key).of(p.integer)
		}
		w.found = p.append(w.found, position, effects)
	}
}
