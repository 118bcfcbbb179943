// Package cow holds a vector that is copied in constant time, and whose copies are
// written to apart: the base of snapshots and forks.
package cow

import (
	"iter"
	"slices"
	"unsafe"
)

// Vector is a growing list of items in chunks, and chunks in groups. [Vector.Freeze] gives
// a copy that shares all memory with the vector. Each of the two clones a chunk before it
// first writes to it after the Freeze, with its group, and before the first clone the
// list of groups, so neither sees what is written to the other.
//
// The zero Vector is empty. A Vector must not be copied except by Freeze. One
// goroutine at a time may write to a Vector; while nobody does, any number may read
// it. Another copy of it may be written to at the same time. It retains the items.
type Vector[T any] struct {
	groups []*group[T]
	length int

	// Of a chunk and of a group: the epoch in which it was made, since when no Freeze can
	// have shared it; zero or none if it never was.
	made, madeGroups []uint64
	epoch            uint64 // how many times the vector was frozen; in a frozen copy one more
	shared           bool   // whether another copy may have the same list of groups
}

// group is the first items of successive chunks; see chunk. Without groups, a change
// after a Freeze would copy a pointer to each chunk: of 100,000 nodes with taints of
// their own, three times as much as the chunks that it writes to.
type group[T any] [1 << groupBits]*T

// groupBits is the logarithm of the number of chunks in a group.
const groupBits = 5

// chunkBits is the logarithm of the number of items in a chunk: small items come in long
// chunks, and large ones in short ones, so that a change after a Freeze copies some
// kilobytes. It is folded into a constant for each type of item.
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

// chunk returns the items of a chunk by the first of them. A pointer is a third of a
// slice, and groups are much of what a change after a Freeze copies.
func chunk[T any](first *T) []T { return unsafe.Slice(first, 1<<chunkBits[T]()) }

// newChunk makes a chunk.
func newChunk[T any]() *T { return &make([]T, 1<<chunkBits[T]())[0] }

// Len returns the number of items.
func (v *Vector[T]) Len() int { return v.length }

// chunks returns the number of chunks.
func (v *Vector[T]) chunks() uint32 {
	return (uint32(v.length) + 1<<chunkBits[T]() - 1) >> chunkBits[T]()
}

// chunkAt returns the k-th chunk.
func (v *Vector[T]) chunkAt(k uint32) **T { return &v.groups[k>>groupBits][k%(1<<groupBits)] }

// At returns the i-th item for reading. The pointer is valid until the next
// write to v.
func (v *Vector[T]) At(i uint32) *T {
	bits := chunkBits[T]()
	k := i >> bits
	first := unsafe.Pointer(v.groups[k>>groupBits][k%(1<<groupBits)]) // not chunkAt and chunk, to be inlined
	return (*T)(unsafe.Add(first, uintptr(i-k<<bits)*unsafe.Sizeof(*new(T))))
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
	v.ownGroup(k >> groupBits)
	own := newChunk[T]()
	copy(chunk(own), chunk(*v.chunkAt(k)))
	*v.chunkAt(k), v.made[k] = own, v.epoch
}

// ownGroup replaces a group by a copy that is v's alone, if it is not yet.
func (v *Vector[T]) ownGroup(g uint32) {
	if v.track(); v.madeGroups[g] == v.epoch {
		return
	}
	if v.shared && len(v.groups) == 1 {
		own := &single[T]{group: *v.groups[0]}
		own.list[0] = &own.group
		v.groups, v.shared, v.madeGroups[0] = own.list[:], false, v.epoch
		return
	}
	if v.shared {
		v.groups, v.shared = clone(v.groups), false
	}
	own := *v.groups[g]
	v.groups[g], v.madeGroups[g] = &own, v.epoch
}

// single is a list of one group and the group, in one piece of memory.
type single[T any] struct {
	list  [1]*group[T]
	group group[T]
}

// track makes made and madeGroups as long as what they tell of.
func (v *Vector[T]) track() {
	v.made = lengthen(v.made, int(v.chunks()))
	v.madeGroups = lengthen(v.madeGroups, len(v.groups))
}

