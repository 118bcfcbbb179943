package canonical

import (
	"github.com/tolero-dev/tolero/match/device"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
	"github.com/tolero-dev/tolero/toleration/admit"
)

// Input is what a question gives: as much of Kubernetes' objects as it needs. The
// README of package vectors says which parts each kind of question has.
type Input struct {
	FeatureGates *Gates `json:"featureGates,omitempty"`

	Toleration  *toleration.Toleration  `json:"toleration,omitempty"`
	Taint       *taint.Taint            `json:"taint,omitempty"`
	Tolerations []toleration.Toleration `json:"tolerations,omitempty"`

	Pod          *Pod          `json:"pod,omitempty"`
	OldPod       *Pod          `json:"oldPod,omitempty"`
	Node         *Node         `json:"node,omitempty"`
	OldNode      *Node         `json:"oldNode,omitempty"`
	Nodes        []Node        `json:"nodes,omitempty"`
	Namespace    *Namespace    `json:"namespace,omitempty"`
	RuntimeClass *RuntimeClass `json:"runtimeClass,omitempty"`

	Flags     *Flags   `json:"flags,omitempty"`
	Args      []string `json:"args,omitempty"`
	Overwrite bool     `json:"overwrite,omitempty"`
	Operation string   `json:"operation,omitempty"`
	Observed  []string `json:"observed,omitempty"`
	ShutDown  bool     `json:"shutDown,omitempty"`
	Ready     int      `json:"ready,omitempty"`
	NotReady  int      `json:"notReady,omitempty"`
	Events    []Event  `json:"events,omitempty"`
	Until     int64    `json:"until,omitempty"`

	DeviceTaint       *taint.Taint            `json:"deviceTaint,omitempty"`
	DeviceToleration  *toleration.Toleration  `json:"deviceToleration,omitempty"`
	DeviceTaints      []taint.Taint           `json:"deviceTaints,omitempty"`
	DeviceTolerations []toleration.Toleration `json:"deviceTolerations,omitempty"`
	ResourceSlice     *Slice                  `json:"resourceSlice,omitempty"`
	DeviceTaintRules  []Rule                  `json:"deviceTaintRules,omitempty"`
	Rule              *Rule                   `json:"deviceTaintRule,omitempty"`
	OldRule           *Rule                   `json:"oldDeviceTaintRule,omitempty"`
	Now               *taint.Time             `json:"now,omitempty"`
}

// Gates is the feature gates of the process that is asked. Absent ones are off.
type Gates struct {
	Comparisons bool `json:"TaintTolerationComparisonOperators,omitempty"`
}

// Meta is the metadata of an object.
type Meta struct {
	Name        string            `json:"name,omitempty"`
	Annotations map[string]string `json:"annotations,omitempty"`
	Labels      map[string]string `json:"labels,omitempty"`
}

// Pod is as much of a v1.Pod as taints concern.
type Pod struct {
	Metadata *Meta      `json:"metadata,omitempty"`
	Spec     PodSpec    `json:"spec"`
	Status   *PodStatus `json:"status,omitempty"`
}

// PodSpec is the spec of a Pod.
type PodSpec struct {
	NodeName       string                  `json:"nodeName,omitempty"`
	HostNetwork    bool                    `json:"hostNetwork,omitempty"`
	Priority       *int32                  `json:"priority,omitempty"`
	Tolerations    []toleration.Toleration `json:"tolerations,omitempty"`
	InitContainers []Container             `json:"initContainers,omitempty"`
	Containers     []Container             `json:"containers,omitempty"`
	Spread         []Constraint            `json:"topologySpreadConstraints,omitempty"`
}

// Container is a container of a Pod.
type Container struct {
	Name      string          `json:"name,omitempty"`
	Resources admit.Resources `json:"resources,omitzero"`
}

// Constraint is a topology spread constraint.
type Constraint struct {
	NodeTaintsPolicy string `json:"nodeTaintsPolicy,omitempty"`
}

// PodStatus is the status of a Pod.
type PodStatus struct {
	QOSClass string `json:"qosClass,omitempty"`
}

// Node is as much of a v1.Node as taints concern.
type Node struct {
	Metadata *Meta       `json:"metadata,omitempty"`
	Spec     NodeSpec    `json:"spec"`
	Status   *NodeStatus `json:"status,omitempty"`
}

