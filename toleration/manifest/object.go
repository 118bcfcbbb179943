package manifest

import (
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tolero-dev/tolero/match/affinity"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// Object names a Kubernetes object and the place where it was found. It is plain
// data; the zero Object names nothing.
type Object struct {
	File     string // the source, as given to [Loader.Read]
	Document int    // counted from 1, without empty documents
	Item     string // its place in a list, such as "items[3]", or empty

	Kind, Namespace, Name string
}

// String returns the place and the name, such as
// "dump.yaml: document 2, items[3]: Pod shop/cart".
func (o Object) String() string {
	return o.place() + ": " + o.ID()
}

// ID returns kind, namespace and name, such as "Pod shop/cart". The name of an
// object without one is "(unnamed)".
func (o Object) ID() string {
	name := o.Name
	if name == "" {
		name = "(unnamed)"
	}
	if o.Namespace != "" {
		name = o.Namespace + "/" + name
	}
	return strings.TrimPrefix(o.Kind+" "+name, " ")
}

func (o Object) place() string {
	text := fmt.Sprintf("%s: document %d", o.File, o.Document)
	if o.Item != "" {
		text += ", " + o.Item
	}
	return text
}

// Node is a node with what its spec says about pods. It is plain data, except
// that [Node.SpecField] depends on what was read; copies share the taints and labels.
type Node struct {
	Object
	// SpecTaints are the taints in spec.taints. [Node.Taints] returns those that
	// count.
	SpecTaints    []taint.Taint
	Unschedulable bool // spec.unschedulable: the node is cordoned

	// Labels are those of [Loader.Labels] that the node has, or all with
	// [Loader.Placement] or [Loader.State]; nil if it has none.
	Labels map[string]string

	State *NodeState // nil without [Loader.State]; copies of the Node share it

	broken []int // indexes of taints that do not decode, in order
}

// Taints returns the taints that the node has for a scheduler: those of its spec
// and, if it is cordoned, node.kubernetes.io/unschedulable:NoSchedule, which then
// comes first (rule F7); see [taint.WithCordon]. The result shares memory with
// SpecTaints.
func (n *Node) Taints() []taint.Taint {
	if !n.Unschedulable {
		return n.SpecTaints
	}
	return taint.WithCordon(nil, n.SpecTaints, true)
}

// Pod is a pod, or a workload that stands for pods. It is plain data, except that
// [Pod.Tolerations] and [Pod.SpecField] depend on what was read, and how; copies
// share the tolerations. Pods of a Loader share none.
type Pod struct {
	Object
	// SpecTolerations are the tolerations as written. [Pod.Tolerations] returns
	// those that count. Admission may add more (rules A1 to A4); see package
	// admit.
	SpecTolerations []toleration.Toleration

	// HostNetwork is spec.hostNetwork, of a workload that of its template: the DaemonSet
	// controller adds a toleration to such pods; see
	// DaemonSet in package admit.
	HostNetwork bool

	NodeName string // spec.nodeName: the node that it is bound to, or empty
	Phase    string // status.phase of a pod, such as "Running", or empty
	Owner    Owner  // the controller that made it, or none
	// Workload is the end of the chain of owners that begins with Owner: for a pod of a
	// Deployment, Owner is a ReplicaSet and Workload the Deployment. It is set only with
	// [Loader.Controllers], and empty if Owner is. The Loader follows the owners of the
	// workloads in the input. A ReplicaSet that is not in the input is taken for a
	// Deployment's if its name ends as the Deployment controller makes it, with a hyphen and
	// the pod's label pod-template-hash; what comes before is the name of the Deployment.
	// (The controller cuts names near 253 characters. These are not restored.)
	Workload Owner
	// Terminating is whether it is being deleted: metadata.deletionTimestamp is
	// set. A pod that has a node runs there until it is gone.
	Terminating bool

	// Count is how many pods it stands for: spec.replicas of a Deployment,
	// StatefulSet, ReplicaSet or ReplicationController and spec.parallelism of
	// a Job or CronJob, which is 1 if it is missing; 1 for all others. A
	// DaemonSet counts as one pod, because it has at most one on a node.
	Count int64

	// Affinity is what it requires of its node: spec.nodeSelector and the required node
	// affinity. It is read only with [Loader.Placement], and with [Loader.State] also the node
	// affinity of the volumes that its claims are bound to. That of a pod of a DaemonSet is for
	// the node of that pod; see Template.
	Affinity affinity.Required
	// Template is the Affinity of the DaemonSet that made the pod, if that is in the
	// input: the controller replaces the required affinity of the template in the pod. It
	// is nil for all others, and must not be changed: pods of a DaemonSet share it.
	Template *affinity.Required

	State *PodState // nil without [Loader.State]; copies of the Pod share it

	rules  toleration.Rules
	broken []int // indexes of tolerations that do not decode, in order
}

// Owner is what metadata.ownerReferences says about the controller of an object:
// for most pods a ReplicaSet, a DaemonSet, a StatefulSet or a Job, and for static
// pods a Node. The zero Owner is none. It is a plain value.
type Owner struct {
	Kind, Name string
}

// String returns kind and name as kubectl describe writes them, such as "ReplicaSet/web-5d4c",
// and "" for the zero Owner. It leaves both as they are in the manifest.
func (o Owner) String() string {
	if o == (Owner{}) {
		return ""
	}
	return o.Kind + "/" + o.Name
}

// Tolerations returns the tolerations that count under the Rules of the [Loader]:
// in a default cluster, those whose operator is neither Gt nor Lt (rule N4). If
// all count, the result shares memory with SpecTolerations. Those of a Pod that no
// Loader made count as in a default cluster.
func (p *Pod) Tolerations() []toleration.Toleration {
	if p.rules.Comparisons || !slices.ContainsFunc(p.SpecTolerations, isComparison) {
		return p.SpecTolerations
	}
	return p.rules.Active(nil, p.SpecTolerations)
}

func isComparison(t toleration.Toleration) bool { return t.Operator.Comparison() }

// Finished reports whether the pod has ended and waits only to be deleted: its
// phase is Succeeded or Failed. Such a pod needs no node.
func (p *Pod) Finished() bool {
	return p.Phase == "Succeeded" || p.Phase == "Failed"
}

// Pending reports whether the pod waits for a node: it has none, has not ended, and is
// not being deleted. A workload is pending if it has pods that are not in the input.
// Scheduling gates are not looked at.
func (p *Pod) Pending() bool {
	return p.NodeName == "" && !p.Terminating && !p.Finished()
}

// SpecField returns the path of SpecTaints[i] in the object, such as
// "spec.taints[2]". Taints that do not decode are not in SpecTaints, but they
// count here. SpecField does not check i.
func (n *Node) SpecField(i int) string {
	return specField("spec.taints", n.broken, i)
}

// SpecField returns the path of SpecTolerations[i] in the object, such as
// "spec.template.spec.tolerations[2]". Tolerations that do not decode are not in
// SpecTolerations, but they count here. SpecField does not check i.
func (p *Pod) SpecField(i int) string {
	return specField(tolerationsPath(p.Kind), p.broken, i)
}

// specField returns the path of the i-th entry of a list among those that are not
// broken.
func specField(path string, broken []int, i int) string {
	for _, b := range broken {
		if b <= i {
			i++
		}
	}
	return path + "[" + strconv.Itoa(i) + "]"
}

// Cluster is what was read. It is plain data and belongs to the caller.
type Cluster struct {
	Nodes []Node
	// Pods are the pods that have a node or wait for one, and the workloads that
	// stand for pods that are not in the input. [Cluster.Pending] has those that wait.
	Pods   []Pod
	Faults []Fault // in the order of the input

	// Finished counts pods that are not in Pods because they have ended, or are being
	// deleted before they had a node.
	Finished int
	// Absent counts workloads that are not in Pods: those with no replicas, and
	// those that own other objects of the input, such as a Deployment whose
	// pods are there too, which would count twice. UIDs tell that, and with
	// [Loader.Controllers] names too.
	Absent int
	// Others counts the objects of other kinds, by kind.
	Others map[string]int

	// The rest is read only with [Loader.State], and these objects are then not in Others.
	Claims    []Claim         // PersistentVolumeClaims
	Devices   []Claim         // ResourceClaims
	Volumes   []Volume        // PersistentVolumes
	Budgets   []Budget        // PodDisruptionBudgets
	Pools     []Pool          // NodePools and other objects that nodes are made from, and ResourceFlavors
	Readiness []ReadinessRule // NodeReadinessRules
	// Latest is the latest time in the input: when it was made, as far as it tells. Those
	// that are read are the creation of objects, the start of pods, and the times of taints,
	// conditions and Leases; that of a taint does not count if it is more than ten minutes later
	// than all others, heartbeats among them. It is zero if there are none.
	Latest time.Time
}

// Pending iterates over the pods of c that wait for a node, in the order of the input;
// see [Pod.Pending]. The pods are those of c.Pods.
func (c *Cluster) Pending() iter.Seq[*Pod] {
	return func(yield func(*Pod) bool) {
		for i := range c.Pods {
			if p := &c.Pods[i]; p.Pending() && !yield(p) {
				return
			}
		}
	}
}

// Fault is one field of an object that the API server would refuse or ignore, and
// why. It is plain data; copies share Err. The zero Fault is of no use. As an
// error it is used by pointer.
type Fault struct {
	Object Object
	Err    *taint.FieldError
}

// Error returns one line with the place, the object, the field and the cause.
func (f *Fault) Error() string {
	return f.Object.String() + ": " + f.Err.Error()
}

// Unwrap returns the fault in the field.
func (f *Fault) Unwrap() error { return f.Err }
