package index

import (
	"math/bits"
	"slices"

	"github.com/tolero-dev/tolero/compile"
	"github.com/tolero-dev/tolero/taint"
)

// base is a fleet at one moment, sorted: the nodes of a set are side by side, so that a set
// is a range of slots, and sets with the same hard effects are side by side. Nothing in a
// base is ever written to once it is made.
//
// Sets have places: the one without taints, those with NoSchedule only, with both effects,
// and with NoExecute only; of each, those with a single node come first. So the sets that a
// pod fits because of effects that it tolerates wholesale are a range from the first place
// and one to the last.
type base struct {
	stamp   uint64               // classes that came later have greater ones
	parts   [allParts + 1]uint32 // the first place of each part; one more at the end
	taints  []compile.TaintID    // of the sets, one after the other
	start   []uint32             // by place: the first of its taints; one more at the end
	split   []uint32             // by place: the first that is NoExecute
	first   []uint32             // by place: its first slot; one more at the end
	nodes   []uint32             // by slot
	slotOf  []uint32             // by node, of those that there are
	classes []uint32             // in no particular order

	watches
	columns
}

// The parts of a base: the sets by their hard effects, in the order of places.
const (
	cleanSets = iota
	scheduleSets
	bothSets
	executeSets
	allParts // how many there are
)

// noBase is that of the zero Snapshot.
var noBase = base{first: make([]uint32, 1)}

// slots returns the number of slots.
func (b *base) slots() uint32 { return uint32(len(b.nodes)) }

// placeAt returns the place of the set that has a slot.
func (b *base) placeAt(slot uint32) uint32 {
	place, found := slices.BinarySearch(b.first, slot)
	if !found {
		place--
	}
	return uint32(place)
}

// has reports whether nodes had the class when the base was made.
func (b *base) has(c *class) bool { return c.stamp <= b.stamp }

// of returns the taints of a set with the effects that are not tolerated wholesale.
func (b *base) of(place uint32, whole wholesale) []compile.TaintID {
	from, to := b.start[place], b.start[place+1]
	switch whole {
	case wholeSchedule:
		from = b.split[place]
	case wholeExecute:
		to = b.split[place]
	}
	return b.taints[from:to]
}

// lone returns the slot of the first set of a word of places, if each of them has one node:
// then slots are in the order of the bits.
func (b *base) lone(i int) (slot uint32, ok bool) {
	first := b.first[i*64:]
	return first[0], len(first) > 64 && first[64]-first[0] == 64
}

// nodesOf returns how many nodes the sets of a word of places have.
func (b *base) nodesOf(i int, word uint64) (n int) {
	if _, ok := b.lone(i); ok {
		return bits.OnesCount64(word)
	}
	for first := b.first[i*64:]; word != 0; {
		var from, to uint32
		from, to, word = cutRun(word)
		n += int(first[to] - first[from])
	}
	return n
}

// newBase makes the base of a fleet.
func newBase(a *state, stamp uint64) *base {
	b := &base{stamp: stamp}
	placeOf := b.placeSets(a, b.countNodes(a)) // by class
	b.placeNodes(a, placeOf)
	uses, hard := b.countUses()
	b.watches = newWatches(b, uses, hard)
	b.columns = newColumns(b, uses)
	return b
}

// countNodes notes the classes, and returns how many nodes each set has.
func (b *base) countNodes(a *state) (nodes []uint32) {
	nodes = make([]uint32, a.sets.Len())
	b.classes = make([]uint32, 0, a.byClass.Len())
	for i := range uint32(a.classes.Len()) {
		if class := a.classes.At(i); class.nodes > 0 {
			nodes[class.set] += class.nodes
			b.classes = append(b.classes, i)
		}
	}
	return nodes
}

