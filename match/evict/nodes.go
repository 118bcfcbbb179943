package evict

import "github.com/tolero-dev/tolero/taint"

// node is a node that is known or that pods are assigned to.
type node[P comparable] struct {
	name    string
	known   bool
	groups  []*group[P]   // in no order
	taints  []taint.Taint // the NoExecute ones
	noticed []int64       // when each of them was noticed
}

// nodes holds all nodes by name. The zero nodes is empty.
type nodes[P comparable] struct {
	byName map[string]*node[P]
	free   node[P] // its slices are swapped with those of the node that is changed
}

// get returns the node of that name, and adds it if there is none.
func (s *nodes[P]) get(name string) *node[P] {
	n, found := s.byName[name]
	if !found {
		if s.byName == nil {
			s.byName = make(map[string]*node[P])
		}
		n = &node[P]{name: name}
		s.byName[name] = n
	}
	return n
}

// release forgets a node that is not known and has no pods.
func (s *nodes[P]) release(n *node[P]) {
	if !n.known && len(n.groups) == 0 {
		delete(s.byName, n.name)
	}
}

// set gives a node its NoExecute taints. Those that it had keep the moment they
// were noticed.
func (s *nodes[P]) set(n *node[P], taints []taint.Taint, now int64) {
	for i := range taints {
		if taints[i].Effect != taint.NoExecute { // E1
			continue
		}
		s.free.taints = append(s.free.taints, taints[i])
		s.free.noticed = append(s.free.noticed, n.noticedAt(&taints[i], now))
	}
	n.taints, s.free.taints = s.free.taints, n.taints
	n.noticed, s.free.noticed = s.free.noticed, n.noticed
	clear(s.free.taints) // do not hold on to their strings
	s.free.taints, s.free.noticed = s.free.taints[:0], s.free.noticed[:0]
}

// noticedAt returns when the node's taint that equals t was noticed, or now if
// there is none.
func (n *node[P]) noticedAt(t *taint.Taint, now int64) int64 {
	for i := range n.taints {
		if n.taints[i].Equal(t) {
			return n.noticed[i]
		}
	}
	return now
}

// has reports whether the NoExecute taints of the node are those of the list, in
// its order.
func (n *node[P]) has(taints []taint.Taint) bool {
	matched := 0
	for i := range taints {
		if taints[i].Effect != taint.NoExecute {
			continue
		}
		if matched == len(n.taints) || !n.taints[matched].Equal(&taints[i]) {
			return false
		}
		matched++
	}
	return matched == len(n.taints)
}
