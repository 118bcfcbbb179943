// Package reconcile lets several owners share the taints of a node, or the
// tolerations of a pod, without undoing each other's work.
//
// An owner keeps what it applied last, says what it wants now, and reads what is
// there:
//
//	plan := reconcile.Taints(node.Taints, last, desired)
//	node.Taints = plan.Apply(nil, node.Taints) // and write the node, with its resource version
//	last = plan.Applied                        // and keep this, best in an annotation of the node
//	for _, c := range plan.Conflicts {
//		log.Print(c)
//	}
//
// An owner owns a taint if it applied it and nobody gave it another value since.
// It changes and removes what it owns and adds what is missing; nothing else is
// touched. What keeps it from having what it wants is a [Conflict]:
//
//	on the node     applied last    wanted           result
//	nothing         anything        a=1              add
//	a=1             a=1             a=1              nothing to do
//	a=1             nothing         a=1              nothing to do; Shared: another owner's
//	a=1             a=1             a=2              update
//	a=1             a=1             nothing          remove
//	a=2             nothing         a=1              nothing; Taken by another owner
//	a=2             a=1             a=1 or nothing   nothing; Changed by somebody since
//	a=2             a=1             a=2              nothing to do; owned again
//
// To take over what another owner has, put the live taint into the list of what was
// applied last.
//
// A taint is identified by key and effect, as on a node (rule K3), and has a value;
// its TimeAdded does not matter. A toleration is identified by everything except
// its seconds (rule A6). [Tolerations] knows what the API server allows for pods and
// Jobs, and [UpdateAllowed] says it for any change, with the reason. Both take the rules
// of the cluster; the zero Rules are those of a default cluster, which refuses a new Gt or
// Lt.
//
// # Laws
//
// Once a plan is applied, the same wish with the new list of what was applied changes
// nothing. If the list of what was applied is lost between the two writes, the old
// one changes nothing either, in lists without duplicates. But what only the lost
// list had is then [Shared], and nobody removes it: keep the list
// where the same write changes it, such as in an annotation of the node. Plans of
// owners that never name the same taint lead to the same taints in either order. So do
// those of tolerations, with one exception: in a default cluster a Gt or Lt can be added
// only while the list has one, and another owner may remove the last one first.
//
// # Input and concurrency
//
// Nothing validates and nothing panics. Lists may be nil, invalid and long: each
// function takes expected linear time. Of several items of a list that have the
// same identity the first counts, and the others of the live list are left alone.
// All types are plain data. All functions are pure and may be called concurrently;
// results share strings, times and seconds with the lists.
package reconcile
