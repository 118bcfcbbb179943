package dialect

import (
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// comparisons is a project whose code always evaluates Gt and Lt.
var comparisons = toleration.Rules{Comparisons: true}

// conditions are the taints of the node life-cycle controller and of cloud
// controllers (rules C1, C2, A7).
var conditions = []Selector{
	{Status, taint.KeyNotReady, false, ""},
	{Status, taint.KeyUnreachable, false, ""},
	{Status, taint.KeyUnschedulable, false, ""},
	{Status, taint.KeyMemoryPressure, false, ""},
	{Status, taint.KeyDiskPressure, false, ""},
	{Status, taint.KeyPIDPressure, false, ""},
	{Status, taint.KeyNetworkUnavailable, false, ""},
	{Status, taint.KeyCloudProviderShutdown, false, ""},
	{Startup, taint.KeyCloudProviderUninitialized, false, ""},
}

// All returns every profile of this package, in alphabetical order of their names.
func All() []Profile {
	return []Profile{ClusterAutoscaler(), Descheduler(), Karpenter(), Koordinator(), Kubernetes(), Kueue(), Volcano()}
}

// Kubernetes is kube-scheduler of a default cluster. For one with the feature gate on,
// set Rules.
func Kubernetes() Profile {
	return Profile{
		Name: kubernetes, Version: "1.37.1",
		Effects: taint.Hard, Selectors: conditions,
		Facts: []Fact{
			{Effects, "NoSchedule and NoExecute keep a pod out; PreferNoSchedule only ranks nodes", "pkg/scheduler/framework/plugins/tainttoleration"},
			{Comparisons, "Gt and Lt count where the process has the feature gate TaintTolerationComparisonOperators on, which is off by default", "pkg/apis/core/v1/helper/helpers.go"},
		},
	}
}

// Karpenter is the provisioner when it simulates whether a pod fits a node that is still
// starting. For the startup taints of a NodePool, which it knows by key and effect, add
// selectors.
func Karpenter() Profile {
	return Profile{
		Name: "karpenter", Version: "1.14",
		Rules: comparisons, Effects: taint.AllEffects, Yields: taint.Soft,
		Selectors: []Selector{
			{Ephemeral, taint.KeyNotReady, false, taint.NoSchedule},
			{Ephemeral, taint.KeyNotReady, false, taint.NoExecute},
			{Ephemeral, taint.KeyUnreachable, false, taint.NoSchedule},
			{Ephemeral, taint.KeyCloudProviderUninitialized, false, taint.NoSchedule},
			{Ephemeral, taint.KeyKarpenterUnregistered, false, taint.NoExecute},
			{Startup, "readiness.k8s.io/", true, ""},
		},
		LeavesOut: []Class{Startup, Ephemeral},
		Facts: []Fact{
			{Effects, "a taint with any effect keeps a pod out; PreferNoSchedule is tolerated as a step of relaxation", "pkg/scheduling/taints.go"},
			{Comparisons, "Gt and Lt always count", "pkg/scheduling/taints.go"},
			{LeftOut, "startup taints, known ephemeral taints and taints under readiness.k8s.io/ do not matter while a node starts, by key and effect", "pkg/scheduling/taints.go"},
			{Elsewhere, "the taints of devices are unknown", "pkg/scheduling/taints.go"},
		},
	}
}

// ClusterAutoscaler is the autoscaler when it makes a template of a node and asks the
// scheduler's plugins about it. For the taints of its flags --startup-taint and
// --status-taint, which it knows by key, add selectors.
func ClusterAutoscaler() Profile {
	return Profile{
		Name: "cluster-autoscaler", Version: "1.37",
		Effects: taint.Hard,
		Selectors: append([]Selector{
			{Ephemeral, taint.KeyToBeDeleted, false, ""},
			{Ephemeral, taint.KeyDeletionCandidate, false, ""},
			{Startup, "startup-taint.cluster-autoscaler.kubernetes.io/", true, ""},
			{Startup, "ignore-taint.cluster-autoscaler.kubernetes.io/", true, ""},
			{Status, "status-taint.cluster-autoscaler.kubernetes.io/", true, ""},
			{Status, "cloud.google.com/impending-node-termination", false, ""},
			{Status, "NodeWithImpairedVolumes", false, ""},
		}, conditions...),
		LeavesOut: []Class{Startup, Status, Ephemeral},
		Facts: []Fact{
			{LeftOut, "startup and status taints, by key or prefix, its own taints and those for node conditions are not on the template of a node", "pkg/utils/taints/taints.go"},
			{Elsewhere, "its own taints carry Unix times; a taint is added only if the node has no taint with the key", "pkg/utils/taints/taints.go"},
		},
	}
}

// Descheduler is the strategy RemovePodsViolatingNodeTaints. On request it looks at
// PreferNoSchedule too: add [taint.Soft] to Effects.
func Descheduler() Profile {
	return Profile{
		Name: "descheduler", Version: "0.36",
		Rules: comparisons, Effects: taint.NoSchedule.Set(), Selectors: conditions,
		Facts: []Fact{
			{Effects, "only NoSchedule matters, and PreferNoSchedule on request", "pkg/utils/predicates.go"},
			{Comparisons, "Gt and Lt always count", "pkg/utils/predicates.go"},
		},
	}
}

// Kueue is the assignment of flavors. The tolerations of a flavor are a second list:
// give both.
func Kueue() Profile {
	return Profile{
		Name: "kueue", Version: "0.19",
		Rules: comparisons, Effects: taint.Hard, Selectors: conditions,
		Facts: []Fact{
			{Comparisons, "Gt and Lt count in assignment and simulation, not in the node controller of topology-aware scheduling", "flavorassigner.go, scheduling_simulator_default.go, tas/node_controller.go"},
			{Elsewhere, "the tolerations of a flavor count beside those of the pod", "flavorassigner.go"},
		},
	}
}

// Volcano embeds the plugin of kube-scheduler, with Gt and Lt off.
func Volcano() Profile {
	return Profile{
		Name: "volcano", Version: "1.15", Effects: taint.Hard, Selectors: conditions,
		Facts: []Fact{{Comparisons, "Gt and Lt do not count", "the embedded plugin TaintToleration"}},
	}
}

// Koordinator is the reservation and the descheduler of Koordinator, with Gt and Lt
// off.
func Koordinator() Profile {
	return Profile{
		Name: "koordinator", Version: "1.8", Effects: taint.Hard, Selectors: conditions,
		Facts: []Fact{{Comparisons, "Gt and Lt do not count", "util/reservation/reservation.go, descheduler/utils/predicates.go"}},
	}
}
