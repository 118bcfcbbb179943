package kube

import (
	v1 "k8s.io/api/core/v1"

	"github.com/tolero-dev/tolero/compile/index"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// Load sets the nodes in the index, with the taints that [NodeTaints] gives them: the
// taint of a cordon comes first. It is [index.Index.Load] for a list of nodes, such as
// that of a lister or of a snapshot that a scheduler takes:
//
//	ix := index.New(rules)
//	kube.Load(ix, nodes)
//	s := ix.Snapshot()
//	kube.Fit(s, &fit, pod.Spec.Tolerations)
//
// Nodes of the index that are not in the list stay as they are, and nil items are passed
// over. For one node that changes later there is Set: ix.Set(node.Name,
// kube.AppendNodeTaints(buffer[:0], node)). The index retains the names of the nodes and
// the strings of their taints.
func Load(ix *index.Index, nodes []*v1.Node) {
	var buffer []taint.Taint
	ix.Load(func(yield func(string, []taint.Taint) bool) {
		for _, node := range nodes {
			if node == nil {
				continue
			}
			buffer = AppendNodeTaints(buffer[:0], node)
			if !yield(node.Name, buffer) {
				return
			}
		}
	})
}

// Fit is [index.Snapshot.FitList] for tolerations as the API server has them: it fills f with
// the nodes to which a pod with these tolerations may be scheduled. The index's rules
// apply. It does not allocate for lists of up to 16 in the steady state.
func Fit(s *index.Snapshot, f *index.Fit, tolerations []v1.Toleration) {
	var buffer [16]toleration.Toleration
	s.FitList(f, AppendTolerations(buffer[:0], tolerations))
}
