package device_test

import (
	"math"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/tolero-dev/tolero/fuzz/target"
	"github.com/tolero-dev/tolero/match/device"
	"github.com/tolero-dev/tolero/match/matchtest"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// ptr returns a pointer to a copy of v.
func ptr[T any](v T) *T { return &v }

// at is n seconds after the epoch of the tests.
func at(n float64) time.Time {
	return matchtest.Epoch().Add(time.Duration(n * float64(time.Second)))
}

func added(n float64) *taint.Time { return &taint.Time{Time: at(n)} }

// universe returns every taint and toleration of the widest small world.
func universe() (taints []taint.Taint, tolerations []toleration.Toleration) {
	wide := matchtest.Wide()
	wide.Effects = append(wide.Effects, device.None)
	return wide.Taints(), wide.Tolerations()
}

// TestUniverse compares every toleration with every taint, as to allocation and as
// to eviction.
func TestUniverse(t *testing.T) {
	taints, tolerations := universe()
	compared := 0
	for i := range tolerations {
		list := tolerations[i : i+1]
		for j := range taints {
			x := taints[j]
			x.TimeAdded = added(0)
			if got, want := device.Tolerates(list, &x), specTolerates(&list[0], &x); got != want {
				t.Fatalf("%+v tolerates %+v: %t, want %t", list[0], x, got, want)
			}
			compareLists(t, []taint.Taint{x}, list)
			compared++
		}
	}
	t.Logf("%d pairs compared", compared)
}

// TestLists does so for lists, in which tolerations help and contradict each other.
func TestLists(t *testing.T) {
	narrow := matchtest.Narrow()
	narrow.TaintEffects = []taint.Effect{device.None, taint.NoSchedule, taint.NoExecute}
	tolerations := narrow.Tolerations()
	taints := narrow.Taints()
	for i := range taints {
		taints[i].TimeAdded = added(float64(i % 5 * 50))
	}
	compared := 0
	for list := range matchtest.Lists(tolerations, 2) {
		for i := range taints {
			compareLists(t, []taint.Taint{taints[i], taints[(i+1)%len(taints)], taints[(i+5)%len(taints)]}, list)
			compared++
		}
	}
	t.Logf("%d lists compared", compared)
}

// compareLists compares every answer for a device's taints with the second reading.
func compareLists(t rapid.TB, taints []taint.Taint, tolerations []toleration.Toleration) {
	left := specForbids(taints, tolerations)
	if got := device.Filter(nil, taints, tolerations); !taint.Equal(got, left) {
		t.Fatalf("%v against %v: %v prevent, want %v", taints, tolerations, got, left)
	}
	if i, ok := device.FirstUntolerated(taints, tolerations); ok != (len(left) > 0) || ok && !taints[i].Equal(&left[0]) || !ok && i != 0 {
		t.Fatalf("%v against %v: the first that prevents: %d, %t", taints, tolerations, i, ok)
	}
	var evicting []int
	for i := range taints {
		if specMoment(&taints[i], tolerations) != nil {
			evicting = append(evicting, i)
		}
	}
	if got := device.AppendEvicting(nil, taints, tolerations); !slices.Equal(got, evicting) {
		t.Fatalf("%v against %v: %v evict, want %v", taints, tolerations, got, evicting)
	}
	moment, evicted := specEviction(taints, tolerations)
	e, ok := device.EvictionTime(taints, tolerations)
	if ok != evicted || !e.At.Equal(moment) {
		t.Fatalf("%v against %v: evicted: %t, %v, want %t, %v", taints, tolerations, ok, e.At, evicted, moment)
	}
	if ok {
		checkDeciding(t, e, taints, tolerations)
	}
}

// checkDeciding checks that the taint and the toleration of an eviction decide it
// alone.
func checkDeciding(t rapid.TB, e device.Eviction, taints []taint.Taint, tolerations []toleration.Toleration) {
	var list []toleration.Toleration
	if e.Toleration >= 0 {
		list = tolerations[e.Toleration : e.Toleration+1]
	}
	for i := range taints[:e.Taint] {
		if moment, evicted := specEviction(taints[i:i+1], tolerations); evicted && moment.Equal(e.At) {
			t.Fatalf("%v against %v: %+v, but taint %d has the same moment", taints, tolerations, e, i)
		}
	}
	if moment, evicted := specEviction(taints[e.Taint:e.Taint+1], list); !evicted || !moment.Equal(e.At) {
		t.Fatalf("%v against %v: %+v is not what decides", taints, tolerations, e)
	}
}

// Of tolerations that grant as many seconds the first one is named.
func TestFirstOfEqualTolerations(t *testing.T) {
	list := []toleration.Toleration{exists("a", 9), exists("a", 5), exists("a", 5)}
	if e, ok := device.EvictionTime([]taint.Taint{evicting("a", 0)}, list); !ok || e.Toleration != 1 {
		t.Errorf("%+v, %t", e, ok)
	}
}

// anyTaints and anyTolerations draw lists of few words.
var (
	anyTaints      = rapid.SliceOfN(rapid.Custom(drawTaint), 0, 5)
	anyTolerations = rapid.SliceOfN(rapid.Custom(drawToleration), 0, 5)
	anyKey         = rapid.SampledFrom([]string{"a", "b", "c", ""})
	anyValue       = rapid.SampledFrom([]string{"", "x", "y"})
	anyEffect      = rapid.SampledFrom([]taint.Effect{taint.NoExecute, taint.NoExecute, taint.NoSchedule, device.None, "", "PreferNoSchedule"})
)

func drawTaint(t *rapid.T) taint.Taint {
	x := taint.Taint{Key: anyKey.Draw(t, "key"), Value: anyValue.Draw(t, "value"), Effect: anyEffect.Draw(t, "effect")}
	if rapid.IntRange(0, 5).Draw(t, "time") > 0 {
		x.TimeAdded = added(float64(rapid.IntRange(0, 1000).Draw(t, "added")))
	}
	return x
}

func drawToleration(t *rapid.T) toleration.Toleration {
	x := toleration.Toleration{
		Key: anyKey.Draw(t, "key"), Value: anyValue.Draw(t, "value"), Effect: anyEffect.Draw(t, "effect"),
		Operator: rapid.SampledFrom([]toleration.Operator{"Exists", "Exists", "Equal", "", "Gt"}).Draw(t, "operator"),
	}
	if rapid.IntRange(0, 3).Draw(t, "limited") > 0 {
		x.TolerationSeconds = ptr(rapid.OneOf(rapid.Int64Range(-1, 600), rapid.Int64()).Draw(t, "seconds"))
	}
	return x
}

// TestRandomLists also checks laws that have no second reading: the order of
// tolerations plays no part, and a toleration more never makes things worse, except
// that its seconds may bring the moment forward.
func TestRandomLists(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		taints, tolerations := anyTaints.Draw(t, "taints"), anyTolerations.Draw(t, "tolerations")
		compareLists(t, taints, tolerations)
		first, evicted := device.EvictionTime(taints, tolerations)
		shuffled := rapid.Permutation(tolerations).Draw(t, "shuffled")
		if again, ok := device.EvictionTime(taints, shuffled); ok != evicted || !again.At.Equal(first.At) {
			t.Fatalf("%v against %v: %v, in another order %v", taints, tolerations, first.At, again.At)
		}
		more := append(shuffled, drawToleration(t))
		if len(device.Filter(nil, taints, more)) > len(device.Filter(nil, taints, tolerations)) {
			t.Fatalf("%v prevents more than %v", more, tolerations)
		}
		if _, ok := device.EvictionTime(taints, more); ok && !evicted {
			t.Fatalf("%v evicts, %v did not", more, tolerations)
		}
	})
}

