package index

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
	stamp    uint64 // zero if there is none
	class    uint32
	transfer uint32 // its last one, if that is of this node
}

func (n *node) used() bool { return n.stamp != 0 }

// find returns the number of the node of a name.
func (a *state) find(name string) (number uint32, known bool) {
	if a.byName.Len() == 0 { // and there may be no seed yet
		return 0, false
	}
	for number := range a.byName.Candidates(hashText(a.seed, name)) {
		if *a.names.At(number) == name {
			return number, true
		}
	}
	return 0, false
}

// nodeID returns the ID of the node of a name.
func (a *state) nodeID(name string) (id NodeID, ok bool) {
	number, ok := a.find(name)
	if !ok {
		return NodeID{}, false
	}
	return a.id(number), true
}

// id returns the ID of the node of a number.
func (a *state) id(number uint32) NodeID { return NodeID{number, a.nodes.At(number).stamp} }

// addName gives a number to a node that is new. It has no class yet.
func (ix *Index) addName(name string) (number uint32) {
	number = occupy(&ix.nodes, &ix.freeNodes, ix.count, (*node).used, node{})
	if int(number) == ix.names.Len() {
		ix.names.Append(name)
	} else {
		*ix.names.Edit(number) = name
	}
	ix.byName.Insert(hashText(ix.seed, name), number)
	ix.count++
	return number
}

// removeName takes back the number of a node.
func (ix *Index) removeName(number uint32) {
	name := ix.names.Edit(number)
	ix.byName.Remove(hashText(ix.seed, *name), number)
	*name = ""
	vacate(&ix.nodes, &ix.freeNodes, number)
	ix.count--
}
