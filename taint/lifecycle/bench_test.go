package lifecycle_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/tolero-dev/tolero/taint/lifecycle"
)

// fleet is n healthy nodes in ten zones that were looked at once.
func fleet(tb testing.TB, n int, verify func([]lifecycle.Check)) (c *lifecycle.Controller, names []string) {
	config := lifecycle.Defaults()
	config.Verify = verify
	c = newController(tb, config)
	for i := range n {
		names = append(names, fmt.Sprintf("node-%06d", i))
		c.Set(nil, epoch, names[i], ready(fmt.Sprint("zone-", i%10)))
	}
	c.Advance(nil, epoch)
	return c, names
}

// Once the buffers have grown, heartbeats, looks, losses and recoveries do not
// allocate, with leases verified or not.
func TestSteadyStateDoesNotAllocate(t *testing.T) {
	if raceDetector {
		t.Skip("the race detector allocates")
	}
	steadyState(t, nil)
	steadyState(t, func(checks []lifecycle.Check) {
		for i := range checks {
			checks[i].Answered, checks[i].Version = i%3 > 0, []string{"", "", "1"}[i%3]
		}
	})
}

func steadyState(t *testing.T, verify func([]lifecycle.Check)) {
	c, names := fleet(t, 1000, verify)
	var actions []lifecycle.Action
	now := epoch
	round := func() {
		for i := range 12 {
			now = now.Add(10 * time.Second)
			for j, name := range names {
				if j%50 != 0 || i > 8 {
					actions = c.SetLease(actions[:0], now, name, now, "")
				}
			}
		}
		for j := 0; j < len(names); j += 50 {
			actions = c.Post(actions[:0], now, names[j], lifecycle.Healthy())
		}
		actions = c.Advance(actions[:0], now.Add(time.Second))
		now = now.Add(time.Second)
	}
	for range 3 {
		round()
	}
	if allocs := testing.AllocsPerRun(3, round); allocs != 0 {
		t.Errorf("%v allocations for 12,000 heartbeats with losses and recoveries", allocs)
	}
}

// BenchmarkSetLease is one heartbeat of one of 100,000 nodes, its share of the
// looks included: every node sends one in ten seconds.
func BenchmarkSetLease(b *testing.B) {
	for _, n := range []int{1000, 100_000} {
		b.Run(fmt.Sprint("nodes=", n), func(b *testing.B) {
			c, names := fleet(b, n, nil)
			now, pause := epoch, 10*time.Second/time.Duration(n)
			var actions []lifecycle.Action
			i := 0
			b.ReportAllocs()
			for b.Loop() {
				now = now.Add(pause)
				actions = c.SetLease(actions[:0], now, names[i%n], now, "")
				i++
			}
		})
	}
}

// BenchmarkOutage is the loss of one zone of 10,000 nodes out of 100,000 and its
// recovery, by the node of that zone.
func BenchmarkOutage(b *testing.B) {
	const n = 100_000
	c, names := fleet(b, n, nil)
	now := epoch
	var actions []lifecycle.Action
	post := func(conditions lifecycle.Conditions) {
		for i := 0; i < n; i += 10 {
			actions = c.Post(actions[:0], now, names[i], conditions)
		}
		now = now.Add(5 * time.Second)
		actions = c.Advance(actions[:0], now)
	}
	b.ReportAllocs()
	for b.Loop() {
		post(lifecycle.Conditions{Ready: lifecycle.Unknown})
		post(lifecycle.Healthy())
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/(n/10), "ns/node")
}

// BenchmarkNaive is the plain way of doing what BenchmarkSetLease does, a look at
// every node in every period, by the heartbeat.
func BenchmarkNaive(b *testing.B) {
	const n = 1000
	m := newNaive(lifecycle.Defaults(), epoch)
	for i := range n {
		m.set(epoch, fmt.Sprintf("node-%06d", i), ready(fmt.Sprint("zone-", i%10)))
	}
	now, i := epoch, 0
	for b.Loop() {
		now = now.Add(10 * time.Second / n)
		m.renew(now, fmt.Sprintf("node-%06d", i%n), naiveLease{renewed: now})
		i++
	}
}
