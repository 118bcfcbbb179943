package evict_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/tolero-dev/tolero/fuzz/input"
	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/match/evict"
	"github.com/tolero-dev/tolero/toleration"
)

// at returns a moment, in seconds.
func at(seconds int) time.Time { return time.Unix(int64(seconds), 0) }

// A group that becomes due earlier is found although the groups have moved in memory since
// the agenda was last used: many came that are never due.
func TestEarlierAfterManyGroups(t *testing.T) {
	q := evict.New[string](match.MostLenient, toleration.Rules{})
	q.SetNode(nil, at(0), "first", input.Taints("a:NoExecute"))
	q.SetPod(nil, at(0), "slow", "first", input.Tolerations("a@300,b@10"))
	q.SetNode(nil, at(0), "second", input.Taints("a:NoExecute"))
	q.SetPod(nil, at(0), "quick", "second", input.Tolerations("a@100"))
	for i := range 1000 {
		q.SetPod(nil, at(0), fmt.Sprint(i), fmt.Sprint("node-", i), nil)
	}
	q.SetNode(nil, at(0), "first", input.Taints("a:NoExecute,b:NoExecute"))
	if due, ok := q.Next(); !ok || !due.Equal(at(10)) {
		t.Errorf("the first is due at %v, %v", due, ok)
	}
	if got := q.Advance(nil, at(20)); len(got) != 1 || got[0].Pod != "slow" {
		t.Errorf("evicted: %v", got)
	}
}

// A pod that was evicted and stays has come when it came: the time that it tolerates a
// taint counts from then.
func TestEvictedPodsKeepTheirArrival(t *testing.T) {
	for _, policy := range []match.EvictionPolicy{match.MostLenient, match.SinceAdded} {
		q := evict.New[string](policy, toleration.Rules{})
		q.SetNode(nil, at(0), "node", input.Taints("b:NoExecute,a:NoExecute"))
		if got := q.SetPod(nil, at(100), "pod", "node", input.Tolerations("a@50")); len(got) != 1 || got[0].Reason != evict.Untolerated {
			t.Fatalf("%v: %v", policy, got)
		}
		got := q.SetNode(nil, at(110), "node", input.Taints("a:NoExecute"))
		if due, ok := q.Next(); len(got) != 0 || !ok || !due.Equal(at(150)) {
			t.Errorf("%v: %v, and the next is due at %v, %v", policy, got, due, ok)
		}
	}
}