// NodeSpec is the spec of a Node.
type NodeSpec struct {
	Unschedulable bool          `json:"unschedulable,omitempty"`
	Taints        []taint.Taint `json:"taints,omitempty"`
}

// NodeStatus is the status of a Node.
type NodeStatus struct {
	Conditions []Condition `json:"conditions,omitempty"`
}

// Condition is a condition of a Node.
type Condition struct {
	Type   string `json:"type"`
	Status string `json:"status"`
}

// Namespace is a v1.Namespace.
type Namespace struct {
	Metadata Meta `json:"metadata"`
}

// RuntimeClass is as much of a node.k8s.io/v1 RuntimeClass as taints concern.
type RuntimeClass struct {
	Scheduling *Scheduling `json:"scheduling,omitempty"`
}

// Scheduling is the field of a RuntimeClass.
type Scheduling struct {
	Tolerations []toleration.Toleration `json:"tolerations,omitempty"`
}

// Flags is the command-line flags of the process that is asked.
type Flags struct {
	NotReadySeconds    *int64 `json:"default-not-ready-toleration-seconds,omitempty"`
	UnreachableSeconds *int64 `json:"default-unreachable-toleration-seconds,omitempty"`
	RegisterWithTaints string `json:"register-with-taints,omitempty"`
	MonitorPeriod      string `json:"node-monitor-period,omitempty"`
}

// Event is something that happens, some milliseconds after the start: exactly one of the
// others is set.
type Event struct {
	At         int64  `json:"at"`
	Node       *Node  `json:"node,omitempty"`
	DeleteNode string `json:"deleteNode,omitempty"`
	Pod        *Pod   `json:"pod,omitempty"`
	DeletePod  string `json:"deletePod,omitempty"`
	// Budget changes no answer: rule E6.
	Budget *Budget `json:"podDisruptionBudget,omitempty"`
	// Of nodes' leases and of devices.
	RenewLease  string `json:"renewLease,omitempty"`
	HideLease   string `json:"hideLease,omitempty"` // reading it fails from now on
	Slice       *Slice `json:"resourceSlice,omitempty"`
	DeleteSlice string `json:"deleteResourceSlice,omitempty"`
	Rule        *Rule  `json:"deviceTaintRule,omitempty"`
	DeleteRule  string `json:"deleteDeviceTaintRule,omitempty"`
	Use         *Use   `json:"use,omitempty"`
}

// Budget is as much of a policy/v1 PodDisruptionBudget as selects every pod.
type Budget struct {
	Metadata Meta       `json:"metadata"`
	Spec     BudgetSpec `json:"spec"`
}

// BudgetSpec is the spec of a PodDisruptionBudget. An empty selector selects all.
type BudgetSpec struct {
	MaxUnavailable int      `json:"maxUnavailable"`
	Selector       struct{} `json:"selector"`
}

// Use is a pod that uses devices through a claim that is reserved for it.
type Use struct {
	Pod         string              `json:"pod"`
	Devices     []device.Allocation `json:"devices"`
	Unplaced    bool                `json:"unplaced,omitempty"`    // the pod has no node
	NotInSpec   bool                `json:"notInSpec,omitempty"`   // the pod does not refer to the claim
	NotReserved bool                `json:"notReserved,omitempty"` // the claim is not reserved for the pod
}

// Slice is as much of a ResourceSlice as taints concern.
type Slice struct {
	Metadata Meta         `json:"metadata"`
	Spec     device.Slice `json:"spec"`
}

// Rule is a DeviceTaintRule.
type Rule struct {
	Metadata Meta        `json:"metadata"`
	Spec     device.Rule `json:"spec"`
}

// rules is the rules of the cluster that the gates stand for.
func (in *Input) rules() toleration.Rules {
	return toleration.Rules{Comparisons: in.FeatureGates != nil && in.FeatureGates.Comparisons}
}

// tolerations is the pod's list.
func (in *Input) tolerations() []toleration.Toleration { return in.pod().Spec.Tolerations }

func (in *Input) pod() *Pod {
	if in.Pod == nil {
		return &Pod{}
	}
	return in.Pod
}

func (in *Input) node() *Node {
	if in.Node == nil {
		return &Node{}
	}
	return in.Node
}

func (in *Input) taints() []taint.Taint { return in.node().Spec.Taints }
