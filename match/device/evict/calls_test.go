package evict_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/tolero-dev/tolero/match/device"
	"github.com/tolero-dev/tolero/match/device/evict"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// Every method that takes a time first decides what is due by then, and appends to
// what it is given.
func TestEveryCallAdvancesAndAppends(t *testing.T) {
	type decisions = []evict.Decision[string]
	now := at(100)
	for name, call := range map[string]func(*evict.Queue[string], decisions) decisions{
		"SetSlice":    func(q *evict.Queue[string], dst decisions) decisions { return q.SetSlice(dst, now, "t", published(1)) },
		"DeleteSlice": func(q *evict.Queue[string], dst decisions) decisions { return q.DeleteSlice(dst, now, "t") },
		"SetRule": func(q *evict.Queue[string], dst decisions) decisions {
			return q.SetRule(dst, now, "r", ruleFor(nil, "b:None", 0))
		},
		"DeleteRule":  func(q *evict.Queue[string], dst decisions) decisions { return q.DeleteRule(dst, now, "r") },
		"SetClaim":    func(q *evict.Queue[string], dst decisions) decisions { return q.SetClaim(dst, now, "y", nil, nil) },
		"DeleteClaim": func(q *evict.Queue[string], dst decisions) decisions { return q.DeleteClaim(dst, now, "y") },
		"SetPod":      func(q *evict.Queue[string], dst decisions) decisions { return q.SetPod(dst, now, "b/p", true, nil) },
		"DeletePod":   func(q *evict.Queue[string], dst decisions) decisions { return q.DeletePod(dst, now, "b/p") },
		"Advance":     func(q *evict.Queue[string], dst decisions) decisions { return q.Advance(dst, now) },
	} {
		q := using("a:NoExecute@100")
		dst := q.SetSlice(nil, at(0), "s", published(1, "a:NoExecute"))
		const want = "schedule 100 [ResourceSlice s d/p/0 taint #0]; evict 100 [ResourceSlice s d/p/0 taint #0]"
		if got := words(call(q, dst)); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

// Evictions that are moved, each by itself, still come in the order of their moments.
func TestAdvanceInOrderAfterMoves(t *testing.T) {
	const n = 20
	var q evict.Queue[string]
	claim := func(pod string, seconds int) {
		tolerations := []toleration.Toleration{{Operator: toleration.OpExists, Effect: taint.NoExecute, TolerationSeconds: ptr(int64(seconds))}}
		q.SetClaim(nil, at(0), pod, []device.Allocation{{ID: gpu("0"), Tolerations: tolerations}}, []string{pod})
	}
	q.SetRule(nil, at(0), "r", ruleFor(&device.Selector{}, "a:NoExecute", 1))
	for i := range n {
		pod := fmt.Sprint("p", i)
		claim(pod, 10+i)
		q.SetPod(nil, at(0), pod, true, []string{pod})
	}
	for i := range n { // earlier, later and as before
		claim(fmt.Sprint("p", i), 10+i*7%n)
		if err := q.Check(); err != nil {
			t.Fatalf("after %d: %v", i, err)
		}
	}
	decisions := q.Advance(nil, at(40))
	if len(decisions) != n || !slices.IsSortedFunc(decisions, func(a, b evict.Decision[string]) int { return a.Due.Compare(b.Due) }) {
		t.Errorf("%d decisions: %v", len(decisions), words(decisions))
	}
}

// Rule D8: the causes are rules by name, and then taints of devices by driver, pool,
// name and place, each once.
func TestD8CausesInOrder(t *testing.T) {
	var q evict.Queue[string]
	tainted := func(driver, pool string, names ...string) *device.Slice {
		s := published(1, "a:NoSchedule", "a:NoExecute", "b:NoExecute")
		s.Driver, s.Pool.Name = driver, pool
		of := s.Devices[0].Taints
		s.Devices = nil
		for _, name := range names {
			s.Devices = append(s.Devices, device.Device{Name: name, Taints: of})
		}
		return s
	}
	q.SetSlice(nil, at(-9), "1", tainted("e", "p", "0"))
	q.SetSlice(nil, at(-9), "2", tainted("d", "q", "0"))
	q.SetSlice(nil, at(-9), "3", tainted("d", "p", "1", "0"))
	for _, name := range []string{"s", "r"} {
		q.SetRule(nil, at(-9), name, ruleFor(&device.Selector{Driver: ptr("e")}, "a:NoExecute", 9))
	}
	var held []device.Allocation
	for _, id := range []device.ID{{Driver: "e", Pool: "p", Device: "0"}, {Driver: "d", Pool: "q", Device: "0"}, gpu("1"), gpu("0"), gpu("0")} {
		held = append(held, device.Allocation{ID: id})
	}
	q.SetClaim(nil, at(-9), "x", held, []string{"a/p"})
	const want = "schedule 1 [DeviceTaintRule r DeviceTaintRule s " +
		"ResourceSlice 3 d/p/0 taint #1 ResourceSlice 3 d/p/0 taint #2 ResourceSlice 3 d/p/1 taint #1 ResourceSlice 3 d/p/1 taint #2 " +
		"ResourceSlice 2 d/q/0 taint #1 ResourceSlice 2 d/q/0 taint #2 ResourceSlice 1 e/p/0 taint #1 ResourceSlice 1 e/p/0 taint #2]"
	if got := words(q.SetPod(nil, at(-9), "a/p", true, []string{"x"})); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
}

// A taint that changes nothing about the moment is named in what is scheduled.
func TestCausesFollow(t *testing.T) {
	q := using("a:NoExecute@100,b:NoExecute@200")
	causes := func(want string) {
		t.Helper()
		d, _ := q.Find("a/p")
		if got := fmt.Sprint(d.Due.Sub(at(0)), " ", d.Causes); got != want {
			t.Errorf("%s, want %s", got, want)
		}
		for _, c := range d.Causes {
			if (c.Rule != "") != (c.Slice == "") || c.Taint.Effect != taint.NoExecute {
				t.Errorf("%+v", c)
			}
		}
	}
	q.SetSlice(nil, at(0), "s", published(1, "a:NoExecute"))
	causes("1m40s [ResourceSlice s d/p/0 taint #0]")
	q.SetSlice(nil, at(0), "s", published(1, "a:NoExecute", "b:NoExecute"))
	causes("1m40s [ResourceSlice s d/p/0 taint #0 ResourceSlice s d/p/0 taint #1]")
	q.SetSlice(nil, at(0), "s", published(1, "a:NoExecute", "a:None", "b:NoExecute"))
	causes("1m40s [ResourceSlice s d/p/0 taint #0 ResourceSlice s d/p/0 taint #2]")
	q.SetSlice(nil, at(0), "t", published(2, "a:NoExecute"))
	causes("1m40s [ResourceSlice t d/p/0 taint #0]")
	q.SetSlice(nil, at(0), "s", published(2, "a:NoExecute"))
	causes("1m40s [ResourceSlice s d/p/0 taint #0]")
	q.SetRule(nil, at(0), "r", ruleFor(&device.Selector{}, "b:NoExecute", 5))
	causes("1m40s [DeviceTaintRule r ResourceSlice s d/p/0 taint #0]")
	q.SetRule(nil, at(0), "r", ruleFor(&device.Selector{}, "b:NoSchedule", 5))
	causes("1m40s [ResourceSlice s d/p/0 taint #0]")
	q.SetSlice(nil, at(0), "s", published(2, "a=v:NoExecute"))
	if d, _ := q.Find("a/p"); d.Due != at(100) || d.Causes[0].Taint.Value != "v" {
		t.Errorf("%+v", d)
	}
}

// The words that other programs compare, and the numbers that they may store.
func TestConstants(t *testing.T) {
	if evict.ConditionType != "DisruptionTarget" || evict.ConditionReason != "DeletionByDeviceTaintManager" || evict.Evict != 1 || evict.Cancel != 4 {
		t.Error(evict.ConditionType, evict.ConditionReason, evict.Evict, evict.Cancel)
	}
	var none evict.Queue[string]
	if d, found := none.Find("unknown"); found || d.Pod != "" || d.Due != (time.Time{}) {
		t.Error("a queue that knows nothing has an eviction")
	}
}
