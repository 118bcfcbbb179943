// Package cow holds a vector that is copied in constant time, and whose copies are
// written to apart: the base of snapshots and forks.
package cow

import (
	"iter"
	"unsafe"
)

// Vector is a growing list of items in chunks. [Vector.Freeze] gives a copy that
// shares all memory with the vector. Each of the two clones a chunk before it first
// writes to it after the Freeze, and before the first clone the directory of its
// chunks, so neither sees what is written to the other.
//
// The zero Vector is empty. A Vector must not be copied except by Freeze. One
// goroutine at a time may write to a Vector; while nobody does, any number may read
// it. Another copy of it may be written to at the same time. It retains the items.
type Vector[T any] struct {
	chunks []*T // the first item of each chunk; see chunk
	length int

	made   []uint64 // of a chunk: the epoch in which it was made, since when no Freeze can have shared it; zero or none if it never was
	epoch  uint64   // how many times the vector was frozen; in a frozen copy one more
	shared bool     // whether another copy may have the same directory
}

// chunkBits is the logarithm of the number of items in a chunk. A change after a
// Freeze costs a chunk and the directory: small items come in long chunks, of
// which there are few, and large ones, of which there are few themselves, in short
// ones. It is folded into a constant for each type of item.
func chunkBits[T any]() uint32 {
	switch size := unsafe.Sizeof(*new(T)); {
	case size > 256:
		return 2
	case size > 16:
		return 5
	default:
		return 8
	}
}

// chunk returns the items of a chunk by the first of them. A directory of pointers is a
// third of one of slices, and the directories are most of what a change after a Freeze
// copies.
func chunk[T any](first *T) []T { return unsafe.Slice(first, 1<<chunkBits[T]()) }

// newChunk makes a chunk.
func newChunk[T any]() *T { return &make([]T, 1<<chunkBits[T]())[0] }

// Len returns the number of items.
func (v *Vector[T]) Len() int { return v.length }

// At returns the i-th item for reading. The pointer is valid until the next
// write to v.
func (v *Vector[T]) At(i uint32) *T {
	first := unsafe.Pointer(v.chunks[i>>chunkBits[T]()]) // not chunk, to be inlined
	return (*T)(unsafe.Add(first, uintptr(i&(1<<chunkBits[T]()-1))*unsafe.Sizeof(*new(T))))
}

// Edit returns the i-th item for writing. The pointer is valid until the next
// Freeze. It allocates at the first write to a chunk after a Freeze.
func (v *Vector[T]) Edit(i uint32) *T {
	if k := i >> chunkBits[T](); int(k) >= len(v.made) || v.made[k] != v.epoch {
		v.own(k)
	}
	return v.At(i)
}

// own replaces a chunk by a copy that is v's alone.
func (v *Vector[T]) own(k uint32) {
	if v.shared {
		v.chunks, v.shared = clone(v.chunks), false
	}
	v.track()
	own := newChunk[T]()
	copy(chunk(own), chunk(v.chunks[k]))
	v.chunks[k], v.made[k] = own, v.epoch
}

// track makes made as long as chunks.
func (v *Vector[T]) track() {
	if n := len(v.chunks) - len(v.made); n > 0 {
		v.made = append(v.made, make([]uint64, n)...)
	}
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
		// A copy that has the same directory does not see the new entry, which
		// follows its end and its capacity.
		v.track()
		v.chunks = append(v.chunks, newChunk[T]())
		v.made = append(v.made, v.epoch)
	}
	v.length++
	*v.Edit(i) = item
	return i
}

// Truncate drops the items from the n-th on. There must be that many.
func (v *Vector[T]) Truncate(n int) {
	chunks := (n + 1<<chunkBits[T]() - 1) >> chunkBits[T]()
	if v.shared {
		v.chunks = v.chunks[:chunks:chunks] // what follows is in the directory of another
	} else {
		clear(v.chunks[chunks:])
		v.chunks = v.chunks[:chunks]
	}
	v.made = v.made[:min(chunks, len(v.made))]
	v.length = n
}

// Freeze returns a copy of v, which may be written to in its turn. It takes constant
// time and does not allocate; the first Edit of either after it does. Freeze writes to
// v, unless v is a copy that nobody has written to: any number of goroutines may
// freeze that.
func (v *Vector[T]) Freeze() Vector[T] {
	if len(v.made) > 0 {
		v.epoch++
		v.shared = true
	}
	return Vector[T]{chunks: v.chunks[:len(v.chunks):len(v.chunks)], length: v.length, epoch: 1, shared: true}
}

// CopyTo copies the items from the i-th on to dst, which must not be longer than
// what there is.
func (v *Vector[T]) CopyTo(dst []T, i uint32) {
	for len(dst) > 0 {
		n := copy(dst, chunk(v.chunks[i>>chunkBits[T]()])[i&(1<<chunkBits[T]()-1):])
		dst, i = dst[n:], i+uint32(n)
	}
}

// Changed iterates over the ranges of indexes, the first and the one after the
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
	return k < uint32(min(len(v.chunks), len(other.chunks))) && v.chunks[k] == other.chunks[k]
}
