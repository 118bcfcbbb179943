package evict

import "container/heap"

// agenda holds the groups whose eviction is scheduled, as a heap by due moment.
// Every group knows its place, so that it can be removed.
type agenda[P comparable] []*group[P]

// add adds a group.
func (a *agenda[P]) add(g *group[P]) {
	*a = append(*a, g)
	g.due = len(*a)
	heap.Fix(a, g.due-1)
}

// move puts a group whose due moment has changed where it belongs.
func (a *agenda[P]) move(g *group[P]) { heap.Fix(a, g.due-1) }

// remove removes a group.
func (a *agenda[P]) remove(g *group[P]) {
	heap.Remove(a, g.due-1)
	g.due = 0
}

// The methods for package heap. Push and Pop are given nothing and return nothing.

func (a agenda[P]) Len() int { return len(a) }

func (a agenda[P]) Less(i, j int) bool { return a[i].plan.due < a[j].plan.due }

func (a agenda[P]) Swap(i, j int) {
	a[i], a[j] = a[j], a[i]
	a[i].due, a[j].due = i+1, j+1
}

func (a agenda[P]) Push(any) {}

func (a *agenda[P]) Pop() any {
	last := len(*a) - 1
	(*a)[last] = nil
	*a = (*a)[:last]
	return nil
}
