package index

import (
	"cmp"
	"encoding/binary"
	"slices"

	"github.com/tolero-dev/tolero/compile/internal/cow"
	"github.com/tolero-dev/tolero/taint"
)

// A list is the taints of some nodes in their order, which decides the first
// untolerated one (rule F3). A set is the same taints without the order, which
// decides everything else: lists that are permutations of each other share a
// set, so that a verdict is computed once. Both exist while a node has them.

// list is the nodes that have the same taints in the same order.
type list struct {
	elements []element // in the node's order; never written to
	set      uint32
	nodes    uint32 // how many nodes have it; none if the position is free
	next     uint32 // the next list of the same set, plus one
	prev     uint32 // the one before it, plus one
	mark     uint32 // what Fit marks if the list fits
	runs     []run  // the pages that hold the list's nodes and no others; never written to
	scattered
}

// Marks are the positions of sets, behind one for those of no list and one for
// those of all lists without a hard element, which every pod fits.
const (
	noMark uint32 = iota
	cleanMark
	firstMark
)

func (l *list) clean() bool { return l.mark == cleanMark }

// set is the nodes that have the same taints in any order.
type set struct {
	elements []element // sorted, the hard ones first; never written to
	hard     uint32    // how many of them are hard
	nodes    uint32    // how many nodes have it; none if the position is free
	lists    uint32    // the first list, plus one; they are linked
	watched  element   // the hard element that it watches, if it has one
	next     uint32    // the next set that watches the same, plus one
	prev     uint32    // the one before it, plus one
}

// classes is the sets and lists that some node has.
type classes struct {
	sets  cow.Vector[set]
	lists cow.Vector[list]
	clean uint32 // the first set without a hard element, plus one; they are linked as if they watched the same
	plain uint32 // how many nodes have such a set
}

func (c *classes) freeze() classes {
	return classes{sets: c.sets.Freeze(), lists: c.lists.Freeze(), clean: c.clean, plain: c.plain}
}

// registry adds sets and lists and takes them out. It is the writer's.
type registry struct {
	words
	classes
	freeSets, freeLists []uint32
	setsByContent       map[string]uint32
	listsByContent      map[string]uint32
	elements            []element // buffers
	sorted              []element
	content             []byte
}

// listOf returns the list of taints, added if need be.
func (r *registry) listOf(taints []taint.Taint) uint32 {
	r.elements = r.elements[:0]
	for i := range taints {
		if e, known := effectOf(taints[i].Effect); known {
			r.elements = append(r.elements, r.intern(taints[i].Key, taints[i].Value, e))
		}
	}
	if position, found := r.listsByContent[string(r.key(r.elements))]; found {
		return position
	}
	owner := r.setOf(r.elements)
	s := r.sets.Edit(owner)
	entry := list{elements: slices.Clone(r.elements), set: owner, next: s.lists, mark: cleanMark}
	if s.hard > 0 {
		entry.mark = firstMark + owner
	}
	position := place(&r.lists, &r.freeLists, entry)
	if s.lists != 0 {
		r.lists.Edit(s.lists - 1).prev = position + 1
	}
	s.lists = position + 1
	r.listsByContent[string(r.key(r.elements))] = position
	return position
}

// setOf returns the set of the elements, added if need be.
func (r *registry) setOf(elements []element) uint32 {
	r.sorted = append(r.sorted[:0], elements...)
	slices.SortFunc(r.sorted, byHardness)
	if position, found := r.setsByContent[string(r.key(r.sorted))]; found {
		return position
	}
	entry := set{elements: slices.Clone(r.sorted)}
	for _, e := range entry.elements {
		if r.use(e); e.hard() {
			entry.hard++
		}
	}
	position := place(&r.sets, &r.freeSets, entry)
	r.setsByContent[string(r.key(r.sorted))] = position
	r.watch(position)
	return position
}

// byHardness sorts hard elements to the front.
func byHardness(a, b element) int {
	switch {
	case a.hard() == b.hard():
		return cmp.Compare(a, b)
	case a.hard():
		return -1
	}
	return 1
}

// key writes elements as bytes, for the maps.
func (r *registry) key(elements []element) []byte {
	r.content = r.content[:0]
	for _, e := range elements {
		r.content = binary.NativeEndian.AppendUint64(r.content, uint64(e))
	}
	return r.content
}

// A pod fits a set if it tolerates all of its hard elements, so it is enough to
// look at a set when the pod tolerates one of them. Each set watches one, the
// one that the fewest sets have, and is linked to it: the sets that a pod may
// fit are then those that watch what it tolerates, and those with nothing to
// watch.

// watch chooses the element that a new set watches, and links the set.
func (r *registry) watch(position uint32) {
	s := r.sets.Edit(position)
	hard := s.elements[:s.hard]
	if len(hard) > 0 {
		s.watched = slices.MinFunc(hard, func(a, b element) int {
			return cmp.Compare(r.pairs.At(a.pair()).uses, r.pairs.At(b.pair()).uses)
		})
	}
	head := r.head(s)
	if s.next = *head; s.next != 0 {
		r.sets.Edit(s.next - 1).prev = position + 1
	}
	*head = position + 1
}

// unwatch unlinks a set.
func (r *registry) unwatch(position uint32) {
	s := r.sets.At(position)
	if s.prev != 0 {
		r.sets.Edit(s.prev - 1).next = s.next
	} else {
		*r.head(s) = s.next
	}
	if s.next != 0 {
		r.sets.Edit(s.next - 1).prev = s.prev
	}
}

// head returns the head of the linked list that s belongs to, for writing.
func (r *registry) head(s *set) *uint32 {
	if s.hard == 0 {
		return &r.clean
	}
	return &r.pairs.Edit(s.watched.pair()).watching[s.watched.effect()]
}

// count adds n, which may be negative, to the nodes of a list. What no node has
// any more is taken out.
func (r *registry) count(position uint32, n int) {
	l := r.lists.Edit(position)
	l.nodes += uint32(n)
	if l.clean() {
		r.plain += uint32(n)
	}
	r.sets.Edit(l.set).nodes += uint32(n)
	if l.nodes == 0 {
		r.removeList(position)
	}
}

func (r *registry) removeList(position uint32) {
	l := r.lists.Edit(position)
	delete(r.listsByContent, string(r.key(l.elements)))
	if l.next != 0 {
		r.lists.Edit(l.next - 1).prev = l.prev
	}
	if l.prev != 0 {
		r.lists.Edit(l.prev - 1).next = l.next
	} else if r.sets.Edit(l.set).lists = l.next; l.next == 0 {
		r.removeSet(l.set)
	}
	*l = list{}
	r.freeLists = append(r.freeLists, position)
}

func (r *registry) removeSet(position uint32) {
	s := r.sets.Edit(position)
	delete(r.setsByContent, string(r.key(s.elements)))
	r.unwatch(position)
	for _, e := range s.elements {
		r.unuse(e)
	}
	*s = set{}
	r.freeSets = append(r.freeSets, position)
}
