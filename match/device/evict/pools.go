package evict

import (
	"maps"
	"slices"

	"github.com/tolero-dev/tolero/match/device"
)

// poolID names a pool: pools of different drivers are different ones.
type poolID struct{ driver, name string }

// pool is the slices of a pool, and the devices of the newest generation that have
// NoExecute taints.
type pool struct {
	slices  map[string]*published
	newest  int64
	tainted map[string]*tainted // by name of the device
}

// published is a slice, as far as it matters here.
type published struct {
	name       string
	in         poolID
	generation int64
	names      []string // of all devices
	tainted    map[string]*tainted
}

// tainted is a device with NoExecute taints, as causes.
type tainted struct {
	device string
	causes []Cause
}

// publish returns what matters of a slice. It retains no more than strings. If the
// slice has a device twice, the first one counts that has NoExecute taints.
func publish(name string, s *device.Slice) *published {
	p := &published{name: name, in: poolID{s.Driver, s.Pool.Name}, generation: s.Pool.Generation}
	for i := range s.Devices {
		d := &s.Devices[i]
		p.names = append(p.names, d.Name)
		causes := causesOf(name, s.ID(d.Name), d.Taints)
		if len(causes) == 0 || p.tainted[d.Name] != nil {
			continue
		}
		if p.tainted == nil {
			p.tainted = make(map[string]*tainted)
		}
		p.tainted[d.Name] = &tainted{d.Name, causes}
	}
	return p
}

// causesOf returns the NoExecute taints of a device of a slice.
func causesOf(slice string, id device.ID, taints []device.Taint) (causes []Cause) {
	for i := range taints {
		if taints[i].Effect == device.NoExecute {
			causes = append(causes, Cause{Slice: slice, Device: id, Index: i, Taint: device.CloneTaints(taints[i : i+1])[0]})
		}
	}
	return causes
}

// equal reports whether a slice that is published again is as it was.
func (p *published) equal(u *published) bool {
	return p.in == u.in && p.generation == u.generation && slices.Equal(p.names, u.names) &&
		maps.EqualFunc(p.tainted, u.tainted, func(a, b *tainted) bool { return equalCauses(a.causes, b.causes) })
}

// survey finds out what the newest generation is and what devices it has tainted,
// and returns the names of those for which that is another answer than before. If
// several slices taint a device, the first one by name counts.
func (p *pool) survey() (changed []string) {
	old := p.tainted
	p.tainted, p.newest = nil, 0
	first := true
	for _, s := range p.slices {
		if first || s.generation > p.newest {
			first, p.newest = false, s.generation
		}
	}
	for _, s := range p.slices {
		if s.generation == p.newest {
			p.add(s)
		}
	}
	for name, t := range p.tainted {
		if was := old[name]; was == nil || !equalCauses(was.causes, t.causes) {
			changed = append(changed, name)
		}
	}
	for name := range old {
		if p.tainted[name] == nil {
			changed = append(changed, name)
		}
	}
	slices.Sort(changed)
	return changed
}

func (p *pool) add(s *published) {
	for _, t := range s.tainted {
		if other := p.tainted[t.device]; other != nil && other.causes[0].Slice < s.name {
			continue
		}
		if p.tainted == nil {
			p.tainted = make(map[string]*tainted)
		}
		p.tainted[t.device] = t
	}
}
