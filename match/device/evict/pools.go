package evict

import (
	"slices"

	"github.com/tolero-dev/tolero/match/device"
	"github.com/tolero-dev/tolero/taint"
)

// poolID names a pool: pools of different drivers are different ones.
type poolID struct{ driver, name string }

// pool is the slices of a pool, and the devices of the newest generation that have
// NoExecute taints, with these as causes.
type pool struct {
	device.Newest[[]Cause]
	slices map[string]*published
}

// published is a slice, as far as it matters here.
type published struct {
	*device.Published[[]Cause]
	in    poolID
	names []string // of all devices
}

type tainted = device.Named[[]Cause]

// publish returns what matters of a slice. It retains no more than strings. If the
// slice has a device twice, the first one counts that has NoExecute taints.
func publish(name string, s *device.Slice) *published {
	p := &published{in: poolID{s.Driver, s.Pool.Name}}
	var devices []tainted
	for i := range s.Devices {
		d := &s.Devices[i]
		p.names = append(p.names, d.Name)
		if causes := causesOf(name, s.ID(d.Name), d.Taints); len(causes) > 0 {
			devices = append(devices, tainted{Name: d.Name, Value: causes})
		}
	}
	p.Published = device.Publish(name, s.Pool.Generation, devices)
	return p
}

// causesOf returns the NoExecute taints of a device of a slice.
func causesOf(slice string, id device.ID, taints []taint.Taint) (causes []Cause) {
	for i := range taints {
		if taints[i].Effect == taint.NoExecute {
			causes = append(causes, Cause{Slice: slice, Device: id, Index: i, Taint: taint.Clone(taints[i : i+1])[0]})
		}
	}
	return causes
}

// equal reports whether a slice that is published again is as it was.
func (p *published) equal(u *published) bool {
	return p.in == u.in && p.Generation == u.Generation && slices.Equal(p.names, u.names) &&
		slices.EqualFunc(p.Devices(), u.Devices(), func(a, b tainted) bool { return a.Name == b.Name && equalCauses(a.Value, b.Value) })
}

// replace takes the slice old out and puts the slice next in, of which either may be nil,
// and returns the names of the devices for which that makes a difference. If several slices
// of the newest generation taint a device, the first one by name counts.
func (p *pool) replace(old, next *published) (changed []string) {
	var was, is *device.Published[[]Cause]
	if old != nil {
		was = old.Published
		delete(p.slices, old.Name)
	}
	if next != nil {
		is = next.Published
		p.slices[next.Name] = next
	}
	note := func(d *tainted) { changed = append(changed, d.Name) }
	before, after := p.Change(was, is)
	device.Diff(before, after, equalCauses, note, note)
	return changed
}
