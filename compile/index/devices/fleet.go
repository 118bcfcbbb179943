package devices

import (
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/tolero-dev/tolero/compile/index"
	"github.com/tolero-dev/tolero/compile/internal/invariant"
	"github.com/tolero-dev/tolero/match/device"
	"github.com/tolero-dev/tolero/taint"
)

// Fleet is the devices of a cluster by the taints that keep them from being allocated:
// their own, and those of rules.
//
// The zero Fleet is empty and ready. A Fleet must not be copied, and only one goroutine
// at a time may use it; the snapshots that it gives may be used by any number, and do
// not change. It retains the names of slices, devices and rules, and copies of the
// rules and of the taints that count.
type Fleet struct {
	ix       index.Index
	slices   map[string]published
	pools    map[poolID]*pool
	byDriver poolIndex
	byPool   poolIndex
	byDevice poolIndex
	rules    device.RuleSet
	taints   []taint.Taint // a buffer
	steps    int           // counted with the tag tolero_invariants
}

// Name returns the name of a device in the index: that of [device.ID.String], and with
// its parts quoted if one of them is no valid name, so that each device has a name of
// its own.
func Name(id device.ID) string {
	if strings.ContainsAny(id.Driver, `/"`) || strings.ContainsAny(id.Device, `/"`) || strings.Contains(id.Pool, `"`) {
		return strconv.Quote(id.Driver) + "/" + strconv.Quote(id.Pool) + "/" + strconv.Quote(id.Device)
	}
	return id.String()
}

// Snapshot returns the fleet as it is now: see [index.Index.Snapshot].
func (f *Fleet) Snapshot() *index.Snapshot { return f.ix.Snapshot() }

// Len returns the number of devices.
func (f *Fleet) Len() int { return f.ix.Len() }

// ID returns the ID of a device in the index, and whether it is in the fleet.
func (f *Fleet) ID(id device.ID) (index.NodeID, bool) { return f.ix.ID(Name(id)) }

// SetSlice puts the slice of that name in the place of the one that had it, if any. If
// several slices of a pool's newest generation have a device, the first one by name
// counts. The slice may be changed afterwards. A nil one is deleted.
//
// The time is that of sorting the devices of the slice, with the rules for those that
// change. If the pool's newest generation is another one afterwards, it is that of sorting
// the devices of both.
func (f *Fleet) SetSlice(name string, s *device.Slice) {
	if s == nil {
		f.DeleteSlice(name)
		return
	}
	f.put(publish(name, s), f.change)
}

// Load sets many slices, as SetSlice does one after the other, and is faster. Of slices
// with the same name the last one counts, and a nil one changes nothing. The slices need
// not outlive the step of the iteration. The fleet changes after the iteration: one that
// panics changes nothing.
func (f *Fleet) Load(all iter.Seq2[string, *device.Slice]) {
	var list []given
	for name, s := range all {
		if s != nil {
			list = append(list, publish(name, s))
		}
	}
	before := make(map[*pool][]own)
	for _, s := range list {
		f.put(s, func(p *pool, old, next *slice) {
			if _, known := before[p]; !known {
				before[p] = p.All()
			}
			p.Replace(old, next)
		})
	}
	for p, was := range before {
		f.diff(p, was, p.All(), func(*own) {})
	}
	f.ix.Load(func(yield func(string, []taint.Taint) bool) {
		more := true
		for p, was := range before {
			device.Diff(was, p.All(), slices.Equal, func(*own) {}, func(d *own) { more = more && yield(f.effective(p, d)) })
		}
	})
}

// DeleteSlice takes out the slice of that name, if there is one, as [Fleet.SetSlice]
// puts one in.
func (f *Fleet) DeleteSlice(name string) {
	if old, known := f.slices[name]; known {
		f.remove(old, f.change)
	}
}

// step counts the work, in tests with invariants: pools and devices that are looked at,
// and rules of devices.
func (f *Fleet) step(n int) {
	if invariant.Enabled {
		f.steps += n
	}
}
