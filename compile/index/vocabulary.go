package index

import (
	"hash/maphash"

	"github.com/tolero-dev/tolero/compile/internal/cow"
	"github.com/tolero-dev/tolero/compile/internal/decimal"
	"github.com/tolero-dev/tolero/taint"
)

// element is an interned taint: from the lowest bits on its effect, the position
// of its pair of key and value, and that of its key, so that a toleration can be
// tested by masking.
type element uint64

const (
	effectBits = 2
	pairBits   = 32
	effectMask = element(1<<effectBits - 1)
	pairMask   = element(1<<pairBits-1) << effectBits
	keyMask    = ^(effectMask | pairMask)
)

// effect numbers the known effects. Hard effects come first.
type effect uint32

const (
	noSchedule effect = iota
	noExecute
	preferNoSchedule
)

// hardEffects is how many of the effects are hard.
const hardEffects = preferNoSchedule

// noElement is not an element: its effect is none.
const noElement = ^element(0)

func elementOf(key, pair uint32, e effect) element {
	return element(key)<<(effectBits+pairBits) | element(pair)<<effectBits | element(e)
}

func (e element) key() uint32    { return uint32(e >> (effectBits + pairBits)) }
func (e element) pair() uint32   { return uint32(e >> effectBits) }
func (e element) effect() effect { return effect(e & effectMask) }
func (e element) hard() bool     { return e.effect() < hardEffects }

// effectOf returns the number of an effect, and whether it is a known one.
// Taints with an unknown effect neither refuse nor repel nor evict (rule F2), so
// the index leaves them out.
func effectOf(e taint.Effect) (number effect, known bool) {
	switch e {
	case taint.NoSchedule:
		return noSchedule, true
	case taint.NoExecute:
		return noExecute, true
	case taint.PreferNoSchedule:
		return preferNoSchedule, true
	}
	return 0, false
}

var effectNames = [...]taint.Effect{taint.NoSchedule, taint.NoExecute, taint.PreferNoSchedule}

// key is a taint key that some node carries.
type key struct {
	text  string
	hash  uint32
	pairs uint32 // how many pairs have it; none if the position is free
	first uint32 // the first of them, plus one; they are linked
	root  uint32 // of the tree of its numeric pairs, plus one
}

// pair is a key and a value that some node carries.
type pair struct {
	value   string
	hash    uint32
	key     uint32
	uses    uint32 // how many elements of sets have it; none if the position is free
	next    uint32 // the next pair of the same key, plus one
	prev    uint32 // the one before it, plus one
	numeric bool   // whether the value is an integer, for Gt and Lt
	number  int64
	less    uint32 // the pairs of the same key with lesser numbers below it in the tree, plus one
	greater uint32 // those with greater ones, plus one
	// watching is, for each hard effect, the first of the sets that watch the
	// element, plus one; they are linked.
	watching [hardEffects]uint32
}

// vocabulary is the interned taints. The positions of what no node carries any
// more are used again.
type vocabulary struct {
	seed    maphash.Seed
	keys    cow.Vector[key]
	pairs   cow.Vector[pair]
	byKey   table // of keys
	byValue table // of pairs
}

func (v *vocabulary) freeze() vocabulary {
	return vocabulary{
		seed: v.seed, keys: v.keys.Freeze(), pairs: v.pairs.Freeze(),
		byKey: v.byKey.freeze(), byValue: v.byValue.freeze(),
	}
}

// hash is a variable so that tests can make everything collide.
var hash = func(seed maphash.Seed, text string) uint32 { return uint32(maphash.String(seed, text)) }

// pairHash mixes the key into the hash of a value.
func (v *vocabulary) pairHash(key uint32, value string) uint32 {
	return hash(v.seed, value) + key*0x9e3779b1
}

// findKey returns the position of a key, and whether it is there.
func (v *vocabulary) findKey(text string) (position uint32, found bool) {
	for position := range v.byKey.candidates(hash(v.seed, text)) {
		if v.keys.At(position).text == text {
			return position, true
		}
	}
	return 0, false
}

// findPair returns the position of a pair, and whether it is there.
func (v *vocabulary) findPair(key uint32, value string) (position uint32, found bool) {
	for position := range v.byValue.candidates(v.pairHash(key, value)) {
		if p := v.pairs.At(position); p.key == key && p.value == value {
			return position, true
		}
	}
	return 0, false
}

// taint returns an element as a taint.
func (v *vocabulary) taint(e element) taint.Taint {
	return taint.Taint{Key: v.keys.At(e.key()).text, Value: v.pairs.At(e.pair()).value, Effect: effectNames[e.effect()]}
}

// words adds to a vocabulary and takes from it. It is the writer's.
type words struct {
	vocabulary
	freeKeys, freePairs []uint32
}

// intern returns a taint as an element, added if need be. What is added and not
// used in a set leaks, so the caller makes a set of it.
func (w *words) intern(text, value string, e effect) element {
	k, found := w.findKey(text)
	if !found {
		k = w.addKey(text)
	}
	p, found := w.findPair(k, value)
	if !found {
		p = w.addPair(k, value)
	}
	return elementOf(k, p, e)
}

func (w *words) addKey(text string) uint32 {
	entry := key{text: text, hash: hash(w.seed, text)}
	position := place(&w.keys, &w.freeKeys, entry)
	w.byKey.insert(entry.hash, position)
	return position
}

func (w *words) addPair(k uint32, value string) uint32 {
	owner := w.keys.Edit(k)
	entry := pair{value: value, hash: w.pairHash(k, value), key: k, next: owner.first}
	entry.number, entry.numeric = decimal.Parse(value)
	position := place(&w.pairs, &w.freePairs, entry)
	w.byValue.insert(entry.hash, position)
	if owner.first != 0 {
		w.pairs.Edit(owner.first - 1).prev = position + 1
	}
	owner.first = position + 1
	owner.pairs++
	if entry.numeric {
		owner.root = w.plant(owner.root, position)
	}
	return position
}

// use counts an element of a new set, and unuse one of a set that is gone; a
// pair that is no longer used is taken out, and its key with the last pair.
func (w *words) use(e element) { w.pairs.Edit(e.pair()).uses++ }

func (w *words) unuse(e element) {
	position := e.pair()
	p := w.pairs.Edit(position)
	if p.uses--; p.uses > 0 {
		return
	}
	w.byValue.remove(p.hash, position)
	owner := w.keys.Edit(p.key)
	if p.prev != 0 {
		w.pairs.Edit(p.prev - 1).next = p.next
	} else {
		owner.first = p.next
	}
	if p.next != 0 {
		w.pairs.Edit(p.next - 1).prev = p.prev
	}
	if p.numeric {
		owner.root = w.uproot(owner.root, position)
	}
	if owner.pairs--; owner.pairs == 0 {
		w.byKey.remove(owner.hash, p.key)
		*owner = key{}
		w.freeKeys = append(w.freeKeys, p.key)
	}
	*p = pair{}
	w.freePairs = append(w.freePairs, position)
}

// place puts an entry into a free position of a vector, or at its end.
func place[T any](v *cow.Vector[T], free *[]uint32, entry T) uint32 {
	if n := len(*free); n > 0 {
		position := (*free)[n-1]
		*free = (*free)[:n-1]
		*v.Edit(position) = entry
		return position
	}
	return v.Append(entry)
}
