package index_test

import (
	"fmt"
	"math"
	"runtime"
	"testing"
	"time"
	"weak"

	"github.com/tolero-dev/tolero/compile/index"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// A Tolerators retains no times of the taints that it has looked up.
func TestTimesOfTaintsAreNotRetained(t *testing.T) {
	who := new(index.Pods).Tolerators(new(index.Index).Snapshot())
	since := &taint.Time{Time: time.Unix(1, 0)}
	pointer := weak.Make(since)
	who.Row(&taint.Taint{Key: "k", Effect: taint.NoExecute, TimeAdded: since})
	runtime.GC()
	if pointer.Value() != nil {
		t.Error("the time is retained")
	}
	runtime.KeepAlive(who)
}

// Numbers of nodes that are too large for a FitCount stay at the largest, whether the
// classes are counted one by one or all at once.
func TestTooManyNodes(t *testing.T) {
	for _, few := range []int{1, 512} {
		index.WithFewClasses(few, 1<<20, func() {
			pods := index.NewPods(toleration.Rules{})
			c := pods.Add([]toleration.Toleration{{Key: "own", Operator: toleration.OpExists}})
			who := pods.Tolerators(new(index.Index).Snapshot())
			own, out := taint.MustParse("own:NoSchedule"), taint.MustParse("out:NoExecute")
			kept, changed := []index.TaintRow{who.Row(&own)}, []index.TaintRow{who.Row(&out)}
			for range 3 {
				who.NodesUpdated(kept, nil, changed, math.MaxInt32)
				who.NodesUpdated(kept, changed, nil, math.MaxInt)
				who.NodesUpdated(kept, nil, changed, 1)
			}
			got := who.FitCounts()[c]
			if sum := uint64(got.Gained) + uint64(got.Lost); sum != math.MaxUint32 {
				t.Errorf("few are one in %d: %+v", few, got)
			}
		})
	}
}

// Steps are counted for each class with Gt or Lt, where these are put into words.
func TestLooksAtBounds(t *testing.T) {
	const classes, taints = 6400, 100
	pods := index.NewPods(comparing)
	for i := range classes {
		pods.Add([]toleration.Toleration{{Key: "n", Operator: toleration.OpGt, Value: fmt.Sprint(i)}})
	}
	who := pods.Tolerators(new(index.Index).Snapshot())
	out := taint.MustParse("out:NoExecute")
	changed := []index.TaintRow{who.Row(&out)}
	for i := range taints {
		x := taint.Taint{Key: "n", Value: fmt.Sprint(classes + i), Effect: taint.NoSchedule}
		who.NodesUpdated([]index.TaintRow{who.Row(&x)}, nil, changed, 1)
	}
	if got, least := who.Looks(), taints*classes; got < least {
		t.Errorf("%d looks, and %d bounds are met", got, least)
	}
}

// To ask for the counts in between counts nothing twice.
func TestFitCountsInBetween(t *testing.T) {
	pods := index.NewPods(toleration.Rules{})
	c := pods.Add([]toleration.Toleration{{Key: "own", Operator: toleration.OpExists}})
	who := pods.Tolerators(new(index.Index).Snapshot())
	own, out := taint.MustParse("own:NoSchedule"), taint.MustParse("out:NoExecute")
	kept, changed := []index.TaintRow{who.Row(&own)}, []index.TaintRow{who.Row(&out)}
	for i := range uint32(3) {
		who.NodesUpdated(kept, nil, changed, 2)
		who.NodesUpdated(kept, changed, nil, 5)
		for range 2 {
			if got, want := who.FitCounts()[c], (index.FitCount{Gained: 5 * (i + 1), Lost: 2 * (i + 1)}); got != want {
				t.Errorf("%+v, want %+v", got, want)
			}
		}
	}
}
