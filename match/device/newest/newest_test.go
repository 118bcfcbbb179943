package newest_test

import (
	"cmp"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/tolero-dev/tolero/fuzz/target"
	"github.com/tolero-dev/tolero/match/device/newest"
)

type slice struct {
	name       string
	generation int64
	devices    []newest.Device[int]
}

func (s *slice) publish() *newest.Slice[int] {
	if s == nil {
		return nil
	}
	return newest.Publish(s.name, s.generation, slices.Clone(s.devices))
}

// devices returns the devices of the newest of some slices, by loops.
func devices(all map[string]*slice) map[string]int {
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
func values(all map[string]*slice) (list []*slice) {
	for _, s := range all {
		list = append(list, s)
	}
	slices.SortFunc(list, func(a, b *slice) int { return cmp.Compare(a.name, b.name) })
	return list
}

var (
	names       = rapid.SampledFrom([]string{"a", "b", "c", "d"})
	generations = rapid.SampledFrom([]int64{-1 << 63, -1, 0, 1, 1<<63 - 1})
	someSlices  = rapid.Custom(func(t *rapid.T) *slice {
		s := &slice{generation: generations.Draw(t, "generation")}
		for _, name := range rapid.SliceOfN(names, 0, 4).Draw(t, "devices") {
			s.devices = append(s.devices, newest.Device[int]{Name: name, Value: rapid.IntRange(0, 1).Draw(t, "value")})
		}
		return s
	})
)

// A pool is as loops say after every change, and a change says what changed.
func TestModel(t *testing.T) { rapid.Check(t, checkModel) }

func FuzzModel(f *testing.F) {
	target.Fuzz(f, target.Rapid(checkModel))
}

func checkModel(t *rapid.T) {
	var p newest.Pool[int]
	compare(t, &p, nil, nil)
	specs, published := map[string]*slice{}, map[string]*newest.Slice[int]{}
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
		newest.Diff(was, is, func(a, b int) bool { return a == b }, func(d *newest.Device[int]) {
			if before[d.Name] != d.Value {
				t.Fatalf("%v is gone, it was %d", *d, before[d.Name])
			}
			delete(before, d.Name)
		}, func(d *newest.Device[int]) { changed[d.Name] = d.Value })
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

func compare(t *rapid.T, p *newest.Pool[int], specs map[string]*slice, want map[string]int) {
	all, each := map[string]int{}, map[string]int{}
	list := p.All()
	for _, d := range list {
		all[d.Name] = d.Value
	}
	p.Each(func(d *newest.Device[int]) { each[d.Name] = d.Value })
	if fmt.Sprint(all) != fmt.Sprint(want) || fmt.Sprint(each) != fmt.Sprint(want) || len(list) != len(want) ||
		!slices.IsSortedFunc(list, func(a, b newest.Device[int]) int { return cmp.Compare(a.Name, b.Name) }) {
		t.Fatalf("%v and %v, want %v", list, each, want)
	}
	for _, name := range []string{"a", "b", "c", "d"} {
		value, known := want[name]
		if d := p.Find(name); (d != nil) != known || known && d.Value != value {
			t.Fatalf("%s: %v, want %d, %t", name, d, value, known)
		}
	}
	generation, ok := p.Newest()
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
func TestSteps(t *testing.T) {
	const n, each = 2000, 4
	for name, generation := range map[string]func(i int) int64{
		"one generation":         func(int) int64 { return 1 },
		"rising generations":     func(i int) int64 { return int64(i) },
		"falling generations":    func(i int) int64 { return int64(-i) },
		"generations that shift": func(i int) int64 { return int64(i % 7) },
	} {
		for _, shared := range []bool{false, true} {
			var p newest.Pool[int]
			var published []*newest.Slice[int]
			steps := 0
			change := func(old, next *newest.Slice[int]) {
				before, after := p.Change(old, next)
				steps += len(before) + len(after)
			}
			for i := range n {
				var devices []newest.Device[int]
				for j := range each {
					device := fmt.Sprint(j)
					if !shared {
						device = fmt.Sprint(i, "-", j)
					}
					devices = append(devices, newest.Device[int]{Name: device, Value: i})
				}
				published = append(published, newest.Publish(fmt.Sprint(i), generation(i), devices))
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
func TestDevices(t *testing.T) {
	s := newest.Publish("s", 0, []newest.Device[int]{{"b", 1}, {"a", 2}, {"b", 3}, {"a", 4}})
	if got := fmt.Sprint(s.Devices()); got != "[{a 2} {b 1}]" {
		t.Error(got)
	}
}

func TestAllocs(t *testing.T) {
	var p newest.Pool[int]
	for _, name := range []string{"a", "b"} {
		p.Replace(nil, newest.Publish(name, 0, []newest.Device[int]{{Name: "d"}, {Name: name}}))
	}
	if n := testing.AllocsPerRun(100, func() { p.Find("d"); p.Find("e"); p.Each(func(*newest.Device[int]) {}) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
