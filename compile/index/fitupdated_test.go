package index_test

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/tolero-dev/tolero/compile/index"
	"github.com/tolero-dev/tolero/match/matchtest"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// FitUpdated says of who fits what NodeUpdated says, whichever way it takes.
func TestFitUpdated(t *testing.T) {
	for _, few := range []int{1, 2, 512} {
		index.WithFewClasses(few, func() {
			rapid.Check(t, func(t *rapid.T) {
				pods := index.NewPods(toleration.Rules{Comparisons: rapid.Bool().Draw(t, "comparisons")})
				taints := rapid.SliceOfN(matchtest.Taints(), 2, 4).Draw(t, "taints")
				for range rapid.IntRange(0, 20).Draw(t, "pods") {
					pods.Add(matchtest.Tolerations(rapid.SampledFrom(taints).Draw(t, "for")).Draw(t, "pod"))
				}
				var got, want index.Change
				pods.NodeUpdated(&got, taints[1], nil) // what was there before is forgotten
				nowFit, fitNoMore, _ := pods.FitUpdated(&got, taints[0], taints[1])
				pods.NodeUpdated(&want, taints[0], taints[1])
				if !slices.Equal(nowFit, slices.Collect(want.NowFit())) || !slices.Equal(fitNoMore, slices.Collect(want.FitNoMore())) {
					t.Fatalf("%v to %v: now %v and no more %v, want %v and %v", taints[0], taints[1],
						nowFit, fitNoMore, slices.Collect(want.NowFit()), slices.Collect(want.FitNoMore()))
				}
			})
		})
	}
}

// Where each class has a key of its own, FitUpdated asks one class, and allocates nothing
// in the steady state.
func TestFitUpdatedOfRareTaints(t *testing.T) {
	pods := index.NewPods(toleration.Rules{})
	for i := range 2000 {
		pods.Add([]toleration.Toleration{{Key: "own", Value: fmt.Sprint(i), Effect: taint.NoSchedule}})
	}
	before := []taint.Taint{{Key: "own", Value: "7", Effect: taint.NoSchedule}}
	after := append(before[:1:1], taint.MustParse("out:NoExecute"))
	var c index.Change
	gained, lost, looks := pods.FitUpdated(&c, before, after)
	if looks > 10 {
		t.Errorf("%d looks", looks)
	}
	if len(lost) != 1 || pods.Tolerations(lost[0])[0].Value != "7" || len(gained) > 0 {
		t.Errorf("%v lose the node, and %v get it", lost, gained)
	}
	if n := testing.AllocsPerRun(10, func() { pods.FitUpdated(&c, before, after) }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}
