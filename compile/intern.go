package compile

import (
	"hash/maphash"

	"github.com/tolero-dev/tolero/compile/internal/decimal"
	"github.com/tolero-dev/tolero/taint"
)

// key is a taint key that some taint in use has. The first position is never used.
type key struct {
	text  string
	hash  uint32          // or the next free position
	pairs uint32          // how many pairs have it; none if the position is free
	first [noChain]uint32 // of each chain of them
}

// pair is a key and a value that some taint in use has. Taints with unknown effects, which
// are compared as strings (rule M5), have a pair for each such effect. The first position is
// never used, so that zero is no pair.
type pair struct {
	value     string
	unknown   taint.Effect // the unknown effect, or empty
	integer   int64        // the value, for Gt and Lt
	hash      uint32
	key       uint32             // zero if the position is free
	uses      [effectBits]uint32 // how often the taint with each effect is in use
	next      uint32             // the next pair of the same key and chain, or the next free position
	prev      uint32             // the one before it
	isInteger bool               // whether the value is one
}

// chain tells the pairs of a key apart by their uses, so that one who looks for hard
// taints does not meet the Unix times that are written into soft ones.
type chain uint8

const (
	hardChain  chain = iota // a hard taint is in use
	otherChain              // only others are
	noChain                 // none is; and how many chains there are
)

func (p *pair) chain() chain {
	switch {
	case p.uses[noSchedule]|p.uses[noExecute] != 0:
		return hardChain
	case p.uses[preferNoSchedule]|p.uses[unknownEffect] != 0:
		return otherChain
	}
	return noChain
}

// begin makes the zero Vocabulary one to add to.
func (v *Vocabulary) begin() {
	v.seed = maphash.MakeSeed()
	for i := range v.secret {
		v.secret[i] = uint64(hash(v.seed, string(rune(i))))<<32 | uint64(hash(v.seed, string(rune(i+2))))
	}
	v.keys.Append(key{})
	v.pairs.Append(pair{})
}

// add counts a taint, interned if need be.
func (v *Vocabulary) add(t *taint.Taint) TaintID {
	if v.keys.Len() == 0 {
		v.begin()
	}
	effect, unknown := t.Effect.Set(), unknownOf(t.Effect)
	k := v.findKey(t.Key)
	if k == 0 {
		k = v.addKey(t.Key)
	}
	position := v.findPair(k, t.Value, unknown)
	if position == 0 {
		position = v.addPair(k, t.Value, unknown)
	}
	p := v.pairs.Edit(position)
	before := p.chain()
	if p.uses[bitOf(effect)]++; p.uses[bitOf(effect)] == 1 {
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
func (v *Vocabulary) addPair(k uint32, value string, unknown taint.Effect) uint32 {
	entry := pair{value: value, unknown: unknown, hash: v.pairHash(k, value, unknown), key: k}
	entry.integer, entry.isInteger = decimal.Parse(value)
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

// relink links a pair to its chain, which may have been another before.
func (v *Vocabulary) relink(position uint32, p *pair, before chain) {
	now := p.chain()
	if now == before {
		return
	}
	owner := v.keys.Edit(p.key)
	if before != noChain {
		v.unlink(position, p, owner, before)
	}
	if now == noChain {
		return
	}
	if p.next = owner.first[now]; p.next != 0 {
		v.pairs.Edit(p.next).prev = position
	}
	owner.first[now] = position
}

func (v *Vocabulary) unlink(position uint32, p *pair, owner *key, before chain) {
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
	p := v.pairs.Edit(id.pair())
	before := p.chain()
	if p.uses[id.bit()]--; p.uses[id.bit()] > 0 {
		return
	}
	v.inUse--
	v.changed()
	if v.relink(id.pair(), p, before); p.chain() == noChain {
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
