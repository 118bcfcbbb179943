package timeline_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/tolero-dev/tolero/match/evict/timeline"
	"github.com/tolero-dev/tolero/taint/lifecycle"
	"github.com/tolero-dev/tolero/toleration"
	"github.com/tolero-dev/tolero/toleration/admit"
)

// shape is a large cluster: how many zones, how many nodes of each are silent, and whether
// each pod has a list of its own.
type shape struct {
	name   string
	zones  int
	silent float64 // the share of the nodes of each zone
	only   bool    // of the first zone only
	lists  bool
	back   time.Duration
}

var shapes = []shape{
	{"one zone of ten", 10, 1, true, false, 0},
	{"one zone in all, half of it", 1, 0.5, false, false, 0},
	{"one zone in all, partial disruption", 1, 0.9, false, false, 0},
	{"all silent", 10, 1, false, false, 0},
	{"all silent and back", 10, 1, false, false, 20 * time.Minute},
	{"a zone for each ten nodes", 0, 0.5, false, false, 0},
	{"a list for each pod", 10, 1, true, true, 0},
	{"a list for each pod, half of one zone", 1, 0.5, false, true, 0},
}

// fleet returns a cluster of n nodes with ten pods each.
func fleet(s shape, n int) *timeline.Cluster {
	c := &timeline.Cluster{Start: epoch, Config: lifecycle.Defaults()}
	if s.zones == 0 {
		s.zones = n / 10
	}
	for i := range n {
		x := timeline.Node{Name: fmt.Sprintf("node-%06d", i)}
		x.State = lifecycle.Node{Zone: fmt.Sprintf("zone-%05d", i%s.zones), Conditions: lifecycle.Healthy(),
			Heartbeat: epoch.Add(-time.Duration(i%10_000) * time.Millisecond)}
		c.Nodes = append(c.Nodes, x)
		if (!s.only || i%s.zones == 0) && float64(i/s.zones)+0.5 < s.silent*float64(n/s.zones) {
			silence := timeline.Outage{Node: x.Name}
			if s.back > 0 {
				silence.Until = epoch.Add(s.back)
			}
			c.Outages = append(c.Outages, silence)
		}
	}
	lists := make([][]toleration.Toleration, 10)
	for i := range lists {
		lists[i] = admit.DefaultSeconds{NotReady: ptr(int64(300)), Unreachable: ptr(int64(30 * i))}.Append(nil, nil)
	}
	lists[9] = admit.DaemonSet{}.Append(nil, nil)
	for i := range 10 * n {
		list := lists[i%10]
		if s.lists {
			list = admit.DefaultSeconds{NotReady: ptr(int64(300)), Unreachable: ptr(int64(i))}.Append(nil, nil)
		}
		c.Pods = append(c.Pods, timeline.Pod{Name: fmt.Sprint("pod-", i), Node: c.Nodes[i/10].Name, Tolerations: list})
	}
	return c
}

// BenchmarkPlay is 100,000 nodes and 1,000,000 pods, by the worst shapes. With -short they
// are a twentieth.
func BenchmarkPlay(b *testing.B) {
	n := 100_000
	if testing.Short() {
		n /= 20
	}
	for _, s := range shapes {
		b.Run(s.name, func(b *testing.B) {
			c := fleet(s, n)
			b.ReportAllocs()
			var t *timeline.Timeline
			for b.Loop() {
				var err error
				if t, err = timeline.Play(c); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(len(t.Evicted)), "evicted")
			b.ReportMetric(t.End.Hours(), "hours")
		})
	}
}
