package evict

import "container/heap"

// agenda holds the groups whose eviction is scheduled, as a heap by due moment.
// Every group knows its place, so that it can be removed.
type agenda struct {
	groups []uint32
	all    []group // set while the heap is at work
}

// add adds a group.
func (a *agenda) add(all []group, g uint32) {
	a.all = all
	a.groups = append(a.groups, g)
	all[g-1].at = uint32(len(a.groups))
	heap.Fix(a, len(a.groups)-1)
}

// move puts a group whose due moment has changed where it belongs.
func (a *agenda) move(all []group, g uint32) {
	a.all = all
	heap.Fix(a, int(all[g-1].at-1))
}

// remove removes a group.
func (a *agenda) remove(all []group, g uint32) {
	a.all = all
	heap.Remove(a, int(all[g-1].at-1))
	all[g-1].at = none
}

// first returns a group with the earliest due moment, or none.
func (a *agenda) first() uint32 {
	if len(a.groups) == 0 {
		return none
	}
	return a.groups[0]
}

// The methods for package heap. Push and Pop are given nothing and return
// nothing, because a number in an interface would be allocated.

func (a *agenda) Len() int { return len(a.groups) }

func (a *agenda) Less(i, j int) bool {
	return a.all[a.groups[i]-1].plan.due < a.all[a.groups[j]-1].plan.due
}

func (a *agenda) Swap(i, j int) {
	a.groups[i], a.groups[j] = a.groups[j], a.groups[i]
	a.all[a.groups[i]-1].at = uint32(i + 1)
	a.all[a.groups[j]-1].at = uint32(j + 1)
}

func (a *agenda) Push(any) {}

func (a *agenda) Pop() any {
	a.groups = a.groups[:len(a.groups)-1]
	return nil
}