// TestRandomClaims compares the moment of a claim, and the device that decides it: the
// first of those with that moment.
func TestRandomClaims(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lists := rapid.SliceOfN(anyTaints, 1, 4).Draw(t, "taints")
		allocations := make([]device.Allocation, len(lists))
		var moments []time.Time
		for i := range lists {
			allocations[i] = device.Allocation{ID: device.ID{Device: string(rune('0' + i))}, Tolerations: anyTolerations.Draw(t, "tolerations")}
			if moment, ok := specEviction(lists[i], allocations[i].Tolerations); ok {
				moments = append(moments, moment)
			}
		}
		e, ok := device.EarliestEviction(allocations, func(id device.ID) []taint.Taint { return lists[id.Device[0]-'0'] })
		if ok != (len(moments) > 0) || ok && !e.At.Equal(slices.MinFunc(moments, time.Time.Compare)) {
			t.Fatalf("evicted: %t, %v, want the least of %v", ok, e.At, moments)
		}
		for i := range lists {
			moment, evicted := specEviction(lists[i], allocations[i].Tolerations)
			if ok && i < e.Allocation && evicted && moment.Equal(e.At) {
				t.Fatalf("device %d decides, and not %d", e.Allocation, i)
			}
		}
		if ok {
			checkDeciding(t, e, lists[e.Allocation], allocations[e.Allocation].Tolerations)
		}
	})
}

