package evict

import (
	"fmt"
	"time"
)

// Kind says what is decided about a pod. The zero Kind is nothing. A Kind is a plain
// value.
type Kind uint8

// The kinds of decisions.
const (
	// Evict: the pod is to be deleted now.
	Evict Kind = iota + 1
	// Schedule: the pod is to be deleted at a moment that is yet to come.
	Schedule
	// Move: what was scheduled is to be at another moment, which is yet to come.
	Move
	// Cancel: what was scheduled is not to be.
	Cancel
)

// String returns "evict", "schedule", "move" or "cancel".
func (k Kind) String() string {
	switch k {
	case Evict:
		return "evict"
	case Schedule:
		return "schedule"
	case Move:
		return "move"
	case Cancel:
		return "cancel"
	}
	return fmt.Sprintf("Kind(%d)", uint8(k))
}

// The words of the condition DisruptionTarget that the controller sets in the
// status of a pod before it deletes it.
const (
	ConditionType    = "DisruptionTarget"
	ConditionReason  = "DeletionByDeviceTaintManager"
	ConditionMessage = "Device Taint manager: deleting due to NoExecute taint"
)

// Decision is that a pod is evicted, that it will be, at this moment or another one
// than before, or that it will not.
//
// The zero Decision decides nothing. A Decision is plain data. Copies share Causes,
// which belongs to the queue, is never changed, and must not be written to.
type Decision[P comparable] struct {
	Pod  P
	Kind Kind
	// Due is the moment of the eviction (rule D8). That of Evict may be long past:
	// a taint's time is when it was added. That of Cancel is the one that was
	// scheduled.
	Due time.Time
	// Was is the moment that was scheduled before, if Kind is Move, or if an
	// eviction came at another moment than it was scheduled for.
	Was time.Time
	// Causes are the taints that evict the pod, sooner or later, in the order of
	// rule D8. Those of Cancel are the ones that would have.
	Causes []Cause
}
