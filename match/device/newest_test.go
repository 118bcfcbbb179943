package device_test

import (
	"cmp"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/tolero-dev/tolero/fuzz/target"
	"github.com/tolero-dev/tolero/match/device"
)

type spec struct {
	name       string
	generation int64
	devices    []device.Named[int]
}

func (s *spec) publish() *device.Published[int] {
	if s == nil {
		return nil
	}
	return device.Publish(s.name, s.generation, slices.Clone(s.devices))
}

// devices returns the devices of the newest of some slices, by loops.
func devices(all map[string]*spec) map[string]int {
	var greatest int64
	for i, s := range values(all) {
		if i == 0 || s.generation > greatest {
			greatest = s.generation
		}
	}
	found := map[string]int{}
	for _, s := range values(all) {
		for _, d := range s.devices {
			if _, known := found[d.Name]; !known && s.generation == greatest {
				found[d.Name] = d.Value
			}
		}
	}
	return found
}

// values returns slices by name.
func values(all map[string]*spec) (list []*spec) {
	for _, s := range all {
		list = append(list, s)
	}
	slices.SortFunc(list, func(a, b *spec) int { return cmp.Compare(a.name, b.name) })
	return list
}

var (
	names       = rapid.SampledFrom([]string{"a", "b", "c", "d"})
	generations = rapid.SampledFrom([]int64{-1 << 63, -1, 0, 1, 1<<63 - 1})
	someSlices  = rapid.Custom(func(t *rapid.T) *spec {
		s := &spec{generation: generations.Draw(t, "generation")}
		for _, name := range rapid.SliceOfN(names, 0, 4).Draw(t, "devices") {
			s.devices = append(s.devices, device.Named[int]{Name: name, Value: rapid.IntRange(0, 1).Draw(t, "value")})
		}
		return s
	})
)

// A pool is as loops say after every change, and a change says what changed.
func TestNewestModel(t *testing.T) { rapid.Check(t, checkNewest) }

func FuzzNewest(f *testing.F) {
	target.Fuzz(f, target.Rapid(checkNewest))
}

func checkNewest(t *rapid.T) {
	var p device.Newest[int]
	compare(t, &p, nil, nil)
	specs, published := map[string]*spec{}, map[string]*device.Published[int]{}
	for range rapid.IntRange(1, 20).Draw(t, "steps") {
		name, before := names.Draw(t, "slice"), devices(specs)
		old := published[name]
		delete(specs, name)
		delete(published, name)
		if rapid.IntRange(0, 3).Draw(t, "delete") > 0 {
			specs[name] = someSlices.Draw(t, "spec")
			specs[name].name = name
			published[name] = specs[name].publish()
		}
		was, is := p.Change(old, published[name])
		after := devices(specs)
		changed := map[string]int{}
		device.Diff(was, is, func(a, b int) bool { return a == b }, func(d *device.Named[int]) {
			if before[d.Name] != d.Value {
				t.Fatalf("%v is gone, it was %d", *d, before[d.Name])
			}
			delete(before, d.Name)
		}, func(d *device.Named[int]) { changed[d.Name] = d.Value })
		for name, value := range changed {
			if old, known := before[name]; known && old == value {
				t.Fatalf("%s did not change", name)
			}
			before[name] = value
		}
		if fmt.Sprint(before) != fmt.Sprint(after) {
			t.Fatalf("the changes lead to %v, want %v", before, after)
		}
		compare(t, &p, specs, after)
	}
}

func compare(t *rapid.T, p *device.Newest[int], specs map[string]*spec, want map[string]int) {
	all, each := map[string]int{}, map[string]int{}
	list := p.All()
	for _, d := range list {
		all[d.Name] = d.Value
	}
	p.Each(func(d *device.Named[int]) { each[d.Name] = d.Value })
	if fmt.Sprint(all) != fmt.Sprint(want) || fmt.Sprint(each) != fmt.Sprint(want) || len(list) != len(want) ||
		!slices.IsSortedFunc(list, func(a, b device.Named[int]) int { return cmp.Compare(a.Name, b.Name) }) {
		t.Fatalf("%v and %v, want %v", list, each, want)
	}
	for _, name := range []string{"a", "b", "c", "d"} {
		value, known := want[name]
		if d := p.Find(name); (d != nil) != known || known && d.Value != value {
			t.Fatalf("%s: %v, want %d, %t", name, d, value, known)
		}
	}
	generation, ok := p.Generation()
	if p.Empty() != (len(specs) == 0) || ok == p.Empty() {
		t.Fatalf("empty: %t, %t", p.Empty(), ok)
	}
	for _, s := range specs {
		if s.generation > generation {
			t.Fatalf("generation %d, want %d", generation, s.generation)
		}
	}
}

// A change of a slice in a pool of many concerns the devices of the slice only, whether the
// slices have devices of their own or share them, and come in whatever generations. The
// steps of the lists are counted in package ordered.
func TestNewestSteps(t *testing.T) {
	const n, each = 2000, 4
	for name, generation := range map[string]func(i int) int64{
		"one generation":         func(int) int64 { return 1 },
		"rising generations":     func(i int) int64 { return int64(i) },
		"falling generations":    func(i int) int64 { return int64(-i) },
		"generations that shift": func(i int) int64 { return int64(i % 7) },
	} {
		for _, shared := range []bool{false, true} {
			var p device.Newest[int]
			var published []*device.Published[int]
			steps := 0
			change := func(old, next *device.Published[int]) {
				before, after := p.Change(old, next)
				steps += len(before) + len(after)
			}
			for i := range n {
				var devices []device.Named[int]
				for j := range each {
					name := fmt.Sprint(j)
					if !shared {
						name = fmt.Sprint(i, "-", j)
					}
					devices = append(devices, device.Named[int]{Name: name, Value: i})
				}
				published = append(published, device.Publish(fmt.Sprint(i), generation(i), devices))
				change(nil, published[i])
			}
			for _, s := range published {
				change(s, nil)
			}
			// When the seven generations shift, all devices of one become others, seven times.
			if limit := 8 * n * each; steps > limit || !p.Empty() {
				t.Errorf("%s, shared: %t: %d steps, want at most %d", name, shared, steps, limit)
			}
		}
	}
}

// A slice has each device once, the first one that is published, by name.
func TestPublishedDevices(t *testing.T) {
	s := device.Publish("s", 0, []device.Named[int]{{"b", 1}, {"a", 2}, {"b", 3}, {"a", 4}})
	if got := fmt.Sprint(s.Devices()); got != "[{a 2} {b 1}]" {
		t.Error(got)
	}
}

func TestNewestAllocs(t *testing.T) {
	var p device.Newest[int]
	for _, name := range []string{"a", "b"} {
		p.Replace(nil, device.Publish(name, 0, []device.Named[int]{{Name: "d"}, {Name: name}}))
	}
	if n := testing.AllocsPerRun(100, func() { p.Find("d"); p.Find("e"); p.Each(func(*device.Named[int]) {}) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
