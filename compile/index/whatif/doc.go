// Package whatif says what a change of taints would do to a cluster before anybody makes
// it: which pods are evicted, at once or later, which gain or lose nodes, which have no
// node left, which limits the change breaks, and in which stages it keeps them.
//
//	fleet := ix.Snapshot()                 // the nodes, of an index.Index
//	var pods whatif.Pods                   // the pods: where they run, and whose they are
//	pods.Set(whatif.Pod{Name: "shop/cart-1", Node: "node-1", Owner: "Deployment shop/cart", Tolerations: list})
//
//	plan, err := whatif.Parse("kubectl taint nodes node-1 node-2 maintenance:NoExecute")
//	r, err := whatif.Evaluate(fleet, &pods, plan, whatif.Options{})
//
//	r.Summary()                            // how many nodes are affected, and how many pods are evicted
//	for e := range r.Evictions() { ... }   // which pod from which node, after how long, by which taint
//	for c := range r.Classes() { ... }     // which pods gain or lose nodes
//	r.Unschedulable()                      // which pods have no node left
//	vs, err := r.Check(whatif.Limits{MaxPercent: 5})
//	stages, err := r.Stages(whatif.Limits{MaxPerOwner: 2})
//	stages[0].Plan()                       // the commands of the first stage
//	r.Fleet()                              // the nodes as they would be
//
// Neither the snapshot nor the pods change, and there is no clock: delays count from the
// moment at which the plan is carried out.
//
// # Terms
//
//	plan       steps, one after the other
//	step       a command of kubectl for selected nodes, or a new list for an owner's pods
//	owner      whoever has pods that count together: a Deployment, a DaemonSet, a team
//	class      the pods with the same toleration list
//	eviction   a pod that a NoExecute taint removes from its node because of the plan:
//	           without the plan it would stay, or be evicted later (rules E1, E2)
//	fit        a node fits a pod unless it has an untolerated hard taint (rule F2)
//	stage      the whole plan for some of its nodes
//
// # What is answered, and what is not
//
// The answers are those of package match about taints and tolerations. Resources,
// affinity and everything else that keeps pods away does not count, and pods that are
// evicted are not placed anew. A cordon is the taint that it means (rule F7).
//
// A plan meets the cluster as it is. If a pod's time is running already, because its node
// has a NoExecute taint before the plan, it counts as evicted only if the plan evicts it
// sooner. How long it has left is known only under the policy match.SinceAdded, which
// asks for the times of taints. Kubernetes itself makes a scheduled eviction sooner only
// if a taint is not tolerated at all (rule E5): see package match/evict.
//
// The snapshot and the pods must have the same rules: tolerations with Gt and Lt count
// only if both were made for a cluster that evaluates them.
//
// # Cost
//
// The time follows what changes: the nodes that the steps select, each once for each
// step that selects it; the pods on these; and the classes that gain or lose nodes.
// Nodes with the same taints share the work of changing them, and pods of the same class share
// the work of deciding about them. A step for all nodes of an owner's pods looks at these pods, and
// a new list at every word of the fleet. The first evaluation after a change of the pods, or
// for another snapshot, also clears some bytes for each class, each different taint, each
// set of hard taints and each node; every evaluation looks at a bit for each class. Selecting by taint looks at each class of nodes, and
// a function is asked about every node.
//
// In the worst plan every node, list and step differs, and little work is shared. Each step
// is applied to the taints whose keys it names, and each class of pods is asked, by
// [index.Tolerators], whether it tolerates the taints that a plan leaves on a node. The
// lists of tolerations themselves are looked at only where their seconds decide, or where
// some class tolerates a key with Gt or Lt. Each different change of hard taints is compared
// with the classes of pods that tolerate the rarest of these taints, the one that the fewest
// classes tolerate, or else with all classes, 64 at a time.
// [Result.Unschedulable] computes its answer when it is called: where no node without hard
// taints is left, it asks the index about each class that loses nodes or pods, or compares
// all nodes with all classes, 64 at a time, if that takes less.
//
// The taints that nodes have after the plan are written down when they are first needed: by
// [Result.Nodes], [Result.Fleet] or [Stage.Nodes], by [Result.Unschedulable] where it compares all
// nodes, or by the evaluation itself where a plan both changes taints and sets tolerations.
//
// What an evaluation looks up about taints, pods and nodes is kept for the next plan for the
// same snapshot and the same pods, which takes less time where nodes and lists differ.
//
// A result does not copy the pods on the nodes from which a plan may evict some: it shares them
// with the Pods. The first time that a pod is deleted from such a node, or moves, the others
// there are copied.
//
// # Errors
//
// A plan that cannot be carried out as a whole has no result: see [Evaluate] and [Parse].
// No plan and no list makes a function panic; nil pointers are programming errors and do.
//
// Rule numbers refer to match/SEMANTICS.md.
//
// The page of examples/sweep -serve has a box to try plans in; there is a picture in
// examples/sweep/testdata/pictures/whatif.png.
package whatif
