package admit_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/match/matchtest"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
	"github.com/tolero-dev/tolero/toleration/admit"
)

// noExecute is taints that tell tolerations with the keys a and b apart.
var noExecute = []taint.Taint{
	{Key: "a", Value: "1", Effect: taint.NoExecute}, {Key: "a", Value: "2", Effect: taint.NoExecute}, {Key: "b", Effect: taint.NoExecute},
}

// An exact restriction evicts no pod earlier (rules A5, E2).
func TestA5ExactNeverEvictsEarlier(t *testing.T) {
	r := admit.Restriction{Exact: true, Class: admit.Burstable}
	neverEarlier(t, r, list(t, "a==1:NoExecute@60,*:NoExecute@10,a:NoExecute@300"), noExecute)
	neverEarlier(t, r, list(t, "a>0:NoExecute,a==1:NoExecute"), noExecute) // the first does not count
	if t.Failed() {
		return
	}
	rapid.Check(t, func(t *rapid.T) {
		taints := matchtest.Taints().Draw(t, "taints")
		r := admit.Restriction{Exact: true, Class: admit.Burstable, Defaults: matchtest.Tolerations(taints).Draw(t, "defaults")}
		neverEarlier(t, r, matchtest.Tolerations(taints).Draw(t, "tolerations"), taints)
	})
}

// neverEarlier fails if a pod with the list has to leave earlier after a
// restriction than with all tolerations, for any one of the taints.
func neverEarlier(t rapid.TB, r admit.Restriction, given []toleration.Toleration, taints []taint.Taint) {
	t.Helper()
	all := slices.Concat(given, r.Defaults)
	restricted := r.Append(nil, given)
	for i := range taints {
		before, evicted := match.EvictionDelay(taints[i:i+1], all)
		after, still := match.EvictionDelay(taints[i:i+1], restricted)
		if still && (!evicted || after < before) {
			t.Errorf("%q evict after %v (%t) for %q, %q after %v", all, before, evicted, taints[i], restricted, after)
		}
	}
}
