// Package evict decides when running pods have to leave their nodes because of
// NoExecute taints, as the taint-eviction controller of Kubernetes does, and which
// of these evictions are cancelled again.
//
// The caller tells a [Queue] what happens, and what time it is; the queue answers
// with decisions, and with the time when it wants to be asked again. It has no
// clock, no goroutines and no connection to anything.
//
//	taints of a node changed   SetNode ───┐
//	node deleted               DeleteNode │            ┌─> evictions: which pod,
//	pod came, moved, changed   SetPod     ├──> Queue ──┤   since when due, which taint,
//	pod deleted                DeletePod  │            │   which toleration or none
//	time passed                Advance ───┘            └─> cancellations
//
//	                           Next ─────────────> when to call Advance
//
// An eviction is a decision to delete the pod, and no disruption budget is asked
// (rule E6). The pod is taken to run on until the caller tells that it is deleted.
//
// # Policies
//
// Under [match.FirstMatch], Kubernetes' own policy, the queue decides exactly as
// the controller, with which the tests in match/kube/upstream compare it. The
// seconds of a toleration count from when the taint or the pod was noticed (rule
// E4). While an eviction is scheduled, a change that would make it sooner or later
// is ignored, unless it comes at the very moment at which that one was scheduled;
// only a taint that is not tolerated at all, or an end of all reasons, makes a
// difference (rule E5). A pod that changes on a node without NoExecute taints is
// passed over, and the evictions of a deleted node's pods stand. The one
// difference is that great numbers of seconds do not overflow (rule E3), and that
// an eviction at once is not preceded by the cancellation of a later one.
//
// Under [match.MostLenient] and [match.SinceAdded] a pod's eviction follows from
// how things are, whatever the way they came about: for each taint the seconds
// count from when it was noticed on the node, or from when the pod came there if
// that was later, or from TimeAdded, and the earliest of these moments counts. So a
// change may make an eviction sooner or later, and to change a pod's tolerations
// does not start its time anew. A taint is another one if its key, its value or
// its TimeAdded is another.
//
// # Time, order and repetition
//
// The clock of a queue starts with the first time that it is told, never goes
// backwards, and ends after 292 years. What is due comes before what a call is
// about. Events may be repeated: what changes nothing is ignored. A pod may be
// told of before its node, and whatever is told of a node or pod that is not known
// is either its first appearance or nothing.
//
// Nothing validates, and nothing panics: unknown effects and operators have the
// meaning that package match gives them, and zero or negative seconds are none.
//
// # How it works
//
// Pods that are on one node and have equal toleration lists are decided upon
// together: they are a group, and have one place in a heap of what is due. A
// change of a node is judged once for each of its groups, not for each pod, and
// an outage of 30,000 nodes puts groups on the heap, not pods. A group is taken out
// of the heap in logarithmic time. Where pods come to a tainted node one after the
// other, and so have to go one after the other, they have groups of their own.
//
// # Memory
//
// In a fleet of 100,000 nodes and 1,000,000 pods that are known by 32-bit numbers a
// queue takes some 90 bytes a pod, everything included, and no more than a few
// bytes more when the pods of 30,000 nodes are to leave (BenchmarkMemory). It is
// bounded by the most pods, nodes and groups that there were at a time: for each
// pod 12 bytes, its P and an entry in a map; for each group, of which there are
// never more than pods, 72; for each node that is known or has pods 72, its NoExecute
// taints and an entry in a map. There may be up to 4,294,967,295 pods. A toleration
// list is kept once, as long as some pod has it.
//
// In the steady state nothing allocates, but for the growth of the slice that
// decisions are appended to, for a toleration list that no pod had, and for a node
// that was not there.
//
// Rule numbers (E1 to E6) refer to match/SEMANTICS.md.
package evict
