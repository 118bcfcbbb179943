package evict_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tolero-dev/tolero/fuzz/notation"
	"github.com/tolero-dev/tolero/match/device"
	"github.com/tolero-dev/tolero/match/device/evict"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// gpu is the device with the name in the pool p of the driver d.
func gpu(name string) device.ID { return device.ID{Driver: "d", Pool: "p", Device: name} }

// parse reads a taint of any effect.
func parse(text string) taint.Taint {
	x, err := notation.Taint(text)
	if err != nil {
		panic(err)
	}
	return x
}

// published is the device 0 with taints, the i-th added at i seconds.
func published(generation int64, texts ...string) *device.Slice {
	s := &device.Slice{Driver: "d", Pool: device.Pool{Name: "p", Generation: generation}, Devices: []device.Device{{Name: "0"}}}
	for i, text := range texts {
		x := parse(text)
		x.TimeAdded = &taint.Time{Time: at(float64(i))}
		s.Devices[0].Taints = append(s.Devices[0].Taints, x)
	}
	return s
}

func ruleFor(s *device.Selector, text string, second float64) *device.Rule {
	r := &device.Rule{DeviceSelector: s, Taint: parse(text)}
	r.Taint.TimeAdded = &taint.Time{Time: at(second)}
	return r
}

// using is a queue with the pod "a/p", which uses the device 0 through a claim with the
// tolerations.
func using(tolerations string) *evict.Queue[string] {
	list, err := notation.Tolerations(tolerations)
	if err != nil {
		panic(err)
	}
	q := new(evict.Queue[string])
	q.SetClaim(nil, at(0), "x", []device.Allocation{{ID: gpu("0"), Tolerations: list}}, []string{"a/p"})
	q.SetPod(nil, at(0), "a/p", true, []string{"x"})
	return q
}

// everything tolerates every taint for 100 seconds.
var everything = []toleration.Toleration{{Operator: toleration.OpExists, TolerationSeconds: ptr(int64(100))}}

// words returns decisions in words: kind, second, causes.
func words(decisions []evict.Decision[string]) string {
	var lines []string
	for _, d := range decisions {
		lines = append(lines, fmt.Sprint(d.Kind, " ", d.Due.Sub(at(0)).Seconds(), " ", d.Causes))
	}
	return strings.Join(lines, "; ")
}

// D10: what is scheduled is moved and cancelled, and a pod is evicted once.
func TestD10Decisions(t *testing.T) {
	q := using("a:NoExecute@100,b:NoExecute@50")
	for i, test := range []struct {
		decide func() []evict.Decision[string]
		want   string
	}{
		{func() []evict.Decision[string] { return q.SetSlice(nil, at(1), "s", published(1, "a:NoExecute")) }, "schedule 100 [ResourceSlice s d/p/0 taint #0]"},
		{func() []evict.Decision[string] { return q.SetSlice(nil, at(1), "s", published(1, "a:NoExecute")) }, ""},
		{func() []evict.Decision[string] {
			return q.SetRule(nil, at(2), "r", ruleFor(&device.Selector{}, "b:NoExecute", 2))
		},
			"move 52 [DeviceTaintRule r ResourceSlice s d/p/0 taint #0]"},
		{func() []evict.Decision[string] {
			return q.SetRule(nil, at(2), "r", ruleFor(&device.Selector{}, "b:NoExecute", 2))
		}, ""},
		{func() []evict.Decision[string] {
			return q.SetRule(nil, at(3), "r", ruleFor(&device.Selector{}, "b:None", 2))
		}, "move 100 [ResourceSlice s d/p/0 taint #0]"},
		{func() []evict.Decision[string] { return q.SetSlice(nil, at(3), "t", published(2)) }, "cancel 100 [ResourceSlice s d/p/0 taint #0]"},
		{func() []evict.Decision[string] { return q.DeleteSlice(nil, at(3), "t") }, "schedule 100 [ResourceSlice s d/p/0 taint #0]"},
		{func() []evict.Decision[string] { return q.Advance(nil, at(99.9)) }, ""},
		{func() []evict.Decision[string] {
			return q.SetRule(nil, at(99.9), "r", ruleFor(&device.Selector{}, "c:NoExecute", 99.95))
		},
			"move 99.95 [DeviceTaintRule r ResourceSlice s d/p/0 taint #0]"},
		{func() []evict.Decision[string] { return q.Advance(nil, at(200)) }, "evict 99.95 [DeviceTaintRule r ResourceSlice s d/p/0 taint #0]"},
		{func() []evict.Decision[string] { return q.DeleteRule(nil, at(200), "r") }, ""},
		{func() []evict.Decision[string] { return q.SetPod(nil, at(200), "a/p", true, []string{"x"}) }, ""},
		{func() []evict.Decision[string] { return q.DeletePod(nil, at(200), "a/p") }, ""},
		{func() []evict.Decision[string] { return q.SetPod(nil, at(201), "a/p", true, []string{"x"}) }, "evict 100 [ResourceSlice s d/p/0 taint #0]"},
		{func() []evict.Decision[string] { return q.Advance(nil, at(0)) }, ""}, // the clock does not go back
		{func() []evict.Decision[string] { return q.DeleteSlice(nil, at(0), "unknown") }, ""},
		{func() []evict.Decision[string] { return q.DeleteRule(nil, at(0), "unknown") }, ""},
		{func() []evict.Decision[string] { return q.DeleteClaim(nil, at(0), "unknown") }, ""},
		{func() []evict.Decision[string] { return q.DeletePod(nil, at(0), "unknown") }, ""},
	} {
		if got := words(test.decide()); got != test.want {
			t.Errorf("%d: %q, want %q", i, got, test.want)
		}
	}
}

