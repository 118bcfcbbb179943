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

// String returns the decision as a sentence without a full stop, such as
//
//	pod web is evicted, due at 2026-01-01T12:00:00Z: DeviceTaintRule broken and 2 more
//	pod web is to be evicted at 2026-01-01T12:05:00Z: DeviceTaintRule broken
//	pod web is to be evicted at 2026-01-01T12:05:00Z instead of 2026-01-01T12:09:00Z: DeviceTaintRule broken
//	pod web is not evicted at 2026-01-01T12:05:00Z for DeviceTaintRule broken
//
// with the pod as %v prints it, times in their own locations, and of the causes the
// first and the number of the others. A Decision of no known kind reads "nothing is
// decided about pod web: Kind(0)".
func (d Decision[P]) String() string {
	pod, at := fmt.Sprintf("pod %v", d.Pod), d.Due.Format(time.RFC3339Nano)
	switch d.Kind {
	case Evict:
		return pod + " is evicted, due at " + at + d.because(": ")
	case Schedule:
		return pod + " is to be evicted at " + at + d.because(": ")
	case Move:
		return pod + " is to be evicted at " + at + " instead of " + d.Was.Format(time.RFC3339Nano) + d.because(": ")
	case Cancel:
		return pod + " is not evicted at " + at + d.because(" for ")
	}
	return "nothing is decided about " + pod + ": " + d.Kind.String()
}

// because returns the first cause and the number of the others after the given
// words, or nothing if there is no cause.
func (d *Decision[P]) because(words string) string {
	switch n := len(d.Causes); n {
	case 0:
		return ""
	case 1:
		return words + d.Causes[0].String()
	default:
		return fmt.Sprintf("%s%s and %d more", words, d.Causes[0], n-1)
	}
}
