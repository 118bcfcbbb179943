package compile

import (
	"hash/maphash"

	"github.com/tolero-dev/tolero/compile/internal/decimal"
	"github.com/tolero-dev/tolero/taint"
)

// key is a taint key that some taint in use has. The first position is never used.
type key struct {
	text  string
	hash  uint32         // or the next free position
	pairs uint32         // how many pairs have it; none if the position is free
	first [linked]uint32 // the first of them, which are linked
}

// pair is a key and a value that some taint in use has. The first position is never
// used, so that zero is no pair.
type pair struct {
	value   string
	number  int64 // the value as an integer, for Gt and Lt
	hash    uint32
	key     uint32               // zero if the position is free
	uses    [knownEffects]uint32 // how often the taint with each effect is in use
	next    uint32               // the next pair of the same key and kind, or the next free position
	prev    uint32               // the one before it
	numeric bool                 // whether the value is an integer
}

// kind tells the pairs of a key apart by their uses, so that one who looks for hard
// taints does not meet the Unix times that are written into soft ones.
type kind uint8

const (
	hardKind kind = iota // a hard taint is in use
	softKind             // only soft ones are
	linked               // how many kinds are linked; and that of a pair that is not in use
)

func (p *pair) kind() kind {
	switch {
	case p.uses[noSchedule]|p.uses[noExecute] != 0:
		return hardKind
	case p.uses[preferNoSchedule] != 0:
		return softKind
	}
	return linked
}

// begin makes the zero Vocabulary one to add to.
func (v *Vocabulary) begin() {
	v.seed = maphash.MakeSeed()
	for i := range v.secret {
		v.secret[i] = uint64(hash(v.seed, string(rune(i))))<<32 | uint64(hash(v.seed, string(rune(i+2))))
	}
	v.keys.Append(key{})
	v.pairs.Append(pair{})
	v.odds.Append(odd{})
}

// add counts a taint, interned if need be.
func (v *Vocabulary) add(t *taint.Taint) TaintID {
	if v.keys.Len() == 0 {
		v.begin()
	}
	effect := t.Effect.Set()
	if effect == taint.OtherEffects {
		return v.addOdd(t)
	}
	k := v.findKey(t.Key)
	if k == 0 {
		k = v.addKey(t.Key)
	}
	position := v.findPair(k, t.Value)
	if position == 0 {
		position = v.addPair(k, t.Value)
	}
	p := v.pairs.Edit(position)
	before := p.kind()
	if p.uses[numberOf(effect)]++; p.uses[numberOf(effect)] == 1 {
		v.inUse++
		v.changed()
		v.relink(position, p, before)
	}
	return idOf(k, position, effect)
}

func (v *Vocabulary) addKey(text string) uint32 {
	entry := key{text: text, hash: hash(v.seed, text)}
	position := v.freeKeys
	if position == 0 {
		position = v.keys.Append(entry)
	} else {
		k := v.keys.Edit(position)
		v.freeKeys, *k = k.hash, entry
	}
	v.byKey.Insert(entry.hash, position)
	return position
}

// addPair adds a pair, which is not in use yet.
func (v *Vocabulary) addPair(k uint32, value string) uint32 {
	entry := pair{value: value, hash: v.pairHash(k, value), key: k}
	entry.number, entry.numeric = decimal.Parse(value)
	position := v.freePairs
	if position == 0 {
		position = v.pairs.Append(entry)
	} else {
		p := v.pairs.Edit(position)
		v.freePairs, *p = p.next, entry
	}
	v.byPair.Insert(entry.hash, position)
	v.keys.Edit(k).pairs++
	return position
}

// relink links a pair with those of its kind, which was another before.
func (v *Vocabulary) relink(position uint32, p *pair, before kind) {
	now := p.kind()
	if now == before {
		return
	}
	owner := v.keys.Edit(p.key)
	if before != linked {
		v.unlink(position, p, owner, before)
	}
	if now == linked {
		return
	}
	if p.next = owner.first[now]; p.next != 0 {
		v.pairs.Edit(p.next).prev = position
	}
	owner.first[now] = position
}

func (v *Vocabulary) unlink(position uint32, p *pair, owner *key, before kind) {
	if p.prev != 0 {
		v.pairs.Edit(p.prev).next = p.next
	} else {
		owner.first[before] = p.next
	}
	if p.next != 0 {
		v.pairs.Edit(p.next).prev = p.prev
	}
	p.prev, p.next = 0, 0
}

// release takes back a use. A pair without uses is taken out, and its key with the
// last pair.
func (v *Vocabulary) release(id TaintID) {
	if v.Uses(id) == 0 {
		v.releasedTooOften(id)
		return
	}
	if id.odd() {
		v.releaseOdd(id.pair())
		return
	}
	p := v.pairs.Edit(id.pair())
	before := p.kind()
	if p.uses[id.effect()]--; p.uses[id.effect()] > 0 {
		return
	}
	v.inUse--
	v.changed()
	if v.relink(id.pair(), p, before); p.kind() == linked {
		v.removePair(id.pair(), p)
	}
}

func (v *Vocabulary) removePair(position uint32, p *pair) {
	v.byPair.Remove(p.hash, position)
	owner := v.keys.Edit(p.key)
	if owner.pairs--; owner.pairs == 0 {
		v.byKey.Remove(owner.hash, p.key)
		*owner = key{hash: v.freeKeys}
		v.freeKeys = p.key
	}
	*p = pair{next: v.freePairs}
	v.freePairs = position
}
