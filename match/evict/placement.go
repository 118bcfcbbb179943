package evict

// Positions in the slices of pods and groups are 32 bits wide, and begin at one.
const none = 0

// pod is a member of a group. Free positions are linked by next.
type pod struct {
	group      uint32
	next, prev uint32 // in the group
}

// group is the pods of one node that have one list and one plan, so that they
// need one place in the queue. Free groups are linked by next.
type group struct {
	node       *node
	list       *list
	plan       plan
	pods       uint32 // how many
	first      uint32 // of the pods
	next, prev uint32 // on the node
	at         uint32 // where in the agenda, plus one; none if nothing is scheduled
}

// placement says which pods are where, with which plan, and holds the agenda of
// the plans. The zero placement is empty.
type placement struct {
	nodes
	lists
	pods       []pod
	groups     []group
	freePods   uint32
	freeGroups uint32
	agenda     agenda
	scheduled  int // pods whose eviction is scheduled
}

// looked is how many groups of a node are examined to find one that a pod can
// join. A node seldom has more. If it does, the pod gets a group of its own, so that
// the time of an event does not grow with the number of pods on a node.
const looked = 16

// addPod returns the position of a pod that is in no group yet.
func (s *placement) addPod() uint32 {
	if id := s.freePods; id != none {
		s.freePods, s.pods[id-1].next = s.pods[id-1].next, none
		return id
	}
	s.pods = append(s.pods, pod{})
	return uint32(len(s.pods))
}

// removePod frees the position of a pod that is in no group.
func (s *placement) removePod(id uint32) {
	s.pods[id-1] = pod{next: s.freePods}
	s.freePods = id
}

// move puts a pod into a group on the node with the list and the plan, out of the
// group that it was in, if any.
func (s *placement) move(id uint32, n *node, l *list, p plan) {
	old := s.pods[id-1]
	s.join(id, n, l, p) // first, so that neither the node nor the list is released in between
	if old.group != none {
		s.leave(old)
	}
}

func (s *placement) join(id uint32, n *node, l *list, p plan) {
	g := s.find(n, l, &p)
	if g == none {
		g = s.addGroup(n, l, p)
	}
	to, member := &s.groups[g-1], &s.pods[id-1]
	*member = pod{group: g, next: to.first}
	if to.first != none {
		s.pods[to.first-1].prev = id
	}
	to.first = id
	to.pods++
	if to.plan.scheduled() {
		s.scheduled++
	}
}

func (s *placement) find(n *node, l *list, p *plan) uint32 {
	g := n.groups
	for range looked {
		if g == none || s.groups[g-1].list == l && s.groups[g-1].plan == *p {
			return g
		}
		g = s.groups[g-1].next
	}
	return none
}

func (s *placement) addGroup(n *node, l *list, p plan) (g uint32) {
	if g = s.freeGroups; g != none {
		s.freeGroups = s.groups[g-1].next
	} else {
		s.groups = append(s.groups, group{})
		g = uint32(len(s.groups))
	}
	s.groups[g-1] = group{node: n, list: l, plan: plan{due: never}, next: n.groups}
	if n.groups != none {
		s.groups[n.groups-1].prev = g
	}
	n.groups = g
	l.groups++
	s.replan(g, p)
	return g
}

// leave removes a pod, as it was before, from its group. A group that loses its
// last pod is removed too.
func (s *placement) leave(member pod) {
	from := &s.groups[member.group-1]
	if member.prev != none {
		s.pods[member.prev-1].next = member.next
	} else {
		from.first = member.next
	}
	if member.next != none {
		s.pods[member.next-1].prev = member.prev
	}
	if from.plan.scheduled() {
		s.scheduled--
	}
	if from.pods--; from.pods == 0 {
		s.removeGroup(member.group)
	}
}

func (s *placement) removeGroup(g uint32) {
	s.replan(g, plan{due: never})
	old := s.groups[g-1]
	if old.prev != none {
		s.groups[old.prev-1].next = old.next
	} else {
		old.node.groups = old.next
	}
	if old.next != none {
		s.groups[old.next-1].prev = old.prev
	}
	s.groups[g-1] = group{next: s.freeGroups}
	s.freeGroups = g
	s.lists.release(old.list)
	s.nodes.release(old.node)
}

// replan gives a group a plan, and its place in the agenda.
func (s *placement) replan(g uint32, p plan) {
	to := &s.groups[g-1]
	was, is := to.plan.scheduled(), p.scheduled()
	moved := to.plan.due != p.due
	to.plan = p
	switch {
	case !moved:
	case is && was:
		s.agenda.move(s.groups, g)
	case is:
		s.agenda.add(s.groups, g)
		s.scheduled += int(to.pods)
	case was:
		s.agenda.remove(s.groups, g)
		s.scheduled -= int(to.pods)
	}
}
