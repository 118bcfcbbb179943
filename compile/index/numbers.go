package index

// The pairs of a key whose values are integers form a tree in the order of their
// numbers, so that Gt and Lt visit what they tolerate and no more. It is a treap:
// a search tree by number and a heap by rank. The rank of a position is drawn with the
// secret of the index, so that the tree is shallow whatever the order of insertions and
// whoever chose it, and a change writes to two or three pairs however many there are.

// rank returns the rank of a position.
func (v *vocabulary) rank(position uint32) uint64 {
	return v.mix(v.mix(v.salt[1], uint64(position)), v.salt[0])<<32 | uint64(position)
}

// plant adds a pair to a tree and returns the new root.
func (v *vocabulary) plant(root, position uint32) uint32 {
	if root == 0 {
		v.pairs.Edit(position).links = [2]uint32{}
		return position
	}
	number := v.pairs.At(position).number
	if v.rank(position) > v.rank(root) {
		below, above := v.split(root, number)
		v.pairs.Edit(position).links = [2]uint32{less: below, greater: above}
		return position
	}
	side := greater
	if number < v.pairs.At(root).number {
		side = less
	}
	v.hang(root, side, v.plant(v.pairs.At(root).links[side], position))
	return root
}

// hang sets one of the links of a pair in a tree, and writes nothing if it is set.
func (v *vocabulary) hang(root uint32, side int, below uint32) {
	if v.pairs.At(root).links[side] != below {
		v.pairs.Edit(root).links[side] = below
	}
}

// split takes a tree apart into the pairs with lesser numbers and those with
// greater ones.
func (v *vocabulary) split(root uint32, number int64) (below, above uint32) {
	if root == 0 {
		return 0, 0
	}
	if v.pairs.At(root).number < number {
		inner, above := v.split(v.pairs.At(root).links[greater], number)
		v.hang(root, greater, inner)
		return root, above
	}
	below, inner := v.split(v.pairs.At(root).links[less], number)
	v.hang(root, less, inner)
	return below, root
}

// uproot takes a pair out of a tree and returns the new root.
func (v *vocabulary) uproot(root, position uint32) uint32 {
	top := v.pairs.At(root)
	if root == position {
		return v.join(top.links[less], top.links[greater])
	}
	side := greater
	if v.pairs.At(position).number < top.number {
		side = less
	}
	v.hang(root, side, v.uproot(top.links[side], position))
	return root
}

// join makes one tree of two, the numbers of the first of which are less than those
// of the second.
func (v *vocabulary) join(below, above uint32) uint32 {
	switch {
	case below == 0:
		return above
	case above == 0:
		return below
	case v.rank(below) > v.rank(above):
		v.hang(below, greater, v.join(v.pairs.At(below).links[greater], above))
		return below
	}
	v.hang(above, less, v.join(below, v.pairs.At(above).links[less]))
	return above
}
