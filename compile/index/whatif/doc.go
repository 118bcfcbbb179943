// Package whatif says what a change of taints would do to a cluster before anybody makes it:
// which pods are evicted, at once or later, which gain or lose nodes, which have no node left,
// which limits the change breaks, and in which stages it keeps them.
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
// The answers are those of package match about taints and tolerations. Resources, affinity
// and everything else that keeps pods away does not count, and pods that are evicted are not
// placed anew. A cordon is the taint that it means (rule F7). A new list for pods that have
// it already changes nothing.
//
// A plan meets the cluster as it is. If a pod's time is running already, because its node
// has a NoExecute taint before the plan, it counts as evicted only if the plan evicts it
// sooner. How long it has left is known only under the policy [match.SinceAdded], which asks
// for the times of taints. Kubernetes itself makes a scheduled eviction sooner only if a
// taint is not tolerated at all (rule E5): see package match/evict.
//
// The snapshot and the pods must have the same rules: tolerations with Gt and Lt count only
// if both were made for a cluster that evaluates them.
//
// # Cost
//
// The steps are applied once to the nodes that have the same taints and are selected by the
// same steps, and there each class of pods is decided about once. To find who gains and loses
// nodes, two or three indexes of the nodes that change are asked about every class. A list for an
// owner's pods is compared with their old one for 64 nodes at a time, and where taints change.
// Each step takes as long as its node has taints. Nothing is kept for the next plan.
//
// # Errors
//
// A plan that cannot be carried out as a whole has no result: see [Evaluate] and [Parse].
// No plan and no list makes a function panic; nil pointers are programming errors and do.
//
// Rule numbers refer to match/SEMANTICS.md. tolero serve, in examples/tolero, has a box to try plans in.
package whatif
