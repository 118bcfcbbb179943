// Package scenario makes the synthetic clusters that benchmarks, examples and
// stress tests share. The same name, size and seed always give the same
// cluster, so that figures from different programs are about the same work.
//
// A cluster is plain data and belongs to the caller. Lists that are equal share
// memory, as they do not in a real cluster: copy a list before changing it.
package scenario

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// Node is a node with its taints.
type Node struct {
	Name   string
	Taints []taint.Taint
}

// Pod is a pod with its tolerations.
type Pod struct {
	Name        string
	Tolerations []toleration.Toleration
}

// Cluster is a fleet of nodes and the pods that are to run on it.
type Cluster struct {
	Nodes []Node
	Pods  []Pod
}

// A Maker makes a cluster of the given size. Negative sizes are taken for zero.
type Maker func(seed uint64, nodes, pods int) *Cluster

// Names returns the names that [Find] knows, in the order of the documents.
func Names() []string {
	return []string{"pools", "unique", "numeric", "timestamps", "daemonsets", "permuted", "halfown", "distinct", "softtimes", "nearlyclean"}
}

// Find returns the maker with the given name, and whether there is one.
func Find(name string) (Maker, bool) {
	switch name {
	case "pools":
		return Pools, true
	case "unique":
		return Unique, true
	case "numeric":
		return Numeric, true
	case "timestamps":
		return Timestamps, true
	case "daemonsets":
		return DaemonSets, true
	case "permuted":
		return Permuted, true
	case "halfown":
		return HalfOwn, true
	case "distinct":
		return Distinct, true
	case "softtimes":
		return SoftTimes, true
	case "nearlyclean":
		return NearlyClean, true
	}
	return nil, false
}

// Sizes returns the numbers of nodes that figures are given for: what Kubernetes
// promises for one cluster, three times that, and a fleet of clusters.
func Sizes() []int { return []int{5_000, 15_000, 100_000} }

// Unique makes a fleet in which every node has a taint of its own,
// dedicated=<node>:NoSchedule, and every pod tolerates that of one node besides
// the two default tolerations.
func Unique(seed uint64, nodes, pods int) *Cluster {
	random := newRandom(seed)
	c := allocate(nodes, pods)
	for i := range c.Nodes {
		c.Nodes[i].Taints = []taint.Taint{{Key: "dedicated", Value: c.Nodes[i].Name, Effect: taint.NoSchedule}}
	}
	for i := range c.Pods {
		own := toleration.Toleration{Key: "dedicated", Operator: toleration.OpEqual, Value: "none", Effect: taint.NoSchedule}
		if nodes > 0 {
			own.Value = c.Nodes[random.IntN(nodes)].Name
		}
		c.Pods[i].Tolerations = withDefaults(own)
	}
	return c
}

// Numeric makes a fleet in which every node says how many cores it has and how
// likely it is to be reclaimed, as integer taints, and pods tolerate ranges of
// them with Gt and Lt.
func Numeric(seed uint64, nodes, pods int) *Cluster {
	random := newRandom(seed)
	c := allocate(nodes, pods)
	for i := range c.Nodes {
		c.Nodes[i].Taints = []taint.Taint{
			{Key: "example.com/cores", Value: strconv.Itoa(4 << random.IntN(6)), Effect: taint.PreferNoSchedule},
			{Key: "example.com/reclaim-percent", Value: strconv.Itoa(random.IntN(101)), Effect: taint.NoSchedule},
		}
	}
	for i := range c.Pods {
		c.Pods[i].Tolerations = withDefaults(
			toleration.Toleration{Key: "example.com/cores", Operator: toleration.OpGt,
				Value: strconv.Itoa(2 << random.IntN(6)), Effect: taint.PreferNoSchedule},
			toleration.Toleration{Key: "example.com/reclaim-percent", Operator: toleration.OpLt,
				Value: strconv.Itoa(1 + random.IntN(101)), Effect: taint.NoSchedule},
		)
	}
	return c
}

// Unshare gives every node and pod of c lists and strings of its own, as objects
// have that were decoded one by one. Comparing strings that share memory is
// cheaper than it is in a real program.
func (c *Cluster) Unshare() {
	for i := range c.Nodes {
		taints := slices.Clone(c.Nodes[i].Taints)
		for j := range taints {
			t := &taints[j]
			t.Key, t.Value, t.Effect = strings.Clone(t.Key), strings.Clone(t.Value), clone(t.Effect)
		}
		c.Nodes[i].Taints = taints
	}
	for i := range c.Pods {
		tolerations := slices.Clone(c.Pods[i].Tolerations)
		for j := range tolerations {
			t := &tolerations[j]
			t.Key, t.Value, t.Operator, t.Effect = strings.Clone(t.Key), strings.Clone(t.Value), clone(t.Operator), clone(t.Effect)
		}
		c.Pods[i].Tolerations = tolerations
	}
}

func clone[S ~string](s S) S { return S(strings.Clone(string(s))) }

func allocate(nodes, pods int) *Cluster {
	c := &Cluster{Nodes: make([]Node, max(0, nodes)), Pods: make([]Pod, max(0, pods))}
	for i := range c.Nodes {
		c.Nodes[i].Name = fmt.Sprintf("node-%06d", i)
	}
	for i := range c.Pods {
		c.Pods[i].Name = fmt.Sprintf("pod-%07d", i)
	}
	return c
}

func newRandom(seed uint64) *rand.Rand {
	return rand.New(rand.NewPCG(seed, 0x746f6c65726f)) // any fixed second word will do
}

// withDefaults returns own and the two tolerations that admission adds to every
// pod (rule A1).
func withDefaults(own ...toleration.Toleration) []toleration.Toleration {
	seconds := int64(300)
	return append(own,
		toleration.Toleration{Key: taint.KeyNotReady, Operator: toleration.OpExists, Effect: taint.NoExecute, TolerationSeconds: &seconds},
		toleration.Toleration{Key: taint.KeyUnreachable, Operator: toleration.OpExists, Effect: taint.NoExecute, TolerationSeconds: &seconds},
	)
}
