package upstream

import (
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	v1 "k8s.io/api/core/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/client-go/util/flowcontrol"
	nodetopology "k8s.io/component-helpers/node/topology"
	"k8s.io/kubernetes/pkg/controller/nodelifecycle"
	"k8s.io/kubernetes/pkg/controller/nodelifecycle/scheduler"
	"pgregory.net/rapid"

	"github.com/tolero-dev/tolero/taint/lifecycle"
)

// TestC4State holds State against the functions of the controller
// (rules C4, C5).
func TestC4State(t *testing.T) {
	states := map[nodelifecycle.ZoneState]lifecycle.State{
		"Normal": lifecycle.Normal, "PartialDisruption": lifecycle.PartialDisruption, "FullDisruption": lifecycle.FullDisruption}
	compared := 0
	for _, share := range []float32{0.55, 0, -1, 0.5, 1, 2, 1.0 / 3} {
		config := lifecycle.Defaults()
		config.UnhealthyShare = share
		factory := informers.NewSharedInformerFactory(fake.NewClientset(), 0)
		c, err := nodelifecycle.NewNodeLifecycleController(quietly(), factory.Coordination().V1().Leases(), factory.Core().V1().Pods(),
			factory.Core().V1().Nodes(), factory.Apps().V1().DaemonSets(), fake.NewClientset(), time.Second, time.Second,
			time.Second, config.Rate, config.SecondaryRate, int32(config.LargeZone), config.UnhealthyShare)
		if err != nil {
			t.Fatal(err)
		}
		for ready := range 60 {
			var conditions []*v1.NodeCondition
			for range ready {
				conditions = append(conditions, &v1.NodeCondition{Status: v1.ConditionTrue})
			}
			for notReady := range 80 {
				unhealthy, want := c.ComputeZoneState(conditions)
				got, gotRate := config.State(ready, notReady)
				if got != states[want] || unhealthy != notReady {
					t.Fatalf("share %v, %d ready, %d not: %v, want %v", share, ready, notReady, got, want)
				}
				rate := c.HealthyQPSFunc(ready + notReady)
				if got == lifecycle.PartialDisruption {
					rate = c.ReducedQPSFunc(ready + notReady)
				}
				if gotRate != rate {
					t.Fatalf("share %v, %d ready, %d not: rate %v, want %v", share, ready, notReady, gotRate, rate)
				}
				compared++
				// No condition, and one that is False or Unknown, are all not ready.
				conditions = append(conditions, [...]*v1.NodeCondition{nil, {Status: v1.ConditionFalse}, {Status: v1.ConditionUnknown}}[notReady%3])
			}
		}
	}
	t.Logf("%d zones compared", compared)
}

// TestC5Limiter holds the pace of a zone against the queue of the controller
// with the token bucket of client-go, both in a bubble where time.Now stands
// still during a pass: for any rate the same passes serve a node.
func TestC5Limiter(t *testing.T) {
	const nodes = 12
	rates := []float32{0.1, 0.01, 1, 0.3, 0.7, 1.0 / 3, 3, 9.99, 10, 10.01, 11, 1000, 1e-3, 1e9, 3e38, 0, -1, 0.05, 0.123456}
	rates = append(rates, rapid.SliceOfN(rapid.Float32Range(0.001, 12), 60, 60).Example(1)...)
	for _, rate := range rates {
		var want []time.Duration
		horizon := min(2*time.Hour, time.Duration(float64(nodes+1)/max(1e-3, float64(rate))*float64(time.Second))+time.Minute)
		synctest.Test(t, func(t *testing.T) {
			queue := scheduler.NewRateLimitedTimedQueue(flowcontrol.NewTokenBucketRateLimiter(rate, scheduler.EvictionRateLimiterBurst))
			for i := range nodes {
				queue.Add(fmt.Sprint(i), nil)
			}
			start := time.Now()
			for time.Since(start) <= horizon && len(want) < nodes {
				queue.Try(quiet, func(scheduler.TimedValue) (bool, time.Duration) {
					want = append(want, time.Since(start))
					return true, 0
				})
				time.Sleep(scheduler.NodeEvictionPeriod)
			}
		})
		config := lifecycle.Defaults()
		config.Rate, config.UnhealthyShare, config.GracePeriod = rate, 2, 100*time.Hour
		if got := served(t, config, nodes, horizon); !slices.Equal(got, want) {
			t.Errorf("rate %v: served at %v, want %v", rate, got, want)
		}
	}
	t.Logf("%d rates compared", len(rates))
}

// served returns when nodes of a zone that are not ready from the start get
// their taint.
func served(t *testing.T, config lifecycle.Config, nodes int, horizon time.Duration) (times []time.Duration) {
	c, err := lifecycle.New(config, bubble)
	if err != nil {
		t.Fatal(err)
	}
	c.Set(nil, bubble, "ready", lifecycle.Node{Conditions: healthy, Created: bubble})
	for i := range nodes {
		c.Set(nil, bubble, fmt.Sprint(i), lifecycle.Node{Conditions: notReady, Created: bubble})
	}
	for _, a := range c.Advance(nil, bubble.Add(horizon)) {
		if a.Reason == lifecycle.TurnCame {
			times = append(times, a.At.Sub(bubble))
		}
	}
	return times
}

// TestC4ZoneKey holds ZoneKey against GetZoneKey for every set of labels.
func TestC4ZoneKey(t *testing.T) {
	keys := []string{v1.LabelTopologyZone, v1.LabelTopologyRegion, v1.LabelFailureDomainBetaZone, v1.LabelFailureDomainBetaRegion}
	for i := range 81 {
		labels := map[string]string{}
		for n, key := i, 0; key < len(keys); n, key = n/3, key+1 {
			if n%3 > 0 {
				labels[keys[key]] = []string{"", "x"}[n%3-1]
			}
		}
		node := &v1.Node{}
		node.Labels = labels
		if got, want := lifecycle.ZoneKey(labels), nodetopology.GetZoneKey(node); got != want {
			t.Errorf("ZoneKey(%v) = %q, want %q", labels, got, want)
		}
	}
	if lifecycle.ZoneKey(nil) != nodetopology.GetZoneKey(&v1.Node{}) {
		t.Error("ZoneKey(nil) differs")
	}
}
