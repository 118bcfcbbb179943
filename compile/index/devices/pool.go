package devices

import (
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
	device.Newest[[]taint.Taint]
	id poolID
}

// slice is what matters of a slice.
type slice = device.Published[[]taint.Taint]

// given is a slice for a pool.
type given struct {
	*slice
	id poolID
}

// published is a slice of a pool.
type published struct {
	*slice
	in *pool
}

// own is a device with those of its own taints that count.
type own = device.Named[[]taint.Taint]

// appendCounting appends the taints that keep a device from being allocated, without
// their times.
func appendCounting(dst []taint.Taint, taints ...taint.Taint) []taint.Taint {
	for i := range taints {
		if x := &taints[i]; taint.Hard.Has(x.Effect) {
			dst = append(dst, taint.Taint{Key: x.Key, Value: x.Value, Effect: x.Effect})
		}
	}
	return dst
}

// publish returns what matters of a slice.
func publish(name string, s *device.Slice) given {
	devices := make([]own, len(s.Devices))
	for i := range s.Devices {
		devices[i] = own{Name: s.Devices[i].Name, Value: appendCounting(nil, s.Devices[i].Taints...)}
	}
	return given{device.Publish(name, s.Pool.Generation, devices), poolID{s.Driver, s.Pool.Name}}
}

// pool returns the pool of that name, which is made if need be.
func (f *Fleet) pool(id poolID) *pool {
	p := f.pools[id]
	if p == nil {
		if f.pools == nil {
			f.pools = make(map[poolID]*pool)
		}
		p = &pool{id: id}
		f.pools[id] = p
		f.byDriver.insert(id.driver, p)
		f.byPool.insert(id.name, p)
	}
	return p
}

// put puts a slice in the place of the one of that name, if any. change is what to do in a
// pool, with the slice that leaves it and the one that is new; either may be nil.
func (f *Fleet) put(s given, change func(p *pool, old, next *slice)) {
	if f.slices == nil {
		f.slices = make(map[string]published)
	}
	old := f.slices[s.Name]
	if old.slice != nil && old.in.id != s.id {
		f.remove(old, change)
		old.slice = nil
	}
	next := published{s.slice, f.pool(s.id)}
	f.slices[s.Name] = next
	change(next.in, old.slice, next.slice)
}

// remove takes a slice out of its pool, and the pool out of the fleet if that was its last
// one.
func (f *Fleet) remove(s published, change func(p *pool, old, next *slice)) {
	delete(f.slices, s.Name)
	if change(s.in, s.slice, nil); s.in.Empty() {
		delete(f.pools, s.in.id)
		f.byDriver.erase(s.in.id.driver, s.in)
		f.byPool.erase(s.in.id.name, s.in)
	}
}

// change replaces a slice of a pool by another one, and brings the index up to date.
func (f *Fleet) change(p *pool, old, next *slice) {
	before, after := p.Change(old, next)
	f.step(len(before) + len(after))
	f.diff(p, before, after, func(d *own) { f.update(&f.ix, p, d) })
}

// diff finds what the devices of a pool were before and are now. Those that are gone are
// deleted. Those that are new are found by name from now on, and set by the function set, as
// are those with other taints.
func (f *Fleet) diff(p *pool, before, after []own, set func(*own)) {
	device.Diff(before, after, slices.Equal, func(d *own) {
		f.byDevice.erase(d.Name, p)
		f.ix.Delete(Name(p.id.device(d.Name)))
	}, func(d *own) {
		f.byDevice.insert(d.Name, p)
		set(d)
	})
}
