package evict_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/tolero-dev/tolero/fuzz/target"
	"github.com/tolero-dev/tolero/match/device"
	"github.com/tolero-dev/tolero/match/device/evict"
	"github.com/tolero-dev/tolero/match/matchtest"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// ptr returns a pointer to a copy of v.
func ptr[T any](v T) *T { return &v }

func at(n float64) time.Time { return matchtest.Epoch().Add(time.Duration(n * float64(time.Second))) }

// Few words, so that they meet.
var (
	drivers = rapid.SampledFrom([]string{"d", "e"})
	pools   = rapid.SampledFrom([]string{"p", "q"})
	names   = rapid.SampledFrom([]string{"0", "1", "2"})
	taints  = rapid.Custom(func(t *rapid.T) taint.Taint {
		x := taint.Taint{
			Key:    rapid.SampledFrom([]string{"a", "b"}).Draw(t, "key"),
			Effect: rapid.SampledFrom([]taint.Effect{taint.NoExecute, taint.NoExecute, taint.NoExecute, taint.NoSchedule, device.None}).Draw(t, "effect"),
		}
		if rapid.IntRange(0, 7).Draw(t, "dated") > 0 {
			x.TimeAdded = &taint.Time{Time: at(float64(rapid.IntRange(0, 80).Draw(t, "added") * 25))}
		}
		return x
	})
	tolerations = rapid.Custom(func(t *rapid.T) toleration.Toleration {
		x := toleration.Toleration{
			Key: rapid.SampledFrom([]string{"a", "b", ""}).Draw(t, "key"), Operator: toleration.OpExists,
			Effect: rapid.SampledFrom([]taint.Effect{taint.NoExecute, taint.NoExecute, taint.NoExecute, ""}).Draw(t, "effect"),
		}
		if rapid.IntRange(0, 5).Draw(t, "limited") > 0 {
			x.TolerationSeconds = ptr(int64(rapid.IntRange(-1, 20).Draw(t, "seconds") * 25))
		}
		return x
	})
	slicesOf = rapid.Custom(func(t *rapid.T) device.Slice {
		s := device.Slice{Driver: drivers.Draw(t, "driver"), Pool: device.Pool{Name: pools.Draw(t, "pool"), Generation: rapid.Int64Range(-1, 2).Draw(t, "generation")}}
		for _, name := range rapid.SliceOfNDistinct(names, 0, 3, rapid.ID).Draw(t, "devices") {
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
	allocations = rapid.SliceOfN(rapid.Custom(func(t *rapid.T) device.Allocation {
		return device.Allocation{
			ID:          device.ID{Driver: drivers.Draw(t, "driver"), Pool: pools.Draw(t, "pool"), Device: names.Draw(t, "device")},
			Tolerations: rapid.SliceOfN(tolerations, 0, 3).Draw(t, "tolerations"),
		}
	}), 0, 3)
	ruleNames  = rapid.SampledFrom([]string{"r", "s", "t"})
	sliceNames = rapid.SampledFrom([]string{"u", "v", "w"})
	claimNames = rapid.SampledFrom([]string{"x", "y", "z"})
	podKeys    = rapid.IntRange(1, 4)
)

// kept is what a queue has handed out, with what it was then.
type kept struct {
	decisions [][]evict.Decision[int]
	words     []string
}

func (k *kept) keep(decisions []evict.Decision[int]) {
	if len(decisions) > 0 {
		k.decisions, k.words = append(k.decisions, decisions), append(k.words, inWords(decisions))
	}
}

// askAgain compares all that was ever handed out with what it was then.
func (k *kept) askAgain(t rapid.TB) {
	for i, decisions := range k.decisions {
		if got := inWords(decisions); got != k.words[i] {
			t.Fatalf("decisions have changed: %s, were %s", got, k.words[i])
		}
	}
}

func inWords(decisions []evict.Decision[int]) (words string) {
	for _, d := range decisions {
		words += fmt.Sprintln(d.Pod, d.Kind, d.Due, d.Was)
		for _, c := range d.Causes {
			words += fmt.Sprintln(c, c.Taint, c.Taint.TimeAdded)
		}
	}
	return words
}

// step draws one event, tells it to both, and compares the decisions.
func step(t *rapid.T, q *evict.Queue[int], m *model, k *kept) (decided int) {
	now := m.now.Add(time.Duration(rapid.SampledFrom([]int{0, 0, 0, 1, 25, 60}).Draw(t, "pause")) * time.Second)
	want := m.advance(now)
	before := m.allCauses()
	got := event(t, q, m, now)
	gone := got.gone
	lines := m.decide(before)
	if gone != "" {
		lines = append(lines, gone)
	}
	want = append(want, lines...)
	slices.Sort(want)
	if lines := tell(got.decisions); !slices.Equal(lines, want) {
		t.Fatalf("at %v the queue decides %q, want %q", now, lines, want)
	}
	k.keep(got.decisions)
	k.keep(slices.Collect(q.Scheduled()))
	compareScheduled(t, q, m)
	if rapid.IntRange(0, 3).Draw(t, "preview") == 0 {
		k.keep(comparePreview(t, q, m))
	}
	return len(want)
}

// comparePreview compares what a rule would do, and returns what the queue says of it.
func comparePreview(t *rapid.T, q *evict.Queue[int], m *model) []evict.Decision[int] {
	r, added := rulesOf.Draw(t, "rule"), m.now.Add(time.Duration(rapid.IntRange(0, 3000).Draw(t, "later"))*time.Millisecond)
	own := r.Taint
	own.Effect, own.TimeAdded = taint.NoExecute, nil
	device.SetTaintDefaults(&own, added)
	var want []string
	for key, p := range m.pods {
		e, ok := device.EarliestEviction(m.used(key, p), func(id device.ID) []taint.Taint {
			if r.Selects(id) {
				return []taint.Taint{own}
			}
			return nil
		})
		if ok {
			kind := evict.Schedule
			if !e.At.After(added) {
				kind = evict.Evict
			}
			want = append(want, line(key, kind, e.At, p.due, []string{"DeviceTaintRule preview"}))
		}
	}
	slices.Sort(want)
	decisions, impact := q.Preview(nil, "preview", &r, added)
	if got := tell(decisions); !slices.Equal(got, want) {
		t.Fatalf("the preview of %+v is %q, want %q", r, got, want)
	}
	if want := m.impact(&r, len(want)); impact != want {
		t.Fatalf("%+v: %+v, want %+v", r, impact, want)
	}
	return decisions
}

// happened is what the queue decided, and what is to be told of a pod that is gone.
type happened struct {
	decisions []evict.Decision[int]
	gone      string
}

func event(t *rapid.T, q *evict.Queue[int], m *model, now time.Time) (h happened) {
	switch kind := rapid.IntRange(0, 13).Draw(t, "kind"); kind {
	case 0, 1, 2:
		name, s := sliceNames.Draw(t, "slice"), slicesOf.Draw(t, "spec")
		m.slices[name] = s
		h.decisions = q.SetSlice(nil, now, name, &s)
	case 3, 4, 5:
		name, r := ruleNames.Draw(t, "rule"), rulesOf.Draw(t, "spec")
		m.rules[name] = r
		h.decisions = q.SetRule(nil, now, name, &r)
	case 6, 7:
		name, c := claimNames.Draw(t, "claim"), modelClaim{allocations.Draw(t, "allocations"), rapid.OneOf(rapid.SliceOfN(podKeys, 0, 4), rapid.Just([]int{1, 2, 3, 4})).Draw(t, "reserved")}
		m.claims[name] = c
		h.decisions = q.SetClaim(nil, now, name, c.allocations, c.reserved)
	case 8, 9:
		key, p := podKeys.Draw(t, "pod"), modelPod{placed: rapid.IntRange(0, 4).Draw(t, "placed") > 0, claims: rapid.SliceOfN(claimNames, 0, 3).Draw(t, "claims")}
		if old := m.pods[key]; old != nil {
			p.due, p.evicted = old.due, old.evicted
		}
		m.pods[key] = &p
		h.decisions = q.SetPod(nil, now, key, p.placed, p.claims)
	case 10:
		key := podKeys.Draw(t, "pod")
		if p := m.pods[key]; p != nil && !p.due.IsZero() {
			h.gone = line(key, evict.Cancel, p.due, time.Time{}, m.causes(p))
		}
		delete(m.pods, key)
		h.decisions = q.DeletePod(nil, now, key)
	case 11:
		name := sliceNames.Draw(t, "slice")
		delete(m.slices, name)
		h.decisions = q.DeleteSlice(nil, now, name)
	case 12:
		name := ruleNames.Draw(t, "rule")
		delete(m.rules, name)
		h.decisions = q.DeleteRule(nil, now, name)
	default:
		name := claimNames.Draw(t, "claim")
		delete(m.claims, name)
		h.decisions = q.DeleteClaim(nil, now, name)
	}
	return h
}

// compareScheduled compares what is scheduled, and the answers that follow from it.
func compareScheduled(t rapid.TB, q *evict.Queue[int], m *model) {
	var want []string
	var first time.Time
	for key, p := range m.pods {
		d, found := q.Find(key)
		if found == p.due.IsZero() {
			t.Fatalf("pod %d: scheduled: %t", key, found)
		}
		if !found {
			continue
		}
		if first.IsZero() || p.due.Before(first) {
			first = p.due
		}
		want = append(want, line(key, evict.Evict, p.due, time.Time{}, m.causes(p)))
		if got := tell([]evict.Decision[int]{d}); got[0] != want[len(want)-1] {
			t.Fatalf("pod %d: %q, want %q", key, got, want[len(want)-1])
		}
	}
	slices.Sort(want)
	if got := tell(slices.Collect(q.Scheduled())); !slices.Equal(got, want) || q.Pending() != len(want) || q.Len() != len(m.pods) {
		t.Fatalf("scheduled: %q, want %q; %d pending, %d pods", got, want, q.Pending(), q.Len())
	}
	if next, ok := q.Next(); ok != (len(want) > 0) || !next.Equal(first) {
		t.Fatalf("next: %v, %t, want %v", next, ok, first)
	}
	if err := q.Check(); err != nil {
		t.Fatal(err)
	}
}

// populated returns a model and makes a queue of pods that use claims, with nothing
// tainted.
func populated(t *rapid.T, q *evict.Queue[int]) *model {
	m := newModel()
	m.now = at(0)
	everybody := []int{1, 2, 3, 4}
	for _, name := range []string{"x", "y", "z"} {
		m.claims[name] = modelClaim{allocations.Draw(t, "allocations"), everybody}
		q.SetClaim(nil, m.now, name, m.claims[name].allocations, everybody)
	}
	for _, key := range everybody {
		m.pods[key] = &modelPod{placed: true, claims: rapid.SliceOfN(claimNames, 1, 3).Draw(t, "claims")}
		q.SetPod(nil, m.now, key, true, m.pods[key].claims)
	}
	return m
}

// TestMachine tells a queue and the model any events, and compares all that they
// say.
func TestMachine(t *testing.T) {
	decided, events := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		var q evict.Queue[int]
		var k kept
		m := populated(t, &q)
		for range rapid.IntRange(1, 60).Draw(t, "events") {
			decided += step(t, &q, m, &k)
			events++
		}
		empty(t, &q, m)
		k.askAgain(t)
	})
	t.Logf("%d events, %d decisions", events, decided)
}

// empty takes everything away, and checks that nothing is left.
func empty(t rapid.TB, q *evict.Queue[int], m *model) {
	for _, name := range slices.Collect(maps.Keys(m.slices)) {
		q.DeleteSlice(nil, m.now, name)
	}
	for name := range m.rules {
		q.DeleteRule(nil, m.now, name)
	}
	for name := range m.claims {
		q.DeleteClaim(nil, m.now, name)
	}
	for key := range m.pods {
		q.DeletePod(nil, m.now, key)
	}
	if sizes := q.Sizes(); sizes != (evict.Sizes{}) {
		t.Fatalf("left: %s", fmt.Sprint(sizes))
	}
}

func FuzzMachine(f *testing.F) {
	target.Fuzz(f, target.Rapid(func(t *rapid.T) {
		var q evict.Queue[int]
		var k kept
		m := populated(t, &q)
		for range rapid.IntRange(1, 30).Draw(t, "events") {
			step(t, &q, m, &k)
		}
		k.askAgain(t)
	}))
}
