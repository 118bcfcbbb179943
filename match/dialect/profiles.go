package dialect

import (
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// comparisons is a project whose code always evaluates Gt and Lt.
var comparisons = toleration.Rules{Comparisons: true}

// Sources in Kubernetes, for projects that follow it.
const (
	nodeLifecycle  = "kubernetes/kubernetes 1.37.1, pkg/controller/nodelifecycle/node_lifecycle_controller.go"
	cloudLifecycle = "kubernetes/kubernetes 1.37.1, staging/src/k8s.io/cloud-provider/controllers/nodelifecycle/node_lifecycle_controller.go"
	kubeletStart   = "kubernetes/kubernetes 1.37.1, pkg/kubelet/kubelet_node_status.go"
)

// conditions are the taints of the node life-cycle controller and of cloud
// controllers (rules C1, C2, A7). They are the classes of nodes for each project that does
// not classify taints.
var conditions = []Selector{
	{Status, taint.KeyNotReady, false, "", nodeLifecycle},
	{Status, taint.KeyUnreachable, false, "", nodeLifecycle},
	{Status, taint.KeyUnschedulable, false, "", nodeLifecycle},
	{Status, taint.KeyMemoryPressure, false, "", nodeLifecycle},
	{Status, taint.KeyDiskPressure, false, "", nodeLifecycle},
	{Status, taint.KeyPIDPressure, false, "", nodeLifecycle},
	{Status, taint.KeyNetworkUnavailable, false, "", nodeLifecycle},
	{Status, taint.KeyCloudProviderShutdown, false, "", cloudLifecycle},
	{Startup, taint.KeyCloudProviderUninitialized, false, "", kubeletStart},
}

// readiness is the prefix of the keys of the node readiness controller.
const readiness = "readiness.k8s.io/"

// All returns every profile of this package, in alphabetical order of their names. The
// taints of devices are another matter altogether: package match/device.
func All() []Profile {
	return []Profile{
		Armada(), ClusterAutoscaler(), Descheduler(), DeschedulerUtilization(), KAI(), Karmada(), Karpenter(), Koordinator(), KubeControllerManager(),
		Kubelet(), Kubernetes(), Kueue(), KueueNodes(), NodeReadiness(), OCM(), Popeye(), Rook(), Volcano(), YuniKorn(),
	}
}

// Kubernetes is kube-scheduler of a default cluster. For one with the feature gate on,
// set Rules.
func Kubernetes() Profile {
	return Profile{
		Name: kubernetes, Version: "1.37.1",
		Effects: taint.Hard, Selectors: conditions,
		Facts: []Fact{
			{Effects, "NoSchedule and NoExecute keep a pod out; PreferNoSchedule only ranks nodes", "pkg/scheduler/framework/plugins/tainttoleration", "1.37.1"},
			{Comparisons, "Gt and Lt count where the process has the feature gate TaintTolerationComparisonOperators on, which is off by default", "pkg/scheduler/framework/plugins/tainttoleration, pkg/features/kube_features.go", "1.37.1"},
			{Elsewhere, "SignPod sorts by key and value alone, and keeps duplicates and seconds", "pkg/scheduler/framework/plugins/tainttoleration", ""},
			{Elsewhere, "PodTolerationRestriction takes an empty operator for more than an Equal in its whitelist, and does not know Gt and Lt", "pkg/util/tolerations/tolerations.go", "1.37.1"},
		},
	}
}

// KubeControllerManager is the taint-eviction controller: whether a pod that runs on the
// node stays there, even if only for some seconds. If kube-scheduler has the gate on and
// the controller has it off, the controller evicts at once pods that the scheduler has
// placed. For a controller with the gate on, set Rules.
func KubeControllerManager() Profile {
	return Profile{
		Name: "kube-controller-manager", Version: "1.37.1",
		Effects: taint.NoExecute.Set(), Selectors: conditions,
		Facts: []Fact{
			{Effects, "only NoExecute evicts", "pkg/controller/tainteviction/taint_eviction.go", "1.37.1"},
			{Comparisons, "Gt and Lt count where this process has the feature gate on, whatever the others have", "pkg/apis/core/v1/helper/helpers.go", "1.37.1"},
		},
	}
}

// Kubelet is the kubelet when it admits a pod that is bound to its node. It does not ask
// about static pods.
func Kubelet() Profile {
	return Profile{
		Name: "kubelet", Version: "1.37.1",
		Effects: taint.NoExecute.Set(), Selectors: conditions,
		Facts: []Fact{
			{Effects, "only NoExecute keeps out a pod that is bound, static pods excepted", "pkg/kubelet/lifecycle/predicate.go", "1.37.1"},
			{Comparisons, "Gt and Lt count where this process has the feature gate on, whatever the others have", "pkg/kubelet/lifecycle/predicate.go", "1.37.1"},
		},
	}
}

// Armada is the scheduler of Armada, which asks whether a job's pod fits a node of one of its
// clusters. The tolerations that it gives the job itself are a second list: give both.
func Armada() Profile {
	return Profile{
		Name: "armada", Version: "master at 207cc9e04ef0", Effects: taint.AllEffects, Selectors: conditions,
		Facts: []Fact{
			{Effects, "a taint with any effect keeps a pod out, PreferNoSchedule too", "internal/scheduler/kubernetesobjects/taint/taint.go, FindMatchingUntoleratedTaint", "master at 207cc9e04ef0"},
			{Comparisons, "Gt and Lt do not count: it calls the helper from before Kubernetes 1.35", "internal/scheduler/kubernetesobjects/taint/taint.go, FindMatchingUntoleratedTaint", "master at 207cc9e04ef0"},
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
			{Ephemeral, taint.KeyNotReady, false, taint.NoSchedule, "pkg/scheduling/taints.go"},
			{Ephemeral, taint.KeyNotReady, false, taint.NoExecute, "pkg/scheduling/taints.go"},
			{Ephemeral, taint.KeyUnreachable, false, taint.NoSchedule, "pkg/scheduling/taints.go"},
			{Ephemeral, taint.KeyCloudProviderUninitialized, false, taint.NoSchedule, "pkg/scheduling/taints.go"},
			{Ephemeral, "karpenter.sh/unregistered", false, taint.NoExecute, "pkg/scheduling/taints.go"},
			{Ephemeral, readiness, true, "", "pkg/scheduling/taints.go"},
		},
		LeavesOut: []Class{Startup, Ephemeral},
		Facts: []Fact{
			{Effects, "a taint with any effect keeps a pod out", "pkg/scheduling/taints.go", "1.14.1"},
			{Comparisons, "Gt and Lt always count", "pkg/scheduling/taints.go", "1.14.1"},
			{LeftOut, "known ephemeral taints, by key and effect, and taints under readiness.k8s.io/ do not matter while a node starts", "pkg/scheduling/taints.go", "1.14.1"},
			{LeftOut, "the startup taints of its NodePool do not either, by key and effect", "pkg/scheduling/taints.go", ""},
			{Relaxes, "PreferNoSchedule is tolerated as a step of relaxation", "pkg/controllers/provisioning/scheduling/preferences.go", ""},
			{Elsewhere, "the taints of devices are unknown", "pkg/scheduling/taints.go", ""},
		},
	}
}

// ClusterAutoscaler is the autoscaler when it makes a template of a node and asks the
// scheduler's plugins about it. For the taints of its flags --startup-taint and
// --status-taint, which it knows by key, add selectors. The files are those of
// kubernetes-sigs/cluster-autoscaler.
func ClusterAutoscaler() Profile {
	return Profile{
		Name: "cluster-autoscaler", Version: "1.37",
		Effects: taint.Hard,
		Selectors: append([]Selector{
			{Ephemeral, taint.KeyToBeDeleted, false, "", "pkg/utils/taints/taints.go"},
			{Ephemeral, taint.KeyDeletionCandidate, false, "", "pkg/utils/taints/taints.go"},
			{Startup, "startup-taint.cluster-autoscaler.kubernetes.io/", true, "", "pkg/utils/taints/taints.go"},
			{Startup, "ignore-taint.cluster-autoscaler.kubernetes.io/", true, "", "pkg/utils/taints/taints.go"},
			{Status, "status-taint.cluster-autoscaler.kubernetes.io/", true, "", "pkg/utils/taints/taints.go"},
			{Status, "cloud.google.com/impending-node-termination", false, "", "pkg/utils/taints/taints.go"},
			{Status, "NodeWithImpairedVolumes", false, "", "pkg/utils/taints/taints.go"},
		}, conditions...),
		LeavesOut: []Class{Startup, Status, Ephemeral},
		Facts: []Fact{
			{Effects, "NoSchedule and NoExecute keep a pod out, as in the embedded plugins of kube-scheduler", "pkg/simulator/framework/handle.go", ""},
			{Comparisons, "Gt and Lt count where its process has the feature gate of the embedded plugin on, by default not", "pkg/simulator/framework/handle.go", ""},
			{LeftOut, "startup and status taints, by key or prefix, its own taints and those for node conditions are not on the template of a node", "pkg/utils/taints/taints.go", ""},
			{Elsewhere, "its own taints carry Unix times; a taint is added only if the node has no taint with the key", "pkg/utils/taints/taints.go", ""},
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
			{Effects, "only NoSchedule matters", "pkg/framework/plugins/removepodsviolatingnodetaints/node_taint.go", "0.36.0"},
			{Elsewhere, "PreferNoSchedule matters on request", "pkg/framework/plugins/removepodsviolatingnodetaints/node_taint.go", ""},
			{Comparisons, "Gt and Lt always count", "pkg/utils/predicates.go", "0.36.0"},
		},
	}
}

// DeschedulerUtilization is the descheduler's strategies LowNodeUtilization and
// HighNodeUtilization when they ask whether a pod could go to a node. A pod with one
// toleration for everything may go to no node with two taints.
func DeschedulerUtilization() Profile {
	return Profile{
		Name: "descheduler-utilization", Version: "0.36",
		Rules: comparisons, Effects: taint.AllEffects, ByCount: true, Selectors: conditions,
		Facts: []Fact{
			{Effects, "a taint with any effect matters", "pkg/utils/pod.go, PodToleratesTaints", "0.36.0"},
			{Comparisons, "Gt and Lt always count", "pkg/utils/predicates.go", "0.36.0"},
			{Matches, "a pod with fewer tolerations than the node has taints is refused, whatever they tolerate", "pkg/utils/pod.go, PodToleratesTaints", "0.36.0"},
		},
	}
}

// KAI is the scheduler KAI, which embeds the plugin of kube-scheduler 1.34, without Gt and
// Lt.
func KAI() Profile {
	return Profile{
		Name: "kai", Version: "0.12", Effects: taint.Hard, Selectors: conditions,
		Facts: []Fact{
			{Effects, "NoSchedule and NoExecute keep a pod out, as in the embedded plugin", "pkg/scheduler/k8s_internal/predicates/predicates.go, the embedded plugin TaintToleration", ""},
			{Comparisons, "Gt and Lt do not count: the embedded plugin is that of Kubernetes 1.34", "pkg/scheduler/k8s_internal/plugins/plugins.go", "0.12.0"},
			{Elsewhere, "pods are told apart by the order of their tolerations: two orders are two signatures", "pkg/scheduler/api/pod_info/scheduling_constraints_signature.go", "0.12.0"},
		},
	}
}

// Karmada is the placement of resources on clusters, whose taints are those of nodes
// otherwise. A cluster that was chosen before is not asked about again. The files are those
// of karmada-io/karmada.
func Karmada() Profile {
	return Profile{
		Name: "karmada", Version: "1.19", Effects: taint.Hard,
		Selectors: []Selector{
			{Status, "cluster.karmada.io/not-ready", false, "", "pkg/controllers/cluster/cluster_controller.go"},
			{Status, "cluster.karmada.io/unreachable", false, "", "pkg/controllers/cluster/cluster_controller.go"},
			{Status, "cluster.karmada.io/unschedulable", false, "", "pkg/karmadactl/cordon/cordon.go"},
		},
		Facts: []Fact{
			{Effects, "NoSchedule and NoExecute keep a resource out", "pkg/scheduler/framework/plugins/tainttoleration/taint_toleration.go", ""},
			{Comparisons, "Gt and Lt do not count", "pkg/scheduler/framework/plugins/tainttoleration/taint_toleration.go", "1.16.0"},
			{Elsewhere, "not-ready and unreachable follow the condition Ready of a cluster", "pkg/controllers/cluster/cluster_controller.go", ""},
			{Elsewhere, "cordon adds unschedulable and uncordon removes it", "pkg/karmadactl/cordon/cordon.go", ""},
			{Elsewhere, "Gt and Lt are refused by validation", "pkg/util/validation/validation.go", ""},
			{Elsewhere, "the taints of a cluster that was chosen before do not keep a resource out", "pkg/scheduler/framework/plugins/tainttoleration/taint_toleration.go", "1.16.0"},
			{Elsewhere, "seconds count from timeAdded", "pkg/util/helper/taint.go", "1.16.0"},
		},
	}
}

// OCM is the placement on managed clusters of Open Cluster Management, when the cluster
// is new to the placement. For one that was chosen before, take NoSelectIfNew out of
// OwnEffects. The files are those of open-cluster-management-io/ocm.
func OCM() Profile {
	return Profile{
		Name: "ocm", Version: "1.3.1, placement API v1beta1",
		OwnEffects: []taint.Effect{"NoSelect", "NoSelectIfNew"},
		Selectors: []Selector{
			{Status, "cluster.open-cluster-management.io/unavailable", false, "", "pkg/registration/hub/taint/controller.go"},
			{Status, "cluster.open-cluster-management.io/unreachable", false, "", "pkg/registration/hub/taint/controller.go"},
		},
		Facts: []Fact{
			{Effects, "the effects are NoSelect, NoSelectIfNew and PreferNoSelect; the last one only ranks", "pkg/placement/plugins/tainttoleration/taint_toleration.go", "1.0.0"},
			{Comparisons, "there are no Gt and Lt", "pkg/placement/plugins/tainttoleration/taint_toleration.go", "1.0.0"},
			{Elsewhere, "unavailable and unreachable follow the condition ManagedClusterConditionAvailable of a cluster", "pkg/registration/hub/taint/controller.go", ""},
			{Elsewhere, "seconds count from timeAdded, and the first toleration that has not expired counts", "pkg/placement/plugins/tainttoleration/taint_toleration.go", "1.0.0"},
		},
	}
}

// NodeReadiness is the node readiness controller: it places no pods, and its own taints
// are startup taints.
func NodeReadiness() Profile {
	return Profile{
		Name: "node-readiness-controller", Version: "0.5", Effects: taint.Hard,
		Selectors: append([]Selector{{Startup, readiness, true, "", "api/v1alpha1/nodereadinessrule_types.go"}}, conditions...),
		Facts: []Fact{
			{Effects, "it places no pods: what keeps a pod out is up to kube-scheduler", "kubernetes/kubernetes 1.37.1, pkg/scheduler/framework/plugins/tainttoleration/taint_toleration.go", ""},
			{Comparisons, "it places no pods: whether Gt and Lt count is up to kube-scheduler, by default not", "kubernetes/kubernetes 1.37.1, pkg/features/kube_features.go", ""},
			{Elsewhere, "its taints have keys that begin with readiness.k8s.io/; a dry run counts the nodes that a rule concerns", "api/v1alpha1/nodereadinessrule_types.go", ""},
		},
	}
}

// Popeye is the check whether a taint is tolerated at all, asked of one pod. It sets no
// taints and gives them no classes: these are those of Kubernetes.
func Popeye() Profile {
	return Profile{
		Name: "popeye", Version: "main, 2026",
		Effects: taint.AllEffects, ByText: true, Selectors: conditions,
		Facts: []Fact{
			{Effects, "a taint with any effect matters", "internal/lint/node.go, checkTaints", "0.22.1"},
			{Elsewhere, "it sets no taints and does not classify them", "internal/lint/node.go, checkTaints", ""},
			{Matches, "key and value are compared as text: Exists covers no taint that has a value, and effects and operators do not matter", "internal/lint/node.go, checkTaints", "0.22.1"},
		},
	}
}

// Rook is the operator when it asks which nodes may have the storage of a Ceph cluster: the
// tolerations are those of its placement.
func Rook() Profile {
	return Profile{
		Name: "rook", Version: "master at d0c3b9ce6d64",
		Rules: comparisons, Effects: taint.AllEffects, Selectors: conditions,
		Facts: []Fact{
			{Effects, "a taint with any effect keeps storage off the node, PreferNoSchedule too", "pkg/operator/k8sutil/node.go, NodeIsTolerable", "master at d0c3b9ce6d64"},
			{Comparisons, "Gt and Lt always count", "pkg/operator/k8sutil/node.go, NodeIsTolerable", "master at d0c3b9ce6d64"},
			{Elsewhere, "a cordoned node and one that is not ready are left out before, unless scheduleAlways is set", "pkg/operator/k8sutil/node.go, ValidNode", ""},
		},
	}
}

// YuniKorn embeds the plugin of kube-scheduler 1.34, without Gt and Lt. The files are those
// of apache/yunikorn-k8shim.
func YuniKorn() Profile {
	return Profile{
		Name: "yunikorn", Version: "1.8", Effects: taint.Hard, Selectors: conditions,
		Facts: []Fact{
			{Effects, "NoSchedule and NoExecute keep a pod out, as in the embedded plugin", "pkg/plugin/predicates/predicate_manager.go, the embedded plugin TaintToleration", ""},
			{Comparisons, "Gt and Lt do not count: the embedded plugin is that of Kubernetes 1.34", "pkg/plugin/predicates/predicate_manager.go", "1.8.0"},
			{Elsewhere, "PreFilter is called for each pair of a pod and a node", "pkg/plugin/predicates/predicate_manager.go", ""},
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
			{Effects, "NoSchedule and NoExecute matter", "pkg/scheduler/flavorassigner/flavorassigner.go", ""},
			{Comparisons, "Gt and Lt count in assignment, not in the node controller of topology-aware scheduling", "pkg/scheduler/flavorassigner/flavorassigner.go, pkg/controller/tas/node_controller.go", "0.19.2"},
			{Elsewhere, "Gt and Lt count in simulation", "pkg/cache/scheduler/scheduling_simulator_default.go", ""},
			{Elsewhere, "the tolerations of a flavor count beside those of the pod", "pkg/scheduler/flavorassigner/flavorassigner.go", "0.19.2"},
		},
	}
}

// KueueNodes is the node controller of topology-aware scheduling: whether a workload may
// stay on a node, even if only for some seconds.
func KueueNodes() Profile {
	return Profile{
		Name: "kueue-nodes", Version: "0.19", Effects: taint.Hard, Selectors: conditions,
		Facts: []Fact{
			{Effects, "NoSchedule and NoExecute matter", "pkg/controller/tas/node_controller.go", ""},
			{Comparisons, "Gt and Lt do not count, other than in Kueue's assignment", "pkg/controller/tas/node_controller.go", "0.19.2"},
			{Elsewhere, "a taint is tolerated forever if any toleration without seconds matches, where Kubernetes takes the first that matches", "pkg/controller/tas/node_controller.go", "0.19.2"},
		},
	}
}

// Volcano embeds the plugin of kube-scheduler, with Gt and Lt off.
func Volcano() Profile {
	return Profile{
		Name: "volcano", Version: "1.15", Effects: taint.Hard, Selectors: conditions,
		Facts: []Fact{
			{Effects, "NoSchedule and NoExecute keep a pod out, as in the embedded plugin", "pkg/scheduler/plugins/predicates/predicates.go, the embedded plugin TaintToleration", ""},
			{Comparisons, "Gt and Lt do not count", "pkg/scheduler/plugins/predicates/predicates.go, the embedded plugin TaintToleration", "1.14.1"},
		},
	}
}

// Koordinator is the reservation and the descheduler of Koordinator, with Gt and Lt
// off.
func Koordinator() Profile {
	return Profile{
		Name: "koordinator", Version: "1.8", Effects: taint.Hard, Selectors: conditions,
		Facts: []Fact{
			{Effects, "NoSchedule and NoExecute matter to reservations and the descheduler", "pkg/util/reservation/reservation.go, pkg/descheduler/node/node.go", ""},
			{Comparisons, "Gt and Lt do not count in its descheduler", "pkg/descheduler/utils/predicates.go", "1.8.0"},
			{Elsewhere, "Gt and Lt do not count for reservations", "pkg/util/reservation/reservation.go", ""},
		},
	}
}
