package scheduler

import "unsafe"

// place is where a hash table has the entry of an object that is known by its address.
// Objects that are next to each other in memory, as those that came together are, have
// entries next to each other, as far as they are in the same region of memory: a
// scheduler asks about them in one order all the time, and so finds the next entry in the
// cache. Regions are spread. Should an object move, it is only learned again.
type place struct {
	region uint64 // its number, spread
	offset uint64 // in objects
}

const (
	regionBits = 14
	spread     = 0x9e3779b97f4a7c15 // 2^64 divided by the golden ratio
)

// probes is how many entries an object may be in. Where all are taken, which is very
// rare, it is not remembered.
const probes = 8

// placeOf returns the first place of an object that has at least that size.
func placeOf(object unsafe.Pointer, size uint64) place {
	address := uint64(uintptr(object))
	return place{(address >> regionBits) * spread, address % (1 << regionBits) / size}
}

// next returns the next place of the same object. It is elsewhere, because the entries
// that follow are those of the neighbors.
func (p place) next() place { return place{(p.region + 1) * spread, p.offset} }

// of returns the place in a table of that size, of which shift is 64 less the binary
// logarithm.
func (p place) of(size, shift int) uint64 {
	return (p.region>>(uint(shift)&63) + p.offset) & uint64(size-1)
}
