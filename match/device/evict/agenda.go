package evict

import "container/heap"

// agenda is the pods for which an eviction is scheduled, as a heap by moment. Every
// pod knows its place, so that one can be taken out.
type agenda[P comparable] []*pod[P]

// update puts the pod where it belongs: in, out, or elsewhere.
func (a *agenda[P]) update(p *pod[P]) {
	switch {
	case p.plan.scheduled && p.at == 0:
		heap.Push(a, p)
	case p.plan.scheduled:
		heap.Fix(a, p.at-1)
	case p.at != 0:
		heap.Remove(a, p.at-1)
	}
}

func (a agenda[P]) Len() int { return len(a) }

func (a agenda[P]) Less(i, j int) bool { return a[i].plan.due.Before(a[j].plan.due) }

func (a agenda[P]) Swap(i, j int) {
	a[i], a[j] = a[j], a[i]
	a[i].at, a[j].at = i+1, j+1
}

func (a *agenda[P]) Push(x any) {
	p := x.(*pod[P])
	*a = append(*a, p)
	p.at = len(*a)
}

func (a *agenda[P]) Pop() any {
	end := len(*a) - 1
	p := (*a)[end]
	(*a)[end] = nil
	*a = (*a)[:end]
	p.at = 0
	return p
}
