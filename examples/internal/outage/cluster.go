package outage

import (
	"fmt"
	"time"

	"github.com/tolero-dev/tolero/examples/internal/command"
	"github.com/tolero-dev/tolero/match/evict/timeline"
	"github.com/tolero-dev/tolero/taint/lifecycle"
	"github.com/tolero-dev/tolero/toleration"
	"github.com/tolero-dev/tolero/toleration/admit"
)

// start is the time at which every timeline starts. Any would do: only what passes from
// then on is shown.
var start = time.UnixMilli(1e12).UTC()

// invented returns the nodes and pods that the options ask for, and when the nodes are silent.
func (o *options) invented(p *command.Program) (*timeline.Cluster, []string, error) {
	if err := p.BuiltIn(); err != nil {
		return nil, nil, err
	}
	c := &timeline.Cluster{Start: start, End: start.Add(o.end), Config: o.config, HeartbeatInterval: o.interval, Policy: o.policy}
	seconds := func(n *int64) []toleration.Toleration {
		return admit.DefaultSeconds{NotReady: n, Unreachable: n}.Append(nil, nil)
	}
	// The pods of a node: one of a DaemonSet, without limit (rule A2), one with -few-seconds, and
	// others as admission makes them (rule A1).
	lists := [][]toleration.Toleration{admit.DaemonSet{}.Append(nil, nil), seconds(&o.few), seconds(&o.seconds)}
	nodes := o.zones * o.nodes
	for i := range nodes {
		zone := i % o.zones
		n := timeline.Node{Name: fmt.Sprintf("node-%s-%05d", zoneName(zone), i/o.zones)}
		// The nodes have their heartbeats one after the other.
		phase := time.Duration(float64(o.interval) * float64(i) / float64(nodes))
		n.State = lifecycle.Node{Zone: zoneName(zone), Conditions: lifecycle.Healthy(), Heartbeat: start.Add(phase - o.interval), Created: start}
		c.Nodes = append(c.Nodes, n)
		for j := range o.pods {
			c.Pods = append(c.Pods, timeline.Pod{Node: n.Name, Tolerations: lists[min(j, len(lists)-1)]})
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
	return c, nil, nil
}

// zoneName returns "a", "b" and so on; the 27th zone is "aa".
func zoneName(zone int) string {
	name := string(rune('a' + zone%26))
	if zone >= 26 {
		return zoneName(zone/26-1) + name
	}
	return name
}
