package match_test

import (
	"strings"
	"testing"
	"time"

	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/taint"
)

func TestNothingAllocates(t *testing.T) {
	taints := node(t, "a=1:NoSchedule,b=x:NoExecute,c=3:PreferNoSchedule,d=99999999999999999999:NoExecute")
	tolerations := pod(t, "z,a>0,b>5,b=x:NoExecute@300,d<5,d@60,e?In x")
	buffer := make([]taint.Taint, 0, len(taints))
	counts := make([]int64, 3)
	prefix := "b"
	keep := func(t *taint.Taint) bool { return !strings.HasPrefix(t.Key, prefix) }
	for name, call := range map[string]func(){
		"Tolerates":             func() { match.Tolerates(tolerations, &taints[3], comparisons) },
		"FirstTolerating":       func() { match.FirstTolerating(tolerations, &taints[3], comparisons) },
		"Filter":                func() { buffer = match.Filter(buffer[:0], taints, tolerations, taint.Hard, comparisons) },
		"FirstUntoleratedFunc":  func() { match.FirstUntoleratedFunc(taints, tolerations, taint.Hard, keep, comparisons) },
		"FirstUntolerated":      func() { match.FirstUntolerated(taints, tolerations, taint.Hard, comparisons) },
		"Decide":                func() { match.Decide(taints, tolerations, comparisons) },
		"CountUntolerated":      func() { match.CountUntolerated(taints, tolerations, taint.Soft, comparisons) },
		"NormalizeScores":       func() { match.NormalizeScores(counts) },
		"EvictionDelay":         func() { match.EvictionDelay(taints, tolerations, comparisons) },
		"EvictionPolicy.Decide": func() { match.MostLenient.Decide(taints, tolerations, time.Time{}, comparisons) },
		"Delay":                 func() { match.SinceAdded.Delay(taints, tolerations, time.Unix(1, 0), comparisons) },
		"KubeletAdmits":         func() { match.KubeletAdmits(taints, tolerations, comparisons) },
		"DaemonSetPlacement":    func() { match.DaemonSetPlacement(taints, tolerations, comparisons) },
		"Cordoned":              func() { match.Cordoned(tolerations) },
		"without rules":         func() { match.Decide(taints, tolerations) },
		"TolerationLists": func() {
			lists := match.TolerationLists{tolerations[:3], nil, tolerations[3:]}
			lists.FirstUntolerated(taints, taint.Hard, comparisons)
			lists.Decide(taints, comparisons)
		},
	} {
		if allocs := testing.AllocsPerRun(100, call); allocs != 0 {
			t.Errorf("%s: %v allocations", name, allocs)
		}
	}
}
