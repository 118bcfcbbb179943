package devices

import (
	"context"
	"math"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"k8s.io/apimachinery/pkg/types"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"pgregory.net/rapid"

	"github.com/tolero-dev/tolero/fuzz/notation"
	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/match/device"
	"github.com/tolero-dev/tolero/match/device/evict"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// gpu is the device of these tests.
var gpu = device.ID{Driver: "d", Pool: "p", Device: "0"}

// parse reads a taint of any effect.
func parse(text string) taint.Taint {
	x, err := notation.Taint(text)
	if err != nil {
		panic(err)
	}
	return x
}

func tolerating(text string) []toleration.Toleration {
	tolerations, err := notation.Tolerations(text)
	if err != nil {
		panic(err)
	}
	return tolerations
}

// use makes the pod p, which uses the device through a claim with the tolerations.
func (b *both) use(tolerations []toleration.Toleration) {
	b.setPod("p", true, []string{"x"})
	b.setClaim("x", []device.Allocation{{ID: gpu, Tolerations: tolerations}}, []string{"p"})
}

// publish has the device in a slice, with a taint for each text, added at a second.
func (b *both) publish(slice string, generation int64, second float64, texts ...string) {
	s := device.Slice{Driver: gpu.Driver, Pool: device.Pool{Name: gpu.Pool, Generation: generation}, Devices: []device.Device{{Name: gpu.Device}}}
	for _, text := range texts {
		x := parse(text)
		x.TimeAdded = &taint.Time{Time: b.at(second)}
		s.Devices[0].Taints = append(s.Devices[0].Taints, x)
	}
	b.setSlice(slice, s)
}

// rule sets a rule that gives a taint, added at a second, to what a selector selects.
func (b *both) rule(name string, selector *device.Selector, text string, second float64) {
	x := parse(text)
	x.TimeAdded = &taint.Time{Time: b.at(second)}
	b.setRule(name, device.Rule{DeviceSelector: selector, Taint: x})
}

// evictedAt returns the evictions of a script that both agree on, in whole seconds.
func evictedAt(t *testing.T, script func(*both)) (seconds []int) {
	t.Helper()
	b := runBoth(t, script)
	b.compare(t)
	for _, line := range b.theirs {
		var n int64
		for _, c := range line[:15] {
			if c != ' ' {
				n = n*10 + int64(c-'0')
			}
		}
		seconds = append(seconds, int(n/int64(time.Second)))
	}
	return seconds
}

// TestTraps runs what surprises who knows the taints of nodes, with the controller
// and the queue. The taint a:NoExecute was added at 100 s.
func TestTraps(t *testing.T) {
	taintIt := func(b *both) { b.publish("s", 0, 100, "a:NoExecute") }
	for _, test := range []struct {
		name   string
		script func(b *both)
		want   []int
	}{
		{"D6: an empty effect does not count", func(b *both) { b.use(tolerating("*")); taintIt(b) }, []int{100}},
		{"D6: nor does it limit", func(b *both) { b.use(tolerating("*@5,a:NoExecute@60")); taintIt(b) }, []int{160}},
		{"D6: the least seconds", func(b *both) { b.use(tolerating("a:NoExecute@300,a:NoExecute@60")); taintIt(b) }, []int{160}},
		{"D6: forever beats them", func(b *both) { b.use(tolerating("a:NoExecute@5,*:NoExecute")); taintIt(b) }, nil},
		{"D6: negative seconds", func(b *both) { b.use(tolerating("a:NoExecute@-50")); taintIt(b) }, []int{100}},
		{"D7: seconds count from timeAdded", func(b *both) { b.use(tolerating("a:NoExecute@60")); b.sleep(150 * time.Second); taintIt(b) }, []int{160}},
		{"D7: a moment that is past is now", func(b *both) { b.use(nil); b.sleep(150 * time.Second); taintIt(b) }, []int{150}},
		{"D1: None does nothing", func(b *both) { b.use(nil); b.publish("s", 0, 100, "a:None", "a:NoSchedule") }, nil},
		{"D3: no selector selects nothing", func(b *both) { b.use(nil); b.rule("r", nil, "a:NoExecute", 100) }, nil},
		{"D3: an empty one selects everything", func(b *both) { b.use(nil); b.rule("r", &device.Selector{}, "a:NoExecute", 100) }, []int{100}},
		{"D3: case matters", func(b *both) { b.use(nil); b.rule("r", &device.Selector{Driver: new("D")}, "a:NoExecute", 100) }, nil},
		{"D9: a device of an old generation is gone", func(b *both) { b.use(nil); b.publish("s", 1, 100, "a:NoExecute"); b.publish("t", 2, 100) }, nil},
		{"D9: and has the rules' taints only", func(b *both) {
			b.use(nil)
			b.publish("s", 0, 100, "a:NoExecute")
			b.rule("r", &device.Selector{Device: new("0")}, "b:NoExecute", 200)
			b.deleteSlice("s")
		}, []int{200}},
		{"D9: the old generation counts again", func(b *both) {
			b.use(nil)
			b.publish("s", 1, 100, "a:NoExecute")
			b.publish("t", 2, 100)
			b.deleteSlice("t")
		}, []int{100}},
		{"D9: not reserved", func(b *both) { b.use(nil); b.setClaim("x", []device.Allocation{{ID: gpu}}, nil); taintIt(b) }, nil},
		{"D9: placed late", func(b *both) {
			b.setPod("p", false, []string{"x"})
			b.setClaim("x", []device.Allocation{{ID: gpu}}, []string{"p"})
			taintIt(b)
			b.sleep(150 * time.Second)
			b.setPod("p", true, []string{"x"})
		}, []int{150}},
		{"D10: sooner", func(b *both) { b.use(nil); taintIt(b); b.rule("r", &device.Selector{}, "b:NoExecute", 50) }, []int{50}},
		{"D10: later", func(b *both) { b.use(nil); taintIt(b); b.publish("s", 0, 200, "a:NoExecute") }, []int{200}},
		{"D10: cancelled", func(b *both) { b.use(nil); taintIt(b); b.sleep(99 * time.Second); b.publish("s", 0, 0) }, nil},
		{"D8: two claims", func(b *both) {
			b.use(tolerating("a:NoExecute"))
			taintIt(b)
			b.setClaim("y", []device.Allocation{{ID: gpu, Tolerations: tolerating("a:NoExecute@7")}}, []string{"q"})
			b.setPod("q", true, []string{"x", "y"})
		}, []int{107}},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := evictedAt(t, test.script); !slices.Equal(got, test.want) {
				t.Errorf("evicted at %v s, want %v", got, test.want)
			}
		})
	}
}

