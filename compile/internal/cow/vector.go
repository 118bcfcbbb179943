// Package cow holds a vector that can be frozen cheaply: the base of snapshots
// that are never changed once they are handed out.
package cow

import (
	"iter"
	"unsafe"
)

// Vector is a growing list of items in chunks. One goroutine writes to it;
// [Vector.Freeze] gives copies for any number of readers. A copy shares all
// memory with the vector, which clones a chunk before it first writes to it
// after a Freeze, and before the first clone the directory of its chunks.
//
// The zero Vector is empty. A Vector must not be copied but by Freeze. It
// retains the items.
type Vector[T any] struct {
	chunks [][]T // each of chunkSize items
	length int

	// The writer's; a frozen copy has none of it.
	made   []uint64 // of a chunk: the epoch in which it was made, since when no Freeze can have shared it
	epoch  uint64   // how many times the vector was frozen
	shared bool     // whether a frozen copy has the same directory
}

// chunkBits is the logarithm of the number of items in a chunk. A change after a
// Freeze costs a chunk and the directory: small items come in long chunks, of
// which there are few, and large ones, of which there are few themselves, in short
// ones. It is folded into a constant for each type of item.
func chunkBits[T any]() uint32 {
	if unsafe.Sizeof(*new(T)) > 16 {
		return 5
	}
	return 8
}

// Len returns the number of items.
func (v *Vector[T]) Len() int { return v.length }

// At returns the i-th item for reading. The pointer is valid until the next
// write to v.
func (v *Vector[T]) At(i uint32) *T {
	return &v.chunks[i>>chunkBits[T]()][i&(1<<chunkBits[T]()-1)]
}

// Edit returns the i-th item for writing. The pointer is valid until the next
// Freeze. It allocates at the first write to a chunk after a Freeze.
func (v *Vector[T]) Edit(i uint32) *T {
	if k := i >> chunkBits[T](); v.made[k] != v.epoch {
		v.own(k)
	}
	return v.At(i)
}

// own replaces a chunk by a copy that is v's alone.
func (v *Vector[T]) own(k uint32) {
	if v.shared {
		v.chunks, v.shared = clone(v.chunks), false
	}
	v.chunks[k], v.made[k] = clone(v.chunks[k]), v.epoch
}

// clone copies a slice without room for more.
func clone[E any](s []E) []E {
	c := make([]E, len(s))
	copy(c, s)
	return c
}

// Append adds an item and returns its index.
func (v *Vector[T]) Append(item T) uint32 {
	i := uint32(v.length)
	if i>>chunkBits[T]() == uint32(len(v.chunks)) {
		// A frozen copy that has the same directory does not see the new entry,
		// which is behind its end.
		v.chunks = append(v.chunks, make([]T, 1<<chunkBits[T]()))
		v.made = append(v.made, v.epoch)
	}
	v.length++
	*v.Edit(i) = item
	return i
}

// Freeze returns a copy that never changes. It takes constant time and does not
// allocate; the first Edit after it does.
func (v *Vector[T]) Freeze() Vector[T] {
	v.epoch++
	v.shared = true
	return Vector[T]{chunks: v.chunks, length: v.length}
}

// CopyTo copies the items from the i-th on to dst, which must not be longer than
// what there is.
func (v *Vector[T]) CopyTo(dst []T, i uint32) {
	for len(dst) > 0 {
		n := copy(dst, v.chunks[i>>chunkBits[T]()][i&(1<<chunkBits[T]()-1):])
		dst, i = dst[n:], i+uint32(n)
	}
}

// Changed iterates over the ranges of indexes, the first and the one behind the
// last, in which v may differ from another state of the same vector: those whose
// chunks they do not share, and what only one of them has. The time is
// proportional to the number of chunks.
func (v *Vector[T]) Changed(other *Vector[T]) iter.Seq2[uint32, uint32] {
	return func(yield func(first, end uint32) bool) {
		longest := uint32(max(v.length, other.length))
		for k := range uint32(max(len(v.chunks), len(other.chunks))) {
			if v.shares(other, k) {
				continue
			}
			first := k << chunkBits[T]()
			if !yield(first, min(first+1<<chunkBits[T](), longest)) {
				return
			}
		}
	}
}

// shares reports whether v and another vector have the same k-th chunk.
func (v *Vector[T]) shares(other *Vector[T], k uint32) bool {
	return k < uint32(min(len(v.chunks), len(other.chunks))) && &v.chunks[k][0] == &other.chunks[k][0]
}
