package manifest

import (
	"time"

	"github.com/tolero-dev/tolero/match/affinity"
)

// ResourceList has an amount of each resource, in the units of kube-scheduler: "cpu" in
// thousandths, and all others whole, such as bytes. Fractions are rounded up. A missing
// resource is zero. Pods share their lists, which must not be changed.
type ResourceList map[string]int64

// Condition is a condition in the status of an object. It is plain data; the zero Condition
// is none.
type Condition struct {
	Type, Status, Reason, Message string
	Since                         time.Time // lastTransitionTime
}

// NodeState is what a node has beside taints. It is plain data.
type NodeState struct {
	Allocatable ResourceList // status.allocatable, "pods" among them
	Conditions  []Condition
}

// PodState is what says beside taints and node affinity why a pod waits. It is plain data, in
// which maps and slices are shared with other pods and must not be changed. That of a workload
// is what the template says of its pods, without Labels.
type PodState struct {
	Labels    map[string]string
	Scheduler string    // spec.schedulerName
	Gates     []string  // names of spec.schedulingGates: no scheduler looks at it while there are some
	Scheduled Condition // the condition PodScheduled: what the scheduler said last, and when
	Nominated string    // status.nominatedNodeName: where preemption makes room for it
	Ready     bool      // whether the condition Ready is True

	// Requests is what kube-scheduler counts: the sum over containers and sidecars or what an
	// init container needs with the sidecars before it, whichever is more; what the pod as a
	// whole requests instead of that; and its overhead. A container without a request has its
	// limit, as the API server fills in. Resizes in place are not looked at.
	Requests ResourceList
	// Claims are the names of its PersistentVolumeClaims, in its namespace, with those of its
	// ephemeral volumes.
	Claims []string
	// Devices are the names of its ResourceClaims, in the order of spec.resourceClaims. One that
	// is to be made from a template, and is not yet, has no name.
	Devices []string
	// Constraints are further fields that can keep it off nodes, each once, as far as it has
	// them: "affinity.podAffinity", "affinity.podAntiAffinity" (required terms),
	// "topologySpreadConstraints" (DoNotSchedule), "resourceClaims" and "hostPort".
	Constraints []string
}

// Claim is a PersistentVolumeClaim or a ResourceClaim. It is plain data.
type Claim struct {
	Object
	Phase      string // "Bound", "Pending" or "Lost"; a ResourceClaim is Bound if it is allocated
	VolumeName string // the PersistentVolume that it is bound to, or empty
}

// Volume is a PersistentVolume. It is plain data; a copy shares the terms.
type Volume struct {
	Object
	// Affinity is spec.nodeAffinity.required: pods that use the volume run only on nodes that
	// it matches.
	Affinity affinity.Required
}

// Budget is a PodDisruptionBudget. It is plain data; a copy shares the selector.
type Budget struct {
	Object
	// Selector is spec.selector, in which matchLabels are the NodeSelector and
	// matchExpressions are one of the Terms. An empty selector selects all pods of the
	// namespace, and a missing one none, as in policy/v1.
	Selector                   affinity.Required
	UnhealthyPodEvictionPolicy string
	// DisruptionsAllowed is status.disruptionsAllowed, how many of its pods may be evicted
	// now. A missing status allows none, as for the API server.
	DisruptionsAllowed int64
	NoStatus           bool // it is missing, as in a manifest
}

// Protects reports whether the eviction API asks the budget before it evicts the pod: b selects
// it, its phase is neither Pending nor final, and it is not being deleted. With the policy
// AlwaysAllow it must also be Ready. (With IfHealthyBudget some pods that are not Ready may be
// evicted without being counted; Protects reports them all the same.) A workload, and a pod
// without a State, is never protected.
func (b *Budget) Protects(p *Pod) bool {
	switch {
	case p.State == nil, p.Kind != "Pod", p.Namespace != b.Namespace, p.Phase == "Pending", p.Finished(), p.Terminating:
		return false
	case b.UnhealthyPodEvictionPolicy == "AlwaysAllow" && !p.State.Ready:
		return false
	}
	return b.Selector.Matches("", p.State.Labels)
}
