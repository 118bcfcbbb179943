// Package evict decides when running pods are evicted because of NoExecute
// taints, as the taint-eviction controller of Kubernetes does, and which of these
// evictions are cancelled again.
//
// The caller reports to a [Queue] what happens and what time it is. The queue answers
// with decisions, and with the time of the next one. It has no
// clock, starts no goroutines, and calls nobody.
//
//	a node's taints changed        SetNode ───┐
//	node deleted                   DeleteNode │            ┌─> evictions: which pod,
//	pod came, moved, or changed    SetPod     ├──> Queue ──┤   due when, which taint,
//	pod deleted                    DeletePod  │            │   which toleration, if any
//	time passed                    Advance ───┘            └─> cancellations
//
//	                               Next ─────────────> when to call Advance
//
// An eviction is a decision to delete the pod; disruption budgets do not count
// (rule E6). The pod is assumed to run until the caller reports its deletion.
//
// # Rules of the cluster
//
// The zero Queue gives the answers of a default cluster, whose controller ignores
// tolerations with Gt and Lt; [New] takes the rules of others. Everything else
// follows the pod's toleration list as the API server has it: with the tolerations
// that admission and the DaemonSet controller added, and, for the mirror of a
// static pod, with the one that the kubelet added. Package toleration/admit adds
// them to lists from other sources.
//
// # Policies
//
// Under [match.FirstMatch], Kubernetes' own policy, the queue decides exactly as
// the controller does; tests in match/kube/upstream compare the two. The seconds of
// a toleration count from when the taint or the pod was noticed (rule E4). While an
// eviction is scheduled, a change that would make it sooner or later is ignored,
// unless it comes at the very moment at which the eviction was scheduled. What
// does count is a taint that is not tolerated at all, which evicts at once, and the
// end of all reasons, which cancels (rule E5). A pod that changes on a node without
// NoExecute taints is passed over, and the evictions of a deleted node's pods remain
// in force. There are two differences: large numbers of seconds do not overflow
// (rule E3), and an eviction at once is not preceded by the cancellation of a later
// one.
//
// Under [match.MostLenient] and [match.SinceAdded] a pod's eviction follows from
// the present taints and tolerations alone. For each taint the seconds count from
// when it was noticed on the node, or from when the pod came if that was later, or
// from TimeAdded; the earliest of these moments counts. So a change may make an
// eviction sooner or later, and a change of a pod's tolerations does not restart
// its time. A taint whose key, value or TimeAdded changes is another taint.
//
// # Time, order and repetition
//
// The clock of a queue starts with the first time that the caller passes, never goes
// backwards, and ends after 292 years. A call first decides what is due, then what
// it is about. Events may be repeated, and may come out of order: SetPod may
// precede SetNode, Set adds what is unknown, Delete ignores it.
//
// Nothing validates, and no list makes a method panic: a nil list is an empty one,
// duplicates, unknown effects and operators have the meaning that package match
// gives them, and zero or negative seconds are no time. A nil
// pointer is a programming error and panics, except where a function says
// otherwise.
//
// # How it works
//
// Pods on one node with equal toleration lists are decided together: they are a
// group, with one place in a heap of due times. A change of a node is judged once
// for each of its groups, not for each pod, and an outage of 30,000 nodes puts
// groups on the heap, not pods. A group is removed from the heap in logarithmic
// time. Pods that come to a tainted node one after the other are due one after the
// other, and so have groups of their own.
//
// # Memory
//
// In a fleet of 100,000 nodes and 1,000,000 pods that are known by 32-bit numbers a
// queue takes some 135 bytes a pod in all, and a few bytes more when the pods of
// 30,000 nodes are to be evicted (BenchmarkMemory). It is bounded by the most pods,
// nodes and groups that there were at a time: for each pod its P and a map entry of 16
// bytes; for each group, of which there are never more than pods, 88; for each node
// that is known or has pods 96, its NoExecute taints and a map entry. A toleration
// list is kept once, as long as some pod has it.
//
// In the steady state a queue allocates only to extend the slice that decisions are
// appended to, for a toleration list that no pod had, and for a new node.
//
// Rule numbers (E1 to E6, N4, ...) refer to match/SEMANTICS.md.
package evict