// D10: an eviction that comes at once says what was scheduled.
func TestD10AtOnce(t *testing.T) {
	q := using("a:NoExecute@100")
	q.SetSlice(nil, at(1), "s", published(1, "a:NoExecute"))
	d := q.SetRule(nil, at(10), "r", ruleFor(&device.Selector{Device: ptr("0")}, "b:NoExecute", 5))
	if len(d) != 1 || d[0].Kind != evict.Evict || !d[0].Due.Equal(at(5)) || !d[0].Was.Equal(at(100)) {
		t.Errorf("%+v", d)
	}
	if _, found := q.Find("a/p"); found || q.Pending() != 0 || q.Len() != 1 {
		t.Error("the pod is still scheduled, or forgotten")
	}
	if _, ok := q.Next(); ok {
		t.Error("something is next")
	}
}

// A slice that moves to another pool does so in one step: nothing is decided twice.
func TestSliceMovesPool(t *testing.T) {
	q := using("")
	q.SetClaim(nil, at(0), "x", []device.Allocation{{ID: gpu("0")}, {ID: device.ID{Driver: "d", Pool: "q", Device: "0"}}}, []string{"a/p"})
	q.SetSlice(nil, at(-10), "s", published(1, "c:NoSchedule", "b:NoSchedule", "a:NoExecute"))
	moved := published(1, "c:NoSchedule", "b:NoSchedule", "d:NoSchedule", "a:NoExecute")
	moved.Pool.Name = "q"
	if got := words(q.SetSlice(nil, at(0), "s", moved)); got != "move 3 [ResourceSlice s d/q/0 taint #3]" {
		t.Errorf("%q", got)
	}
}

// D12: the words of the condition.
func TestD12Condition(t *testing.T) {
	namespace := func(pod string) string { return strings.Split(pod, "/")[0] }
	q := using("a:NoExecute@100")
	condition := func() string {
		c, ok := q.Condition("r", namespace)
		return fmt.Sprint(ok, c.InProgress, " ", c.Reason, ": ", c.Message)
	}
	if got := condition(); got != "false false : " {
		t.Error(got)
	}
	q.SetSlice(nil, at(0), "s", published(1))
	q.SetPod(nil, at(0), "b/p", true, []string{"x"})
	q.SetRule(nil, at(0), "r", ruleFor(&device.Selector{}, "a:None", 0))
	const none = "published device selected. 1 allocated device selected. %s if the effect was NoExecute. " +
		"This information will not be updated again. Recreate the DeviceTaintRule to trigger an update."
	if got, want := condition(), "true false NoEffect: 1 "+fmt.Sprintf(none, "1 pod would be evicted in 1 namespace"); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	q.SetClaim(nil, at(0), "y", []device.Allocation{{ID: gpu("1")}}, []string{"b/p"})
	q.SetPod(nil, at(0), "b/p", true, []string{"y"})
	evicting := ruleFor(&device.Selector{}, "a:NoExecute", 20)
	q.SetRule(nil, at(0), "r", evicting)
	if got := condition(); got != "true true PodsPendingEviction: 2 pods need to be evicted in 2 different namespaces." {
		t.Error(got)
	}
	q.Advance(nil, at(20)) // b/p tolerates nothing
	if got := condition(); got != "true true PodsPendingEviction: 1 pod needs to be evicted in 1 namespace. 1 pod evicted since starting the controller." {
		t.Error(got)
	}
	q.Advance(nil, at(120))
	if got := condition(); got != "true false Completed: 2 pods evicted since starting the controller." {
		t.Error(got)
	}
	q.DeleteRule(nil, at(120), "r")
	q.SetRule(nil, at(120), "r", evicting)
	if got := condition(); got != "true false NotStarted: " {
		t.Error(got)
	}
	q.SetRule(nil, at(120), "r", ruleFor(nil, "a:NoSchedule", 0))
	if got := condition(); got != "true false OtherEffect: Eviction only happens for the NoExecute effect." {
		t.Error(got)
	}
}

