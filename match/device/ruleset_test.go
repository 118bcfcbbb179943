package device_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/tolero-dev/tolero/fuzz/target"
	"github.com/tolero-dev/tolero/match/device"
	"github.com/tolero-dev/tolero/taint"
)

var (
	anyName = rapid.SampledFrom([]string{"", "a", "b"})
	anyRule = rapid.Custom(func(t *rapid.T) device.Rule {
		part := func() *string {
			if rapid.Bool().Draw(t, "any") {
				return nil
			}
			return ptr(anyName.Draw(t, "part"))
		}
		r := device.Rule{Taint: drawTaint(t)}
		if rapid.IntRange(0, 7).Draw(t, "selector") > 0 {
			r.DeviceSelector = &device.Selector{Driver: part(), Pool: part(), Device: part()}
		}
		return r
	})
)

// checkRuleSet sets and deletes rules in a set and in a map, and compares what selects
// devices.
func checkRuleSet(t *rapid.T) {
	var set device.RuleSet
	model := map[string]device.Rule{}
	for range rapid.IntRange(1, 30).Draw(t, "steps") {
		name := rapid.StringMatching(`[a-f]`).Draw(t, "name")
		_, known := model[name]
		if rapid.IntRange(0, 3).Draw(t, "delete") == 0 {
			delete(model, name)
			if got := set.Delete(name); got != known {
				t.Fatalf("deletes %s: %t", name, got)
			}
		} else {
			r := anyRule.Draw(t, "rule")
			model[name] = r.Clone()
			set.Set(name, &r)
			r.Taint.Key = "changed afterwards"
			if s := r.DeviceSelector; s != nil && s.Pool != nil {
				*s.Pool = "changed afterwards"
			}
		}
		compareRuleSet(t, &set, model, device.ID{Driver: anyName.Draw(t, "driver"), Pool: anyName.Draw(t, "pool"), Device: anyName.Draw(t, "device")})
	}
}

func compareRuleSet(t *rapid.T, set *device.RuleSet, model map[string]device.Rule, id device.ID) {
	if set.Len() != len(model) {
		t.Fatalf("%d rules, want %d", set.Len(), len(model))
	}
	for name, want := range model {
		if r := set.Get(name); r == nil || !r.Equal(&want) {
			t.Fatalf("%s is %+v, want %+v", name, r, want)
		}
	}
	selectors := map[string]bool{}
	for _, r := range model {
		selectors[viaJSON(t, r.DeviceSelector)] = true
	}
	if kept, counted := set.Selections(); kept != len(selectors) || counted != kept {
		t.Fatalf("%d selectors, counted as %d, want %d", kept, counted, len(selectors))
	}
	var rules []device.Rule
	var want, got []string
	for _, name := range slices.Sorted(maps.Keys(model)) {
		r := model[name]
		if rules = append(rules, r); r.Selects(id) {
			want = append(want, name)
		}
	}
	for name, r := range set.Selecting(id) {
		if got = append(got, name); r != set.Get(name) {
			t.Fatalf("%s is another rule", name)
		}
	}
	if !slices.Equal(got, want) {
		t.Fatalf("%v is selected by %v, want %v", id, got, want)
	}
	own := []taint.Taint{{Key: "own"}}
	if got, want := set.AppendEffective(nil, own, id), device.AppendEffective(nil, own, rules, id); !taint.Equal(got, want) {
		t.Fatalf("%v has %v, want %v", id, got, want)
	}
}

func viaJSON(t rapid.TB, value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestD4RuleSet(t *testing.T) { rapid.Check(t, checkRuleSet) }

func FuzzRuleSet(f *testing.F) {
	target.Fuzz(f, target.Rapid(checkRuleSet))
}

// An empty set has nothing, an iteration may stop, and looking for rules does not
// allocate.
func TestRuleSetOddities(t *testing.T) {
	var set device.RuleSet
	if set.Delete("a") || set.Len() != 0 || set.Get("a") != nil || set.AppendEffective(nil, nil, device.ID{}) != nil {
		t.Error("an empty set has something")
	}
	set.Set("a", &device.Rule{})
	if set.Set("a", nil); set.Len() != 0 {
		t.Error("a nil rule is one")
	}
	for i := range 100 {
		set.Set(fmt.Sprint(i), &device.Rule{DeviceSelector: &device.Selector{Pool: ptr(fmt.Sprint(i % 4))}})
		set.Set(fmt.Sprint("any ", i), &device.Rule{DeviceSelector: &device.Selector{}})
	}
	for name := range set.Selecting(device.ID{Pool: "1"}) {
		if name != "1" {
			t.Errorf("the first is %q", name)
		}
		break
	}
	buffer := make([]taint.Taint, 0, 200)
	if allocs := testing.AllocsPerRun(10, func() { buffer = set.AppendEffective(buffer[:0], nil, device.ID{Pool: "1"}) }); allocs != 0 || len(buffer) != 125 {
		t.Errorf("%v allocations for %d taints", allocs, len(buffer))
	}
}

// A device may be selected in each of the eight ways at once.
func TestRuleSetOfAllSelectors(t *testing.T) {
	var set device.RuleSet
	var want []string
	some := func(part bool) *string {
		if !part {
			return nil
		}
		return ptr("x")
	}
	for i := range 8 {
		selector := &device.Selector{Driver: some(i&1 > 0), Pool: some(i&2 > 0), Device: some(i&4 > 0)}
		set.Set(fmt.Sprint(i), &device.Rule{DeviceSelector: selector})
		want = append(want, fmt.Sprint(i))
	}
	var got []string
	for name := range set.Selecting(device.ID{Driver: "x", Pool: "x", Device: "x"}) {
		got = append(got, name)
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// A slice names its devices with the driver and the pool.
func TestSliceID(t *testing.T) {
	s := device.Slice{Driver: "d", Pool: device.Pool{Name: "p/q"}}
	if got, want := s.ID("0"), (device.ID{Driver: "d", Pool: "p/q", Device: "0"}); got != want || got.String() != "d/p/q/0" {
		t.Errorf("%+v", got)
	}
}

// Rules of one selector may come in any order, and many at a time: package
// match/internal/ordered counts the steps of each.
func TestRulesOfOneSelector(t *testing.T) {
	const n = 3000
	var set device.RuleSet
	r := device.Rule{DeviceSelector: &device.Selector{Driver: ptr("d")}}
	for i := range n {
		set.Set(fmt.Sprintf("%04d", n-1-i), &r)
	}
	id, i := device.ID{Driver: "d"}, 0
	for name := range set.Selecting(id) {
		if want := fmt.Sprintf("%04d", i); name != want {
			t.Fatalf("%s, want %s", name, want)
		}
		i++
	}
	if got := len(set.AppendEffective(nil, nil, id)); i != n || got != n {
		t.Errorf("%d rules, %d taints", i, got)
	}
	for i := range n {
		set.Delete(fmt.Sprintf("%04d", i))
	}
	if kept, counted := set.Selections(); kept != 0 || counted != 0 || set.Len() != 0 {
		t.Errorf("%d, %d selections", kept, counted)
	}
}
