package evict

import (
	"fmt"
	"slices"
)

// Check returns an error if what the queue holds does not fit together.
func (q *Queue[P]) Check() error {
	grouped, scheduled, planned := 0, 0, 0
	for name, n := range q.byName {
		if n.name != name || !n.known && len(n.groups) == 0 {
			return fmt.Errorf("node %q is kept as %q, known: %t", n.name, name, n.known)
		}
		for i, g := range n.groups {
			if g.node != n || g.number != i || q.byText[g.list.text] != g.list || len(g.pods) == 0 {
				return fmt.Errorf("group %d of node %q is %+v", i, name, *g)
			}
			for number, pod := range g.pods {
				if at := q.places[pod]; at.group != g || at.number != number {
					return fmt.Errorf("pod %v, %d of group %d of node %q, is %+v", pod, number, i, name, at)
				}
			}
			grouped += len(g.pods)
			if g.plan.scheduled() {
				planned++
				scheduled += len(g.pods)
			}
			if g.plan.scheduled() != (g.due != 0) || g.due != 0 && q.agenda[g.due-1] != g {
				return fmt.Errorf("group %d of node %q is at %d of %d", i, name, g.due, len(q.agenda))
			}
		}
	}
	if grouped != len(q.places) || scheduled != q.scheduled || planned != len(q.agenda) {
		return fmt.Errorf("%d of %d pods in groups, %d of %d scheduled, %d of %d groups", grouped, len(q.places), scheduled, q.scheduled, planned, len(q.agenda))
	}
	return q.checkLists()
}

func (q *Queue[P]) checkLists() error {
	uses := map[*list]int{}
	for _, n := range q.byName {
		for _, g := range n.groups {
			uses[g.list]++
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
// and how many groups there are room for.
func (q *Queue[P]) Sizes() []int {
	used := 0
	for _, n := range q.byName {
		used += len(n.groups)
	}
	return []int{len(q.places), used, len(q.byName), len(q.byText), used + len(q.spare)}
}

// Retained returns the texts of lists in the queue, in order.
func (q *Queue[P]) Retained() (texts []string) {
	for text := range q.byText {
		texts = append(texts, text)
	}
	slices.Sort(texts)
	return texts
}