// TestD7OverflowDifference shows that great numbers of seconds overflow in the
// controller. Here they are cut to 292 years.
func TestD7OverflowDifference(t *testing.T) {
	for seconds, want := range map[int64]time.Duration{
		18446744074:   100*time.Second + 290448384, // 0.29 s
		math.MaxInt64: 99 * time.Second,            // a second less than nothing
	} {
		list := tolerating("a:NoExecute@1")
		list[0].TolerationSeconds = &seconds
		b := runBoth(t, func(b *both) {
			b.use(list)
			b.publish("s", 0, 100, "a:NoExecute")
			if d, ok := b.queue.Find("p-0"); !ok || d.Due.Sub(b.at(100)) != match.MaxDelay {
				t.Errorf("%d s: scheduled: %t, %v", seconds, ok, d.Due)
			}
		})
		if theirs := []string{eviction(want, "p-0")}; !slices.Equal(b.theirs, theirs) || len(b.ours) != 0 {
			t.Errorf("%d s: the controller evicts %q, want %q, the queue %q", seconds, b.theirs, theirs, b.ours)
		}
	}
}

// undated publishes the device with a taint whose time is the given one.
func (b *both) undated(added *taint.Time) {
	b.setSlice("s", device.Slice{Driver: gpu.Driver, Pool: device.Pool{Name: gpu.Pool}, Devices: []device.Device{
		{Name: gpu.Device, Taints: []taint.Taint{{Key: "a", Effect: taint.NoExecute, TimeAdded: added}}},
	}})
}

