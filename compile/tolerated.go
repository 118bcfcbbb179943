package compile

import (
	"iter"

	"github.com/tolero-dev/tolero/taint"
)

// ToleratesAll reports whether m tolerates every taint that there can be with the given
// effects, whatever its key and value, because of tolerations without a key. For the
// empty set that is so. With [taint.OtherEffects] in the set it is false unless a
// toleration is just Exists.
func (m *Matcher) ToleratesAll(effects taint.EffectSet) bool {
	return effects&taint.AllEffects&^m.anyKey == 0
}

// Tolerated iterates over the taints in use in the vocabulary that have one of the given
// effects and are tolerated, each once, in no particular order. The vocabulary must not
// be changed meanwhile.
//
// The time follows the tolerations and the answer. Every taint is looked at only for
// effects that are tolerated without a key, for Gt, Lt and Equal without a key, which
// validation refuses, and after the vocabulary has grown; those with unknown effects are
// if they are asked for.
func (m *Matcher) Tolerated(effects taint.EffectSet) iter.Seq[TaintID] {
	return func(yield func(TaintID) bool) {
		w := walk{m, m.vocabulary, effects, yield}
		switch {
		case m.vocabulary == nil:
		case m.grown() || effects&m.anyKey != 0 || m.anyBounds != noBounds || len(m.anyValues) > 0:
			w.scan(m.vocabulary.All())
		case w.byKey() && w.byNumber() && w.byPair() && effects&taint.OtherEffects != 0:
			w.scan(m.vocabulary.yieldOdds)
		}
	}
}

// walk yields the taints with some effects that are tolerated.
type walk struct {
	*Matcher
	vocabulary *Vocabulary
	effects    taint.EffectSet
	yield      func(TaintID) bool
}

// scan yields what is tolerated of all.
func (w *walk) scan(all iter.Seq[TaintID]) {
	for id := range all {
		if w.effects&id.Effects() != 0 && w.Tolerates(id) && !w.yield(id) {
			return
		}
	}
}

// kinds returns how many kinds of pairs have taints with the effects, in their order.
func (w *walk) kinds() kind {
	if w.effects&taint.Soft != 0 {
		return linked
	}
	return softKind
}

// byKey yields what is tolerated because of its key.
func (w *walk) byKey() bool {
	for _, key := range w.keys {
		every := w.effects & w.Matcher.byKey[key]
		if every == 0 {
			continue
		}
		for kind := range w.kinds() {
			for pair := w.vocabulary.keys.At(key).first[kind]; pair != 0; {
				p := w.vocabulary.pairs.At(pair)
				if !p.yield(pair, every, w.yield) {
					return false
				}
				pair = p.next
			}
		}
	}
	return true
}

// byNumber yields what is tolerated because of its number, and not because of its key.
func (w *walk) byNumber() bool {
	for i := range w.bounds {
		b := &w.bounds[i]
		effects := w.effects &^ w.Matcher.byKey[b.key]
		for kind := range w.kinds() {
			root := w.vocabulary.keys.At(b.key).root[kind]
			if effects != 0 && !(w.above(root, &b.bounds, effects) && w.below(root, &b.bounds, effects)) {
				return false
			}
		}
	}
	return true
}

// above yields what a tree has above the bounds.
func (w *walk) above(root uint32, b *bounds, effects taint.EffectSet) bool {
	for root != 0 {
		p := w.vocabulary.pairs.At(root)
		if above, _ := b.beyond(p.number); effects&above != 0 { // of the lesser ones, some may be too
			if !p.yield(root, effects&above, w.yield) || !w.above(p.less, b, effects&above) {
				return false
			}
		}
		root = p.greater
	}
	return true
}

// below yields what a tree has below the bounds and not above them.
func (w *walk) below(root uint32, b *bounds, effects taint.EffectSet) bool {
	for root != 0 {
		p := w.vocabulary.pairs.At(root)
		if above, below := b.beyond(p.number); effects&below != 0 {
			if !p.yield(root, effects&below&^above, w.yield) || !w.below(p.greater, b, effects&below) {
				return false
			}
		}
		root = p.less
	}
	return true
}

// byPair yields what is tolerated because of its value, and for no other reason.
func (w *walk) byPair() bool {
	for _, pair := range w.pairs {
		p := w.vocabulary.pairs.At(pair)
		effects := w.effects & w.Matcher.byPair[pair] &^ w.Matcher.byKey[p.key]
		if p.numeric {
			above, below := w.boundsOfKey(p.key).beyond(p.number)
			effects &^= above | below
		}
		if !p.yield(pair, effects, w.yield) {
			return false
		}
	}
	return true
}
