package compile

// The pairs of a key whose values are integers form a tree in the order of their
// numbers, so that Gt and Lt visit what they tolerate and no more. It is a treap: a
// search tree by number and a heap by rank. The rank of a position is a secret as good
// as random, so that the tree is shallow, expected, in whatever order somebody makes
// the numbers come, and a change writes to two or three pairs however many there are.

// rank returns the rank of a position. Different positions have different ranks,
// because each step can be undone.
func (v *Vocabulary) rank(position uint32) uint64 {
	r := uint64(position) ^ v.secret[0]
	r = (r ^ r>>32) * 0xd6e8feb86659fd93
	r = (r ^ r>>32) * 0xd6e8feb86659fd93
	return r ^ r>>32
}

// plant adds a pair to a tree and returns the new root.
func (v *Vocabulary) plant(root, position uint32) uint32 {
	if root == 0 {
		return position
	}
	number, top := v.pairs.At(position).number, v.pairs.At(root)
	if v.rank(position) > v.rank(root) {
		less, greater := v.split(root, number)
		p := v.pairs.Edit(position)
		p.less, p.greater = less, greater
		return position
	}
	if number < top.number {
		if below := v.plant(top.less, position); below != top.less {
			v.pairs.Edit(root).less = below
		}
	} else if below := v.plant(top.greater, position); below != top.greater {
		v.pairs.Edit(root).greater = below
	}
	return root
}

// split takes a tree apart into the pairs with lesser numbers and those with
// greater ones.
func (v *Vocabulary) split(root uint32, number int64) (less, greater uint32) {
	if root == 0 {
		return 0, 0
	}
	top := v.pairs.At(root)
	if top.number < number {
		less, greater = v.split(top.greater, number)
		if less != top.greater {
			v.pairs.Edit(root).greater = less
		}
		return root, greater
	}
	less, greater = v.split(top.less, number)
	if greater != top.less {
		v.pairs.Edit(root).less = greater
	}
	return less, root
}

// uproot takes a pair out of a tree and returns the new root.
func (v *Vocabulary) uproot(root, position uint32) uint32 {
	top := v.pairs.At(root)
	if root == position {
		return v.join(top.less, top.greater)
	}
	if v.pairs.At(position).number < top.number {
		if below := v.uproot(top.less, position); below != top.less {
			v.pairs.Edit(root).less = below
		}
	} else if below := v.uproot(top.greater, position); below != top.greater {
		v.pairs.Edit(root).greater = below
	}
	return root
}

// join makes one tree of two, the numbers of the first of which are less than those
// of the second.
func (v *Vocabulary) join(less, greater uint32) uint32 {
	switch {
	case less == 0:
		return greater
	case greater == 0:
		return less
	case v.rank(less) > v.rank(greater):
		top := v.pairs.At(less)
		if below := v.join(top.greater, greater); below != top.greater {
			v.pairs.Edit(less).greater = below
		}
		return less
	}
	top := v.pairs.At(greater)
	if below := v.join(less, top.less); below != top.less {
		v.pairs.Edit(greater).less = below
	}
	return greater
}
