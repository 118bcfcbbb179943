package outage

import (
	"fmt"
	"time"

	"github.com/tolero-dev/tolero/match/evict/timeline"
	"github.com/tolero-dev/tolero/taint/lifecycle"
	"github.com/tolero-dev/tolero/toleration"
	"github.com/tolero-dev/tolero/toleration/admit"
)

// start is the time at which every timeline starts. Any would do: only what passes from
// then on is shown.
var start = time.UnixMilli(1e12).UTC()

// cluster returns the nodes and pods that the options ask for, and when the nodes are
// silent. What passes is told to add, in nanoseconds.
func (o *options) cluster(add func(passed int64)) *timeline.Cluster {
	reached := time.Duration(0)
	c := &timeline.Cluster{
		Start: start, End: start.Add(o.end), Config: o.config, HeartbeatInterval: o.interval, Policy: o.policy,
		Progress: func(at time.Duration) {
			add(int64(at - reached))
			reached = at
		},
	}
	lists := o.lists()
	nodes := o.zones * o.nodes
	for i := range nodes {
		zone := i % o.zones
		n := timeline.Node{Name: fmt.Sprintf("node-%s-%05d", zoneName(zone), i/o.zones)}
		// The nodes have their heartbeats one after the other.
		phase := time.Duration(float64(o.interval) * float64(i) / float64(nodes))
		n.State = lifecycle.Node{Zone: zoneName(zone), Conditions: lifecycle.Healthy(), Heartbeat: start.Add(phase - o.interval), Created: start}
		c.Nodes = append(c.Nodes, n)
		for j := range o.pods {
			c.Pods = append(c.Pods, timeline.Pod{Node: n.Name, Tolerations: lists[min(j, others)]})
		}
		g := &o.first
		if zone > 0 {
			g = &o.others
		}
		if g.lost > 0 {
			s := timeline.Outage{Node: n.Name, From: start.Add(g.lost)}
			if g.back > 0 {
				s.Until = start.Add(g.back)
			}
			c.Outages = append(c.Outages, s)
		}
	}
	return c
}

// zoneName returns "a", "b" and so on; the 27th zone is "aa".
func zoneName(zone int) string {
	name := string(rune('a' + zone%26))
	if zone >= 26 {
		return zoneName(zone/26-1) + name
	}
	return name
}

// The pods of a node, by their tolerations.
const (
	daemon = iota // the first one: no limit, as the DaemonSet controller sets it (rule A2)
	hasty         // the second one: -few-seconds
	others        // the rest: as admission sets it (rule A1)
)

func (o *options) lists() [others + 1][]toleration.Toleration {
	seconds := func(n *int64) []toleration.Toleration {
		return admit.DefaultSeconds{NotReady: n, Unreachable: n}.Append(nil, nil)
	}
	return [...][]toleration.Toleration{daemon: admit.DaemonSet{}.Append(nil, nil), hasty: seconds(&o.few), others: seconds(&o.seconds)}
}
