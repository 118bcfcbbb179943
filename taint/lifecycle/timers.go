package lifecycle

import "container/heap"

// timers is the nodes, or the zones, that wait for an instant, the earliest
// first. Each of them knows its place, so that it can be moved and taken out.
type timers struct {
	entries []timer
	// place returns where the place of a slot is noted: its index in entries
	// plus one, zero if it is not there.
	place func(id int32) *int32
}

type timer struct {
	at instant
	id int32
}

func (t *timers) Len() int           { return len(t.entries) }
func (t *timers) Less(i, j int) bool { return t.entries[i].at < t.entries[j].at }

func (t *timers) Swap(i, j int) {
	t.entries[i], t.entries[j] = t.entries[j], t.entries[i]
	*t.place(t.entries[i].id) = int32(i + 1)
	*t.place(t.entries[j].id) = int32(j + 1)
}

// Push and Pop complete heap.Interface. They are not used, because their
// arguments and results would be allocated.
func (t *timers) Push(any) { panic("lifecycle: not used") }
func (t *timers) Pop() any { panic("lifecycle: not used") }

// first returns the earliest instant.
func (t *timers) first() instant {
	if len(t.entries) == 0 {
		return never
	}
	return t.entries[0].at
}

// take takes out the first one.
func (t *timers) take() (id int32) {
	id = t.entries[0].id
	t.set(id, never)
	return id
}

// waiting returns until when a slot waits.
func (t *timers) waiting(id int32) instant {
	if place := *t.place(id); place > 0 {
		return t.entries[place-1].at
	}
	return never
}

// set makes a slot wait until the given instant; never takes it out.
func (t *timers) set(id int32, at instant) {
	place := t.place(id)
	switch {
	case at == never && *place == 0:
	case at == never:
		t.remove(int(*place) - 1)
	case *place == 0:
		t.entries = append(t.entries, timer{at, id})
		*place = int32(len(t.entries))
		heap.Fix(t, len(t.entries)-1)
	default:
		t.entries[*place-1].at = at
		heap.Fix(t, int(*place)-1)
	}
}

func (t *timers) remove(i int) {
	last := len(t.entries) - 1
	if i != last {
		t.Swap(i, last)
	}
	*t.place(t.entries[last].id) = 0
	t.entries = t.entries[:last]
	if i != last {
		heap.Fix(t, i)
	}
}
