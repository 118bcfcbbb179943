package scheduler

import "unsafe"

// place is where a hash table has the entry of an object that is known by its address.
// Objects that are next to each other in memory, as those that came together are, have
// entries next to each other: a scheduler asks about them in one order all the time, and
// so finds the next entry in the cache, and they do not take each other's places. Should
// an object move, it is only learned again.
type place struct {
	number uint64 // of the object, if memory were full of smaller ones
	step   uint64
}

const spread = 0x9e3779b97f4a7c15 // 2^64 divided by the golden ratio

// probes is how many entries an object may be in. Where all are taken, which is very
// rare, it is not remembered.
const probes = 8

// placeOf returns the first place of an object of at least 1<<bits bytes.
func placeOf(object unsafe.Pointer, bits int) place {
	return place{number: uint64(uintptr(object)) >> bits}
}

// next returns the next place of the same object. It is elsewhere, because the entries
// that follow are those of the neighbors.
func (p place) next() place { return place{p.number, p.step + (p.number|1)*spread} }

// of returns the place in a table of that size, of which shift is 64 less the binary
// logarithm.
func (p place) of(size, shift int) uint64 {
	return (p.step>>(uint(shift)&63) + p.number) & uint64(size-1)
}