// TestD7NoTime shows that a taint without time evicts nobody, with both.
func TestD7NoTime(t *testing.T) {
	if got := evictedAt(t, func(b *both) { b.use(nil); b.undated(nil) }); got != nil {
		t.Errorf("evicted at %v s", got)
	}
}

// TestD7ZeroTimeDifference shows that the zero time, which JSON cannot hold, is a
// time to the controller, and none here.
func TestD7ZeroTimeDifference(t *testing.T) {
	b := runBoth(t, func(b *both) { b.use(nil); b.undated(&taint.Time{}) })
	if len(b.theirs) != 1 || len(b.ours) != 0 {
		t.Errorf("the controller evicts %q, the queue %q", b.theirs, b.ours)
	}
}

// TestD7PanicDifference shows that the controller panics if a taint without time is
// tolerated for some seconds. Through the API server there is no such taint.
func TestD7PanicDifference(t *testing.T) {
	var panics atomic.Int64
	handlers := utilruntime.PanicHandlers
	utilruntime.PanicHandlers = []func(context.Context, any){func(context.Context, any) { panics.Add(1) }}
	utilruntime.ReallyCrash = false
	defer func() { utilruntime.PanicHandlers, utilruntime.ReallyCrash = handlers, true }()
	b := runBoth(t, func(b *both) { b.use(tolerating("a:NoExecute@5")); b.undated(nil) })
	if panics.Load() == 0 || len(b.theirs) != 0 || len(b.ours) != 0 {
		t.Errorf("%d panics; the controller evicts %q, the queue %q", panics.Load(), b.theirs, b.ours)
	}
}

// TestD8PositionDifference shows that the controller, which compares a device's NoExecute
// taints only, does not notice that one has another position because a taint of another
// effect before it went. Its log names the position that the taint had. Who is evicted,
// and when, is the same.
func TestD8PositionDifference(t *testing.T) {
	b := runBoth(t, func(b *both) {
		b.use(nil)
		b.publish("s", 0, 100, "b:NoSchedule", "a:NoExecute")
		b.sleep(time.Second)
		b.publish("s", 0, 100, "a:NoExecute")
	})
	if want := []string{eviction(100*time.Second, "p-0")}; !slices.Equal(b.ours, want) || !slices.Equal(b.theirs, want) {
		t.Errorf("the queue evicts %q, the controller %q, want %q", b.ours, b.theirs, want)
	}
	ours, theirs := b.causes["p-0"], b.reasons["p-0"]
	if ours != "ResourceSlice s d/p/0 taint #0" || theirs != "ResourceSlice s d/p/0 taint #1" {
		t.Errorf("the queue evicts because of %s, the controller of %s", ours, theirs)
	}
}

// TestD9TwiceDifference shows that the controller takes any of the slices that have a
// device, if several of the newest generation do, which no driver should publish. The
// queue takes the first one by name.
func TestD9TwiceDifference(t *testing.T) {
	seen := map[string]bool{}
	for run := 0; run < 100 && len(seen) < 2; run++ {
		b := runBoth(t, func(b *both) {
			b.publish("s", 0, 100, "a:NoExecute")
			b.publish("t", 0, 200, "a:NoExecute")
			b.use(nil)
		})
		if want := []string{eviction(100*time.Second, "p-0")}; !slices.Equal(b.ours, want) {
			t.Fatalf("the queue evicts %q, want %q", b.ours, want)
		}
		seen[b.theirs[0]] = true
	}
	if len(seen) != 2 {
		t.Errorf("the controller always evicts %v", seen)
	}
}

// TestD10ReallocatedDifference shows that the controller leaves the moment of a claim
// that gets another allocation in one step, as a watch that missed the step between
// tells of it.
func TestD10ReallocatedDifference(t *testing.T) {
	b := runBoth(t, func(b *both) {
		b.use(nil)
		b.publish("s", 0, 100, "a:NoExecute")
		b.setClaim("x", []device.Allocation{{ID: device.ID{Driver: "d", Pool: "p", Device: "1"}}}, []string{"p"})
	})
	if want := []string{eviction(100*time.Second, "p-0")}; !slices.Equal(b.theirs, want) || len(b.ours) != 0 {
		t.Errorf("the controller evicts %q, want %q, the queue %q", b.theirs, want, b.ours)
	}
}

