package timeline

import (
	"fmt"
	"time"

	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/taint/lifecycle"
	"github.com/tolero-dev/tolero/toleration"
)

// Cluster is what a timeline starts from. The zero Cluster lacks a valid Config;
// everything else may be zero. It is plain data: [Play] only reads it, and the result
// retains it.
type Cluster struct {
	Start time.Time // now
	// End is when the timeline ends. If it is zero, that is when nothing more can
	// happen.
	End time.Time
	// Config is the settings of the node life-cycle controller; start from
	// [lifecycle.Defaults]. Verify is not called.
	Config lifecycle.Config
	// HeartbeatInterval is the time between two heartbeats of a node. Zero is 10 s,
	// the kubelet's own.
	HeartbeatInterval time.Duration
	// Policy and Rules are those of the evictions; the zero ones are those of a
	// default cluster, in which tolerations with Gt and Lt do not count.
	Policy match.EvictionPolicy
	Rules  toleration.Rules

	Nodes   []Node
	Pods    []Pod
	Outages []Outage
	// Progress, if it is not nil, is called now and then, in the goroutine of [Play], with
	// the time that the timeline has reached.
	Progress func(at time.Duration)
}

// Node is a node at the start. It is plain data.
type Node struct {
	Name string
	// State is what the life-cycle controller knows of the node. Its Heartbeat is the
	// last one; zero, or one after the start, counts as one at the start. Its Taints
	// are ignored. The zero Conditions are those of a node that never reported, which
	// is lost soon: give [lifecycle.Healthy] to others.
	State lifecycle.Node
	// Taints are all taints of the node.
	Taints []taint.Taint
}

// Pod is a running pod. It is plain data.
type Pod struct {
	Name string // for sentences only
	// Node is the name of its node. A pod on a node that is not among the nodes stays.
	Node        string
	Tolerations []toleration.Toleration
}

// Outage is a time in which a node has no heartbeat: from From until before Until. A
// zero From is since the last heartbeat, and a zero Until is forever. Outages of one
// node may overlap. It is plain data.
type Outage struct {
	Node        string
	From, Until time.Time
}

// DefaultInterval is the time between two heartbeats of a kubelet: it renews its lease
// four times in a lease of 40 s.
const DefaultInterval = 10 * time.Second

func (c *Cluster) interval() time.Duration {
	if c.HeartbeatInterval == 0 {
		return DefaultInterval
	}
	return min(c.HeartbeatInterval, horizon/2)
}

// validate returns a [*taint.FieldErrors] with every fault except those of Config,
// which [lifecycle.New] finds. index has the nodes by name.
func (c *Cluster) validate() (index map[string]int32, err error) {
	var errs taint.FieldErrors
	interval := c.interval()
	if grace := min(c.Config.GracePeriod, c.Config.StartupGracePeriod); interval < 0 {
		errs.Add("heartbeatInterval", "invalid value", interval.String(), "must not be negative")
	} else if interval > grace {
		errs.Add("heartbeatInterval", "invalid value", interval.String(), fmt.Sprintf("must not be longer than the grace periods, the shorter of which is %s: nodes would be lost between two heartbeats", grace))
	}
	if !c.End.IsZero() && c.End.Before(c.Start) {
		errs.Add("end", "invalid value", c.End.Format(time.RFC3339Nano), "must not be before start")
	}
	index = make(map[string]int32, len(c.Nodes))
	for i := range c.Nodes {
		name := c.Nodes[i].Name
		if _, known := index[name]; known {
			errs.Add(fmt.Sprintf("nodes[%d].name", i), "duplicate value", name, "must be unique")
		} else if name == "" {
			errs.Add(fmt.Sprintf("nodes[%d].name", i), "required value", "", "must be set")
		}
		index[name] = int32(i)
	}
	for i := range c.Outages {
		s := &c.Outages[i]
		if _, known := index[s.Node]; !known {
			errs.Add(fmt.Sprintf("outages[%d].node", i), "invalid value", s.Node, "must be the name of one of the nodes")
		}
		if !s.Until.IsZero() && !s.From.IsZero() && !s.Until.After(s.From) {
			errs.Add(fmt.Sprintf("outages[%d].until", i), "invalid value", s.Until.Format(time.RFC3339Nano), "must be later than from, or zero")
		}
	}
	return index, errs.Err()
}
