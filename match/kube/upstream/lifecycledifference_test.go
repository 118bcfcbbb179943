package upstream

import (
	"testing"
	"time"

	"github.com/tolero-dev/tolero/taint/lifecycle"
)

// TestLifecycleDifference shows each difference that the documentation of
// package lifecycle lists, with both answers.
func TestLifecycleDifference(t *testing.T) {
	other := at(1, "x").reports(healthy).in("y")
	for _, test := range []struct {
		why            string
		rate           float32
		events         []event
		at             time.Duration
		upstream, ours state
	}{
		{"upstream remembers the heartbeats of deleted nodes", 0.1,
			[]event{other, at(2, "a").reports(healthy).in("z"), at(12, "a").deletes(), at(100, "a").in("z")},
			105 * time.Second, state{unknown.Taints(false), unknown4}, state{}},
		{"a node that changes its zone leaves the queue of the old one", 0.1,
			[]event{other, at(2, "r").reports(healthy).in("z"), at(7, "b").reports(notReady).in("z"), at(12, "a").reports(notReady).in("z"), at(16, "a").in("y")},
			20160 * time.Millisecond, state{notReady.Taints(false) | lifecycle.NotReadyNoExecute, notReady}, state{notReady.Taints(false), notReady}},
		{"upstream gives a zone without nodes that count a new queue at every look", 0,
			[]event{at(7, "a").reports(notReady).in("z").does(func(n *lifecycle.Node) { n.Excluded = true }),
				at(20, "a").reports(healthy), at(30, "a").reports(notReady)},
			45 * time.Second, state{notReady.Taints(false) | lifecycle.NotReadyNoExecute, notReady}, state{notReady.Taints(false), notReady}},
		{"a node that is served without a Ready condition leaves the queue", 0.1,
			[]event{other, at(2, "r").reports(healthy).in("z"), at(7, "b").reports(notReady).in("z"), at(12, "a").reports(notReady),
				at(12, "a").in("z"), at(16, "a").reports(lifecycle.Conditions{}), at(26, "a").reports(notReady)},
			30200 * time.Millisecond, state{notReady.Taints(false) | lifecycle.NotReadyNoExecute, notReady}, state{notReady.Taints(false), notReady}},
	} {
		config := offBeat()
		config.Rate = test.rate
		if got := stateAt(upstreamTimeline(t, config, test.events, test.at), "a"); got != test.upstream {
			t.Errorf("%s: upstream: %v, want %v", test.why, got, test.upstream)
		}
		timeline, _ := timelineOf(t, config, bubble, test.events, test.at)
		if got := stateAt(timeline, "a"); got != test.ours {
			t.Errorf("%s: %v, want %v", test.why, got, test.ours)
		}
	}
}

// unknown4 is what the controller makes of conditions that were never reported.
var unknown4 = lifecycle.Conditions{Ready: lifecycle.Unknown, MemoryPressure: lifecycle.Unknown, DiskPressure: lifecycle.Unknown, PIDPressure: lifecycle.Unknown}

func stateAt(timeline []moment, node string) state {
	if len(timeline) == 0 {
		return state{}
	}
	return timeline[len(timeline)-1].nodes[node]
}
