// Package manifest reads nodes and pods from what people have at hand: the
// output of kubectl get -o json or -o yaml, manifests of workloads, and lists and
// streams of them. It is for programs, such as tolgen and the examples. The rest
// of the library takes plain slices, wherever they come from.
//
//	var loader manifest.Loader           // a default cluster
//	err := loader.Read("dump.yaml", in)  // one source after the other
//	cluster := loader.Cluster()
//	for i := range cluster.Nodes {
//		taints := cluster.Nodes[i].Taints()          // with the cordon
//	}
//	for i := range cluster.Pods {
//		list := cluster.Pods[i].Tolerations()        // those that count
//	}
//
// A [Loader] keeps of each object only what taints and tolerations need:
//
//	bytes ──> JSON stream ───────────────┐
//	     └──> YAML documents ──> JSON ───┴──> walker ──> object ──> Node, Pod
//
// JSON is read as a stream: memory grows with the number of objects, and with the
// largest value that is skipped, which takes about four times its size while it is
// skipped. A YAML document is held as a whole, and takes about 35 times its size while
// it is parsed: for a large cluster, ask kubectl for JSON. Time is linear in the size of
// the input, and recursion is bounded.
//
// # The cluster
//
// Whether tolerations with the operators Gt and Lt count depends on the cluster.
// [Pod.Tolerations] gives a default cluster's answer, in which they do not, unless
// [Loader.Rules] says otherwise. [Node.Taints] includes the taint that a cordon
// means. Both have the lists as written beside them, in SpecTolerations and
// SpecTaints.
//
// [Cluster.Pods] are the pods that have a node or wait for one, and [Cluster.Pending]
// those that wait. Pods that have ended or are deleted before they had a node, and
// workloads whose pods are in the input or that have none, are counted and left out.
//
// With [Loader.State] it also reads why pods may wait for other reasons than taints: what the
// scheduler said, what they request, their claims, volumes and disruption budgets. It reads what
// nodes are made from, too: [Cluster.Pools] of Karpenter, Cluster API and Kueue, and the rules of
// the node readiness controller.
//
// # Errors and faults
//
// A source that cannot be read to its end, because it is neither JSON nor YAML or
// does not hold Kubernetes objects, is an error. What is wrong within one object
// is a [Fault]: the object is kept, with the fields that decode.
//
//   - A taint or toleration with a field of the wrong type, such as a boolean
//     value, cannot exist in Kubernetes. It is left out of its list, because an
//     empty key in its place would match every taint. Messages about the others
//     keep their indexes; see [Pod.SpecField].
//   - A field that Kubernetes does not know is ignored, as the API server ignores
//     it. It is reported in a taint or toleration, and elsewhere if it is one that
//     the Loader reads in another case, such as "Spec": names are case-sensitive.
//   - What decodes but is not valid, such as an unknown effect, is kept as it is,
//     because matching never validates.
//   - A field that occurs twice is reported, and the last one counts. In JSON, as
//     for the API server, objects are merged, field by field, and a later list
//     replaces an earlier one, except that the items of both lists of objects are
//     kept. (The API server leaves fields of the earlier list's entries in those of
//     the later one.) In YAML, as for kubectl, which says nothing, the last value
//     replaces the others. In a document with a merge key (<<) it is not reported,
//     because a field may be there to replace one that is merged.
//
// A nil pointer is a programming error and panics, except where a function says
// otherwise.
package manifest
