package page

import (
	"github.com/tolero-dev/tolero/match/affinity"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// Fleet is what a page is about. It is plain data; the zero Fleet is empty.
type Fleet struct {
	Title string
	Notes []string // what a reader should know about it, one sentence each
	Rules toleration.Rules
	Nodes []Node
	Pods  []Pod
}

// Node is a node, or Count nodes that are alike. It is plain data.
type Node struct {
	Name   string
	Pool   string        // the node pool, or empty
	Zone   string        // as the node life-cycle controller has it, or empty
	Taints []taint.Taint // a cordon included
	Count  int64
	Labels map[string]string // what pods require
}

// Pod is a pod, or Count pods that are alike. It is plain data.
type Pod struct {
	Name        string
	Namespace   string
	Owner       string                  // such as ReplicaSet/web-5d4c, or empty
	Node        string                  // the node that it is bound to, or empty
	DaemonSet   bool                    // it ought to run on every node that Affinity admits
	Tolerations []toleration.Toleration // with what the DaemonSet controller adds
	Count       int64
	Affinity    affinity.Required // what it requires of the labels of its node
	HostNetwork bool              // of a DaemonSet: its pods use the network of their nodes
}

// id returns what tells pods apart for people.
func (p *Pod) id() string {
	if p.Namespace == "" {
		return p.Name
	}
	return p.Namespace + "/" + p.Name
}