// FuzzDevice compares the answers for any words.
func FuzzDevice(f *testing.F) {
	f.Add("a", "x", "NoExecute", "a", "Exists", "", "NoExecute", int64(30), int64(10))    // the least seconds
	f.Add("a", "x", "NoExecute", "", "Equal", "x", "", int64(math.MaxInt64), int64(-1))   // an empty effect does not do (D6)
	f.Add("a", "", "None", "b", "", "", "None", int64(0), int64(0))                       // None does nothing
	f.Add("", "", "NoSchedule", "", "Gt", "", "NoSchedule", int64(9223372037), int64(60)) // Gt matches nothing
	target.Fuzz(f, func(t *testing.T, key, value, effect, tolerated, operator, equal, on string, seconds, other int64) {
		taints := []taint.Taint{
			{Key: key, Value: value, Effect: taint.Effect(effect), TimeAdded: added(1)},
			{Key: tolerated, Value: equal, Effect: taint.NoExecute, TimeAdded: added(2)},
			{Key: tolerated, Value: value, Effect: taint.NoExecute},
		}
		compareLists(t, taints, []toleration.Toleration{
			{Key: tolerated, Operator: toleration.Operator(operator), Value: equal, Effect: taint.Effect(on), TolerationSeconds: &seconds},
			{Key: key, Operator: toleration.OpExists, Effect: taint.NoExecute, TolerationSeconds: &other},
			{Key: key, Operator: toleration.OpEqual, Value: equal, Effect: taint.Effect(on)},
		})
	})
}

func TestNothingAllocates(t *testing.T) {
	taints, tolerations := make([]taint.Taint, 0, 32), make([]toleration.Toleration, 0, 32)
	rapid.Check(t, func(t *rapid.T) {
		taints, tolerations = append(taints[:0], anyTaints.Draw(t, "")...), append(tolerations[:0], anyTolerations.Draw(t, "")...)
		rules := []device.Rule{{DeviceSelector: &device.Selector{}, Taint: taint.Taint{Key: "r", Effect: taint.NoExecute, TimeAdded: added(0)}}}
		buffer, indexes := make([]taint.Taint, 0, 32), make([]int, 0, 32)
		allocations := []device.Allocation{{Tolerations: tolerations}, {}}
		effective := func(id device.ID) []taint.Taint { return device.AppendEffective(buffer[:0], taints, rules, id) }
		for name, call := range map[string]func(){
			"FirstUntolerated": func() { device.FirstUntolerated(taints, tolerations) },
			"Filter":           func() { device.Filter(buffer[:0], taints, tolerations) },
			"AppendEffective":  func() { effective(device.ID{}) },
			"EvictionTime":     func() { device.EvictionTime(taints, tolerations) },
			"AppendEvicting":   func() { device.AppendEvicting(indexes[:0], taints, tolerations) },
			"EarliestEviction": func() { device.EarliestEviction(allocations, effective) },
			"EqualTaints":      func() { taint.Equal(taints, taints) },
		} {
			if allocs := testing.AllocsPerRun(10, call); allocs != 0 {
				t.Errorf("%s: %v allocations", name, allocs)
			}
		}
	})
}
