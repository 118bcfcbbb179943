package lifecycle

import (
	"time"

	"github.com/tolero-dev/tolero/taint"
)

// Reason says why a [Controller] decided what it did.
type Reason uint8

// The reasons.
const (
	// ConditionsChanged: the conditions, the cordon or the taints of the node
	// changed, and its NoSchedule taints follow at once (rule C1).
	ConditionsChanged Reason = iota
	// HeartbeatLost: the last heartbeat is older than the grace period. The
	// conditions turn Unknown, and the NoSchedule taints with them (rule C3).
	HeartbeatLost
	// TurnCame: the zone's limiter let the node have its NoExecute taint (C2).
	TurnCame
	// Swapped: one NoExecute taint for the other, at once (rule C2).
	Swapped
	// Recovered: the node is ready, its NoExecute taints come off (rule C2).
	Recovered
	// Registered: the controller sees the node for the first time. It takes off
	// the NoExecute taints, which come again in their turn.
	Registered
	// StateChanged: the zone is in another state (rule C4).
	StateChanged
	// Stopped: all zones are in full disruption. No node gets a NoExecute taint
	// until some zone recovers (rule C5).
	Stopped
	// TakenOff: the NoExecute taints of the node come off because all zones are
	// in full disruption (rule C5).
	TakenOff
	// Resumed: some zone left full disruption after all were in it. Every node
	// has a new grace period from now on (rule C5).
	Resumed
	// Unverified: the grace period of the node is over, but its live lease is
	// not the one that the controller knows of, or could not be looked up. The
	// node is left as it is (rule C6). That is said once after each heartbeat.
	Unverified
	// Behind: the informer of leases is behind the API server. Looks do nothing
	// until it has caught up (rule C6).
	Behind
	// CaughtUp: it has. Looks go on.
	CaughtUp
)

var reasons = []string{
	"conditions changed", "heartbeat lost", "turn came", "swapped", "recovered",
	"registered", "state changed", "stopped", "taken off", "resumed",
	"not verified", "leases behind", "leases caught up",
}

// String returns the reason in words, such as "heartbeat lost".
func (r Reason) String() string { return textOf(reasons, "Reason", uint8(r)) }

// Action is one decision of a [Controller], to be carried out at the time At.
// It is a plain value and shares the memory of the names.
type Action struct {
	At     time.Time
	Reason Reason
	// Node is the node that the decision is about, empty if it is about a zone
	// (StateChanged) or the cluster (Stopped, Resumed, Behind, CaughtUp).
	Node string
	// Zone is the zone of the node, or the one that the decision is about.
	Zone string
	// Add and Remove are the taints to put on the node and to take off.
	Add, Remove TaintSet
	// Conditions is the conditions of the node from now on. They differ from
	// what the caller said when the reason is HeartbeatLost.
	Conditions Conditions
	// State is the new state of the zone, if the decision is about one.
	State State
}

// Apply appends to dst what the taints of the node become by a, and returns the extended
// slice. A taint that is there already is replaced in its place, its value and time with
// it; a new one comes last; all others keep their places (rule C1). Taints that are added
// have the time At, in one [taint.Time]. A taint in both sets is taken off.
//
// dst may be list[:0], which edits the list in place; it must not overlap list in any other
// way.
func (a *Action) Apply(dst, list []taint.Taint) []taint.Taint {
	add := a.Add & managed &^ a.Remove
	var added *taint.Time
	if add != 0 {
		added = &taint.Time{Time: a.At}
	}
	missing := add
	for i := range list {
		t := list[i]
		switch bit := bitOf(&t); {
		case bit&a.Remove != 0:
		case bit&add != 0:
			missing &^= bit
			dst = append(dst, taint.Taint{Key: t.Key, Effect: t.Effect, TimeAdded: added})
		default:
			dst = append(dst, t)
		}
	}
	for t := range missing.All() {
		t.TimeAdded = added
		dst = append(dst, t)
	}
	return dst
}
