package scheduler

import "unsafe"

// place says where in a hash table to look for an object that is known by its address.
// Neighbors in memory, such as objects that came together, have neighboring entries: a
// scheduler always asks about them in one order, so that it finds the next entry in the
// cache, and they do not take each other's places. If an object moves, it is only learned
// again.
type place struct {
	number uint64 // of the object, counting memory in units no larger than one
	step   uint64
}

const spread = 0x9e3779b97f4a7c15 // 2^64 divided by the golden ratio

// probes is how many entries an object may be in. Where all are taken, which is very
// rare, it is not remembered.
const probes = 8

// placeOf returns the first place of an object that takes at least 1<<bits bytes.
func placeOf(object unsafe.Pointer, bits int) place {
	return place{number: uint64(uintptr(object)) >> bits}
}

// next returns the next place of the same object, far away, because the entries that follow
// are those of the neighbors.
func (p place) next() place { return place{p.number, p.step + (p.number|1)*spread} }

// of returns the position in a table of the given size; shift is 64 minus its binary
// logarithm.
func (p place) of(size, shift int) uint64 {
	return (p.step>>(uint(shift)&63) + p.number) & uint64(size-1)
}
