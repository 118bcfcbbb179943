package device

import (
	"cmp"
	"slices"

	"github.com/tolero-dev/tolero/match/internal/ordered"
)

// Named is a device of a slice by name, and what a program keeps of it. It is plain data.
type Named[T any] struct {
	Name  string
	Value T
}

// Published is a slice, as [Publish] makes it: its devices, and what a program keeps of
// each. It must not be changed, and so may be shared and read by any number of goroutines.
// It retains its devices. The zero Published has none.
type Published[T any] struct {
	Name       string
	Generation int64
	devices    []Named[T] // by name, each once
}

// Publish returns the slice of a name with the devices. If a name comes twice, its first
// device counts. Publish sorts the devices in place and retains them.
func Publish[T any](name string, generation int64, devices []Named[T]) *Published[T] {
	slices.SortStableFunc(devices, byName)
	devices = slices.CompactFunc(devices, func(a, b Named[T]) bool { return a.Name == b.Name })
	return &Published[T]{name, generation, devices}
}

// Devices returns the devices by name, each once. They must not be changed.
func (s *Published[T]) Devices() []Named[T] { return s.devices }

func byName[T any](a, b Named[T]) int { return cmp.Compare(a.Name, b.Name) }

func find[T any](devices []Named[T], name string) *Named[T] {
	if i, found := slices.BinarySearchFunc(devices, Named[T]{Name: name}, byName); found {
		return &devices[i]
	}
	return nil
}

// Newest finds the devices of a pool's newest generation as its slices come and go one by
// one (rule D9). If several slices of that generation have a device, the first one by name
// counts.
//
// A change costs the devices of the slice, each with the logarithm of the number of slices
// that have it. If the newest generation is another one afterwards, it costs the devices of
// the two generations, as all of them may be others then.
//
// The zero Newest is a pool without slices and ready. It must not be copied. Any number of
// goroutines may read it as long as none changes it. It retains the slices.
type Newest[T any] struct {
	generations ordered.List[int64, *generation[T]] // newest first: by age
}

// age is the key of a generation: the greatest one has the least.
func age(generation int64) int64 { return ^generation }

// generation is the slices of a generation.
type generation[T any] struct {
	slices int
	only   *Published[T]        // if there never were several
	owners map[string]owners[T] // otherwise, by the name of the device
}

// owners is the slices of a generation that have a device: mostly one.
type owners[T any] struct {
	one  *Published[T]
	more *ordered.List[string, *Published[T]] // by name, if there were several
}

// first returns the slice that counts.
func (o owners[T]) first() *Published[T] {
	if o.one != nil {
		return o.one
	}
	return o.more.First().Value
}

// current returns the newest generation, or nil if there are no slices.
func (p *Newest[T]) current() *generation[T] {
	if e := p.generations.First(); e != nil {
		return e.Value
	}
	return nil
}

// Empty reports whether the pool has no slices.
func (p *Newest[T]) Empty() bool { return p.current() == nil }

// Generation returns the newest generation, and whether there are slices.
func (p *Newest[T]) Generation() (generation int64, ok bool) {
	if e := p.generations.First(); e != nil {
		return ^e.Key, true
	}
	return 0, false
}

// Find returns the device of that name of the newest generation, or nil. It must not be
// changed, and is good until the pool is changed.
func (p *Newest[T]) Find(name string) *Named[T] {
	if g := p.current(); g != nil {
		return g.find(name)
	}
	return nil
}

func (g *generation[T]) find(name string) *Named[T] {
	if g.owners == nil {
		return find(g.only.devices, name)
	}
	o, found := g.owners[name]
	if !found {
		return nil
	}
	return find(o.first().devices, name)
}

// All returns the devices of the newest generation by name. They must not be changed.
func (p *Newest[T]) All() []Named[T] {
	if g := p.current(); g != nil {
		return g.all()
	}
	return nil
}

func (g *generation[T]) all() []Named[T] {
	if g.owners == nil {
		return g.only.devices
	}
	all := make([]Named[T], 0, len(g.owners))
	for name, o := range g.owners {
		all = append(all, *find(o.first().devices, name))
	}
	slices.SortFunc(all, byName)
	return all
}

