// Package cow holds a vector that is copied in constant time, and whose copies are
// written to apart: the base of snapshots and forks.
package cow

import (
	"iter"
	"slices"
	"sync/atomic"
)

// Vector is a growing list of items in chunks. [Vector.Freeze] gives a copy that shares
// all memory with the vector. Each of the two clones the list of chunks before it first
// writes after the Freeze, and a chunk before it first writes to that, so neither sees
// what is written to the other.
//
// The zero Vector is empty. A Vector must not be copied except by Freeze. One
// goroutine at a time may write to a Vector; while nobody does, any number may read
// it. Another copy of it may be written to at the same time. It retains the items.
type Vector[T any] struct {
	chunks []*chunk[T]
	length int
	epoch  uint64 // of the chunks that only v has; zero while the list of chunks may be shared
}

// chunk is some successive items. Those that nobody has are zero.
type chunk[T any] struct {
	epoch uint64 // in which it was made, and may be written to
	items [1 << chunkBits]T
}

// chunkBits is the logarithm of the number of items in a chunk. At 100,000 items of 48
// bytes, a chunk and the list of chunks are 6 KB each, which the first write after a
// Freeze copies.
const chunkBits = 7

// epochs is the last epoch of any vector, so that none comes again.
var epochs atomic.Uint64

// Len returns the number of items.
func (v *Vector[T]) Len() int { return v.length }

// At returns the i-th item for reading. The pointer is valid until the next
// write to v.
func (v *Vector[T]) At(i uint32) *T { return &v.chunks[i>>chunkBits].items[i%(1<<chunkBits)] }

// Edit returns the i-th item for writing. The pointer is valid until the next
// Freeze. It allocates at the first write to a chunk after a Freeze.
func (v *Vector[T]) Edit(i uint32) *T {
	if v.epoch == 0 || v.chunks[i>>chunkBits].epoch != v.epoch {
		v.own(i >> chunkBits)
	}
	return v.At(i)
}

// own replaces a chunk by a copy that is v's alone.
func (v *Vector[T]) own(k uint32) {
	v.ownList()
	own := *v.chunks[k]
	own.epoch = v.epoch
	v.chunks[k] = &own
}

// ownList replaces the list of chunks by a copy that is v's alone, if it is not yet.
func (v *Vector[T]) ownList() {
	if v.epoch == 0 {
		v.chunks, v.epoch = slices.Clone(v.chunks), epochs.Add(1)
	}
}

// Append adds an item and returns its index.
func (v *Vector[T]) Append(item T) uint32 {
	v.Extend(1)
	i := uint32(v.length - 1)
	*v.Edit(i) = item
	return i
}

// Extend adds n zero items.
func (v *Vector[T]) Extend(n int) {
	v.ownList()
	for v.length += n; len(v.chunks)<<chunkBits < v.length; {
		v.chunks = append(v.chunks, &chunk[T]{epoch: v.epoch})
	}
}

// Shed gives back the memory of the chunks in which no item is used, and drops what
// follows the last one that is. The other items that are not used must be zero.
func (v *Vector[T]) Shed(used func(i uint32) bool) {
	kept := slices.Repeat([]*chunk[T]{new(chunk[T])}, len(v.chunks))
	last := 0
	for i := range uint32(v.length) {
		if used(i) {
			kept[i>>chunkBits], last = v.chunks[i>>chunkBits], int(i)+1
		}
	}
	v.chunks, v.length = slices.Clone(kept[:(last+1<<chunkBits-1)>>chunkBits]), last
}

// Freeze returns a copy of v, which may be written to in its turn. It takes constant
// time and does not allocate; the first Edit of either after it does. Freeze writes to
// v, unless v is a copy that nobody has written to: any number of goroutines may
// freeze that.
func (v *Vector[T]) Freeze() Vector[T] {
	if v.epoch != 0 {
		v.epoch = 0
	}
	return Vector[T]{chunks: v.chunks, length: v.length}
}

// Changed iterates over the ranges of indexes, the first and the one after the last, in
// which v may differ from another state of the same vector: those whose chunks they do
// not share. Ranges may go beyond the end of both. The time is proportional to the number of chunks.
func (v *Vector[T]) Changed(other *Vector[T]) iter.Seq2[uint32, uint32] {
	return func(yield func(first, end uint32) bool) {
		a, b := v.chunks, other.chunks
		for k := range max(len(a), len(b)) {
			if k < len(a) && k < len(b) && a[k] == b[k] {
				continue
			}
			if first := uint32(k) << chunkBits; !yield(first, first+1<<chunkBits) {
				return
			}
		}
	}
}
