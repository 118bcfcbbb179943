package evict

import (
	"fmt"
	"slices"
)

// Check returns an error if what the queue holds does not fit together.
func (q *Queue[P]) Check() error {
	grouped, scheduled, planned := 0, 0, 0
	for name, n := range q.byName {
		if n.name != name || !n.known && n.groups == none {
			return fmt.Errorf("node %q is kept as %q, known: %t", n.name, name, n.known)
		}
		before := uint32(none)
		for g := n.groups; g != none; before, g = g, q.groups[g-1].next {
			at := &q.groups[g-1]
			if at.node != n || at.prev != before || q.byText[at.list.text] != at.list || at.pods == 0 {
				return fmt.Errorf("group %d is %+v", g, *at)
			}
			members, err := q.checkMembers(g)
			if err != nil {
				return err
			}
			grouped += members
			if at.plan.scheduled() {
				planned++
				scheduled += members
			}
			if at.plan.scheduled() != (at.at != none) || at.at != none && q.agenda.groups[at.at-1] != g {
				return fmt.Errorf("group %d is at %d of %d", g, at.at, q.agenda.groups)
			}
		}
	}
	if grouped != len(q.ids) || scheduled != q.scheduled || planned != len(q.agenda.groups) {
		return fmt.Errorf("%d of %d pods in groups, %d of %d scheduled, %d of %d groups", grouped, len(q.ids), scheduled, q.scheduled, planned, len(q.agenda.groups))
	}
	return q.checkLists()
}

func (q *Queue[P]) checkMembers(g uint32) (n int, err error) {
	before := uint32(none)
	for id := q.groups[g-1].first; id != none; before, id = id, q.pods[id-1].next {
		if member := q.pods[id-1]; member.group != g || member.prev != before || q.ids[q.keys[id-1]] != id {
			return 0, fmt.Errorf("pod %d of group %d is %+v", id, g, member)
		}
		n++
	}
	if n != int(q.groups[g-1].pods) {
		return 0, fmt.Errorf("group %d has %d pods and counts %d", g, n, q.groups[g-1].pods)
	}
	return n, nil
}

func (q *Queue[P]) checkLists() error {
	uses := map[*list]int{}
	for i := range q.groups {
		if q.groups[i].list != nil {
			uses[q.groups[i].list]++
		}
	}
	for _, l := range q.byText {
		if l.groups != uses[l] || l.groups == 0 {
			return fmt.Errorf("list %q is in %d groups and counts %d", l.text, uses[l], l.groups)
		}
	}
	if len(uses) != len(q.byText) {
		return fmt.Errorf("%d lists are in use, %d kept", len(uses), len(q.byText))
	}
	return nil
}

// Sizes returns how much the queue holds at present: pods, groups, nodes, lists;
// and for how many pods and groups it has room.
func (q *Queue[P]) Sizes() []int {
	used := 0
	for i := range q.groups {
		if q.groups[i].node != nil {
			used++
		}
	}
	return []int{len(q.ids), used, len(q.byName), len(q.byText), len(q.pods), len(q.groups)}
}

// Retained returns the texts of lists in the queue, in order.
func (q *Queue[P]) Retained() (texts []string) {
	for text := range q.byText {
		texts = append(texts, text)
	}
	slices.Sort(texts)
	return texts
}
