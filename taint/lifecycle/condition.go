package lifecycle

import "fmt"

// Status is the status of one condition of a node. The zero Status is Absent:
// the node does not have the condition. A Status is a plain value.
type Status uint8

// The statuses.
const (
	Absent  Status = iota // the condition is not among those of the node
	False                 // the condition does not hold
	True                  // the condition holds
	Unknown               // nobody knows, because the kubelet does not report
)

// String returns the name that the Kubernetes API has for s, and "absent" for
// [Absent].
func (s Status) String() string {
	switch s {
	case Absent:
		return "absent"
	case False:
		return "False"
	case True:
		return "True"
	case Unknown:
		return "Unknown"
	}
	return fmt.Sprintf("Status(%d)", uint8(s))
}

// ParseStatus returns the status with the given name in the Kubernetes API. Any
// name but "True", "False" and "Unknown" gives [Absent], because the node
// controller passes over it.
func ParseStatus(name string) Status {
	switch name {
	case "True":
		return True
	case "False":
		return False
	case "Unknown":
		return Unknown
	}
	return Absent
}

// Conditions is those conditions of a node that decide its taints.
//
// The zero Conditions is that of a node whose kubelet has not reported yet.
// Conditions is a plain value, comparable with ==, and retains nothing.
type Conditions struct {
	Ready              Status
	MemoryPressure     Status
	DiskPressure       Status
	PIDPressure        Status
	NetworkUnavailable Status
}

// Healthy is the conditions of a node with nothing the matter.
var Healthy = Conditions{Ready: True, MemoryPressure: False, DiskPressure: False, PIDPressure: False, NetworkUnavailable: False}

// Set gives the condition of that type in the Kubernetes API, such as
// "MemoryPressure", its status and reports whether it is one that decides
// taints. Any other type changes nothing.
func (c *Conditions) Set(conditionType string, s Status) bool {
	switch conditionType {
	case "Ready":
		c.Ready = s
	case "MemoryPressure":
		c.MemoryPressure = s
	case "DiskPressure":
		c.DiskPressure = s
	case "PIDPressure":
		c.PIDPressure = s
	case "NetworkUnavailable":
		c.NetworkUnavailable = s
	default:
		return false
	}
	return true
}

// Taints returns the NoSchedule taints that a node with these conditions has to
// carry, cordoned if unschedulable is set (rules C1, F7).
func (c Conditions) Taints(unschedulable bool) TaintSet {
	var s TaintSet
	switch c.Ready {
	case False:
		s |= NotReady
	case Unknown:
		s |= Unreachable
	}
	for _, pressure := range [...]struct {
		status Status
		taint  TaintSet
	}{
		{c.MemoryPressure, MemoryPressure},
		{c.DiskPressure, DiskPressure},
		{c.PIDPressure, PIDPressure},
		{c.NetworkUnavailable, NetworkUnavailable},
	} {
		if pressure.status == True {
			s |= pressure.taint
		}
	}
	if unschedulable {
		s |= Unschedulable
	}
	return s
}

// lost returns what c becomes when the heartbeats of the node stop: all that
// the kubelet reports turns Unknown. The network is not the kubelet's to
// report.
func (c Conditions) lost() Conditions {
	return Conditions{Ready: Unknown, MemoryPressure: Unknown, DiskPressure: Unknown, PIDPressure: Unknown, NetworkUnavailable: c.NetworkUnavailable}
}

// evicting returns the NoExecute taint that a node with these conditions has to
// carry, and the other one (rule C2). A node that is Ready, or that has no Ready
// condition, carries neither.
func (c Conditions) evicting() (wanted, opposite TaintSet) {
	switch c.Ready {
	case False:
		return NotReadyNoExecute, UnreachableNoExecute
	case Unknown:
		return UnreachableNoExecute, NotReadyNoExecute
	}
	return 0, 0
}
