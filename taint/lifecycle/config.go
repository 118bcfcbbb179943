package lifecycle

import (
	"fmt"
	"math"
	"time"

	"github.com/tolero-dev/tolero/taint"
)

// Config is the settings of a [Controller], those of the flags of
// kube-controller-manager. The zero Config is not valid; start from [Defaults].
// A Config may be copied; it retains Verify.
//
// Shares and rates are float32 because they are in Kubernetes, where the
// rounding decides at which look a node gets its taint.
type Config struct {
	// MonitorPeriod is the time from one look at all nodes to the next
	// (--node-monitor-period). It must be positive.
	MonitorPeriod time.Duration
	// GracePeriod is how old the last heartbeat of a node may get before its
	// conditions turn Unknown (--node-monitor-grace-period, rule C3).
	GracePeriod time.Duration
	// StartupGracePeriod is the same for a node whose kubelet has not yet
	// reported whether it is ready (--node-startup-grace-period, rule C3).
	StartupGracePeriod time.Duration
	// Rate is how many nodes of a zone get a NoExecute taint in a second
	// (--node-eviction-rate, rule C5). Zero or less is never, except for the
	// first node of a zone; exactly 1 has a trap: see [Zone].
	Rate float32
	// SecondaryRate is Rate for a large zone in partial disruption
	// (--secondary-node-eviction-rate, rule C5).
	SecondaryRate float32
	// LargeZone is the number of nodes that a zone must exceed to be large
	// (--large-cluster-size-threshold, rule C5).
	LargeZone int
	// UnhealthyShare is the share of nodes that are not ready from which on a
	// zone is in partial disruption (--unhealthy-zone-threshold, rule C4).
	UnhealthyShare float32
	// Verify looks up the live leases of nodes whose grace period is over and
	// fills in the answers (rule C6). A look calls it at most once, with these
	// nodes in the order of their names; nodes that are lost already are among
	// them. During one call of a method the answers should not change: looks that
	// decide nothing are not repeated. It must not call the controller or keep the
	// slice. Nil leaves the leases unverified, as Kubernetes does before 1.37 and
	// without the feature gate NodeControllerLeaseCircuitBreaker.
	Verify func([]Check)
}

// Defaults returns the settings that Kubernetes has when no flag is given.
// Before 1.32 the grace period was 40 s.
func Defaults() Config {
	return Config{
		MonitorPeriod:      5 * time.Second,
		GracePeriod:        50 * time.Second,
		StartupGracePeriod: 60 * time.Second,
		Rate:               0.1,
		SecondaryRate:      0.01,
		LargeZone:          50,
		UnhealthyShare:     0.55,
	}
}

// validate returns a [*taint.FieldErrors] with every fault.
func (c *Config) validate() error {
	var errs taint.FieldErrors
	if c.MonitorPeriod <= 0 {
		errs.Add("config.MonitorPeriod", "invalid value", c.MonitorPeriod.String(), "must be more than 0; Defaults has 5s")
	}
	for _, number := range [...]struct {
		field string
		value float32
	}{
		{"config.Rate", c.Rate},
		{"config.SecondaryRate", c.SecondaryRate},
		{"config.UnhealthyShare", c.UnhealthyShare},
	} {
		if wide := float64(number.value); math.IsNaN(wide) || math.IsInf(wide, 0) {
			errs.Add(number.field, "invalid value", fmt.Sprint(number.value), "must be a finite number")
		}
	}
	return errs.Err()
}

// State is the state of a zone.
type State uint8

// The states (rule C4).
const (
	Initial           State = iota // not looked at yet
	Normal                         // enough nodes are ready
	PartialDisruption              // many nodes are not
	FullDisruption                 // no node is
)

var states = []string{"Initial", "Normal", "PartialDisruption", "FullDisruption"}

// String returns the name that Kubernetes has for s in its logs.
func (s State) String() string { return textOf(states, "State", uint8(s)) }

// State returns the state of a zone with that many nodes that are ready and that are not,
// and how many nodes a second get a NoExecute taint there, unless all zones are in full
// disruption (rules C4, C5). The state is FullDisruption when none is ready and some is not,
// PartialDisruption when at least three and at least the UnhealthyShare of all are not, and
// else Normal, also for a zone without nodes.
func (c *Config) State(ready, notReady int) (s State, rate float32) {
	nodes := ready + notReady
	switch {
	case ready == 0 && notReady > 0:
		return FullDisruption, c.Rate
	case notReady <= 2 || float32(notReady)/float32(nodes) < c.UnhealthyShare:
		return Normal, c.Rate
	case nodes > c.LargeZone:
		return PartialDisruption, c.SecondaryRate
	}
	return PartialDisruption, 0
}
