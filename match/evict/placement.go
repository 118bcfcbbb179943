package evict

import "slices"

// group is the pods of one node that have one list and one plan, so that they
// need one place in the queue.
type group[P comparable] struct {
	node   *node[P]
	list   *list
	plan   plan
	pods   []P
	number int // in the groups of the node
	due    int // in the agenda, plus one; 0 if nothing is scheduled
}

// place is where a pod is.
type place[P comparable] struct {
	*group[P]
	number int // in the pods of the group
}

// placement says which pods are where, with which plan, and holds the agenda of
// the plans. The zero placement is empty.
type placement[P comparable] struct {
	nodes[P]
	lists
	places    map[P]place[P]
	spare     []*group[P] // to be used again
	agenda    agenda[P]
	scheduled int // pods whose eviction is scheduled
}

// looked is how many groups of a node are examined to find one that a pod can
// join. A node seldom has more. If it does, the pod gets a group of its own, so that
// the time of an event does not grow with the number of pods on a node.
const looked = 16

// move puts a pod into a group on the node with the list and the plan, out of the
// group that it was in, if any.
func (s *placement[P]) move(id P, n *node[P], l *list, p plan) {
	old, known := s.places[id]
	g := s.groupOf(n, l, &p) // first, so that neither the node nor the list is released in between
	if known {
		s.leave(old)
	}
	if s.places == nil {
		s.places = make(map[P]place[P])
	}
	s.places[id] = place[P]{g, len(g.pods)}
	g.pods = append(g.pods, id)
	if g.plan.scheduled() {
		s.scheduled++
	}
}

// groupOf returns a group on the node with the list and the plan, which is new if there is none
// among the last ones.
func (s *placement[P]) groupOf(n *node[P], l *list, p *plan) *group[P] {
	for _, g := range n.groups[max(0, len(n.groups)-looked):] {
		if g.list == l && g.plan == *p {
			return g
		}
	}
	var g *group[P]
	if last := len(s.spare) - 1; last >= 0 {
		g, s.spare = s.spare[last], s.spare[:last]
	} else {
		g = new(group[P])
	}
	*g = group[P]{node: n, list: l, plan: plan{due: never}, pods: g.pods, number: len(n.groups)}
	n.groups = append(n.groups, g)
	l.groups++
	s.replan(g, *p)
	return g
}

// leave removes the pod at a place from its group, the last pod of which takes the place. A group
// that loses its last pod is removed too.
func (s *placement[P]) leave(at place[P]) {
	g, last := at.group, len(at.pods)-1
	if at.number != last {
		g.pods[at.number] = g.pods[last]
		s.places[g.pods[last]] = at
	}
	g.pods = slices.Delete(g.pods, last, last+1)
	if g.plan.scheduled() {
		s.scheduled--
	}
	if last > 0 {
		return
	}
	s.replan(g, plan{due: never})
	groups := g.node.groups
	end := groups[len(groups)-1]
	groups[g.number], end.number = end, g.number
	g.node.groups = slices.Delete(groups, len(groups)-1, len(groups))
	s.lists.release(g.list)
	s.nodes.release(g.node)
	*g = group[P]{pods: g.pods}
	s.spare = append(s.spare, g)
}

// replan gives a group a plan, and its place in the agenda.
func (s *placement[P]) replan(g *group[P], p plan) {
	was, is := g.plan.scheduled(), p.scheduled()
	moved := g.plan.due != p.due
	g.plan = p
	switch {
	case !moved:
	case is && was:
		s.agenda.move(g)
	case is:
		s.agenda.add(g)
		s.scheduled += len(g.pods)
	case was:
		s.agenda.remove(g)
		s.scheduled -= len(g.pods)
	}
}
