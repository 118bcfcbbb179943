package whatif

import (
	"hash/maphash"
	"slices"
	"sync/atomic"

	"github.com/tolero-dev/tolero/compile/internal/probe"
)

// directory is members by the name of their group. The zero directory is empty.
type directory[T any] struct {
	seed   maphash.Seed
	groups probe.Entries[group[T]]
}

type group[T any] struct {
	name    string
	members []T
	// Whether somebody may read the members while they change: see share.
	shared uint32
}

// none is the position of no group.
const none = probe.None

// len returns how many groups there are.
func (d *directory[T]) len() int { return d.groups.Len() }

func (d *directory[T]) hash(name string) uint32 {
	return uint32(maphash.String(d.seed, name)) & hashMask
}

// hashMask is a variable so that tests can make everything collide.
var hashMask = ^uint32(0)

// find returns the position of a group, or none.
func (d *directory[T]) find(name string) uint32 {
	if d.len() == 0 { // there may be no seed yet
		return none
	}
	for position := range d.groups.Candidates(d.hash(name)) {
		if d.groups.At(position).name == name {
			return position
		}
	}
	return none
}

// lookups is how many names are looked up together: see [directory.appendPositions].
const lookups = 64

// appendPositions appends what find returns for each of the names to dst, and returns the
// extended slice, and how many names it looked up again, because others have their hashes. It
// takes each step for many names before the next one, because each waits for memory, and the
// processor can wait for several at once.
func (d *directory[T]) appendPositions(dst []uint32, names []string) (positions []uint32, again int) {
	if d.len() == 0 {
		return append(dst, slices.Repeat([]uint32{none}, len(names))...), 0
	}
	var hashes [lookups]uint32
	for chunk := range slices.Chunk(names, lookups) {
		for i, name := range chunk {
			hashes[i] = d.hash(name)
		}
		guesses := len(dst)
		for i := range chunk {
			dst = append(dst, d.groups.Guess(hashes[i]))
		}
		for i, position := range dst[guesses:] {
			if position != none && d.groups.At(position).name != chunk[i] {
				dst[guesses+i] = d.find(chunk[i])
				again++
			}
		}
	}
	return dst, again
}

// of returns the members of a group: none if there is no such group.
func (d *directory[T]) of(name string) []T {
	if position := d.find(name); position != none {
		return d.groups.At(position).members
	}
	return nil
}

// add adds a member to a group, made if need be, and returns where it is.
func (d *directory[T]) add(name string, member T) (position, index uint32) {
	if position = d.find(name); position == none {
		position = d.insert(name)
	}
	g := d.groups.At(position)
	g.members = append(g.members, member)
	return position, uint32(len(g.members) - 1)
}

func (d *directory[T]) insert(name string) (position uint32) {
	if d.groups.Places() == 0 {
		d.seed = maphash.MakeSeed()
	}
	return d.groups.Insert(d.hash(name), group[T]{name: name})
}

// share returns the members of a group, as they are, to be read forever: they are copied before
// one of them changes. What is added follows their end. Any number of goroutines may share
// the same group, as long as nobody changes the directory.
func (d *directory[T]) share(position uint32) []T {
	g := d.groups.At(position)
	if atomic.LoadUint32(&g.shared) == 0 {
		atomic.StoreUint32(&g.shared, 1)
	}
	return slices.Clip(g.members)
}

// remove takes a member out of a group. If another one takes its index, it returns
// that. A group without members is forgotten.
func (d *directory[T]) remove(position, index uint32) (moved T, ok bool) {
	g := d.groups.At(position)
	if g.shared != 0 {
		g.members, g.shared = slices.Clone(g.members), 0
	}
	last := len(g.members) - 1
	if int(index) < last {
		g.members[index], moved, ok = g.members[last], g.members[last], true
	}
	clear(g.members[last:]) // retain no names
	if g.members = g.members[:last]; last == 0 {
		d.groups.Remove(d.hash(g.name), position)
	}
	return moved, ok
}
