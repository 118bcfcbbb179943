package timeline

import (
	"time"

	"github.com/tolero-dev/tolero/match/evict"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/taint/lifecycle"
	"github.com/tolero-dev/tolero/toleration"
)

// Timeline is what [Play] found. Indexes are those of [Cluster.Nodes] and
// [Cluster.Pods], and times are durations since [Cluster.Start]. The zero Timeline is
// empty, but only Play makes one whose methods can be used. It is plain data, which
// retains the cluster; copies share its memory. It may be read concurrently.
type Timeline struct {
	// End is when the timeline ends: as the cluster says, or at the last thing that
	// happens.
	End time.Duration
	// Nodes and Pods say what happens to each node and each pod.
	Nodes []NodeTimes
	Pods  []Fate
	// Evicted are the indexes of the pods that are evicted, in the order of time, and
	// of the list at one time.
	Evicted []int32
	// Events are what happens to nodes and zones, in the order of time.
	Events []Event
	// Samples are counts, each from its time on, in the order of time.
	Samples []Sample

	cluster *Cluster
	zones   map[string]lifecycle.State // at the start
	silent  [][]span                   // of each node
}

// NodeTimes is when something happened to a node for the first time after the start,
// or [Never]. What was so before the start is not a first time. It is plain data.
type NodeTimes struct {
	Silent  time.Duration // its silence begins, zero if that was before
	Lost    time.Duration // its conditions turn Unknown
	Tainted time.Duration // it gets a NoExecute taint for that
	Back    time.Duration // its kubelet reports again after it was lost
}

// Outcome is what becomes of a pod. It is a small integer, free to copy and to share.
type Outcome uint8

// The outcomes. All except Evicted leave the pod where it is.
const (
	// Unaffected: the node does not fall silent, and none of its taints evicts the pod.
	Unaffected Outcome = iota
	// BackInTime: the node is silent, and back before it gets a NoExecute taint.
	BackInTime
	// Waiting: the node is silent, and the end comes before its NoExecute taint. That
	// can be forever: no node is tainted while all zones are lost, and at most the first one
	// in a zone whose rate is zero.
	Waiting
	// Tolerated: the pod tolerates forever the NoExecute taints that the node gets.
	Tolerated
	// Scheduled: the eviction is due after the end.
	Scheduled
	// Cancelled: an eviction was scheduled, and cancelled.
	Cancelled
	// Evicted: the pod is evicted.
	Evicted
)

var outcomes = [...]string{"unaffected", "back in time", "waiting", "tolerated", "scheduled", "cancelled", "evicted"}

// Fate is what becomes of a pod, and why. Times that do not apply are [Never]. It is
// plain data; what the pointers point to belongs to the timeline and must not be
// written to.
type Fate struct {
	Outcome Outcome
	// Reason is why it is evicted or would be, or why that was cancelled; else zero.
	Reason evict.Reason
	Node   int32 // its node, or -1 if that is not among the nodes
	// Lost and Tainted are when the node was last lost, and last got a NoExecute taint for
	// that, before the decision. They are zero if it was so before the start.
	Lost, Tainted time.Duration
	// At is when the pod was evicted or its last eviction cancelled.
	At time.Duration
	// Due is when its last eviction is due, even if that is cancelled or after the end.
	Due time.Duration
	// Taint and Toleration are as in [evict.Decision]; nil if there is none.
	Taint      *taint.Taint
	Toleration *toleration.Toleration
}

// Kind is what happens in an [Event]. It is a small integer, free to copy and to share.
type Kind uint8

// The kinds. The first four are of nodes, ZoneChanged is of a zone, the others of all.
const (
	Lost        Kind = iota // the grace period is over: the conditions turn Unknown
	Tainted                 // the node gets a NoExecute taint in its turn, or another one
	Untainted               // the node loses that taint
	Back                    // its kubelet reports again after it was lost
	ZoneChanged             // the zone is in another state, which decides its rate
	Stopped                 // all zones are lost: the taints come off, none is added
	Resumed                 // some zone is back: grace periods start anew
)

var kinds = [...]string{"lost", "tainted", "untainted", "back", "zone changed", "stopped", "resumed"}

// Event is what happens to a node, a zone or all of them. It is plain data.
type Event struct {
	At    time.Duration
	Kind  Kind
	State lifecycle.State // of the zone, with ZoneChanged
	Node  int32           // -1 if it is not about a node
	Zone  string          // of the node, or the one that changed; empty if it is about all
}

// Sample is counts at a time. It is plain data.
type Sample struct {
	At            time.Duration
	Lost, Tainted int // nodes, at that time
	Scheduled     int // evictions, at that time
	Evicted       int // pods, since the start and before
	Cancelled     int // evictions, likewise
}

func newTimeline(c *Cluster) *Timeline {
	t := &Timeline{cluster: c, Nodes: make([]NodeTimes, len(c.Nodes)), Pods: make([]Fate, len(c.Pods)), zones: make(map[string]lifecycle.State)}
	for i := range t.Nodes {
		t.Nodes[i] = NodeTimes{Never, Never, Never, Never}
	}
	for i := range t.Pods {
		t.Pods[i] = Fate{Node: -1, Lost: Never, Tainted: Never, At: Never, Due: Never}
	}
	return t
}

// last is when the last thing happens.
func (t *Timeline) last() time.Duration {
	last := t.Samples[len(t.Samples)-1].At // there is one at the start
	if n := len(t.Events); n > 0 {
		last = max(last, t.Events[n-1].At)
	}
	return last
}