// lengthen returns a slice of n items, of which those that are new are zero.
func lengthen(s []uint64, n int) []uint64 {
	if n > len(s) {
		s = append(s, make([]uint64, n-len(s))...)
	}
	return s
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
	if i%(1<<chunkBits[T]()) == 0 {
		v.appendChunk(i >> chunkBits[T]())
	}
	v.length++
	*v.Edit(i) = item
	return i
}

// Extend adds n zero items, and none if n is negative.
func (v *Vector[T]) Extend(n int) {
	for n > 0 {
		if i := uint32(v.length); i%(1<<chunkBits[T]()) != 0 || n < 1<<chunkBits[T]() {
			v.Append(*new(T))
			n--
			continue
		}
		v.appendChunk(v.chunks())
		v.length += 1 << chunkBits[T]()
		n -= 1 << chunkBits[T]()
	}
}

// appendChunk adds the k-th chunk, and a group for it if need be.
func (v *Vector[T]) appendChunk(k uint32) {
	if v.track(); int(k>>groupBits) == len(v.groups) {
		// A copy that has the same list does not see the new entry, which follows its
		// end and its capacity.
		v.groups = append(v.groups, new(group[T]))
		v.madeGroups = append(v.madeGroups, v.epoch)
	}
	v.ownGroup(k >> groupBits)
	*v.chunkAt(k) = newChunk[T]()
	v.made = append(v.made, v.epoch)
}

// Shed gives back the memory of the chunks in which no item is used, and drops what
// follows the last one that is. The other items that are not used must be zero.
func (v *Vector[T]) Shed(used func(i uint32) bool) {
	kept := Vector[T]{epoch: 1, shared: true}
	zero := newChunk[T]()
	for first := 0; first < v.length; first += 1 << chunkBits[T]() {
		last, k := min(first+1<<chunkBits[T](), v.length)-1, uint32(first)>>chunkBits[T]()
		for last >= first && !used(uint32(last)) {
			last--
		}
		if int(k>>groupBits) == len(kept.groups) {
			kept.groups = append(kept.groups, new(group[T]))
		}
		*kept.chunkAt(k) = zero
		if last >= first {
			*kept.chunkAt(k) = *v.chunkAt(k)
			kept.length = last + 1
		}
	}
	kept.groups = slices.Clone(kept.groups[:(kept.chunks()+1<<groupBits-1)>>groupBits])
	*v = kept
}

// Freeze returns a copy of v, which may be written to in its turn. It takes constant
// time and does not allocate; the first Edit of either after it does. Freeze writes to
// v, unless v is a copy that nobody has written to: any number of goroutines may
// freeze that.
func (v *Vector[T]) Freeze() Vector[T] {
	if len(v.madeGroups) > 0 {
		v.epoch++
		v.shared = true
	}
	return Vector[T]{groups: v.groups[:len(v.groups):len(v.groups)], length: v.length, epoch: 1, shared: true}
}

// Changed iterates over the ranges of indexes, the first and the one after the
// last, in which v may differ from another state of the same vector: those whose
// chunks they do not share, and what only one of them has. The time is
// proportional to the number of groups, and of chunks in groups that they do not share.
func (v *Vector[T]) Changed(other *Vector[T]) iter.Seq2[uint32, uint32] {
	return func(yield func(first, end uint32) bool) {
		const groupEnd = 1<<groupBits - 1
		longest := uint32(max(v.length, other.length))
		both := uint32(min(v.length, other.length)) >> chunkBits[T]() // chunks that both fill
		if v.length == other.length {
			both = v.chunks()
		}
		for k := uint32(0); k<<chunkBits[T]() < longest; k++ {
			switch first := k << chunkBits[T](); {
			case k|groupEnd < both && v.groups[k>>groupBits] == other.groups[k>>groupBits]:
				k |= groupEnd
			case k < both && *v.chunkAt(k) == *other.chunkAt(k):
			case !yield(first, min(first+1<<chunkBits[T](), longest)):
				return
			}
		}
	}
}
