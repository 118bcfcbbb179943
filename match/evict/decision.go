package evict

import (
	"fmt"
	"time"

	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// Reason says why a pod is evicted, or why its eviction is cancelled. The zero
// Reason is none of them. A Reason is a plain value.
type Reason uint8

// The reasons. The first two are of evictions, the others of cancellations.
const (
	// Untolerated evicts: the pod does not tolerate the taint (rule E1).
	Untolerated Reason = iota + 1
	// TimeUp evicts: the seconds of the toleration are over (rule E2).
	TimeUp
	// TaintsGone cancels: the node has no NoExecute taint any more (rule E4).
	TaintsGone
	// NoLimit cancels: the pod tolerates for ever what the node has now.
	NoLimit
	// NodeGone cancels: the node was deleted. Under Kubernetes' policy the
	// evictions of its pods stand.
	NodeGone
	// PodGone cancels: the pod was deleted.
	PodGone
)

// Evicts reports whether r is the reason of an eviction.
func (r Reason) Evicts() bool { return r == Untolerated || r == TimeUp }

// String returns the reason in words, such as "time is up".
func (r Reason) String() string {
	switch r {
	case Untolerated:
		return "untolerated"
	case TimeUp:
		return "time is up"
	case TaintsGone:
		return "taints are gone"
	case NoLimit:
		return "no limit"
	case NodeGone:
		return "node is gone"
	case PodGone:
		return "pod is gone"
	}
	return fmt.Sprintf("Reason(%d)", uint8(r))
}

// Decision is that a pod is to be evicted, or that the eviction that was
// scheduled for it is cancelled.
//
// The zero Decision decides nothing. A Decision is plain data; copies share what
// Toleration points to, which belongs to the queue, is never changed, and must
// not be written to.
type Decision[P comparable] struct {
	Pod  P
	Node string // the one that the pod is on
	// Reason tells evictions from cancellations: see [Reason.Evicts].
	Reason Reason
	// Due is the moment of the eviction. It is in the past if the queue was told
	// or asked late; that of a cancelled eviction is in the future.
	Due time.Time
	// Taint is the one that evicts or would have evicted, without TimeAdded.
	// Of several that would at the same moment it is the first in the node's
	// order.
	Taint taint.Taint
	// Toleration is the one whose seconds count, or nil if none of the pod's
	// tolerates the taint.
	Toleration *toleration.Toleration
}