// Each calls visit with the devices of the newest generation, in no particular order. They
// must not be changed.
func (p *Newest[T]) Each(visit func(*Named[T])) {
	g := p.current()
	switch {
	case g == nil:
	case g.owners == nil:
		for i := range g.only.devices {
			visit(&g.only.devices[i])
		}
	default:
		for name, o := range g.owners {
			visit(find(o.first().devices, name))
		}
	}
}

// Replace takes out the slice old and puts in the slice next. Either may be nil for none.
// The slice old must be one that was put in and not taken out.
func (p *Newest[T]) Replace(old, next *Published[T]) {
	if old != nil {
		key := age(old.Generation)
		if g := p.generations.Get(key).Value; g.slices == 1 {
			p.generations.Delete(key)
		} else {
			g.remove(old)
		}
	}
	if next != nil {
		key := age(next.Generation)
		if e := p.generations.Get(key); e != nil {
			e.Value.add(next)
		} else {
			p.generations.Set(key, &generation[T]{slices: 1, only: next})
		}
	}
}

func (g *generation[T]) add(s *Published[T]) {
	if g.owners == nil {
		g.owners = make(map[string]owners[T])
		g.own(g.only)
		g.only = nil
	}
	g.own(s)
	g.slices++
}

func (g *generation[T]) own(s *Published[T]) {
	for i := range s.devices {
		o := g.owners[s.devices[i].Name]
		switch {
		case o.more != nil:
			o.more.Set(s.Name, s)
			continue
		case o.one != nil:
			o.more = new(ordered.List[string, *Published[T]])
			o.more.Set(o.one.Name, o.one)
			o.more.Set(s.Name, s)
			o.one = nil
		default:
			o.one = s
		}
		g.owners[s.devices[i].Name] = o
	}
}

func (g *generation[T]) remove(s *Published[T]) {
	for i := range s.devices {
		name := s.devices[i].Name
		o := g.owners[name]
		if o.more != nil {
			o.more.Delete(s.Name)
		}
		if o.one != nil || o.more.First() == nil {
			delete(g.owners, name)
		}
	}
	g.slices--
}

// Change replaces a slice as Replace does, and returns the devices before and after by name,
// as far as they may have changed: those of the two slices, or all of them if the newest
// generation changed. Give them to [Diff].
func (p *Newest[T]) Change(old, next *Published[T]) (before, after []Named[T]) {
	was := p.current()
	switch {
	case was == nil:
	case p.replaces(was, old, next):
		before = was.all()
	default:
		before = p.named(was, old, next)
	}
	p.Replace(old, next)
	switch now := p.current(); {
	case now == nil:
	case now == was:
		after = p.named(now, old, next)
	default:
		after = now.all()
	}
	return before, after
}

// replaces reports whether a change puts another generation in the place of the newest
// one, which is g.
func (p *Newest[T]) replaces(g *generation[T], old, next *Published[T]) bool {
	newest, _ := p.Generation()
	return next != nil && next.Generation > newest || old != nil && old.Generation == newest && g.slices == 1
}

// named returns the devices of the newest generation, which is g, that have the name of a
// device of one of the slices, as far as these are of it. They may be nil.
func (p *Newest[T]) named(g *generation[T], of ...*Published[T]) (named []Named[T]) {
	newest, _ := p.Generation()
	for _, s := range of {
		if s == nil || s.Generation != newest {
			continue
		}
		for i := range s.devices {
			if d := g.find(s.devices[i].Name); d != nil {
				named = append(named, *d)
			}
		}
	}
	slices.SortFunc(named, byName)
	return slices.CompactFunc(named, func(a, b Named[T]) bool { return a.Name == b.Name })
}

// Diff compares the devices before and after a change, both by name. It calls gone with the
// devices that are only in before, and changed with those that are only in after or have
// another value there, in the order of their names.
func Diff[T any](before, after []Named[T], equal func(a, b T) bool, gone, changed func(*Named[T])) {
	for len(before) > 0 || len(after) > 0 {
		order := 0
		switch {
		case len(after) == 0:
			order = -1
		case len(before) == 0:
			order = +1
		default:
			order = byName(before[0], after[0])
		}
		switch {
		case order < 0:
			gone(&before[0])
		case order > 0 || !equal(before[0].Value, after[0].Value):
			changed(&after[0])
		}
		if order <= 0 {
			before = before[1:]
		}
		if order >= 0 {
			after = after[1:]
		}
	}
}
