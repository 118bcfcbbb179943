// Package cow holds a vector that can be frozen cheaply: the base of snapshots
// that are never changed once they are handed out.
package cow

import "slices"

const (
	chunkBits = 8
	chunkSize = 1 << chunkBits
)

// Vector is a growing list of items in chunks. One goroutine writes to it;
// [Vector.Freeze] gives copies for any number of readers. A copy shares its
// chunks with the vector, which clones a chunk before it first writes to it
// after a Freeze: each chunk bears the epoch in which it was made, and a Freeze
// begins a new one.
//
// The zero Vector is empty. A Vector must not be copied but by Freeze. It
// retains the items.
type Vector[T any] struct {
	chunks []*chunk[T]
	length int
	epoch  uint64
}

type chunk[T any] struct {
	epoch uint64
	items [chunkSize]T
}

// Len returns the number of items.
func (v *Vector[T]) Len() int { return v.length }

// At returns the i-th item for reading. The pointer is valid until the next
// write to v.
func (v *Vector[T]) At(i uint32) *T {
	return &v.chunks[i>>chunkBits].items[i%chunkSize]
}

// Edit returns the i-th item for writing. The pointer is valid until the next
// Freeze. It allocates at the first write to a chunk after a Freeze.
func (v *Vector[T]) Edit(i uint32) *T {
	c := v.chunks[i>>chunkBits]
	if c.epoch != v.epoch {
		clone := *c
		clone.epoch = v.epoch
		c = &clone
		v.chunks[i>>chunkBits] = c
	}
	return &c.items[i%chunkSize]
}

// Append adds an item and returns its index.
func (v *Vector[T]) Append(item T) uint32 {
	i := uint32(v.length)
	if i%chunkSize == 0 {
		v.chunks = append(v.chunks, &chunk[T]{epoch: v.epoch})
	}
	v.length++
	*v.Edit(i) = item
	return i
}

// Freeze returns a copy that never changes. The time is proportional to the
// number of chunks, and it allocates once.
func (v *Vector[T]) Freeze() Vector[T] {
	v.epoch++
	return Vector[T]{chunks: slices.Clone(v.chunks), length: v.length}
}

// CopyTo copies the items from the i-th on to dst, which must not be longer than
// what there is.
func (v *Vector[T]) CopyTo(dst []T, i uint32) {
	for len(dst) > 0 {
		n := copy(dst, v.chunks[i>>chunkBits].items[i%chunkSize:])
		dst, i = dst[n:], i+uint32(n)
	}
}
