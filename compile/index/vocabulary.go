package index

import (
	"github.com/tolero-dev/tolero/compile/internal/cow"
	"github.com/tolero-dev/tolero/compile/internal/decimal"
	"github.com/tolero-dev/tolero/taint"
)

// element is an interned taint: from the lowest bits on the number of its effect, the
// position of its pair of key and value, and that of its key. The zero element is none.
type element uint64

const (
	effectBits = 2
	pairBits   = 32
)

// effect numbers the effects as the bits of a [taint.EffectSet].
type effect uint32

const (
	noSchedule effect = iota
	preferNoSchedule
	noExecute
	otherEffect // any unknown one
)

// hard are the effects that keep pods away. The position of an effect in it numbers
// the hard effects.
var hard = [...]effect{noSchedule, noExecute}

const hardEffects = len(hard)

var effectNames = [...]taint.Effect{noSchedule: taint.NoSchedule, preferNoSchedule: taint.PreferNoSchedule, noExecute: taint.NoExecute}

func elementOf(key, pair uint32, e effect) element {
	return element(key)<<(effectBits+pairBits) | element(pair)<<effectBits | element(e)
}

func (e element) key() uint32              { return uint32(e >> (effectBits + pairBits)) }
func (e element) pair() uint32             { return uint32(e >> effectBits) }
func (e element) effect() effect           { return effect(e & (1<<effectBits - 1)) }
func (e element) effects() taint.EffectSet { return 1 << e.effect() }
func (e element) hard() bool               { return e.effects()&taint.Hard != 0 }

// hardNumber numbers the hard effects.
func (e element) hardNumber() uint32 { return uint32(e.effect()) >> 1 }

// hardNumber returns the number of a hard effect.
func hardNumber(effects taint.EffectSet) int { return int(effects) >> 2 }

func effectOf(e taint.Effect) effect {
	switch e {
	case taint.NoSchedule:
		return noSchedule
	case taint.PreferNoSchedule:
		return preferNoSchedule
	case taint.NoExecute:
		return noExecute
	}
	return otherEffect
}

// key is a taint key that some node carries. Position zero is never given out.
type key struct {
	text  string
	hash  uint32
	pairs uint32 // how many pairs have it; none if the position is free
	first uint32 // the first of its pairs with a hard effect whose value is no number; they are linked
	root  uint32 // of the tree of those whose value is one
}

// pair is a key and a value that some node carries. Position zero is never given out.
// Pairs that have no hard effect are neither linked nor in a tree, so that the Unix
// times of soft taints are in nobody's way.
type pair struct {
	value  string
	other  *taint.Effect // the unknown effect that this is a pair for, or nil
	hash   uint32
	key    uint32
	uses   [4]uint32 // how many lists have it, by effect
	number int64     // if the value is one
	// The pairs of the same key next to it, or below it in the tree.
	links   [2]uint32
	numeric bool
}

// The links of a pair in a list, and in a tree.
const (
	next, previous = 0, 1
	less, greater  = 0, 1
)

func (p *pair) hardUses() uint32 { return p.uses[noSchedule] + p.uses[noExecute] }
func (p *pair) used() bool {
	return p.hardUses()+p.uses[preferNoSchedule]+p.uses[otherEffect] > 0
}

// vocabulary is the interned taints. The positions of what no node carries any
// more are used again.
type vocabulary struct {
	hasher
	keys                cow.Vector[key]
	pairs               cow.Vector[pair]
	byKey               table // of keys
	byValue             table // of pairs
	freeKeys, freePairs stack
}

func (v *vocabulary) freeze() vocabulary {
	return vocabulary{
		hasher: v.hasher, keys: v.keys.Freeze(), pairs: v.pairs.Freeze(),
		byKey: v.byKey.freeze(), byValue: v.byValue.freeze(),
		freeKeys: v.freeKeys.freeze(), freePairs: v.freePairs.freeze(),
	}
}

// pairHash mixes the key into the hash of a value, so that the latter can be had back.
func pairHash(key, value uint32) uint32    { return (value + key*0x9e3779b1) & hashMask }
func (p *pair) valueHash() uint32          { return (p.hash - p.key*0x9e3779b1) & hashMask }
func otherEqual(a, b *taint.Effect) bool   { return a == b || a != nil && b != nil && *a == *b }
func (p *pair) is(k uint32, v string) bool { return p.key == k && p.value == v }

// findKey returns the position of a key, or zero.
func (v *vocabulary) findKey(text string) uint32 {
	if v.byKey.used == 0 {
		return 0
	}
	for position := range v.byKey.candidates(v.hasher.text(text)) {
		if v.keys.At(position).text == text {
			return position
		}
	}
	return 0
}

// findPair returns the position of a pair for the known effects, or zero.
func (v *vocabulary) findPair(key uint32, value string) uint32 {
	return v.findOther(key, value, nil)
}

