// Package evict decides when pods are evicted because of the NoExecute taints of
// devices that they use, as the device-taint-eviction controller of Kubernetes does,
// and which of these evictions are moved or cancelled again.
//
// The caller tells a [Queue] what happens, and what time it is; the queue answers
// with decisions, and with the time when it wants to be asked again. It has no clock,
// no goroutines and no connection to anything.
//
//	slice published, withdrawn     SetSlice, DeleteSlice ─┐
//	rule made, changed, deleted    SetRule, DeleteRule    │            ┌─> evictions
//	claim allocated, reserved      SetClaim, DeleteClaim  ├──> Queue ──┼─> evictions to come
//	pod placed, gone               SetPod, DeletePod      │            ├─> moves
//	time passed                    Advance ───────────────┘            └─> cancellations
//
//	                               Next ──────────────────> when to call Advance
//
// It is the counterpart of package match/evict, which does so for the taints of
// nodes, and differs from it as devices do from nodes: the moment of an eviction
// follows from how things are, by the times of the taints (rule D7), and any change
// computes it anew (rule D10).
//
// An eviction is a decision to delete the pod; each pod is evicted once at most. The
// queue knows it until it is told that the pod is deleted.
//
// # A preview
//
// The status of a rule with the effect None counts what NoExecute would hit (rule
// D12). [Queue.Preview] says which pods those are and when each would be evicted, for a
// rule that exists or for one that somebody only thinks of, and [Queue.Condition] the
// words of the status.
//
// # Time, order and repetition
//
// The clock of a queue never goes backwards. What is due comes before what a call is
// about. Events may come in any order and be repeated: what changes nothing is
// ignored, and a pod may be told of before its claims, a claim before the slices of its
// devices. Decisions of one call follow from how things are at its end: no pod is in
// two of them that are about the same event.
//
// Nothing validates, and nothing panics: unknown effects and operators have the
// meaning that package device gives them.
//
// # Memory
//
// A queue holds what there is and nothing of what was. A change of a slice or a rule
// costs what it selects: the claims that hold a device whose taints are others now,
// and the pods that use those.
//
// Rule numbers (D1 to D13) refer to match/SEMANTICS.md. Where Kubernetes answers
// otherwise, it says so in the table of differences; tests in match/kube/upstream
// compare the two.
package evict