// A nil slice or rule is none.
func TestNil(t *testing.T) {
	q := using("a:NoExecute@100,b:NoExecute@200")
	q.SetSlice(nil, at(0), "s", published(1, "a:NoExecute"))
	q.SetRule(nil, at(0), "r", ruleFor(&device.Selector{}, "b:NoExecute", 0))
	if d, impact := q.Preview(nil, "r", nil, at(0)); d != nil || impact != (evict.Impact{}) {
		t.Errorf("%v, %+v", d, impact)
	}
	if got := words(q.SetSlice(nil, at(0), "s", nil)); got != "move 200 [DeviceTaintRule r]" {
		t.Error(got)
	}
	if got := words(q.SetRule(nil, at(0), "r", nil)); got != "cancel 200 [DeviceTaintRule r]" {
		t.Error(got)
	}
}

// What is given may be changed afterwards.
func TestNothingShared(t *testing.T) {
	q := using("a:NoExecute@100,b:NoExecute@100")
	s, r := published(1, "a:NoExecute"), ruleFor(&device.Selector{Pool: ptr("p")}, "b:NoExecute", 50)
	q.SetSlice(nil, at(0), "s", s)
	q.SetRule(nil, at(0), "r", r)
	s.Devices[0].Taints[0].TimeAdded.Time, r.Taint.TimeAdded.Time, *r.DeviceSelector.Pool = at(7), at(7), "q"
	if d, ok := q.Find("a/p"); !ok || !d.Due.Equal(at(100)) || !d.Causes[0].Taint.TimeAdded.Equal(at(50)) {
		t.Errorf("%+v", d)
	}
	if got := words(q.DeleteSlice(nil, at(0), "s")); got != "move 150 [DeviceTaintRule r]" {
		t.Error(got)
	}
}

// A pod with two claims changes nothing of what is known of the first, which another pod has.
func TestPodsThatShareAClaim(t *testing.T) {
	for rules := range 9 { // so that there is room for one more cause, or not
		q := using("*@100")
		for i := range rules {
			q.SetRule(nil, at(0), fmt.Sprint("z", i), ruleFor(&device.Selector{Device: ptr("0")}, fmt.Sprint("a=", i, ":NoExecute"), 9))
		}
		q.SetRule(nil, at(0), "first", ruleFor(&device.Selector{Device: ptr("1")}, "b:NoExecute", 9))
		before, _ := q.Find("a/p")
		want := words([]evict.Decision[string]{before})
		q.SetClaim(nil, at(0), "x", []device.Allocation{{ID: gpu("0"), Tolerations: everything}}, []string{"a/p", "b/p"})
		q.SetClaim(nil, at(0), "y", []device.Allocation{{ID: gpu("1"), Tolerations: everything}}, []string{"b/p"})
		q.SetPod(nil, at(0), "b/p", true, []string{"x", "y"})
		after, _ := q.Find("a/p")
		for _, d := range []evict.Decision[string]{before, after} {
			if got := words([]evict.Decision[string]{d}); got != want {
				t.Errorf("%d rules: %s, want %s", rules, got, want)
			}
		}
	}
}

