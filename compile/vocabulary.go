package compile

import (
	"hash/maphash"

	"github.com/tolero-dev/tolero/compile/internal/cow"
	"github.com/tolero-dev/tolero/compile/internal/decimal"
	"github.com/tolero-dev/tolero/taint"
)

// Vocabulary is the taints of a fleet, interned: a taint that many nodes have is
// stored once, and is known by its [TaintID].
//
// The zero Vocabulary is empty and ready. A Vocabulary must not be copied; use
// [Vocabulary.Fork]. One goroutine at a time may change it; while nobody does, any
// number may read it, which asking a [Matcher] is too. It retains the strings of the
// taints in use, and no slices. Its memory follows the most taints that were in use
// at a time.
type Vocabulary struct {
	seed   maphash.Seed
	secret [2]uint64 // made of the seed
	keys   cow.Vector[key]
	pairs  cow.Vector[pair]
	odds   cow.Vector[odd]
	byKey  table     // of keys
	byPair table     // of pairs
	byOdd  table     // of odds
	free   [3]uint32 // the first free position of keys, pairs and odds, or zero
	births uint64    // how many pairs and odd taints were ever added
	inUse  int       // how many taints there are
}

// key is a taint key that some taint in use has. The first position is never used.
type key struct {
	text  string
	hash  uint32         // or the next free position
	pairs uint32         // how many pairs have it; none if the position is free
	first [linked]uint32 // the first of them, which are linked
	root  [linked]uint32 // of the trees of those that are numbers
}

// pair is a key and a value that some taint in use has. The first position is never
// used, so that zero is no pair.
type pair struct {
	value   string
	number  int64  // the value as an integer, for Gt and Lt
	born    uint64 // births when it came
	hash    uint32
	key     uint32               // zero if the position is free
	uses    [knownEffects]uint32 // how often the taint with each effect is in use
	next    uint32               // the next pair of the same key and kind, or the next free position
	prev    uint32               // the one before it
	less    uint32               // those with lesser numbers below it in the tree
	greater uint32               // those with greater ones
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
	case p.uses[0]|p.uses[2] != 0: // NoSchedule and NoExecute
		return hardKind
	case p.uses[1] != 0:
		return softKind
	}
	return linked
}

// Append appends the IDs of taints to dst, in their order, and returns the extended
// slice. A list with equal taints gives equal IDs. Taints need not be valid. Each ID
// is counted, and has to be given back with [Vocabulary.Release] when the caller needs
// it no more, as often as Append gave it.
//
// Append takes expected time by the length of the strings, which the hash is seeded
// for. It retains the strings of taints that are new, and allocates for these only.
func (v *Vocabulary) Append(dst []TaintID, taints []taint.Taint) []TaintID {
	for i := range taints {
		dst = append(dst, v.add(&taints[i]))
	}
	return dst
}

// Release takes back one use of each ID. Taints that are in use no more are
// forgotten, and their IDs are given to others. To release an ID more often than it
// was given is a mistake, which takes the use of another; an ID that is not in use is
// ignored, but built with the tag tolero_invariants, Release panics. It takes expected
// constant time for an ID, and log n where the value is one of n numbers of a key.
func (v *Vocabulary) Release(ids []TaintID) {
	for _, id := range ids {
		v.release(id)
	}
	v.check()
}

// ID returns the ID of a taint that is in use, whatever its time, and whether there is
// one. It counts nothing and does not allocate.
func (v *Vocabulary) ID(t *taint.Taint) (id TaintID, ok bool) {
	if id, ok = v.find(t); !ok || v.Uses(id) == 0 {
		return 0, false
	}
	return id, true
}

// Taint returns the taint that an ID stands for, without a time, and whether it is in
// use. It retains nothing and does not allocate.
func (v *Vocabulary) Taint(id TaintID) (t taint.Taint, ok bool) {
	if v.Uses(id) == 0 {
		return taint.Taint{}, false
	}
	if id.odd() {
		return v.odds.At(id.pair()).taint, true
	}
	return taint.Taint{
		Key: v.keys.At(id.key()).text, Value: v.pairs.At(id.pair()).value, Effect: effectNames[id.effect()],
	}, true
}

// AppendTaints appends the taints that IDs stand for to dst, without times, and
// returns the extended slice. For an ID that is not in use, that is the zero Taint.
func (v *Vocabulary) AppendTaints(dst []taint.Taint, ids []TaintID) []taint.Taint {
	for _, id := range ids {
		t, _ := v.Taint(id)
		dst = append(dst, t)
	}
	return dst
}