// TestD10ReplacedDifference shows that the controller does not look at a pod that
// replaces another one under its name, on the same node, in one step.
func TestD10ReplacedDifference(t *testing.T) {
	b := runBoth(t, func(b *both) {
		b.setPod("p", true, []string{"x"})
		uid := b.pods["p"]
		delete(b.pods, "p") // so that the claim is reserved for the next one
		b.setClaim("x", []device.Allocation{{ID: gpu}}, []string{"p"})
		b.publish("s", 0, 100, "a:NoExecute")
		b.tell(func(now time.Time) []evict.Decision[types.UID] { return b.queue.DeletePod(nil, now, uid) })
		b.setPod("p", true, []string{"x"})
	})
	if want := []string{eviction(100*time.Second, "p-1")}; len(b.theirs) != 0 || !slices.Equal(b.ours, want) {
		t.Errorf("the controller evicts %q, the queue %q, want %q", b.theirs, b.ours, want)
	}
}

// TestD12Preview has the queue say which pods a rule with the effect None would evict,
// and when. The rule then gets NoExecute, and the controller does just that.
func TestD12Preview(t *testing.T) {
	checkLess(t, 10)
	rules, evictions := 0, 0
	outer := t
	rapid.Check(t, func(t *rapid.T) {
		acts := append(drawPopulated(t), rapid.SliceOfN(rapid.Custom(drawAct), 0, 10).Draw(t, "acts")...)
		rule := drawActRule(t)
		rule.Taint.Effect, rule.Taint.TimeAdded = device.None, nil
		var want []string
		b := runBoth(outer, func(b *both) {
			b.play(acts)
			for _, name := range []string{"u", "v", "w"} { // so that nothing else evicts
				b.deleteSlice(name)
			}
			b.deleteRule("r")
			b.deleteRule("s")
			b.sleep(0)
			rule.SetDefaults(time.Now())
			b.setRule("r", rule)
			b.sleep(10 * time.Second)
			decisions, impact := b.queue.Preview(nil, "r", &rule, time.Now())
			if impact.Pods != len(decisions) {
				t.Fatalf("%d pods, and %d decisions", impact.Pods, len(decisions))
			}
			for _, d := range decisions {
				want = append(want, eviction(d.Due.Sub(b.start), d.Pod))
			}
			b.theirs = nil
			next := rule.Clone()
			next.Taint.Effect = taint.NoExecute
			next.PrepareUpdate(&rule, time.Now())
			b.setRule("r", next)
		})
		slices.Sort(want)
		if !slices.Equal(b.theirs, want) {
			t.Fatalf("the controller evicts\n%s\nthe preview says\n%s", strings.Join(b.theirs, "\n"), strings.Join(want, "\n"))
		}
		rules, evictions = rules+1, evictions+len(want)
	})
	t.Logf("%d rules, %d evictions foretold", rules, evictions)
}

// TestD4OrderDifference shows that the tracker keeps no order among rules. Here it is
// the caller's.
func TestD4OrderDifference(t *testing.T) {
	rules := []device.Rule{
		{DeviceSelector: &device.Selector{}, Taint: taint.Taint{Key: "a", Effect: device.None}},
		{DeviceSelector: &device.Selector{}, Taint: taint.Taint{Key: "b", Effect: device.None}},
	}
	slice := device.Slice{Driver: gpu.Driver, Pool: device.Pool{Name: gpu.Pool}, Devices: []device.Device{{Name: gpu.Device}}}
	seen := map[string]bool{}
	for run := 0; run < 100 && len(seen) < 2; run++ {
		synctest.Test(t, func(t *testing.T) { seen[patched(t, &slice, rules)[gpu.Device][0].Key] = true })
	}
	if len(seen) != 2 {
		t.Errorf("the first taint is always one of %v", seen)
	}
	if got := taint.FormatList(device.AppendEffective(nil, nil, rules, gpu)); got != "a:None,b:None" {
		t.Error(got)
	}
}
