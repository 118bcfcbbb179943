package evict

import "github.com/tolero-dev/tolero/taint"

// node is a node that is known or that pods are assigned to.
type node struct {
	name    string
	known   bool
	groups  uint32        // the first, or none
	taints  []taint.Taint // the NoExecute ones
	noticed []int64       // when each of them was noticed
}

// nodes holds all nodes by name. The zero nodes is empty.
type nodes struct {
	byName map[string]*node
	spare  node // its slices are swapped with those of the node that is changed
}

// get returns the node of that name, and adds it if there is none.
func (s *nodes) get(name string) *node {
	n, found := s.byName[name]
	if !found {
		if s.byName == nil {
			s.byName = make(map[string]*node)
		}
		n = &node{name: name}
		s.byName[name] = n
	}
	return n
}

// release forgets a node that is not known and has no pods.
func (s *nodes) release(n *node) {
	if !n.known && n.groups == none {
		delete(s.byName, n.name)
	}
}

// set gives a node its NoExecute taints. Those that it had keep the moment they
// were noticed.
func (s *nodes) set(n *node, taints []taint.Taint, now int64) {
	for i := range taints {
		if taints[i].Effect != taint.NoExecute { // E1
			continue
		}
		s.spare.taints = append(s.spare.taints, taints[i])
		s.spare.noticed = append(s.spare.noticed, n.noticedAt(&taints[i], now))
	}
	n.taints, s.spare.taints = s.spare.taints, n.taints
	n.noticed, s.spare.noticed = s.spare.noticed, n.noticed
	clear(s.spare.taints) // do not hold on to their strings
	s.spare.taints, s.spare.noticed = s.spare.taints[:0], s.spare.noticed[:0]
}

// noticedAt returns when the node's taint that equals t was noticed, or now if
// there is none.
func (n *node) noticedAt(t *taint.Taint, now int64) int64 {
	for i := range n.taints {
		if n.taints[i].Equal(t) {
			return n.noticed[i]
		}
	}
	return now
}

// has reports whether the NoExecute taints of the node are those of the list, in
// its order.
func (n *node) has(taints []taint.Taint) bool {
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
