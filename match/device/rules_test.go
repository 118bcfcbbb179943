package device_test

import (
	"encoding/json"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/tolero-dev/tolero/fuzz/notation"
	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/match/device"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// evicting is a NoExecute taint.
func evicting(key string, second float64) taint.Taint {
	return taint.Taint{Key: key, Effect: taint.NoExecute, TimeAdded: added(second)}
}

// exists is a toleration of a key with NoExecute, for seconds unless they are
// negative.
func exists(key string, seconds int64) toleration.Toleration {
	t := toleration.Toleration{Key: key, Operator: toleration.OpExists, Effect: taint.NoExecute}
	if seconds >= 0 {
		t.TolerationSeconds = &seconds
	}
	return t
}

// D1: None and what is unknown prevent nothing and evict nobody, and equal taints
// may be side by side.
func TestD1Effects(t *testing.T) {
	for _, effect := range []taint.Effect{device.None, taint.PreferNoSchedule, "", "noexecute"} {
		taints := []taint.Taint{{Key: "a", Effect: effect, TimeAdded: added(0)}}
		if _, ok := device.FirstUntolerated(taints, nil); ok {
			t.Errorf("%q prevents allocation", effect)
		}
		if _, ok := device.EvictionTime(taints, nil); ok {
			t.Errorf("%q evicts", effect)
		}
	}
	twice := []taint.Taint{evicting("a", 0), evicting("a", 0)}
	if left := device.Filter(nil, twice, nil); len(left) != 2 || device.ValidateTaints(twice) != nil {
		t.Errorf("of two equal taints %v prevent, and validation says %v", left, device.ValidateTaints(twice))
	}
}

// D3: no selector takes nothing, an empty one everything, and parts are ANDed.
func TestD3Selector(t *testing.T) {
	id := device.ID{Driver: "gpu.example.com", Pool: "node-1", Device: "gpu-0"}
	for _, test := range []struct {
		selector *device.Selector
		want     bool
	}{
		{nil, false},
		{&device.Selector{}, true},
		{&device.Selector{Driver: ptr("gpu.example.com")}, true},
		{&device.Selector{Driver: ptr("GPU.example.com")}, false},
		{&device.Selector{Driver: ptr("")}, false},
		{&device.Selector{Pool: ptr("node-1")}, true},
		{&device.Selector{Device: ptr("gpu-0")}, true},
		{&device.Selector{Driver: ptr("gpu.example.com"), Pool: ptr("node-1"), Device: ptr("gpu-0")}, true},
		{&device.Selector{Driver: ptr("gpu.example.com"), Pool: ptr("node-2"), Device: ptr("gpu-0")}, false},
		{&device.Selector{Pool: ptr("node-1"), Device: ptr("gpu-1")}, false},
		{&device.Selector{Pool: ptr("*")}, false},
	} {
		rule := device.Rule{DeviceSelector: test.selector}
		if got := rule.Selects(id); got != test.want {
			t.Errorf("%+v selects: %t, want %t", test.selector, got, test.want)
		}
	}
}

// D4: own taints first, then those of the rules, all of them.
func TestD4Effective(t *testing.T) {
	own := []taint.Taint{{Key: "own", Effect: device.None}}
	rules := []device.Rule{
		{Taint: taint.Taint{Key: "no-selector"}},
		{DeviceSelector: &device.Selector{}, Taint: taint.Taint{Key: "own", Effect: device.None}},
		{DeviceSelector: &device.Selector{Pool: ptr("p")}, Taint: taint.Taint{Key: "pool", Effect: taint.NoSchedule}},
	}
	keys := func(taints []taint.Taint) (keys []string) {
		for _, x := range taints {
			keys = append(keys, x.Key)
		}
		return keys
	}
	if got := keys(device.AppendEffective(nil, own, rules, device.ID{Pool: "p"})); !slices.Equal(got, []string{"own", "own", "pool"}) {
		t.Error(got)
	}
	if got := keys(device.AppendEffective(nil, nil, rules[:1], device.ID{})); got != nil {
		t.Error(got)
	}
}

// D6: a toleration with an empty effect lets the device be allocated, and its pod is
// then evicted at once. On a node the same list lets the pod stay forever.
func TestD6EmptyEffect(t *testing.T) {
	taints := []taint.Taint{evicting("a", 0)}
	tolerations := []toleration.Toleration{{Operator: toleration.OpExists}}
	if _, ok := device.FirstUntolerated(taints, tolerations); ok {
		t.Error("the device cannot be allocated")
	}
	if e, ok := device.EvictionTime(taints, tolerations); !ok || !e.At.Equal(at(0)) || e.Toleration != -1 {
		t.Errorf("evicted: %t, %+v", ok, e)
	}
	if verdict := match.Decide(taints, tolerations); verdict != (match.Verdict{}) {
		t.Errorf("on a node: %v", verdict)
	}
}

// D6: of several tolerations that match, one without seconds wins, and else the
// least seconds, whatever the order. D7: they count from TimeAdded, and overflow is
// cut off. On a node the first one wins (E2).
func TestD6Seconds(t *testing.T) {
	taints := []taint.Taint{evicting("a", 100)}
	for _, test := range []struct {
		name        string
		tolerations []toleration.Toleration
		want        time.Time // zero if the pod is not evicted
		by          int
	}{
		{"untolerated", nil, at(100), -1},
		{"another key", []toleration.Toleration{exists("b", -1)}, at(100), -1},
		{"forever", []toleration.Toleration{exists("a", -1)}, time.Time{}, 0},
		{"forever wins", []toleration.Toleration{exists("a", 10), exists("", -1), exists("a", 5)}, time.Time{}, 0},
		{"least wins", []toleration.Toleration{exists("a", 300), exists("a", 20), exists("", 40)}, at(120), 1},
		{"zero", []toleration.Toleration{exists("a", 300), exists("a", 0)}, at(100), 1},
		{"another effect does not count", []toleration.Toleration{exists("a", 300), {Operator: toleration.OpExists, Effect: taint.NoSchedule}}, at(400), 0},
		{"longest", []toleration.Toleration{exists("a", math.MaxInt64)}, at(100).Add(match.MaxDelay), 0},
		{"overflow", []toleration.Toleration{exists("a", 18446744074)}, at(100).Add(match.MaxDelay), 0},
	} {
		e, ok := device.EvictionTime(taints, test.tolerations)
		if ok == test.want.IsZero() || ok && (!e.At.Equal(test.want) || e.Toleration != test.by) {
			t.Errorf("%s: %t, %+v, want %v by %d", test.name, ok, e, test.want, test.by)
		}
	}
	negative := exists("a", 0)
	negative.TolerationSeconds = ptr(int64(math.MinInt64))
	if e, ok := device.EvictionTime(taints, []toleration.Toleration{negative}); !ok || !e.At.Equal(at(100)) {
		t.Errorf("negative seconds: %t, %+v", ok, e)
	}
}

// D7: a taint without TimeAdded, nil or zero, evicts nobody, but it is among the
// reasons.
func TestD7NoTime(t *testing.T) {
	for _, none := range []*taint.Time{nil, {}} {
		taints := []taint.Taint{{Key: "a", Effect: taint.NoExecute, TimeAdded: none}, evicting("b", 7)}
		for _, tolerations := range [][]toleration.Toleration{nil, {exists("a", 5)}} {
			if e, ok := device.EvictionTime(taints[:1], tolerations); ok {
				t.Errorf("evicted: %+v", e)
			}
			if e, ok := device.EvictionTime(taints, tolerations); !ok || e.Taint != 1 {
				t.Errorf("evicted: %t, %+v", ok, e)
			}
			if got := device.AppendEvicting(nil, taints, tolerations); !slices.Equal(got, []int{0, 1}) {
				t.Errorf("evicting: %v", got)
			}
		}
	}
}

// D8: the earliest over the devices of all claims.
func TestD8Earliest(t *testing.T) {
	taints := map[string][]taint.Taint{"slow": {evicting("a", 50), evicting("b", 40)}, "quick": {evicting("a", 30)}}
	of := func(id device.ID) []taint.Taint { return taints[id.Device] }
	allocations := []device.Allocation{
		{ID: device.ID{Device: "none"}},
		{ID: device.ID{Device: "slow"}},
		{ID: device.ID{Device: "quick"}, Tolerations: []toleration.Toleration{exists("a", 60)}},
	}
	e, ok := device.EarliestEviction(allocations, of)
	if want := (device.Eviction{At: at(40), Allocation: 1, Taint: 1, Toleration: -1}); !ok || e != want {
		t.Errorf("%t, %+v, want %+v", ok, e, want)
	}
	if _, ok := device.EarliestEviction(allocations[:1], of); ok {
		t.Error("a device without taints evicts")
	}
	if _, ok := device.EarliestEviction(nil, of); ok {
		t.Error("no device evicts")
	}
}

// D11: the API server's TimeAdded.
func TestD11TimeAdded(t *testing.T) {
	old := device.Rule{Taint: taint.Taint{Key: "a", Effect: device.None}}
	old.SetDefaults(at(10.7))
	if !old.Taint.TimeAdded.Equal(at(10)) {
		t.Errorf("created: %v", old.Taint.TimeAdded)
	}
	for _, test := range []struct {
		name   string
		change func(*device.Rule)
		want   float64
	}{
		{"nothing", func(*device.Rule) {}, 10},
		{"effect", func(r *device.Rule) { r.Taint.Effect = taint.NoExecute }, 20},
		{"effect and time", func(r *device.Rule) { r.Taint.Effect, r.Taint.TimeAdded = taint.NoExecute, added(3) }, 3},
		{"effect and no time", func(r *device.Rule) { r.Taint.Effect, r.Taint.TimeAdded = taint.NoExecute, nil }, 20},
		{"no time", func(r *device.Rule) { r.Taint.TimeAdded = nil }, 20},
		{"key and value", func(r *device.Rule) { r.Taint.Key, r.Taint.Value = "b", "x" }, 10},
		{"selector", func(r *device.Rule) { r.DeviceSelector = &device.Selector{} }, 10},
	} {
		updated := old.Clone()
		test.change(&updated)
		before := updated.Taint.TimeAdded
		updated.PrepareUpdate(&old, at(20.9))
		if !updated.Taint.TimeAdded.Equal(at(test.want)) {
			t.Errorf("%s: %v, want %v", test.name, updated.Taint.TimeAdded, at(test.want))
		}
		if before != nil && !before.Equal(at(10)) && !before.Equal(at(3)) {
			t.Errorf("%s: the time was written to", test.name)
		}
	}
	if !old.Taint.TimeAdded.Equal(at(10)) {
		t.Error("the old rule was changed")
	}
}

// The structs have the API's JSON.
func TestJSON(t *testing.T) {
	for text, into := range map[string]any{
		`{"deviceSelector":{"driver":"d","pool":"p","device":"x"},"taint":{"key":"a","value":"v","effect":"None","timeAdded":"2026-01-02T03:04:05Z"}}`: new(device.Rule),
		`{"taint":{"key":"a","effect":"NoExecute"}}`:                                                                                                       new(device.Rule),
		`{"deviceSelector":{},"taint":{"key":"a","effect":"NoExecute"}}`:                                                                                   new(device.Rule),
		`{"driver":"d","pool":{"name":"p","generation":3},"devices":[{"name":"x","taints":[{"key":"a","effect":"NoSchedule"}]}]}`:                          new(device.Slice),
		`{"request":"r","driver":"d","pool":"p","device":"x","tolerations":[{"key":"a","operator":"Exists","effect":"NoExecute","tolerationSeconds":30}]}`: new(device.Allocation),
	} {
		if err := json.Unmarshal([]byte(text), into); err != nil {
			t.Fatal(err)
		}
		if again, err := json.Marshal(into); err != nil || string(again) != text {
			t.Errorf("%s, want %s (%v)", again, text, err)
		}
	}
}

// Copies of a rule.
func TestCopies(t *testing.T) {
	rule := device.Rule{DeviceSelector: &device.Selector{Pool: ptr("p")}, Taint: evicting("a", 1)}
	again := rule.Clone()
	if !rule.Equal(&again) {
		t.Error("a copy of a rule differs")
	}
	*again.DeviceSelector.Pool = "q"
	if rule.Equal(&again) || *rule.DeviceSelector.Pool != "p" {
		t.Error("another pool is not noticed, or shared")
	}
	again.DeviceSelector = nil
	if rule.Equal(&again) {
		t.Error("no selector equals one")
	}
}

// TestD6Execution has every pair of effects: only NoExecute on both sides counts.
func TestD6Execution(t *testing.T) {
	effects := []taint.Effect{"", device.None, taint.NoSchedule, taint.NoExecute, "NoExec", "NoExecuteX"}
	for _, own := range effects {
		for _, other := range effects {
			list, x := []toleration.Toleration{{Key: "a", Operator: toleration.OpExists, Effect: own}}, []taint.Taint{{Key: "a", Effect: other}}
			if got, want := len(device.AppendEvicting(nil, x, list)) > 0, own != taint.NoExecute && other == taint.NoExecute; got != want {
				t.Errorf("%q tolerated by %q evicts: %t, want %t", other, own, got, want)
			}
		}
	}
}

// TestD3SelectorEqual has selectors that differ in one part, by name or by having it.
func TestD3SelectorEqual(t *testing.T) {
	with := func(driver, pool, name *string) *device.Selector {
		return &device.Selector{Driver: driver, Pool: pool, Device: name}
	}
	x, y := "x", "y"
	all := []*device.Selector{
		nil, with(nil, nil, nil), with(&x, &x, &x),
		with(&y, &x, &x), with(&x, &y, &x), with(&x, &x, &y),
		with(nil, &x, &x), with(&x, nil, &x), with(&x, &x, nil),
	}
	for i, a := range all {
		for j, b := range all {
			rules := [2]device.Rule{{DeviceSelector: a}, {DeviceSelector: b}}
			if rules[0].Equal(&rules[1]) != (i == j) {
				t.Errorf("%d equals %d: %t", i, j, i != j)
			}
			if clone := rules[0].Clone(); clone.Equal(&rules[1]) != (i == j) {
				t.Errorf("a clone of %d equals %d: %t", i, j, i != j)
			}
		}
	}
}

// TestRuleParts has what else a rule is compared, copied and printed by.
func TestRuleParts(t *testing.T) {
	if got := (device.ID{Driver: "a", Pool: "b/c", Device: "d"}).String(); got != "a/b/c/d" {
		t.Errorf("printed as %s", got)
	}
	r := device.Rule{DeviceSelector: new(device.Selector), Taint: taint.Taint{Key: "a", Effect: device.None, TimeAdded: added(1)}}
	other := r
	other.Taint.Value = "b"
	if r.Equal(&other) || !r.Equal(&r) {
		t.Error("a rule equals one with another taint, or does not equal itself")
	}
	if clone := r.Clone(); clone.Taint.TimeAdded == r.Taint.TimeAdded || clone.DeviceSelector == r.DeviceSelector || !clone.Equal(&r) {
		t.Error("a clone shares with its original, or is another rule")
	}
}

// D11: a taint that is set again keeps its time, unless it has one of its own, and what has
// another key or effect is another taint. All that it replaces are replaced.
func TestD11Upsert(t *testing.T) {
	list := []taint.Taint{evicting("b", 1), evicting("a", 2), evicting("a", 3)}
	none := taint.Taint{Key: "a", Value: "new", Effect: taint.NoExecute, TimeAdded: new(taint.Time)}
	for _, test := range []struct {
		x    taint.Taint
		want []float64
	}{
		{taint.Taint{Key: "a", Value: "new", Effect: taint.NoExecute}, []float64{1, 2, 2}},
		{none, []float64{1, 2, 2}},
		{evicting("a", 9), []float64{1, 9, 9}},
		{taint.Taint{Key: "a", Effect: taint.NoSchedule}, []float64{1, 2, 3, -1}},
	} {
		got, changed := device.UpsertTaint(nil, list, test.x)
		if !changed || len(got) != len(test.want) {
			t.Fatalf("%v: %v, %t", test.x, got, changed)
		}
		for i, second := range test.want {
			if second < 0 && got[i].TimeAdded != nil || second >= 0 && !got[i].TimeAdded.Equal(at(second)) {
				t.Errorf("%v: taint %d was added at %v, want second %v", test.x, i, got[i].TimeAdded, second)
			}
		}
	}
	if got, changed := device.UpsertTaint(list[:0:0], list[:2], taint.Taint{Key: "a", Effect: taint.NoExecute}); changed || !taint.Equal(got, list[:2]) {
		t.Errorf("%v changed", got)
	}
}

// The words of devices are read and printed in the form of nodes', but not by the readers
// that validate for nodes: the package comment says what to use.
func TestText(t *testing.T) {
	const taints, tolerations = "a=x:None,a=x:None,b:NoExecute", "*==x,a:None@-1,b=:NoSchedule"
	x, err := notation.Taints(taints)
	if err != nil || device.ValidateTaints(x) != nil || taint.FormatList(x) != taints {
		t.Errorf("%v, %v, %v", x, err, device.ValidateTaints(x))
	}
	if _, err := taint.ParseList(taints); err == nil {
		t.Error("a node has None")
	}
	list, err := notation.Tolerations(tolerations)
	if err != nil || toleration.FormatList(list) != tolerations {
		t.Errorf("%v, %v", list, err)
	}
	for i := range list {
		device.SetTolerationDefaults(&list[i])
	}
	if err := device.ValidateTolerations(list); err != nil || list[2].Operator != toleration.OpEqual {
		t.Errorf("%v, %v", list, err)
	}
	if _, err := toleration.ParseList(tolerations); err == nil {
		t.Error("a pod has None")
	}
}

// TestD11Effects changes a rule's effect to every other one, from a rule with and
// without a time.
func TestD11Effects(t *testing.T) {
	effects := []taint.Effect{taint.NoExecute, taint.NoSchedule, device.None}
	for _, from := range effects {
		for _, to := range effects {
			for _, before := range []*taint.Time{nil, new(taint.Time), added(5)} {
				old := device.Rule{Taint: taint.Taint{Key: "a", Effect: from, TimeAdded: before}}
				r := device.Rule{Taint: taint.Taint{Key: "a", Effect: to, TimeAdded: before}}
				want := at(9)
				if from == to && before != nil && !before.IsZero() {
					want = at(5)
				}
				if r.PrepareUpdate(&old, at(9.5)); !r.Taint.TimeAdded.Equal(want) {
					t.Errorf("%s to %s, added %v: %v, want %v", from, to, before, r.Taint.TimeAdded, want)
				}
			}
		}
	}
	old := device.Rule{Taint: taint.Taint{Key: "a", Effect: device.None}}
	r := device.Rule{Taint: taint.Taint{Key: "a", Effect: taint.NoExecute, TimeAdded: added(3)}}
	if r.PrepareUpdate(&old, at(9)); !r.Taint.TimeAdded.Equal(at(3)) {
		t.Errorf("a time that the old rule did not have becomes %v", r.Taint.TimeAdded)
	}
}
