// Package device gives the canonical answers about the taints of devices and the
// tolerations of resource claims, the other half of Kubernetes' taints: may a device
// be allocated to a request, which taint forbids it, and when are the pods that use
// it evicted. Devices are those of dynamic resource allocation, and everything here
// is resource.k8s.io/v1 as of Kubernetes 1.37.
//
// # From a slice and rules to a decision
//
//	ResourceSlice ─── own taints ─┐
//	                              ├─ AppendEffective ─> the device's taints
//	DeviceTaintRules ─ selected ──┘                         │
//	                                                        │
//	request's tolerations ──── FirstUntolerated <───────────┤  may it be allocated?
//	          │ copied by the scheduler                     │
//	          v                                             │
//	allocation's tolerations ─ EvictionTime <───────────────┘  when does the pod go?
//
// A driver publishes devices, with taints of their own, in slices. A DeviceTaintRule
// adds one taint to every device that it selects by driver, pool and name: see [Rule].
// A device that has a NoSchedule or NoExecute taint is allocated only to a request
// that tolerates it ([FirstUntolerated]). A NoExecute taint also evicts the pods that
// use the device already, unless the claim tolerates it ([EvictionTime] for one
// device, [EarliestEviction] for a claim or a pod). The subpackage evict follows a
// cluster's events and says when which pod goes. A pool's devices are those of its newest
// generation: [Newest] finds them as slices come and go.
//
// # The types of nodes, other rules
//
// Taints and tolerations of devices have the fields, the JSON and the text of those of
// nodes, so they are of the same types: [taint.Taint] and [toleration.Toleration]. The
// verbs on lists (Find, Equal, Clone, Upsert, ...) are in those packages. Only the rules
// differ, and those are the functions here. What matters most:
//
//   - A toleration with an empty effect lets the device be allocated and does not
//     keep the pod from being evicted (rule D6). Write "NoExecute".
//   - Of several tolerations that match, the one with the least seconds counts,
//     whatever the order, and one without seconds beats all (rule D6).
//   - Seconds count from the taint's TimeAdded, not from when it was noticed (rule D7).
//   - There is an effect that does nothing, [None], and no PreferNoSchedule (rule D1).
//   - A rule without a selector selects no device, one with an empty selector
//     selects every device (rule D3).
//   - There are no Gt and Lt (rule D2).
//
// SEMANTICS.md, beside package match, has the whole table "Node or device".
//
// The price of one type is that it does not tell which rules are meant: package match
// answers for a node, even if it is given the taints of a device, and says so for
// evictions with other pods and other moments. Three functions of the types' own packages
// go by the rules of nodes, too:
//
//   - [taint.Parse] and [taint.Validate] refuse None, and Validate also two taints of a
//     key and effect. Check with [ValidateTaints].
//   - [toleration.Parse] refuses what devices accept: an empty key with Equal, None, and
//     seconds without NoExecute. Check with
//     [ValidateTolerations] after [SetTolerationDefaults]: the API server stores an empty
//     operator of a claim as Equal, and one of a pod as it is.
//   - [taint.Upsert] gives a taint no TimeAdded. A driver keeps it with [UpsertTaint].
//
// # Bad input
//
// Matching never validates and nothing panics: nil and empty lists, unknown effects
// and operators and duplicates get the answer that Kubernetes gives. Where Kubernetes
// itself fails, the answer is the sensible one: a taint without TimeAdded evicts
// nobody, and great numbers of seconds are cut to about 292 years (rule D7).
// [ValidateTaints] and its kin say what the API server refuses.
//
// # Concurrency and memory
//
// All types but [RuleSet] and [Newest] are plain data: copies share what pointers and slices
// refer to, no function writes to that, and concurrent calls are safe as long as nobody else
// does. Only those two retain what they are given. Matching does not allocate. The time is
// proportional to the number of taints times that of tolerations.
//
// Rule numbers (D1 to D13) refer to match/SEMANTICS.md. Reference behavior is that
// of k8s.io/dynamic-resource-allocation and of the controller
// device-taint-eviction, with which tests in match/kube/upstream compare it.
package device
