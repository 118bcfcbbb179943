package devices

import (
	"github.com/tolero-dev/tolero/compile/index"
	"github.com/tolero-dev/tolero/match/device"
	"github.com/tolero-dev/tolero/taint"
)

// SetRule puts the rule of that name in the place of the one that had it, if any, and
// returns how many devices the two select. The rule may be changed afterwards. A nil one is
// deleted.
//
// The time is proportional to the pools that have the rarest of the names that a
// selector gives, and to the devices that are selected, with the rules that select each.
// Rules that select other devices play no part. A device is set in the index with all its
// taints, so n rules that select one device, set one by one, take n² in all.
func (f *Fleet) SetRule(name string, r *device.Rule) (selected int) {
	return f.replace(&f.ix, name, r)
}

// DeleteRule takes out the rule of that name, if there is one, and returns how many
// devices it selects. It costs what SetRule does.
func (f *Fleet) DeleteRule(name string) (selected int) {
	return f.replace(&f.ix, name, nil)
}

// Preview returns the fleet as it is now and as it would be if the rule of that name
// were this one, nil for none, and how many devices that concerns. The fleet stays as it
// is. What requests may get in the two is for [index.Fit] to say, and which devices change for
// [index.Diff.Between]. It costs what SetRule does.
func (f *Fleet) Preview(name string, r *device.Rule) (before, after *index.Snapshot, selected int) {
	before = f.Snapshot()
	fork, old := before.Fork(), f.rules.Get(name)
	selected = f.replace(fork, name, r)
	f.rules.Set(name, old)
	return before, fork.Snapshot(), selected
}

// replace replaces a rule, brings an index up to date, and returns how many devices the
// old and the new rule select.
func (f *Fleet) replace(ix *index.Index, name string, r *device.Rule) (selected int) {
	old := f.rules.Get(name)
	f.rules.Set(name, r)
	changes := counts(old) || counts(r)
	f.each(old, func(p *pool, d *own) {
		selected++
		if changes {
			f.update(ix, p, d)
		}
	})
	f.each(r, func(p *pool, d *own) {
		if old != nil && old.Selects(p.id.device(d.Name)) {
			return
		}
		selected++
		if changes {
			f.update(ix, p, d)
		}
	})
	return selected
}

// counts reports whether the taint of a rule, which may be nil, keeps devices from being
// allocated.
func counts(r *device.Rule) bool { return r != nil && taint.Hard.Has(r.Taint.Effect) }

// update has an index know the taints of a device.
func (f *Fleet) update(ix *index.Index, p *pool, d *own) {
	ix.Set(f.effective(p, d))
}

// each calls visit with the devices that a rule, which may be nil, selects. It looks at
// the pools that have the rarest of the names that the selector gives.
func (f *Fleet) each(r *device.Rule, visit func(*pool, *own)) {
	if r == nil || r.DeviceSelector == nil {
		return
	}
	s := r.DeviceSelector
	if s.Driver != nil && s.Pool != nil {
		if p := f.pools[poolID{*s.Driver, *s.Pool}]; p != nil {
			f.eachOf(p, s.Device, visit)
		}
		return
	}
	var rarest poolSet
	found := false
	consider := func(name *string, by poolIndex) {
		if name != nil && (!found || by[*name].len() < rarest.len()) {
			rarest, found = by[*name], true
		}
	}
	consider(s.Driver, f.byDriver)
	consider(s.Pool, f.byPool)
	consider(s.Device, f.byDevice)
	if !found {
		for _, p := range f.pools {
			f.eachOf(p, nil, visit)
		}
		return
	}
	rarest.each(func(p *pool) {
		if (s.Driver == nil || *s.Driver == p.id.driver) && (s.Pool == nil || *s.Pool == p.id.name) {
			f.eachOf(p, s.Device, visit)
		}
		f.step(1)
	})
}

// eachOf calls visit with the device of a pool that has the name, or with all of them if
// it is nil.
func (f *Fleet) eachOf(p *pool, name *string, visit func(*pool, *own)) {
	if name == nil {
		p.Each(func(d *own) {
			f.step(1)
			visit(p, d)
		})
		return
	}
	if d := p.Find(*name); d != nil {
		f.step(1)
		visit(p, d)
	}
}

// effective returns the name of a device in the index, and its taints that count: its
// own and those of rules, in the order of their names (rule D4). They are good until the
// next call.
func (f *Fleet) effective(p *pool, d *own) (name string, taints []taint.Taint) {
	id := p.id.device(d.Name)
	f.taints = append(f.taints[:0], d.Value...)
	for _, r := range f.rules.Selecting(id) {
		f.step(1)
		f.taints = appendCounting(f.taints, r.Taint)
	}
	return Name(id), f.taints
}