// findOther returns the position of a pair for an unknown effect, or zero.
func (v *vocabulary) findOther(key uint32, value string, other *taint.Effect) uint32 {
	for position := range v.byValue.candidates(pairHash(key, v.hasher.text(value))) {
		if p := v.pairs.At(position); p.is(key, value) && otherEqual(p.other, other) {
			return position
		}
	}
	return 0
}

// taint returns an element as a taint.
func (v *vocabulary) taint(e element) taint.Taint {
	p := v.pairs.At(e.pair())
	t := taint.Taint{Key: v.keys.At(e.key()).text, Value: p.value}
	if p.other != nil {
		t.Effect = *p.other
	} else {
		t.Effect = effectNames[e.effect()]
	}
	return t
}

// intern returns a taint as an element, added if need be. What is added and not
// used leaks, so the caller uses it.
func (v *vocabulary) intern(t *taint.Taint) element {
	k := v.findKey(t.Key)
	if k == 0 {
		k = v.addKey(t.Key)
	}
	e := effectOf(t.Effect)
	var other *taint.Effect
	if e == otherEffect {
		other = &t.Effect
	}
	p := v.findOther(k, t.Value, other)
	if p == 0 {
		p = v.addPair(k, t.Value, other)
	}
	return elementOf(k, p, e)
}

func (v *vocabulary) addKey(text string) uint32 {
	if v.keys.Len() == 0 {
		v.keys.Append(key{})
	}
	entry := key{text: text, hash: v.hasher.text(text)}
	position := place(&v.keys, &v.freeKeys, entry)
	v.byKey.insert(entry.hash, position)
	return position
}

func (v *vocabulary) addPair(k uint32, value string, other *taint.Effect) uint32 {
	if v.pairs.Len() == 0 {
		v.pairs.Append(pair{})
	}
	entry := pair{value: value, hash: pairHash(k, v.hasher.text(value)), key: k}
	if other != nil {
		effect := *other // of its own: the caller's taint is not retained
		entry.other = &effect
	}
	entry.number, entry.numeric = decimal.Parse(value)
	position := place(&v.pairs, &v.freePairs, entry)
	v.byValue.insert(entry.hash, position)
	v.keys.Edit(k).pairs++
	return position
}

// use counts elements of a new list, and unuse those of one that is gone; a pair that
// is no longer used is taken out, and its key with the last pair.
func (v *vocabulary) use(elements []element) {
	for _, e := range elements {
		p := v.pairs.Edit(e.pair())
		if p.uses[e.effect()]++; e.hard() && p.hardUses() == 1 {
			v.linkPair(e.pair())
		}
	}
}

func (v *vocabulary) unuse(elements []element) {
	for _, e := range elements {
		p := v.pairs.Edit(e.pair())
		if p.uses[e.effect()]--; e.hard() && p.hardUses() == 0 {
			v.unlinkPair(e.pair())
		}
		if !p.used() {
			v.removePair(e.pair())
		}
	}
}

func (v *vocabulary) removePair(position uint32) {
	p := v.pairs.Edit(position)
	v.byValue.remove(p.hash, position)
	owner := v.keys.Edit(p.key)
	if owner.pairs--; owner.pairs == 0 {
		v.byKey.remove(owner.hash, p.key)
		*owner = key{}
		v.freeKeys.push(p.key)
	}
	*p = pair{}
	v.freePairs.push(position)
}

// linkPair adds a pair to those of its key with a hard effect.
func (v *vocabulary) linkPair(position uint32) {
	p := v.pairs.Edit(position)
	owner := v.keys.Edit(p.key)
	if p.numeric {
		owner.root = v.plant(owner.root, position)
		return
	}
	p.links = [2]uint32{next: owner.first}
	if owner.first != 0 {
		v.pairs.Edit(owner.first).links[previous] = position
	}
	owner.first = position
}

func (v *vocabulary) unlinkPair(position uint32) {
	p := v.pairs.Edit(position)
	owner := v.keys.Edit(p.key)
	if p.numeric {
		owner.root = v.uproot(owner.root, position)
		p.links = [2]uint32{}
		return
	}
	if p.links[previous] != 0 {
		v.pairs.Edit(p.links[previous]).links[next] = p.links[next]
	} else {
		owner.first = p.links[next]
	}
	if p.links[next] != 0 {
		v.pairs.Edit(p.links[next]).links[previous] = p.links[previous]
	}
	p.links = [2]uint32{}
}

// stack is positions that are free. It can be frozen.
type stack struct {
	positions cow.Vector[uint32]
	count     uint32
}

func (s *stack) freeze() stack { return stack{s.positions.Freeze(), s.count} }

func (s *stack) push(position uint32) {
	if int(s.count) == s.positions.Len() {
		s.positions.Append(position)
	} else {
		*s.positions.Edit(s.count) = position
	}
	s.count++
}

func (s *stack) pop() uint32 {
	s.count--
	return *s.positions.At(s.count)
}

// place puts an entry into a free position of a vector, or at its end.
func place[T any](v *cow.Vector[T], free *stack, entry T) uint32 {
	if free.count > 0 {
		position := free.pop()
		*v.Edit(position) = entry
		return position
	}
	return v.Append(entry)
}
