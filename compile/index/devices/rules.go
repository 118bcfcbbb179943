package devices

import (
	"cmp"
	"slices"

	"github.com/tolero-dev/tolero/compile/index"
	"github.com/tolero-dev/tolero/match/device"
	"github.com/tolero-dev/tolero/taint"
)

// rule is a rule and its name.
type rule struct {
	name string
	spec *device.Rule
}

// findRule returns the place of a name among rules, and the rule of that name or nil.
func findRule(rules []rule, name string) (place int, spec *device.Rule) {
	i, found := slices.BinarySearchFunc(rules, name, func(r rule, name string) int { return cmp.Compare(r.name, name) })
	if !found {
		return i, nil
	}
	return i, rules[i].spec
}

// replaced returns a copy of rules in which the name has another rule, or none if it is
// nil.
func replaced(rules []rule, name string, r *device.Rule) []rule {
	i, old := findRule(rules, name)
	after := rules[i:]
	if old != nil {
		after = after[1:]
	}
	next := slices.Clone(rules[:i])
	if r != nil {
		next = append(next, rule{name, new(r.Clone())})
	}
	return append(next, after...)
}

// replace replaces a rule, brings an index up to date, and returns how many devices the
// old and the new rule select.
func (f *Fleet) replace(ix *index.Index, name string, r *device.Rule) (selected int) {
	_, old := findRule(f.rules, name)
	f.rules = replaced(f.rules, name, r)
	for p := range f.poolsOf(old, r) {
		var rules []rule // for the pool, once there is a device
		each(p, old, r, func(d *own) {
			if rules == nil {
				rules = f.rulesFor(p)
			}
			selected++
			ix.Set(f.effective(p, d, rules))
		})
	}
	return selected
}

// poolsOf returns the pools that may have devices that one of the rules selects.
func (f *Fleet) poolsOf(rules ...*device.Rule) map[*pool]struct{} {
	found := make(map[*pool]struct{})
	for _, r := range rules {
		if r == nil || r.DeviceSelector == nil {
			continue
		}
		f.addPools(found, r.DeviceSelector)
	}
	return found
}

// addPools adds the pools with the names that a selector gives, found by the rarer one.
func (f *Fleet) addPools(found map[*pool]struct{}, s *device.Selector) {
	var least map[*pool]struct{}
	switch {
	case s.Driver != nil && s.Pool != nil:
		if p := f.pools[poolID{*s.Driver, *s.Pool}]; p != nil {
			found[p] = struct{}{}
		}
		return
	case s.Driver != nil:
		least = f.byDriver[*s.Driver]
	case s.Pool != nil:
		least = f.byPool[*s.Pool]
	default:
		for _, p := range f.pools {
			found[p] = struct{}{}
		}
		return
	}
	for p := range least {
		found[p] = struct{}{}
	}
}

// each calls visit with the devices of a pool that one of two rules, which may be nil,
// selects, each once.
func each(p *pool, a, b *device.Rule, visit func(*own)) {
	if name, single := sameName(a, b); single {
		if d := p.find(name); d != nil && selectsAny(a, b, p.id.device(name)) {
			visit(d)
		}
		return
	}
	for i := range p.devices {
		if selectsAny(a, b, p.id.device(p.devices[i].name)) {
			visit(&p.devices[i])
		}
	}
}

// sameName returns the one name that all devices have that the rules select, if the
// rules give one.
func sameName(a, b *device.Rule) (name string, single bool) {
	for _, r := range []*device.Rule{a, b} {
		if r == nil || r.DeviceSelector == nil {
			continue
		}
		own := r.DeviceSelector.Device
		if own == nil || single && *own != name {
			return "", false
		}
		name, single = *own, true
	}
	return name, single
}

func selectsAny(a, b *device.Rule, id device.ID) bool {
	return a != nil && a.Selects(id) || b != nil && b.Selects(id)
}

// rulesFor returns the rules that may select devices of a pool and whose taints count.
func (f *Fleet) rulesFor(p *pool) []rule {
	rules := make([]rule, 0, 8)
	for _, r := range f.rules {
		s := r.spec.DeviceSelector
		if s != nil && r.spec.Taint.Prevents() && (&device.Selector{Driver: s.Driver, Pool: s.Pool}).Selects(p.id.device("")) {
			rules = append(rules, r)
		}
	}
	return rules
}

// effective returns the name of a device in the index, and its taints that count: its
// own and those of rules (rule D4). They are good until the next call.
func (f *Fleet) effective(p *pool, d *own, rules []rule) (name string, taints []taint.Taint) {
	id := p.id.device(d.name)
	f.taints = append(f.taints[:0], d.taints...)
	for i := range rules {
		if rules[i].spec.Selects(id) {
			f.taints = appendCounting(f.taints, rules[i].spec.Taint)
		}
	}
	return Name(id), f.taints
}
