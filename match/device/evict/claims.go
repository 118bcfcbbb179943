package evict

import (
	"slices"
	"time"

	"github.com/tolero-dev/tolero/match/device"
	"github.com/tolero-dev/tolero/taint"
)

// plan is when pods are to be evicted and because of what. It is replaced as a
// whole.
type plan struct {
	due       time.Time
	scheduled bool
	causes    []Cause
}

// claim is a claim that the queue was told of, or that a pod refers to.
type claim[P comparable] struct {
	name        string
	allocations []device.Allocation
	reserved    map[P]struct{}
	known       bool
	plan        plan
	pods        map[*pod[P]]uint32 // that refer to it, with the pod's stamp
}

// reservedFor reports whether the pod may use the claim.
func (c *claim[P]) reservedFor(p *pod[P]) bool {
	_, ok := c.reserved[p.key]
	return ok
}

// holding is a device that claims hold.
type holding[P comparable] struct {
	id     device.ID
	claims map[*claim[P]]struct{}
}

// holdings is the devices that claims hold, by their names, and for rules by each
// part of the names.
type holdings[P comparable] struct {
	byID                    map[device.ID]*holding[P]
	byDriver, byPool, named map[string]map[*holding[P]]struct{}
}

func (h *holdings[P]) add(c *claim[P]) {
	for i := range c.allocations {
		id := c.allocations[i].ID
		d := h.byID[id]
		if d == nil {
			d = &holding[P]{id: id, claims: make(map[*claim[P]]struct{})}
			if h.byID == nil {
				h.byID = make(map[device.ID]*holding[P])
			}
			h.byID[id] = d
			insert(&h.byDriver, id.Driver, d)
			insert(&h.byPool, id.Pool, d)
			insert(&h.named, id.Device, d)
		}
		d.claims[c] = struct{}{}
	}
}

func (h *holdings[P]) remove(c *claim[P]) {
	for i := range c.allocations {
		id := c.allocations[i].ID
		d := h.byID[id]
		if d == nil { // the claim holds it twice
			continue
		}
		if delete(d.claims, c); len(d.claims) == 0 {
			delete(h.byID, id)
			erase(h.byDriver, id.Driver, d)
			erase(h.byPool, id.Pool, d)
			erase(h.named, id.Device, d)
		}
	}
}

func insert[V comparable](index *map[string]map[V]struct{}, key string, value V) {
	if *index == nil {
		*index = make(map[string]map[V]struct{})
	}
	if (*index)[key] == nil {
		(*index)[key] = make(map[V]struct{})
	}
	(*index)[key][value] = struct{}{}
}

func erase[V comparable](index map[string]map[V]struct{}, key string, value V) {
	if delete(index[key], value); len(index[key]) == 0 {
		delete(index, key)
	}
}

// each calls visit with the devices that a rule selects. The time is
// proportional to the devices that have the rarest of the names that it gives, and
// to all of them only if it gives none.
func (h *holdings[P]) each(r *device.Rule, visit func(*holding[P])) {
	switch s := r.DeviceSelector; {
	case s == nil:
		return
	case s.Driver != nil && s.Pool != nil && s.Device != nil:
		if d := h.byID[device.ID{Driver: *s.Driver, Pool: *s.Pool, Device: *s.Device}]; d != nil {
			visit(d)
		}
		return
	case s.Driver == nil && s.Pool == nil && s.Device == nil:
		for _, d := range h.byID {
			visit(d)
		}
		return
	}
	s := r.DeviceSelector
	var least map[*holding[P]]struct{}
	found := false
	consider := func(part *string, index map[string]map[*holding[P]]struct{}) {
		if part != nil && (!found || len(index[*part]) < len(least)) {
			least, found = index[*part], true
		}
	}
	consider(s.Driver, h.byDriver)
	consider(s.Pool, h.byPool)
	consider(s.Device, h.named)
	for d := range least {
		if r.Selects(d.id) {
			visit(d)
		}
	}
}

// planOf returns the plan that follows from the taints of a claim's devices (rules
// D6 to D8). causesOf appends those taints of a device.
func planOf(allocations []device.Allocation, appendCauses func([]Cause, device.ID) []Cause) (p plan) {
	var causes []Cause
	for i := range allocations {
		a := &allocations[i]
		causes = appendCauses(causes[:0], a.ID)
		for j := range causes {
			list := []taint.Taint{causes[j].Taint}
			if len(device.AppendEvicting(nil, list, a.Tolerations)) == 0 {
				continue
			}
			p.causes = append(p.causes, causes[j])
			if e, ok := device.EvictionTime(list, a.Tolerations); ok && (!p.scheduled || e.At.Before(p.due)) {
				p.due, p.scheduled = e.At, true
			}
		}
	}
	if !p.scheduled {
		return plan{}
	}
	p.causes = inOrder(p.causes)
	return p
}

// include makes p the plan of a pod that has u too. If it is the first, the causes are
// shared, because most pods have one claim. If not, they are copied, and are in no order
// until inOrder.
func (p *plan) include(u *plan) {
	if !p.scheduled {
		*p = plan{u.due, true, slices.Clip(u.causes)}
		return
	}
	if u.due.Before(p.due) {
		p.due = u.due
	}
	p.causes = append(p.causes, u.causes...)
}