// A taint that is at another place of its device is a cause at that place.
func TestCausesThatMove(t *testing.T) {
	q := using("a:NoExecute@100")
	s := published(1, "a:NoExecute")
	q.SetSlice(nil, at(0), "s", s)
	s.Devices[0].Taints = append([]taint.Taint{parse("b:NoSchedule")}, s.Devices[0].Taints...)
	if got := q.SetSlice(nil, at(0), "s", s); got != nil {
		t.Errorf("decided: %v", got)
	}
	if d, _ := q.Find("a/p"); len(d.Causes) != 1 || d.Causes[0].Index != 1 {
		t.Errorf("causes: %v", d.Causes)
	}
}

// An iteration may stop.
func TestScheduledStops(t *testing.T) {
	q := using("")
	q.SetPod(nil, at(0), "b/p", true, []string{"x"})
	q.SetClaim(nil, at(0), "x", []device.Allocation{{ID: gpu("0")}}, []string{"a/p", "b/p"})
	q.SetRule(nil, at(0), "r", ruleFor(&device.Selector{}, "a:NoExecute", 9))
	n := 0
	for range q.Scheduled() {
		n++
		break
	}
	if n != 1 || q.Pending() != 2 {
		t.Error(n, q.Pending())
	}
}

// The decisions of one moment come in the order of their moments.
func TestAdvanceInOrder(t *testing.T) {
	var q evict.Queue[string]
	for i := range 20 {
		pod := fmt.Sprint("p", i)
		tolerations := []toleration.Toleration{{Operator: toleration.OpExists, Effect: taint.NoExecute, TolerationSeconds: ptr(int64(i * 7 % 20))}}
		q.SetClaim(nil, at(0), pod, []device.Allocation{{ID: gpu("0"), Tolerations: tolerations}}, []string{pod})
		q.SetPod(nil, at(0), pod, true, []string{pod})
	}
	q.SetRule(nil, at(0), "r", ruleFor(&device.Selector{Driver: ptr("d")}, "a:NoExecute", 1))
	decisions := q.Advance(nil, at(15.5))
	if len(decisions) != 15 || !slices.IsSortedFunc(decisions, func(a, b evict.Decision[string]) int { return a.Due.Compare(b.Due) }) {
		t.Errorf("%d decisions: %v", len(decisions), words(decisions))
	}
}

func TestKinds(t *testing.T) {
	if got := fmt.Sprint(evict.Evict, evict.Schedule, evict.Move, evict.Cancel, evict.Kind(9)); got != "evict schedule move cancel Kind(9)" {
		t.Error(got)
	}
}

// Great inputs: a slice with many devices, a pod with many claims, a claim with many
// pods, many rules. It must not take long.
func TestGreatInput(t *testing.T) {
	const n = 2_000
	var q evict.Queue[int]
	slice := &device.Slice{Driver: "d", Pool: device.Pool{Name: "p"}}
	var claims []string
	var everybody []int
	for i := range n {
		name := fmt.Sprint(i)
		x := taint.MustParse("a:NoExecute")
		x.TimeAdded = &taint.Time{Time: at(float64(i + 1))}
		slice.Devices = append(slice.Devices, device.Device{Name: name, Taints: []taint.Taint{x}})
		q.SetClaim(nil, at(0), name, []device.Allocation{{ID: gpu(name)}}, []int{1, i})
		claims, everybody = append(claims, name), append(everybody, i+2)
	}
	q.SetClaim(nil, at(0), "shared", []device.Allocation{{ID: gpu("0")}}, everybody)
	for _, pod := range everybody {
		q.SetPod(nil, at(0), pod, true, []string{"shared"})
	}
	q.SetPod(nil, at(0), 1, true, claims)
	q.SetPod(nil, at(0), 1, true, slices.Compact(claims))
	if d := q.SetSlice(nil, at(0), "s", slice); len(d) != n+1 {
		t.Errorf("%d decisions", len(d))
	}
	for i := range 30 {
		q.SetRule(nil, at(0), fmt.Sprint("z", i), ruleFor(&device.Selector{Device: ptr(fmt.Sprint(i + 1))}, "b:NoExecute", 0.5))
	}
	if d := q.Advance(nil, at(1)); len(d) != n+1 {
		t.Errorf("%d evictions", len(d))
	}
}
