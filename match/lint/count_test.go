package lint_test

import (
	"math"
	"testing"

	"github.com/tolero-dev/tolero/match/lint"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// A workload counts as the pods that it stands for.
func TestPodsThatStandForPods(t *testing.T) {
	everything := []toleration.Toleration{{Operator: toleration.OpExists}}
	for _, c := range []struct {
		counts []int
		want   int
	}{
		{[]int{0}, 1}, {[]int{-7}, 1}, {[]int{1}, 1}, {[]int{5}, 5}, {[]int{0, 5, 1}, 7},
		{[]int{math.MaxInt}, math.MaxInt}, {[]int{math.MaxInt, 1}, math.MaxInt}, {[]int{2, math.MaxInt, math.MaxInt}, math.MaxInt},
	} {
		var f lint.Fleet
		for _, n := range c.counts {
			f.Pods = append(f.Pods, lint.Pod{Name: "p", Tolerations: everything, Count: n})
		}
		found := lint.Check(&f, lint.Options{}).Findings
		if len(found) != 1 || found[0].Count != c.want {
			t.Errorf("%v: %+v", c.counts, found)
		}
	}
	// The same for DaemonSets.
	f := lint.Fleet{
		Nodes: []lint.Node{{Name: "n", Taints: []taint.Taint{{Key: "a", Effect: taint.NoSchedule}}}},
		Pods:  []lint.Pod{{Name: "d", DaemonSet: true, Count: 3}, {Name: "e", DaemonSet: true}},
	}
	for _, found := range lint.Check(&f, lint.Options{}).Findings {
		if found.ID == lint.DaemonSetMisses && found.Count == 4 {
			return
		}
	}
	t.Error("no DaemonSets")
}
