package index

import "hash/maphash"

// WithHash calls f with hashes of only so many bits: with zero, all collide.
func WithHash(bits int, f func()) {
	strong, all := hash, hashBits
	defer func() { hash, hashBits = strong, all }()
	hashBits = 1<<bits - 1
	hash = func(seed maphash.Seed, text string) uint32 { return strong(seed, text) & (1<<bits - 1) }
	f()
}

// Sizes returns how many positions of each kind the index has, used or free.
func (ix *Index) Sizes() (keys, pairs, sets, lists, slots int) {
	return ix.keys.Len(), ix.pairs.Len(), ix.sets.Len(), ix.lists.Len(), ix.nodes.Len()
}

// PostingKeys returns how many keys the classes of pods are indexed by.
func (p *Pods) PostingKeys() int { return len(p.byKey) + len(p.anyKey.byValue) }
