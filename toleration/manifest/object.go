package manifest

import (
	"fmt"
	"strings"

	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// Object names a Kubernetes object and says where it was found. It is plain
// data; the zero Object names nothing.
type Object struct {
	File     string // the source, as given to [Loader.Read]
	Document int    // counted from 1, without empty documents
	Item     string // the way to it through lists, such as "items[3]", or empty

	Kind, Namespace, Name string
}

// String returns the place and the name, such as
// "dump.yaml: document 2, items[3]: Pod shop/cart".
func (o Object) String() string {
	return o.place() + ": " + o.ID()
}

// ID returns kind, namespace and name, such as "Pod shop/cart". An object
// without a name, as in lists of pod templates, is "(unnamed)".
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

// Node is a node with what its spec says about pods. It is plain data; copies
// share the taints.
type Node struct {
	Object
	Taints        []taint.Taint // spec.taints
	Unschedulable bool          // spec.unschedulable: the node is cordoned
}

// AppendTaints appends to dst the taints that the node has for a scheduler, and
// returns the extended slice. They are those of its spec and, if it is cordoned
// and the taint is not there yet, node.kubernetes.io/unschedulable:NoSchedule
// (rule F7). That one comes first, as kube-scheduler looks at the cordon before
// it looks at taints.
func (n *Node) AppendTaints(dst []taint.Taint) []taint.Taint {
	return taint.WithCordon(dst, n.Taints, n.Unschedulable)
}

// Pod is a pod, or a workload that stands for pods. It is plain data; copies
// share the tolerations.
type Pod struct {
	Object
	Tolerations []toleration.Toleration // as written: admission adds more (rules A1 to A4)
	NodeName    string                  // spec.nodeName: the node that it is bound to, or empty

	// Count is how many pods it stands for: spec.replicas of a Deployment,
	// StatefulSet, ReplicaSet or ReplicationController and spec.parallelism of
	// a Job or CronJob, which is 1 where it is missing; else 1. A DaemonSet
	// too counts as one pod, as it has at most one on a node.
	Count int64
}

// Cluster is what was read. It is plain data and belongs to the caller.
type Cluster struct {
	Nodes  []Node
	Pods   []Pod   // those that stand for at least one pod
	Faults []Fault // in the order of the input

	// Absent counts workloads that are not in Pods: those with no replicas, and
	// those that own other objects of the input, such as a Deployment whose
	// pods are there too, which would count twice.
	Absent int
	// Others counts the objects of other kinds, by kind.
	Others map[string]int
}

// Fault is something in one field of an object that the API server would
// refuse or ignore. It is plain data.
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
