// Package lint finds what is remarkable in the taints and tolerations of a whole fleet:
// what is likely not to do what its author meant.
//
//	report := lint.Check(&lint.Fleet{Nodes: nodes, Pods: pods}, lint.Options{})
//	for _, f := range report.Findings {
//		fmt.Println(f)
//	}
//
// Each [Finding] has an [ID], a severity, the place, a reason and a fix. Findings come in
// a fixed order: the most severe first, then by ID in the order of [IDs], then in the
// order of the fleet. Options limit how many of one ID are reported, and a [Silence] takes
// out what is intended: an ID, an object, a key, or all that they have in common.
// [ParseSilences] reads silences and their reasons from a file, and Report.Unused has
// those that are not needed any more.
//
// Pods with the same tolerations are looked at once, and nodes with the same taints too;
// the finding names the first, and how many there are.
//
// A fix that removes a toleration because it is redundant, its seconds are useless or the order
// decides changes no verdict, for any taint, and removes its finding, if it is applied alone. What
// can only go together is one finding. Other fixes ask what the author meant.
//
// What a finding says is exact unless its ID says "likely" or "many": a taint that no pod
// tolerates is one that package match finds untolerated by each, whatever the operators.
//
// The key of a toleration is likely misspelled if no taint has it, and it looks like a
// well-known key or like that of a taint. The key of a taint is likely misspelled if it looks
// like a well-known key, even if tolerations have it too; or if no toleration has it, and it
// looks like a key that both taints and tolerations have. If several clusters are put into
// one Fleet, such keys are found across them.
//
// Keys look alike if they differ by one slip, in names of four to seven characters, or by up
// to two, in longer ones. Where prefixes differ, the whole keys are compared in this way. A
// difference of case alone is one slip, in keys of any length: Kubernetes takes "Pool" and
// "pool" for two keys, but few clusters intend to have both. These keys do not count as
// misspelled:
//
//   - Siblings, which differ in a word with a digit, as "pool1" and "pool2" do, or in a word
//     of less than four characters, as "team-a" and "team-b" do. Some slips in words of three
//     characters are found all the same, after a prefix or beside another word:
//     example.com/gpus looks like example.com/gpu, but gpus does not look like gpu.
//   - node-role.kubernetes.io/controlplane, which RKE uses.
//
// One thing is known from elsewhere: which values Kubernetes and the common autoscalers
// give to the taints with their own keys.
//
// # Startup taints
//
// A startup taint goes once the pods that it waits for run: a DaemonSet on the node, others
// anywhere. [StartupTaints] knows those of common projects, and [Pod.Removes] has them. On new
// nodes of each of [Fleet.Pools], and on nodes that have such taints, StartupDeadlock finds those
// that never go, whatever the order of events, as far as taints, selectors and required
// affinity decide. A taint that nobody is known to remove is taken to go. One
// finding stands for each circle, and for each pod that cannot run. After ten million steps these
// pods are skipped and counted.
//
// # Input and concurrency
//
// Nothing validates first and nothing panics, except for nil pointers. Lists may be nil,
// invalid and long, and names may be empty or occur twice. The work is n log n steps in
// the size of the fleet, and more, as package toleration says, for lists that are not
// valid. Findings also cost time in proportion to their number. When the finding of a
// DaemonSet is beyond the limit, it is counted as soon as one missed node is found. If
// there is no limit, each DaemonSet costs a step for each taint, except of keys of which it
// tolerates every value; and each toleration with Gt or Lt one for each value of its key.
// A DaemonSet with an Affinity also costs a step for each kind of node with such a
// taint, and as many more as its selectors are longer than sixteen words. After ten
// million of these steps the remaining ones are skipped, and Report.Skipped counts them.
// Other pods that wait or have an Affinity cost the same, and are skipped after ten million steps
// of their own.
// Each key that may be misspelled is compared with the well-known keys and the most
// frequent others: about a hundred in all, or more while the comparisons stay under a
// million for the keys of tolerations, and under another million for those of taints. A
// silence costs a step for each object that it names.
//
// All functions are pure and retain nothing; results share strings with the fleet and
// the silences. They may be called concurrently.
//
// The page of examples/tolero lists findings; there is a picture in
// examples/internal/page/testdata/pictures/findings.png.
package lint
