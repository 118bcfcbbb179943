package index

// The pairs of a key whose values are integers form a tree in the order of their
// numbers, so that Gt and Lt visit what they tolerate and no more. It is a treap:
// a search tree by number and a heap by rank. The rank of a position is as good as
// random, so that the tree is shallow whatever the order of insertions, and a
// change writes to two or three pairs however many there are.

// rank returns the rank of a position. Different positions have different ranks.
func rank(position uint32) uint32 {
	position *= 0x9e3779b1
	position ^= position >> 15
	return position * 0x85ebca77
}

// plant adds a pair to a tree and returns the new root. Roots are positions plus
// one.
func (w *words) plant(root, position uint32) uint32 {
	if root == 0 {
		return position + 1
	}
	number, top := w.pairs.At(position).number, w.pairs.At(root-1)
	if rank(position) > rank(root-1) {
		less, greater := w.split(root, number)
		p := w.pairs.Edit(position)
		p.less, p.greater = less, greater
		return position + 1
	}
	if number < top.number {
		if below := w.plant(top.less, position); below != top.less {
			w.pairs.Edit(root - 1).less = below
		}
	} else if below := w.plant(top.greater, position); below != top.greater {
		w.pairs.Edit(root - 1).greater = below
	}
	return root
}

// split takes a tree apart into the pairs with lesser numbers and those with
// greater ones.
func (w *words) split(root uint32, number int64) (less, greater uint32) {
	if root == 0 {
		return 0, 0
	}
	top := w.pairs.At(root - 1)
	if top.number < number {
		less, greater = w.split(top.greater, number)
		if less != top.greater {
			w.pairs.Edit(root - 1).greater = less
		}
		return root, greater
	}
	less, greater = w.split(top.less, number)
	if greater != top.less {
		w.pairs.Edit(root - 1).less = greater
	}
	return less, root
}

// uproot takes a pair out of a tree and returns the new root.
func (w *words) uproot(root, position uint32) uint32 {
	top := w.pairs.At(root - 1)
	if root == position+1 {
		return w.join(top.less, top.greater)
	}
	if w.pairs.At(position).number < top.number {
		if below := w.uproot(top.less, position); below != top.less {
			w.pairs.Edit(root - 1).less = below
		}
	} else if below := w.uproot(top.greater, position); below != top.greater {
		w.pairs.Edit(root - 1).greater = below
	}
	return root
}

// join makes one tree of two, the numbers of the first of which are less than those
// of the second.
func (w *words) join(less, greater uint32) uint32 {
	switch {
	case less == 0:
		return greater
	case greater == 0:
		return less
	case rank(less-1) > rank(greater-1):
		top := w.pairs.At(less - 1)
		if below := w.join(top.greater, greater); below != top.greater {
			w.pairs.Edit(less - 1).greater = below
		}
		return less
	}
	top := w.pairs.At(greater - 1)
	if below := w.join(less, top.less); below != top.less {
		w.pairs.Edit(greater - 1).less = below
	}
	return greater
}
