package devices

import (
	"cmp"
	"slices"

	"github.com/tolero-dev/tolero/match/device"
	"github.com/tolero-dev/tolero/taint"
)

// poolID names a pool: pools of different drivers are different ones.
type poolID struct{ driver, name string }

func (id poolID) device(name string) device.ID {
	return device.ID{Driver: id.driver, Pool: id.name, Device: name}
}

// pool is the slices of a pool, and the devices of its newest generation.
type pool struct {
	id      poolID
	slices  map[string]*published
	devices []own // in the order of their names
}

// published is a slice.
type published struct {
	name       string
	in         *pool
	generation int64
	devices    []own
}

// own is a device with those of its own taints that count.
type own struct {
	name   string
	taints []taint.Taint
}

func (d *own) equal(e *own) bool { return d.name == e.name && slices.Equal(d.taints, e.taints) }

func byName(a, b own) int { return cmp.Compare(a.name, b.name) }

// appendCounting appends the taints that keep a device from being allocated, without
// their times.
func appendCounting(dst []taint.Taint, taints ...device.Taint) []taint.Taint {
	for i := range taints {
		if x := &taints[i]; x.Prevents() {
			dst = append(dst, taint.Taint{Key: x.Key, Value: x.Value, Effect: x.Effect})
		}
	}
	return dst
}

// firstOfEach sorts devices by name, and keeps the first of each name.
func firstOfEach(devices []own) []own {
	slices.SortStableFunc(devices, byName)
	return slices.CompactFunc(devices, func(a, b own) bool { return a.name == b.name })
}

// newest returns the devices of the newest generation. If it has one several times, the
// first counts, by the name of the slice and then by its place there. Most pools have one
// slice, whose devices they share.
func (p *pool) newest() []own {
	var latest []*published
	for _, s := range p.slices {
		switch {
		case len(latest) == 0 || s.generation > latest[0].generation:
			latest = append(latest[:0], s)
		case s.generation == latest[0].generation:
			latest = append(latest, s)
		}
	}
	if len(latest) == 1 {
		return latest[0].devices
	}
	slices.SortFunc(latest, func(a, b *published) int { return cmp.Compare(a.name, b.name) })
	var devices []own
	for _, s := range latest {
		devices = append(devices, s.devices...)
	}
	return firstOfEach(devices)
}

// renew has the pool find out what devices it has. Those that are gone are deleted, and
// those that are new are found by name from now on.
func (f *Fleet) renew(p *pool) {
	old := p.devices
	p.devices = p.newest()
	for i := range old {
		if name := old[i].name; p.find(name) == nil {
			f.byDevice.erase(name, p)
			f.ix.Delete(Name(p.id.device(name)))
		}
	}
	for i := range p.devices {
		f.byDevice.insert(p.devices[i].name, p)
	}
}

// find returns the device of that name, or nil.
func (p *pool) find(name string) *own {
	if i, found := slices.BinarySearchFunc(p.devices, own{name: name}, byName); found {
		return &p.devices[i]
	}
	return nil
}

// put puts a slice in the place of the one of that name, and notes the pools that it
// changes.
func (f *Fleet) put(name string, s *device.Slice, touched map[*pool]struct{}) {
	id := poolID{s.Driver, s.Pool.Name}
	if old := f.slices[name]; old != nil && old.in.id != id {
		touched[f.withdraw(old)] = struct{}{}
	}
	p := f.pool(id)
	next := &published{name: name, in: p, generation: s.Pool.Generation}
	for i := range s.Devices {
		next.devices = append(next.devices, own{s.Devices[i].Name, appendCounting(nil, s.Devices[i].Taints...)})
	}
	if f.slices == nil {
		f.slices = make(map[string]*published)
	}
	next.devices = firstOfEach(next.devices)
	f.slices[name], p.slices[name] = next, next
	touched[p] = struct{}{}
}

// pool returns the pool of that name, which is made if need be.
func (f *Fleet) pool(id poolID) *pool {
	p := f.pools[id]
	if p == nil {
		if f.pools == nil {
			f.pools = make(map[poolID]*pool)
		}
		p = &pool{id: id, slices: make(map[string]*published)}
		f.pools[id] = p
		f.byDriver.insert(id.driver, p)
		f.byPool.insert(id.name, p)
	}
	return p
}

// withdraw takes a slice out of its pool, and the pool out of the fleet if that was its
// last one. What devices the pool still has is for renew to say.
func (f *Fleet) withdraw(s *published) *pool {
	p := s.in
	if delete(p.slices, s.name); len(p.slices) == 0 {
		delete(f.pools, p.id)
		f.byDriver.erase(p.id.driver, p)
		f.byPool.erase(p.id.name, p)
	}
	return p
}

// survey brings the index up to date with a pool whose slices changed.
func (f *Fleet) survey(p *pool) {
	old := p.devices
	f.renew(p)
	for i := range p.devices {
		d := &p.devices[i]
		if j, found := slices.BinarySearchFunc(old, *d, byName); !found || !old[j].equal(d) {
			f.update(&f.ix, p, d)
		}
	}
}
