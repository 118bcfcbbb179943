package evict

import (
	"fmt"
	"time"

	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// Reason says why a pod is evicted, or why its eviction is cancelled. The zero
// Reason is none of them. A Reason is a small integer, free to copy and to share.
type Reason uint8

// The reasons. The first two are of evictions, the others of cancellations.
const (
	// Untolerated evicts: the pod does not tolerate the taint (rule E1).
	Untolerated Reason = iota + 1
	// TimeUp evicts: the seconds of the toleration are over (rule E2).
	TimeUp
	// TaintsGone cancels: the node has no NoExecute taint any more (rule E4).
	TaintsGone
	// NoLimit cancels: the pod tolerates forever what the node has now.
	NoLimit
	// NodeGone cancels: the node was deleted. Under Kubernetes' policy the
	// evictions of its pods remain in force.
	NodeGone
	// PodGone cancels: the pod was deleted.
	PodGone
)

// Evicts reports whether r is the reason of an eviction.
func (r Reason) Evicts() bool { return r == Untolerated || r == TimeUp }

var reasons = [...]string{Untolerated: "untolerated", TimeUp: "time is up", TaintsGone: "taints are gone", NoLimit: "no limit", NodeGone: "node is gone", PodGone: "pod is gone"}

// String returns the reason in words, such as "time is up", and for any other
// value its number, such as "Reason(9)".
func (r Reason) String() string {
	if r > 0 && int(r) < len(reasons) {
		return reasons[r]
	}
	return fmt.Sprintf("Reason(%d)", uint8(r))
}

// Decision says that a pod is to be evicted, or that its scheduled eviction is
// cancelled.
//
// The zero Decision decides nothing. A Decision is plain data, free to copy and to
// share; copies share what Toleration points to, which belongs to the queue, never
// changes, and must not be written to. It retains the toleration list of the pod.
type Decision[P comparable] struct {
	Pod  P
	Node string // to which the pod is assigned
	// Reason tells evictions from cancellations: see [Reason.Evicts].
	Reason Reason
	// Due is the moment of the eviction. It is in the past if the caller was
	// late; that of a cancelled eviction is in the future.
	Due time.Time
	// Taint evicts or would have evicted the pod. It is without TimeAdded. If
	// several are due at the same moment, it is the first of them on the node.
	Taint taint.Taint
	// Toleration is the one whose seconds count, or nil if none of the pod's
	// tolerates the taint.
	Toleration *toleration.Toleration
}

// String returns the decision as a sentence without a full stop, such as
//
//	pod web is evicted from node-1 at 2026-01-01T12:05:00Z: time is up for k:NoExecute, tolerated by k:NoExecute@300
//	pod web is not evicted from node-1 at 2026-01-01T12:05:00Z for k:NoExecute: taints are gone
//
// with the pod as %v prints it and Due in its own location. A Decision with no
// known reason reads "nothing is decided about pod web on node-1: Reason(0)".
func (d Decision[P]) String() string {
	at := d.Due.Format(time.RFC3339Nano)
	switch d.Reason {
	case Untolerated:
		return fmt.Sprintf("pod %v is evicted from %s at %s: %s is untolerated", d.Pod, d.Node, at, d.Taint)
	case TimeUp:
		text := fmt.Sprintf("pod %v is evicted from %s at %s: time is up for %s", d.Pod, d.Node, at, d.Taint)
		if d.Toleration != nil {
			text += ", tolerated by " + d.Toleration.String()
		}
		return text
	case TaintsGone, NoLimit, NodeGone, PodGone:
		return fmt.Sprintf("pod %v is not evicted from %s at %s for %s: %s", d.Pod, d.Node, at, d.Taint, d.Reason)
	}
	return fmt.Sprintf("nothing is decided about pod %v on %s: %s", d.Pod, d.Node, d.Reason)
}
