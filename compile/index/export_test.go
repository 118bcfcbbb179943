package index

import (
	"hash/maphash"

	"github.com/tolero-dev/tolero/toleration"
)

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

// Runs returns how many runs of pages the list of a node has.
func (ix *Index) Runs(id NodeID) int { return len(ix.lists.At(ix.nodes.At(id.slot).list).runs) }

// Hash returns the hash of a list, of which a Pods must have had some.
func (p *Pods) Hash(tolerations []toleration.Toleration) uint32 { return p.hash(tolerations) }

// Depth returns the depth of the deepest tree of numbers.
func (ix *Index) Depth() (deepest int) {
	var depth func(root uint32) int
	depth = func(root uint32) int {
		if root == 0 {
			return 0
		}
		p := ix.pairs.At(root - 1)
		return 1 + max(depth(p.less), depth(p.greater))
	}
	for k := range uint32(ix.keys.Len()) {
		deepest = max(deepest, depth(ix.keys.At(k).root))
	}
	return deepest
}

// NearOverflow makes the index and the Fit behave as if they had been used almost as
// often as their counters can count.
func NearOverflow(ix *Index, f *Fit) {
	ix.stamp = ^uint32(0) - 2
	f.epoch = ^uint32(0) - 2
}