// placeSets gives places to the sets, and slots, by how many nodes they have. It returns the
// place of each class.
func (b *base) placeSets(a *state, nodes []uint32) (placeOf []uint32) {
	var sorted [allParts][2][]uint32 // of each part those with one node, and the others
	taints := 0
	for i, n := range nodes {
		if n > 0 {
			set := a.sets.At(uint32(i)).taints
			of := &sorted[partOf(set)][min(n-1, 1)]
			*of = append(*of, uint32(i))
			taints += len(set)
		}
	}
	b.taints = make([]compile.TaintID, 0, taints)
	b.start, b.first = make([]uint32, 1, a.bySet.Len()+1), make([]uint32, 1, a.bySet.Len()+1)
	b.split = make([]uint32, 0, a.bySet.Len())
	for part := range sorted {
		for _, sets := range sorted[part] {
			for _, i := range sets {
				slots := nodes[i]
				nodes[i] = uint32(len(b.split)) // its place from now on
				b.addSet(a.sets.At(i).taints, slots)
			}
		}
		b.parts[part+1] = uint32(len(b.split))
	}
	placeOf = make([]uint32, a.classes.Len())
	for _, i := range b.classes {
		placeOf[i] = nodes[a.classes.At(i).set]
	}
	return placeOf
}

// partOf returns the part of a set.
func partOf(taints []compile.TaintID) int {
	switch n := len(taints); {
	case n == 0:
		return cleanSets
	case taints[n-1].Effects() != taint.Evicting:
		return scheduleSets
	case taints[0].Effects() != taint.Evicting:
		return bothSets
	}
	return executeSets
}

// addSet adds a set with so many nodes at the next place.
func (b *base) addSet(taints []compile.TaintID, slots uint32) {
	b.taints = append(b.taints, taints...)
	end := uint32(len(b.taints))
	split := b.start[len(b.start)-1]
	for split < end && b.taints[split].Effects() != taint.Evicting {
		split++
	}
	b.split = append(b.split, split)
	b.start = append(b.start, end)
	b.first = append(b.first, b.first[len(b.first)-1]+slots)
}

// placeNodes gives slots to the nodes.
func (b *base) placeNodes(a *state, placeOf []uint32) {
	b.nodes, b.slotOf = make([]uint32, a.count), make([]uint32, a.nodes.Len())
	next := slices.Clone(b.first)
	for i := range uint32(a.nodes.Len()) {
		n := a.nodes.At(i)
		if !n.used() {
			continue
		}
		slot := &next[placeOf[n.class]]
		b.slotOf[i], b.nodes[*slot] = *slot, i
		*slot++
	}
}

// hardIndex returns a small number for a hard taint, half as large as its index: of these,
// every second one is of a hard taint.
func hardIndex(id compile.TaintID) int { return id.Index() / 2 }

// countUses returns how many sets have each hard taint, and these taints.
func (b *base) countUses() (uses []uint32, hard []compile.TaintID) {
	most := -1
	for _, id := range b.taints {
		most = max(most, hardIndex(id))
	}
	uses, hard = make([]uint32, most+1), make([]compile.TaintID, 0, (most+2)/2)
	for _, id := range b.taints {
		i := hardIndex(id)
		if uses[i]++; uses[i] == 1 {
			hard = append(hard, id)
		}
	}
	return uses, hard
}

// fill sets the bits from one slot to before another.
func fill(words []uint64, from, to uint32) {
	if from == to {
		return
	}
	first, last := from/64, (to-1)/64
	low, high := ^uint64(0)<<(from%64), ^uint64(0)>>(63-(to-1)%64)
	if first == last {
		words[first] |= low & high
		return
	}
	words[first] |= low
	for between := words[first+1 : last]; len(between) > 0; {
		between = between[copy(between, ones[:]):] // three times as fast as a loop
	}
	words[last] |= high
}

// ones is words to copy. Nobody writes to it.
var ones = func() (words [256]uint64) {
	for i := range words {
		words[i] = ^uint64(0)
	}
	return words
}()

// cutRun cuts the lowest run of bits off a word that has one: those from one to before
// another.
func cutRun(word uint64) (from, to uint32, rest uint64) {
	from = uint32(bits.TrailingZeros64(word))
	to = from + uint32(bits.TrailingZeros64(^(word >> from)))
	return from, to, word & (^uint64(0) << (to - 1) << 1)
}
