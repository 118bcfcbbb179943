// Package dialect says where other projects answer differently from Kubernetes, and
// compares two of them over a fleet: "provisioned there, refused here".
//
//	here, there := dialect.Kubernetes(), dialect.Karpenter()
//	for d := range dialect.Compare(&there, &here, nodes, pods) {
//		fmt.Println(d)
//		// pods[3]: karpenter admits it to nodes[0], kubernetes refuses it because of team=5:NoSchedule: ...
//	}
//
// A [Profile] is data: which effects keep a pod out, whether Gt and Lt count, which taints
// are left out of the decision because they do not last, and, of two projects, how they
// compare. Each rule has a source, in a [Fact] or a [Selector]. Profiles can be changed, for
// example for the startup taints of a cluster's own node pools, and new ones put together.
//
// The profiles answer one question: may the pod go to the node, as far as taints
// decide? Where a project uses several ways, the profile names the one that it follows.
// Matching itself is that of package toleration, except with ByText and ByCount.
//
// Each [Fact] names the source file that shows it. Where it was also confirmed by running
// the project's own code, Ran is the release; match/matchtest/DIFFERENCES.md has the input,
// the two answers and the command. The other facts were only read.
//
// # Classes
//
// Each profile also says what it takes a taint for ([Profile.Class]):
//
//	Startup    the node loses it once it has started
//	Status     it says how the node is, and comes and goes
//	Ephemeral  it is there only while the node is being made or taken away
//	Permanent  any other
//
// Karmada and Open Cluster Management set taints on clusters and have classes for those.
// Projects that do not classify taints, such as Popeye, which sets none either, have the
// classes of Kubernetes.
//
// # Input and concurrency
//
// Nothing validates, and nothing panics except on nil profiles. Lists may be nil,
// invalid and long. All functions are pure and may be called concurrently.
package dialect
