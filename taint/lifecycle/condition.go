package lifecycle

import (
	"fmt"
	"slices"
)

// Status is the status of one condition of a node. The zero Status is Absent.
type Status uint8

// The statuses.
const (
	Absent  Status = iota // the condition is not among those of the node
	False                 // the condition does not hold
	True                  // the condition holds
	Unknown               // nobody knows, because the kubelet does not report
)

var statuses = []string{"absent", "False", "True", "Unknown"}

// String returns the name that the Kubernetes API has for s, and "absent" for [Absent].
func (s Status) String() string { return textOf(statuses, "Status", uint8(s)) }

// textOf returns the text of a value of an enumeration, or else its type and number.
func textOf(texts []string, name string, value uint8) string {
	if int(value) < len(texts) {
		return texts[value]
	}
	return fmt.Sprintf("%s(%d)", name, value)
}

// Conditions is those conditions of a node that decide its taints. The zero Conditions is
// that of a node whose kubelet has not reported yet.
type Conditions struct {
	Ready              Status
	MemoryPressure     Status
	DiskPressure       Status
	PIDPressure        Status
	NetworkUnavailable Status
}

// Healthy returns the conditions of a node that is ready and has all it needs.
func Healthy() Conditions {
	return Conditions{Ready: True, MemoryPressure: False, DiskPressure: False, PIDPressure: False, NetworkUnavailable: False}
}

// Set sets a condition by its type and status in the Kubernetes API, such as
// "MemoryPressure" and "False", and reports whether the type is one that decides taints.
// Any other type changes nothing. Any status but "True", "False" and "Unknown" is [Absent],
// because the node controller passes over it.
func (c *Conditions) Set(conditionType, status string) bool {
	to := Status(max(0, slices.Index(statuses, status)))
	switch conditionType {
	case "Ready":
		c.Ready = to
	case "MemoryPressure":
		c.MemoryPressure = to
	case "DiskPressure":
		c.DiskPressure = to
	case "PIDPressure":
		c.PIDPressure = to
	case "NetworkUnavailable":
		c.NetworkUnavailable = to
	default:
		return false
	}
	return true
}

// Taints returns the NoSchedule taints that a node with these conditions has to carry
// (rules C1, F7).
func (c Conditions) Taints(cordoned bool) TaintSet {
	return when(c.Ready == False, notReady) |
		when(c.Ready == Unknown, unreachable) |
		when(c.MemoryPressure == True, memoryPressure) |
		when(c.DiskPressure == True, diskPressure) |
		when(c.PIDPressure == True, pidPressure) |
		when(c.NetworkUnavailable == True, networkUnavailable) |
		when(cordoned, unschedulable)
}

// when returns s if it holds, and else nothing.
func when(holds bool, s TaintSet) TaintSet {
	if holds {
		return s
	}
	return 0
}

// lost returns what c becomes when the heartbeats of the node stop: all that the kubelet
// reports turns Unknown. The network is not the kubelet's to report.
func (c Conditions) lost() Conditions {
	return Conditions{Ready: Unknown, MemoryPressure: Unknown, DiskPressure: Unknown, PIDPressure: Unknown, NetworkUnavailable: c.NetworkUnavailable}
}

// evicting returns the NoExecute taint that a node with these conditions has to carry, and
// the other one (rule C2). A node that is Ready, or that has no Ready condition, carries
// neither.
func (c Conditions) evicting() (wanted, opposite TaintSet) {
	switch c.Ready {
	case False:
		return NotReadyNoExecute, UnreachableNoExecute
	case Unknown:
		return UnreachableNoExecute, NotReadyNoExecute
	}
	return 0, 0
}
