package compile

import (
	"slices"

	"github.com/tolero-dev/tolero/compile/internal/invariant"
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
// The time follows the tolerations and the answer. Every taint is looked at only for
// effects that are tolerated without a key, for Gt, Lt and Equal without a key, which
// validation refuses, and after the vocabulary has grown; those with unknown effects are
// if they are asked for.
func (m *Matcher) AppendTolerated(dst []TaintID, effects taint.EffectSet) []TaintID {
	w := walk{m: m, effects: effects, found: dst}
	w.run()
	return w.found
}

// walk finds the taints with some effects that are tolerated.
type walk struct {
	m       *Matcher
	effects taint.EffectSet
	found   []TaintID
	steps   int // how many keys, pairs and nodes of trees it met, counted with the tag tolero_invariants
}

func (w *walk) run() {
	m := w.m
	switch {
	case m.vocabulary == nil:
	case m.grown() || w.effects&m.anyKey != 0 || m.anyBounds != noBounds || len(m.anyValues) > 0:
		w.keep(len(w.found), m.vocabulary.AppendIDs(w.found, w.effects))
	default:
		w.byKey()
		w.byNumber()
		w.byPair()
		w.keep(len(w.found), m.vocabulary.appendOdds(w.found, w.effects))
	}
}

// keep takes what is tolerated of the IDs from the n-th on.
func (w *walk) keep(n int, ids []TaintID) {
	w.step(len(ids) - n)
	tolerated := slices.DeleteFunc(ids[n:], func(id TaintID) bool { return !w.m.Tolerates(id) })
	w.found = ids[:n+len(tolerated)]
}

func (w *walk) step(n int) {
	if invariant.Enabled {
		w.steps += n
	}
}

// kinds returns how many kinds of pairs have taints with the effects, in their order.
func (w *walk) kinds() kind {
	if w.effects&taint.Soft != 0 {
		return linked
	}
	return softKind
}

// take takes the taints with a pair and some effects.
func (w *walk) take(position uint32, effects taint.EffectSet) *pair {
	w.step(1)
	p := w.m.vocabulary.pairs.At(position)
	w.found = p.append(w.found, position, effects)
	return p
}

// byKey takes what is tolerated because of its key.
func (w *walk) byKey() {
	for _, key := range w.m.keys {
		every := w.effects & w.m.byKey[key]
		if w.step(1); every == 0 {
			continue
		}
		for kind := range w.kinds() {
			for next := w.m.vocabulary.keys.At(key).first[kind]; next != 0; {
				next = w.take(next, every).next
			}
		}
	}
}

// byNumber takes what is tolerated because of its number, and not because of its key.
func (w *walk) byNumber() {
	for i := range w.m.bounds {
		b := &w.m.bounds[i]
		effects := w.effects & w.m.further &^ w.m.byKey[b.key]
		for kind := range w.kinds() {
			if root := w.m.vocabulary.keys.At(b.key).root[kind]; effects != 0 {
				w.above(root, &b.bounds, effects)
				w.below(root, &b.bounds, effects)
			}
		}
	}
}

// above takes what a tree has above the bounds.
func (w *walk) above(root uint32, b *bounds, effects taint.EffectSet) {
	for root != 0 {
		p := w.m.vocabulary.pairs.At(root)
		if above, _ := b.beyond(p.number); effects&above != 0 { // of the lesser ones, some may be too
			w.take(root, effects&above)
			w.above(p.less, b, effects&above)
		}
		root = p.greater
		w.step(1)
	}
}

// below takes what a tree has below the bounds and not above them.
func (w *walk) below(root uint32, b *bounds, effects taint.EffectSet) {
	for root != 0 {
		p := w.m.vocabulary.pairs.At(root)
		if above, below := b.beyond(p.number); effects&below != 0 {
			w.take(root, effects&below&^above)
			w.below(p.greater, b, effects&below)
		}
		root = p.less
		w.step(1)
	}
}

// byPair takes what is tolerated because of its value, and for no other reason.
func (w *walk) byPair() {
	for _, pair := range w.m.pairs {
		p := w.m.vocabulary.pairs.At(pair)
		effects := w.effects & w.m.byPair[pair] &^ w.m.byKey[p.key]
		if p.numeric {
			above, below := w.m.boundsOfKey(p.key).beyond(p.number)
			effects &^= above | below
		}
		w.take(pair, effects)
	}
}
