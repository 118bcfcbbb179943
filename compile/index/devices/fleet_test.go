package devices_test

import (
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/tolero-dev/tolero/compile"
	"github.com/tolero-dev/tolero/compile/index"
	"github.com/tolero-dev/tolero/compile/index/devices"
	"github.com/tolero-dev/tolero/fuzz/target"
	"github.com/tolero-dev/tolero/match/device"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// ptr returns a pointer to a copy of v.
func ptr[T any](v T) *T { return &v }

// model is what is there, without any index.
type model struct {
	slices map[string]device.Slice
	rules  map[string]device.Rule
}

// devices returns the taints of each device of the newest generations.
func (m *model) devices() map[device.ID][]taint.Taint {
	newest := map[device.ID]int64{}
	for _, s := range m.slices {
		if n, ok := newest[s.ID("")]; !ok || s.Pool.Generation > n {
			newest[s.ID("")] = s.Pool.Generation
		}
	}
	var rules []device.Rule
	for _, name := range slices.Sorted(maps.Keys(m.rules)) {
		rules = append(rules, m.rules[name])
	}
	all := map[device.ID][]taint.Taint{}
	for _, name := range slices.Sorted(maps.Keys(m.slices)) {
		s := m.slices[name]
		for _, d := range s.Devices {
			if _, twice := all[s.ID(d.Name)]; !twice && s.Pool.Generation == newest[s.ID("")] {
				all[s.ID(d.Name)] = device.AppendEffective(nil, d.Taints, rules, s.ID(d.Name))
			}
		}
	}
	return all
}

var (
	drivers = rapid.SampledFrom([]string{"d", "e", "d/p"})
	pools   = rapid.SampledFrom([]string{"p", "q", "p/q"})
	names   = rapid.SampledFrom([]string{"0", "1", "2", "q/0"})
	taints  = rapid.Custom(func(t *rapid.T) taint.Taint {
		return taint.Taint{Key: rapid.SampledFrom([]string{"a", "b"}).Draw(t, "key"), Value: rapid.SampledFrom([]string{"", "5"}).Draw(t, "value"),
			Effect: rapid.SampledFrom([]taint.Effect{taint.NoExecute, taint.NoSchedule, device.None, "PreferNoSchedule"}).Draw(t, "effect")}
	})
	requests = rapid.SliceOfN(rapid.Custom(func(t *rapid.T) toleration.Toleration {
		return toleration.Toleration{Key: rapid.SampledFrom([]string{"a", "b", ""}).Draw(t, "key"), Value: rapid.SampledFrom([]string{"", "4", "5"}).Draw(t, "value"),
			Operator: rapid.SampledFrom([]toleration.Operator{toleration.OpExists, toleration.OpEqual, "", "Gt"}).Draw(t, "operator"),
			Effect:   rapid.SampledFrom([]taint.Effect{taint.NoExecute, taint.NoSchedule, "", device.None}).Draw(t, "effect")}
	}), 0, 3)
	slicesOf = rapid.Custom(func(t *rapid.T) device.Slice {
		s := device.Slice{Driver: drivers.Draw(t, "driver"), Pool: device.Pool{Name: pools.Draw(t, "pool"), Generation: rapid.Int64Range(-1, 1).Draw(t, "generation")}}
		for _, name := range rapid.SliceOfN(names, 0, 4).Draw(t, "devices") {
			s.Devices = append(s.Devices, device.Device{Name: name, Taints: rapid.SliceOfN(taints, 0, 2).Draw(t, "taints")})
		}
		return s
	})
	rulesOf = rapid.Custom(func(t *rapid.T) device.Rule {
		part := func(names *rapid.Generator[string]) *string {
			if rapid.Bool().Draw(t, "any") {
				return nil
			}
			return ptr(names.Draw(t, "name"))
		}
		r := device.Rule{Taint: taints.Draw(t, "taint")}
		if rapid.IntRange(0, 7).Draw(t, "selector") > 0 {
			r.DeviceSelector = &device.Selector{Driver: part(drivers), Pool: part(pools), Device: part(names)}
		}
		return r
	})
	ruleNames  = rapid.SampledFrom([]string{"r", "s", "t"})
	sliceNames = rapid.SampledFrom([]string{"u", "v", "w", "x"})
)

// compare compares a snapshot with the model, for a request.
func compare(t rapid.TB, s *index.Snapshot, m *model, request []toleration.Toleration) {
	all := m.devices()
	if s.Len() != len(all) {
		t.Fatalf("%d devices, want %d", s.Len(), len(all))
	}
	var fit index.Fit
	s.FitList(&fit, request)
	compareCompiled(t, s, &fit, request)
	for id, list := range all {
		node, known := s.ID(devices.Name(id))
		if !known {
			t.Fatalf("%v is missing", id)
		}
		i, forbidden := device.FirstUntolerated(list, request)
		if fit.Has(node) == forbidden {
			t.Fatalf("%v with %v and %v: fits: %t", id, list, request, !forbidden)
		}
		x, refused := fit.FirstUntolerated(s.Class(node), 0xff)
		if refused != forbidden || refused && x.String() != list[i].String() {
			t.Fatalf("%v with %v and %v: refused by %v, %t", id, list, request, x, refused)
		}
	}
}

// compareCompiled asks the index with a matcher that was compiled for it: the same
// program serves.
func compareCompiled(t rapid.TB, s *index.Snapshot, fit *index.Fit, request []toleration.Toleration) {
	var m compile.Matcher
	var compiled index.Fit
	s.Compile(&m, request)
	s.Fit(&compiled, &m)
	if got, want := slices.Collect(compiled.Nodes()), slices.Collect(fit.Nodes()); !slices.Equal(got, want) {
		t.Fatalf("%v leaves %v, compiled before %v", request, want, got)
	}
}

// TestFleet does anything to a fleet and a model, and compares them, with previews and
// old snapshots.
func TestFleet(t *testing.T) { rapid.Check(t, checkFleet) }

func FuzzFleet(f *testing.F) {
	target.Fuzz(f, target.Rapid(checkFleet))
}

func checkFleet(t *rapid.T) {
	var f devices.Fleet
	m := &model{map[string]device.Slice{}, map[string]device.Rule{}}
	first := f.Snapshot()
	for range rapid.IntRange(1, 20).Draw(t, "steps") {
		step(t, &f, m)
		request := requests.Draw(t, "request")
		compare(t, f.Snapshot(), m, request)
		preview(t, &f, m, request)
	}
	compare(t, first, new(model), nil)
	for name := range m.slices {
		f.DeleteSlice(name)
	}
	if drivers, pools, names := f.Names(); drivers+pools+names+f.Len() != 0 {
		t.Fatalf("left of an empty fleet: %d drivers, %d pools, %d names, %d devices", drivers, pools, names, f.Len())
	}
}

func step(t *rapid.T, f *devices.Fleet, m *model) {
	slice, rule := sliceNames.Draw(t, "slice"), ruleNames.Draw(t, "rule")
	switch rapid.IntRange(0, 7).Draw(t, "kind") {
	case 0, 1, 2:
		s := slicesOf.Draw(t, "spec")
		m.slices[slice] = s
		f.SetSlice(slice, &s)
	case 3:
		delete(m.slices, slice)
		f.DeleteSlice(slice)
	case 4, 5:
		r := rulesOf.Draw(t, "spec")
		m.rules[rule] = r
		f.SetRule(rule, &r)
	case 6:
		delete(m.rules, rule)
		f.DeleteRule(rule)
	default:
		many := rapid.MapOfN(sliceNames, slicesOf, 0, 4).Draw(t, "slices")
		maps.Copy(m.slices, many)
		f.Load(pointers(many))
	}
}

func pointers(many map[string]device.Slice) iter.Seq2[string, *device.Slice] {
	return func(yield func(string, *device.Slice) bool) {
		for name, s := range many {
			if !yield(name, &s) {
				return
			}
		}
	}
}

// preview compares both sides of a preview, and what it selects.
func preview(t *rapid.T, f *devices.Fleet, m *model, request []toleration.Toleration) {
	name, r := ruleNames.Draw(t, "rule"), rulesOf.Draw(t, "spec")
	next := &model{m.slices, maps.Clone(m.rules)}
	next.rules[name] = r
	old := m.rules[name]
	want := 0
	for id := range m.devices() {
		if r.Selects(id) || old.Selects(id) {
			want++
		}
	}
	before, after, selected := f.Preview(name, &r)
	compare(t, before, m, request)
	compare(t, after, next, request)
	compare(t, f.Snapshot(), m, request)
	if selected != want {
		t.Fatalf("%d selected, want %d", selected, want)
	}
}

func ExampleFleet_Preview() {
	var fleet devices.Fleet
	for i := range 3 {
		slice := device.Slice{Driver: "gpu.example.com", Pool: device.Pool{Name: fmt.Sprint("node-", i)}}
		for j := range 4 {
			slice.Devices = append(slice.Devices, device.Device{Name: fmt.Sprint("gpu-", j)})
		}
		fleet.SetSlice(slice.Pool.Name, &slice)
	}
	drain := device.Rule{DeviceSelector: &device.Selector{Pool: ptr("node-1")}, Taint: taint.MustParse("example.com/drain:NoSchedule")}
	before, after, selected := fleet.Preview("drain", &drain)
	var fit index.Fit
	before.FitList(&fit, nil)
	now := fit.Len()
	after.FitList(&fit, nil)
	fmt.Println(selected, "devices selected; free for a request without tolerations:", now, "before,", fit.Len(), "after")
	// Output:
	// 4 devices selected; free for a request without tolerations: 12 before, 8 after
}

// Nothing is allocated to ask again.
func TestRequestAllocates(t *testing.T) {
	f := benchFleetOf(100)
	s := f.Snapshot()
	var fit index.Fit
	for _, list := range [][]toleration.Toleration{nil, benchRequest, {{Operator: toleration.OpExists}}, {{Key: "example.com/state-3", Operator: "Gt", Value: "5"}}} {
		if allocs := testing.AllocsPerRun(10, func() { s.FitList(&fit, list) }); allocs != 0 {
			t.Errorf("%v: %v allocations", list, allocs)
		}
	}
}

// A nil slice or rule is none.
func TestNil(t *testing.T) {
	f := benchFleetOf(2)
	f.Load(func(yield func(string, *device.Slice) bool) { yield("node-1", nil) })
	if f.SetSlice("node-1", nil); f.Len() != 8 || f.SetRule("rule-0", nil) != 8 || f.SetRule("rule-0", nil) != 0 {
		t.Errorf("%d devices", f.Len())
	}
}

// A Load whose iterator panics changes nothing: what it gave before can be set afterwards.
func TestLoadPanics(t *testing.T) {
	slice := func(driver, own string) *device.Slice {
		return &device.Slice{Driver: driver, Pool: device.Pool{Name: "p"}, Devices: []device.Device{{Name: "0", Taints: []taint.Taint{taint.MustParse(own)}}}}
	}
	var f devices.Fleet
	f.SetSlice("kept", slice("d", "a:NoSchedule"))
	m := &model{map[string]device.Slice{"kept": *slice("d", "a:NoSchedule")}, nil}
	func() {
		defer func() { recover() }()
		f.Load(func(yield func(string, *device.Slice) bool) {
			yield("kept", slice("e", "b:NoSchedule"))
			yield("new", slice("d", "b:NoSchedule"))
			panic("the source is gone")
		})
	}()
	compare(t, f.Snapshot(), m, nil)
	for name, s := range map[string]*device.Slice{"kept": slice("e", "b:NoSchedule"), "new": slice("d", "b:NoSchedule")} {
		f.SetSlice(name, s)
		m.slices[name] = *s
	}
	compare(t, f.Snapshot(), m, nil)
	f.DeleteSlice("kept")
	f.DeleteSlice("new")
	if drivers, pools, names := f.Names(); drivers+pools+names+f.Len() != 0 {
		t.Errorf("left: %d drivers, %d pools, %d names, %d devices", drivers, pools, names, f.Len())
	}
}

// A fleet says what the index knows a device by.
func TestID(t *testing.T) {
	var f devices.Fleet
	slice := device.Slice{Driver: "d", Pool: device.Pool{Name: "p"}, Devices: []device.Device{{Name: "0"}}}
	f.SetSlice("s", &slice)
	id, known := f.ID(slice.ID("0"))
	if name, named := f.Snapshot().Name(id); !known || !named || name != "d/p/0" {
		t.Errorf("%t, %q", known, name)
	}
	if _, known := f.ID(slice.ID("1")); known {
		t.Error("a device that is not there is known")
	}
}

// Different devices have different names, whatever is in them.
func TestNames(t *testing.T) {
	parts := []string{"", "a", "a/b", "b", `"a"`, `"a"/"b"`, "/", `"`}
	seen := map[string]device.ID{}
	for _, driver := range parts {
		for _, pool := range parts {
			for _, name := range parts {
				id := device.ID{Driver: driver, Pool: pool, Device: name}
				if other, twice := seen[devices.Name(id)]; twice {
					t.Errorf("%q: %#v and %#v", devices.Name(id), id, other)
				}
				seen[devices.Name(id)] = id
			}
		}
	}
	if got := devices.Name(device.ID{Driver: "d", Pool: "p/q", Device: "0"}); got != "d/p/q/0" || strings.Contains(got, `"`) {
		t.Error(got)
	}
}
