// Package manifest reads nodes and pods from what people have at hand: the
// output of kubectl get -o json or -o yaml, manifests of workloads, streams and
// lists of them. It is for programs, such as tolgen and the examples; the library
// itself takes plain slices and does not care where they come from.
//
//	bytes ──> JSON stream ───────────────┐
//	     └──> YAML documents ──> JSON ───┴──> walker ──> object ──> Node, Pod
//
// A [Loader] reads one source after the other, and keeps of each object only
// what taints and tolerations need. JSON is read as a stream: memory grows with
// the number of objects, not with their size. A YAML document is held as a
// whole, as text and as JSON.
//
// # Errors and faults
//
// A source that cannot be read to its end, because it is not JSON or YAML or
// does not hold Kubernetes objects, is an error. What is wrong within one
// object is a [Fault]: the object is kept, and counts as far as it decodes.
//
//   - A taint or toleration with a field of the wrong type, such as a boolean
//     value, cannot exist in Kubernetes. It is left out of its list: a key that
//     were read as empty would match every taint.
//   - A field that Kubernetes does not know is ignored, as the API server
//     ignores it, and reported.
//   - What decodes but is not valid, such as an unknown effect, is kept as it
//     stands, because matching never validates.
//
// Field names are case-sensitive, and the last of two equal keys counts in
// JSON, as for the API server. Equal keys in YAML are an error.
package manifest
