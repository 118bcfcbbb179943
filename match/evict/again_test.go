package evict_test

import (
	"fmt"
	"runtime"
	"slices"
	"testing"
	"time"
	"weak"

	"github.com/tolero-dev/tolero/fuzz/notation"
	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/match/evict"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// said returns when and why pods are evicted or not.
func said(decisions []evict.Decision[string], start time.Time) (list []string) {
	for _, d := range decisions {
		list = append(list, fmt.Sprintf("%s %v %v", d.Pod, d.Due.Sub(start), d.Reason))
	}
	slices.Sort(list)
	return list
}

func lists(t *testing.T, taints, tolerations string) ([]taint.Taint, []toleration.Toleration) {
	t.Helper()
	x, err := notation.Taints(taints)
	if err != nil {
		t.Fatal(err)
	}
	list, err := notation.Tolerations(tolerations)
	if err != nil {
		t.Fatal(err)
	}
	return x, list
}

// The same NoExecute taints change nothing, whatever other taints there are: a pod that was
// evicted is not evicted once more.
func TestOtherTaintsChangeNothing(t *testing.T) {
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	before, _ := lists(t, "own:NoExecute", "")
	for _, others := range []string{`other:NoSchedule,own:NoExecute`, `other:"",own:NoExecute`, `own:NoExecute,other:PreferNoSchedule`, `other:Evict,own:NoExecute,other:Zzz`, "own:NoExecute"} {
		after, _ := lists(t, others, "")
		for _, pair := range [][2][]taint.Taint{{before, after}, {after, before}, {after, after}} {
			var q evict.Queue[string]
			q.SetPod(nil, start, "pod", "node", nil)
			if got := said(q.SetNode(nil, start, "node", pair[0]), start); !slices.Equal(got, []string{"pod 0s untolerated"}) {
				t.Errorf("%s: %q", others, got)
			}
			if got := said(q.SetNode(nil, start.Add(time.Second), "node", pair[1]), start); got != nil {
				t.Errorf("%s, again: %q", others, got)
			}
		}
	}
	other, _ := lists(t, `own:"",own:Evict,own:Zzz,own:NoSchedule`, "")
	var q evict.Queue[string]
	q.SetPod(nil, start, "pod", "node", nil)
	if got := q.SetNode(nil, start, "node", other); got != nil {
		t.Errorf("evicted: %v", got)
	}
}

// A plan that changes finds its place among the others: the first is always the next.
func TestPlansMove(t *testing.T) {
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	q := evict.New[string](match.MostLenient, toleration.Rules{})
	one, list := lists(t, "a:NoExecute", "a:NoExecute@10,b:NoExecute@3")
	both, other := lists(t, "a:NoExecute,b:NoExecute", "a:NoExecute@5")
	q.SetPod(nil, start, "moves", "n1", list)
	q.SetPod(nil, start, "stays", "n2", other)
	q.SetNode(nil, start, "n1", one)
	q.SetNode(nil, start, "n2", one)
	if got := q.SetNode(nil, start.Add(time.Second), "n1", both); got != nil {
		t.Errorf("evicted: %v", got)
	}
	if due, ok := q.Next(); !ok || !due.Equal(start.Add(4*time.Second)) {
		t.Errorf("the next is due at %v", due)
	}
	if got := said(q.Advance(nil, start.Add(4500*time.Millisecond)), start); !slices.Equal(got, []string{"moves 4s time is up"}) {
		t.Errorf("got %q", got)
	}
}

// Seconds count from when the pod came if that was after the taint, also where it tolerated
// the taint forever until its list changed.
func TestSinceThePodCame(t *testing.T) {
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	taints, forever := lists(t, "a:NoExecute", "a:NoExecute")
	_, limited := lists(t, "", "a:NoExecute@15")
	q := evict.New[string](match.MostLenient, toleration.Rules{})
	q.SetNode(nil, start, "node", taints)
	q.SetPod(nil, start.Add(10*time.Second), "pod", "node", forever)
	if got := q.SetPod(nil, start.Add(20*time.Second), "pod", "node", limited); got != nil {
		t.Errorf("evicted: %v", got)
	}
	if due, ok := q.Next(); !ok || !due.Equal(start.Add(25*time.Second)) {
		t.Errorf("due at %v, want 25 s after the start", due)
	}
}

// The loop over what is scheduled may end anywhere.
func TestScheduledEnds(t *testing.T) {
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	taints, list := lists(t, "a:NoExecute", "a:NoExecute@15")
	var q evict.Queue[string]
	for i := range 4 {
		q.SetPod(nil, start, fmt.Sprint(i), "node", list)
	}
	q.SetNode(nil, start, "node", taints)
	for most := range 5 {
		n := 0
		for range q.Scheduled() {
			if n == most {
				break
			}
			n++
		}
		if n != most {
			t.Errorf("%d, want %d", n, most)
		}
	}
}

// Times that are too late for the clock are its last moment, at which pods are evicted as at
// any other.
func TestTheLastMoment(t *testing.T) {
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	taints, list := lists(t, "a:NoExecute", "a:NoExecute@0")
	for _, policy := range []match.EvictionPolicy{match.FirstMatch, match.MostLenient, match.SinceAdded} {
		for _, late := range []time.Time{start.AddDate(291, 0, 0), start.AddDate(300, 0, 0), start.AddDate(3000, 0, 0)} {
			q := evict.New[string](policy, toleration.Rules{})
			q.SetPod(nil, start, "refused", "node", nil)
			q.SetPod(nil, start, "granted", "node", list)
			got := q.SetNode(nil, late, "node", taints)
			if len(got) != 2 || !got[0].Reason.Evicts() || !got[1].Reason.Evicts() {
				t.Errorf("%v, at %v: %q", policy, late, said(got, start))
			}
		}
	}
}

// A queue does not hold on to pods that are gone and to taints that a node had.
func TestForgets(t *testing.T) {
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	var q evict.Queue[*string]
	var pod weak.Pointer[string]
	var added weak.Pointer[taint.Time]
	func() {
		x, since := new(string), &taint.Time{Time: start}
		pod, added = weak.Make(x), weak.Make(since)
		q.SetPod(nil, start, x, "node", nil)
		q.SetNode(nil, start, "node", []taint.Taint{{Key: "a", Effect: taint.NoExecute, TimeAdded: since}})
		q.DeletePod(nil, start, x)
		q.SetNode(nil, start, "node", nil)
	}()
	runtime.GC()
	if pod.Value() != nil || added.Value() != nil {
		t.Errorf("it holds on to the pod: %v, to the time of the taint: %v", pod.Value() != nil, added.Value() != nil)
	}
	runtime.KeepAlive(&q)
}