// Uses returns how often an ID was given and not released, which is zero for an ID
// that is not in use.
func (v *Vocabulary) Uses(id TaintID) int {
	if id.odd() {
		if id&^pairMask != TaintID(taint.OtherEffects) || uint(id.pair()) >= uint(v.odds.Len()) {
			return 0
		}
		return int(v.odds.At(id.pair()).uses)
	}
	if uint(id.pair()) >= uint(v.pairs.Len()) || id.pair() == 0 {
		return 0
	}
	if p := v.pairs.At(id.pair()); p.key == id.key() && id&(effectMask&(id-1)) == 0 && id.Effects() != 0 {
		return int(p.uses[id.effect()])
	}
	return 0
}

// Len returns the number of taints in use, each counted once.
func (v *Vocabulary) Len() int { return v.inUse }

// Indexes returns a number that is greater than [TaintID.Index] of every taint in use.
// It never decreases.
func (v *Vocabulary) Indexes() int {
	return max(v.pairs.Len(), v.odds.Len()) * 4
}

// AppendIDs appends the IDs of the taints in use that have one of the given effects to
// dst, each once and in no particular order, and returns the extended slice. It counts
// no use.
func (v *Vocabulary) AppendIDs(dst []TaintID, effects taint.EffectSet) []TaintID {
	for position := range uint32(v.pairs.Len()) {
		dst = v.pairs.At(position).append(dst, position, effects)
	}
	return v.appendOdds(dst, effects)
}

// append appends the taints in use that have a pair and one of the effects.
func (p *pair) append(dst []TaintID, position uint32, effects taint.EffectSet) []TaintID {
	for e, uses := range p.uses {
		if effect := effects & (1 << e); effect != 0 && uses > 0 {
			dst = append(dst, idOf(p.key, position, effect))
		}
	}
	return dst
}

// Fork returns a copy with the same IDs, which may be changed apart from v: what
// either adds or releases later, the other does not notice. It takes constant time and
// does not allocate; the changes of both copy what they write to, some kilobytes. To
// fork is to change v, except if v is a fork and was not changed itself.
//
// A fork that nobody changes is a snapshot, which any number of goroutines may read
// while v is changed.
func (v *Vocabulary) Fork() Vocabulary {
	fork := *v
	fork.keys, fork.pairs, fork.odds = v.keys.Freeze(), v.pairs.Freeze(), v.odds.Freeze()
	fork.byKey, fork.byPair, fork.byOdd = v.byKey.fork(), v.byPair.fork(), v.byOdd.fork()
	return fork
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
	k, found := v.findKey(t.Key)
	if !found {
		k = v.addKey(t.Key)
	}
	position, found := v.findPair(k, t.Value)
	if !found {
		position = v.addPair(k, t.Value)
	}
	p := v.pairs.Edit(position)
	before := p.kind()
	if p.uses[numberOf(effect)]++; p.uses[numberOf(effect)] == 1 {
		v.inUse++
		v.births++
		v.relink(position, p, before)
	}
	return idOf(k, position, effect)
}

func (v *Vocabulary) addKey(text string) uint32 {
	entry := key{text: text, hash: hash(v.seed, text)}
	position := v.free[0]
	if position == 0 {
		position = v.keys.Append(entry)
	} else {
		k := v.keys.Edit(position)
		v.free[0], *k = k.hash, entry
	}
	v.byKey.insert(entry.hash, position)
	return position
}

// addPair adds a pair, which is not in use yet.
func (v *Vocabulary) addPair(k uint32, value string) uint32 {
	entry := pair{value: value, hash: v.pairHash(k, value), key: k, born: v.births + 1}
	entry.number, entry.numeric = decimal.Parse(value)
	position := v.free[1]
	if position == 0 {
		position = v.pairs.Append(entry)
	} else {
		p := v.pairs.Edit(position)
		v.free[1], *p = p.next, entry
	}
	v.byPair.insert(entry.hash, position)
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
	if p.numeric {
		owner.root[now] = v.plant(owner.root[now], position)
	}
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
	if p.numeric {
		owner.root[before] = v.uproot(owner.root[before], position)
	}
	p.prev, p.next, p.less, p.greater = 0, 0, 0, 0
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
	if v.relink(id.pair(), p, before); p.kind() == linked {
		v.removePair(id.pair(), p)
	}
}

func (v *Vocabulary) removePair(position uint32, p *pair) {
	v.byPair.remove(p.hash, position)
	owner := v.keys.Edit(p.key)
	if owner.pairs--; owner.pairs == 0 {
		v.byKey.remove(owner.hash, p.key)
		*owner = key{hash: v.free[0]}
		v.free[0] = p.key
	}
	*p = pair{next: v.free[1]}
	v.free[1] = position
}
