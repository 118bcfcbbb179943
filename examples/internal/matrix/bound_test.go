package matrix

import (
	"slices"
	"testing"
	"time"

	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/taint"
)

func TestBound(t *testing.T) {
	c := &cluster{
		nodes: []node{
			{"b", taints(t, "x=:NoSchedule,y=:NoExecute,z=:NoExecute"), 1},
			{"a", taints(t, "x=:NoSchedule"), 1},
		},
		pods: []pod{
			{"late", tolerations(t, "y:NoExecute@600,z:NoExecute@60"), "b", 1},
			{"now", tolerations(t, "z"), "b", 3},
			{"zero", tolerations(t, "y:NoExecute,z:NoExecute@0"), "b", 1},
			{"stays", tolerations(t, "*"), "b", 1},
			{"elsewhere", nil, "a", 1}, // NoSchedule does not evict (rule E1)
			{"lost", nil, "gone", 2},
		},
	}
	r := evaluate(quiet(), newFleet(c, allOperators), compileEngine, 5)
	want := []eviction{
		{"now", "b", 3, 0, true, match.Verdict{Scheduling: match.Unschedulable, Eviction: match.EvictNow, EvictionTaint: 1}, taint.MustParse("y:NoExecute")},
		{"zero", "b", 1, 0, true, match.Verdict{Scheduling: match.Unschedulable, Eviction: match.EvictNow, EvictionTaint: 2}, taint.MustParse("z:NoExecute")},
		{"late", "b", 1, time.Minute, false, match.Verdict{Scheduling: match.Unschedulable, Eviction: match.EvictAfter, EvictionTaint: 2, After: time.Minute}, taint.MustParse("z:NoExecute")},
	}
	if !slices.Equal(r.bound.evicted, want) {
		t.Errorf("evicted:\n%+v\nwant:\n%+v", r.bound.evicted, want)
	}
	if r.bound.pods != 9 || r.bound.unknownNodes != 2 || r.bound.evictNow != 4 || r.bound.later() != 1 {
		t.Errorf("got %+v", r.bound)
	}
}
