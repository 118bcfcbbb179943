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
			got := who.FitCount(c)
			if sum := uint64(got.Gained) + uint64(got.Lost); sum != math.MaxUint32 {
				t.Errorf("few are one in %d: %+v", few, got)
			}
		})
	}
}

// Where thousands of values meet thousands of bounds, each value looks at a word for each
// 64 classes, as it does where classes have no bounds, and not at each bound.
func TestLooksAtBounds(t *testing.T) {
	const classes, taints = 6400, 1000
	for op, want := range map[toleration.Operator]int{toleration.OpGt: 772207, toleration.OpLt: 775714} {
		for _, words := range []int{0, 1 << 20} {
			index.WithFewClasses(512, words, func() {
				pods := index.NewPods(comparing)
				for i := range classes {
					pods.Add([]toleration.Toleration{{Key: "n", Operator: op, Value: fmt.Sprint(i)}})
				}
				who := pods.Tolerators(new(index.Index).Snapshot())
				out := taint.MustParse("out:NoExecute")
				changed := []index.TaintRow{who.Row(&out)}
				for i := range taints {
					x := taint.Taint{Key: "n", Value: fmt.Sprint(classes / taints * i), Effect: taint.NoSchedule}
					who.NodesUpdated([]index.TaintRow{who.Row(&x)}, nil, changed, 1)
				}
				for c, n := range countsOf(who, pods) {
					want := 0 // how many of the values the class tolerates, whose bound is c-1
					for v := range taints {
						if value := classes / taints * v; c > 0 && (op == toleration.OpGt && value > c-1 || op == toleration.OpLt && value < c-1) {
							want++
						}
					}
					if n != (index.FitCount{Lost: uint32(want)}) {
						t.Fatalf("%s: class %d: %+v, want %d", op, c, n, want)
					}
				}
				got := who.Steps() // as many as it was when this was written: 8 words for each 64 classes and each taint
				if got != want || got > 8*taints*classes/64+3*classes {
					t.Errorf("%s, %d words kept: %d steps, want %d", op, words, got, want)
				}
			})
		}
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
			if got, want := who.FitCount(c), (index.FitCount{Gained: 5 * (i + 1), Lost: 2 * (i + 1)}); got != want {
				t.Errorf("%+v, want %+v", got, want)
			}
		}
	}
}

// How many classes can tolerate a taint is counted once, whether they are few or many.
func TestCandidatesAreCountedOnce(t *testing.T) {
	const classes, most = 12, 3 // most are few
	index.WithFewClasses(classes/most, 1<<20, func() {
		pods := index.NewPods(toleration.Rules{})
		for i := range classes {
			list := []toleration.Toleration{{Key: "class", Value: fmt.Sprint(i)}}
			for n := i + 1; n <= classes; n++ { // the first n classes tolerate the n-th taint
				list = append(list, toleration.Toleration{Key: fmt.Sprint(n), Operator: toleration.OpExists})
			}
			pods.Add(list)
		}
		who := pods.Tolerators(new(index.Index).Snapshot())
		for n := range classes + 1 {
			row := who.Row(&taint.Taint{Key: fmt.Sprint(n), Effect: taint.NoSchedule})
			again := 2 + n // the call and its row, and the classes
			first := again + 1
			switch {
			case n == 1: // the class is noted
				again = 2
			case n > most: // all classes at once, in one word, for which four are counted
				again = 2 + 4
				first = again + 1 + 2 // and to write that one
			}
			checkSteps(t, who, row, n, first, again, again)
		}
	})
}

// checkSteps counts nodes with the taint of a row again and again.
func checkSteps(t *testing.T, who *index.Tolerators, row index.TaintRow, n int, wants ...int) {
	for i, want := range wants {
		before := who.Steps()
		if who.NodesAdded([]index.TaintRow{row}, 1); who.Steps()-before != want {
			t.Errorf("taint %d, time %d: %d steps, want %d", n, i, who.Steps()-before, want)
		}
	}
}
