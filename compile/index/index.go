package index

import (
	"cmp"
	"iter"
	"slices"
	"sync/atomic"

	"github.com/tolero-dev/tolero/compile"
	"github.com/tolero-dev/tolero/compile/internal/cow"
	"github.com/tolero-dev/tolero/compile/internal/probe"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// NodeID stands for a node with the taints that it had when the ID was given:
// [Index.Set] gives a new one when the taints change.
//
// The zero NodeID stands for no node. A NodeID is a plain value; comparing two with ==
// tells whether they are of the same node with the same taints, in any index. It retains
// nothing. A snapshot that does not have the node with these taints says so: see
// [Snapshot.Has].
type NodeID struct {
	number uint32
	stamp  uint64 // no two are the same in a process
}

// Number returns a small number that the node keeps, whatever its taints are, while it
// is in the index: less than the number of nodes that there ever were at a time. It is
// used again when the node is gone. Slices by number are a cheap way to keep something
// for each node.
func (id NodeID) Number() int { return int(id.number) }

// node is what is known of a node by its number.
type node struct {
	stamp uint64 // zero if there is none
	list  uint32
	slot  uint32
}

// state is all that an index holds, and a snapshot of it.
type state struct {
	vocabulary compile.Vocabulary
	hasher
	sets
	watches
	columns
	pages
	nodes cow.Vector[node]
	names cow.Vector[string]
	count int // of nodes

	byName    probe.Table
	freeNames stack
	rules     toleration.Rules
}

func (a *state) freeze() state {
	return state{
		vocabulary: a.vocabulary.Fork(), hasher: a.hasher, sets: a.sets.freeze(), watches: a.watches.freeze(), columns: a.columns.freeze(), pages: a.pages.freeze(),
		nodes: a.nodes.Freeze(), names: a.names.Freeze(), count: a.count,
		byName: a.byName.Fork(), freeNames: a.freeNames.freeze(), rules: a.rules,
	}
}

// find returns the number of the node of a name.
func (a *state) find(name string) (number uint32, known bool) {
	if a.byName.Len() == 0 {
		return 0, false
	}
	for number := range a.byName.Candidates(a.hasher.text(name)) {
		if *a.names.At(number) == name {
			return number, true
		}
	}
	return 0, false
}

// id returns the ID of the node of a number.
func (a *state) id(number uint32) NodeID { return NodeID{number, a.nodes.At(number).stamp} }

// Index is a fleet of nodes by their taints.
//
// The zero Index is empty and ready for use; its answers are those of a cluster with
// default settings, as those of [New] with the zero Rules. An Index must not be copied.
// One goroutine at a time may call its methods; the snapshots that it gives may be used
// by any number. It retains the names and the strings of the taints that nodes have at
// the time.
type Index struct {
	state
	stamp, lastStamp uint64    // those that the index may still give
	elements, sorted []element // buffers
}

// New returns an empty index for a cluster with these rules: unless they have
// Comparisons, tolerations with Gt and Lt count for nothing, as in a cluster with default
// settings (rule N4).
func New(rules toleration.Rules) *Index {
	return &Index{state: state{rules: rules}}
}

// stamps is the last stamp that was given to an index of the process, and stampBlock
// how many it gets at a time.
var stamps atomic.Uint64

const stampBlock = 1 << 20

func (ix *Index) newStamp() uint64 {
	if ix.stamp == ix.lastStamp {
		ix.lastStamp = stamps.Add(stampBlock)
		ix.stamp = ix.lastStamp - stampBlock
	}
	ix.stamp++
	return ix.stamp
}

// prepare makes the zero Index ready.
func (ix *Index) prepare() {
	if ix.sets.sets.Len() == 0 {
		ix.hasher = newHasher()
		ix.sets.sets.Append(set{}) // cleanSet
		ix.counts.Append(0)
	}
}

// Len returns the number of nodes.
func (ix *Index) Len() int { return ix.count }

// ID returns the ID of the node of that name, and whether it is in the index.
func (ix *Index) ID(name string) (id NodeID, ok bool) {
	number, ok := ix.find(name)
	if !ok {
		return NodeID{}, false
	}
	return ix.id(number), true
}

// Set gives the node of that name its taints, in the place of those that it had, and
// returns its ID. Nodes that are not in the index are added. If the taints are the same
// as before, in the same order, nothing changes and the ID is the same. Times do not
// matter.
//
// The time follows the number of taints, which it sorts; now and then a change costs
// what it costs to look at each different set of hard taints, divided among as many
// changes. In the steady state, when other nodes have the same list, Set allocates only
// to copy what is shared with a snapshot.
func (ix *Index) Set(name string, taints []taint.Taint) NodeID {
	ix.prepare()
	position := ix.listOf(taints)
	number, known := ix.find(name)
	if known && ix.nodes.At(number).list == position {
		return ix.id(number)
	}
	ix.tally(position, 1)
	if !known {
		number = ix.addName(name)
	}
	if ix.changesSet(number, position) {
		ix.vacateNode(number)
	}
	ix.move(number, position)
	ix.finish(pagesAtATime)
	return ix.id(number)
}

// addName gives a number to a node that is new.
func (ix *Index) addName(name string) (number uint32) {
	number = place(&ix.names, &ix.freeNames, name)
	if int(number) == ix.nodes.Len() {
		ix.nodes.Append(node{})
	}
	ix.byName.Insert(ix.hasher.text(name), number)
	ix.count++
	return number
}

// changesSet reports whether a node that gets a list, and has one, comes to another set.
func (ix *Index) changesSet(number, position uint32) bool {
	n := ix.nodes.At(number)
	return n.stamp != 0 && ix.lists.At(n.list).set != ix.lists.At(position).set
}

// vacateNode takes a node out of its slot.
func (ix *Index) vacateNode(number uint32) {
	n := ix.nodes.At(number)
	ix.leave(ix.lists.At(n.list).set, n.slot)
}

// move gives a node a list, which counts it already, and a slot if it changes its set:
// then it has left the old one.
func (ix *Index) move(number, position uint32) {
	slotless := ix.nodes.At(number).stamp == 0 || ix.changesSet(number, position)
	n := ix.nodes.Edit(number)
	before, known := n.list, n.stamp != 0
	n.list, n.stamp = position, ix.newStamp()
	if slotless {
		ix.take(ix.lists.At(position).set, number)
	}
	if known {
		ix.tally(before, -1)
	}
}

// pagesAtATime is how many pages one change gives back at most.
const pagesAtATime = 2

// finish does what is left to do after a change.
func (ix *Index) finish(pages int) {
	ix.chooseColumns()
	ix.tidy(pages)
	ix.check()
}

// Delete takes the node of that name out of the index, and reports whether it
// was there.
func (ix *Index) Delete(name string) bool {
	number, known := ix.find(name)
	if !known {
		return false
	}
	ix.vacateNode(number)
	position := ix.nodes.At(number).list
	*ix.nodes.Edit(number) = node{}
	ix.byName.Remove(ix.hasher.text(name), number)
	*ix.names.Edit(number) = ""
	ix.freeNames.push(number)
	ix.count--
	ix.tally(position, -1)
	ix.finish(pagesAtATime)
	return true
}

// Load sets many nodes, as [Index.Set] does one after the other: of nodes with the
// same name the last one counts, and nodes of the index that do not come stay as they
// are. It is the way to build an index: faster than Set, and the nodes of a set come
// to be side by side. The taints need not outlive the step of the iteration, which
// must not use the index; if it panics, the index is as it was before.
func (ix *Index) Load(nodes iter.Seq2[string, []taint.Taint]) {
	ix.prepare()
	names, positions := ix.readAll(nodes)
	changes := ix.lastOfEach(names, positions)
	for _, c := range changes {
		if ix.changesSet(c.number, c.list) {
			ix.vacateNode(c.number)
		}
	}
	for len(changes) > 0 {
		n := slices.IndexFunc(changes, func(c change) bool { return c.set != changes[0].set })
		if n < 0 {
			n = len(changes)
		}
		ix.reserve(changes[0].set, changes[:n])
		for _, c := range changes[:n] {
			ix.move(c.number, c.list)
		}
		changes = changes[n:]
	}
	ix.finish(ix.pages.pages.Len())
}

// readAll reads the nodes of a Load, and counts them for their lists. It undoes that if
// the iteration panics.
func (ix *Index) readAll(nodes iter.Seq2[string, []taint.Taint]) (names []string, positions []uint32) {
	whole := false
	defer func() {
		if !whole {
			for _, position := range positions {
				ix.tally(position, -1)
			}
		}
	}()
	for name, taints := range nodes {
		position := ix.listOf(taints)
		ix.tally(position, 1)
		names, positions = append(names, name), append(positions, position)
	}
	whole = true
	return names, positions
}

// change is a node that gets a list.
type change struct{ set, list, number uint32 }

// lastOfEach returns what changes, by sets, and adds the nodes that are new. Of a node
// that comes more than once it is the last.
func (ix *Index) lastOfEach(names []string, positions []uint32) []change {
	last := make([]uint32, ix.nodes.Len(), ix.nodes.Len()+len(names)) // by number: list plus one
	var numbers []uint32
	for i, name := range names {
		number, known := ix.find(name)
		if !known {
			number = ix.addName(name)
		}
		for len(last) <= int(number) {
			last = append(last, 0)
		}
		if last[number] != 0 {
			ix.tally(last[number]-1, -1)
		} else {
			numbers = append(numbers, number)
		}
		last[number] = positions[i] + 1
	}
	changes := make([]change, 0, len(numbers))
	for _, number := range numbers {
		position := last[number] - 1
		if n := ix.nodes.At(number); n.stamp != 0 && n.list == position {
			ix.tally(position, -1)
			continue
		}
		changes = append(changes, change{ix.lists.At(position).set, position, number})
	}
	slices.SortStableFunc(changes, func(a, b change) int { return cmp.Compare(a.set, b.set) })
	return changes
}

// reserve gives pages to a set for nodes that come to it, as many as they fill.
func (ix *Index) reserve(position uint32, changes []change) {
	coming := uint32(0)
	for _, c := range changes {
		if n := ix.nodes.At(c.number); n.stamp == 0 || ix.lists.At(n.list).set != position {
			coming++
		}
	}
	s := ix.sets.sets.Edit(position)
	spare := uint32(0)
	if *ix.counts.At(position) >= large {
		spare = pageSize - 1 // the last page need not be filled
	}
	for coming+spare >= s.room+pageSize {
		ix.addPages(position, s, (coming+spare-s.room)/pageSize)
	}
}

// Snapshot returns the fleet as it is now. What is done to the index later does
// not change it. It takes constant time and allocates once; the changes that follow
// copy what they write to, some kilobytes and ten bytes for each hundred nodes.
func (ix *Index) Snapshot() *Snapshot {
	return &Snapshot{state: ix.state.freeze()}
}
