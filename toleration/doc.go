// Package toleration holds the tolerations of Kubernetes pods as plain values
// and says which taints one of them tolerates.
//
// A toleration has a key, an [Operator] with a value, an effect and, for
// NoExecute, the seconds that the pod may stay. It tolerates a taint when three
// tests pass, effect, key and operator (rules M1 to M5):
//
//	effect    empty, or equal to the taint's
//	key       empty, or equal to the taint's
//	operator  Equal or ""   the values are equal
//	          Exists        always; the toleration's value is ignored
//	          Gt, Lt        never in a default cluster; else if the taint's value
//	                        is a greater, or lesser, integer
//	          any other     never
//
// Two consequences are easy to get wrong. An empty key with Exists matches every
// key and value, but the effect still has to match: it tolerates every taint only
// if the effect is empty too. And an empty effect matches every effect, unknown
// ones included.
//
//	t, err := toleration.Parse("dedicated=gpu:NoSchedule") // what a user wrote, validated
//	t = toleration.For(&x)                                 // the toleration for the taint x
//	if t.Tolerates(&x) { ... }
//
//	list, changed := toleration.Upsert(nil, pod.Tolerations, t)
//	list, removed := toleration.Remove(nil, list, t)
//
//	rules := toleration.Rules{}                        // a default cluster
//	err = rules.Validate(list)                         // what the API server would say
//	verdict := match.Decide(taints, list, rules)
//
// [Toleration.Tolerates] is the answer for one taint and one toleration. Answers
// for lists are in package match; what a list means as a whole is a [Meaning].
//
// # Gt and Lt
//
// The operators Gt and Lt need the feature gate TaintTolerationComparisonOperators,
// which is off by default. A cluster with the gate off ignores a toleration with one
// of them (rule N4). [Rules] says which kind of cluster is meant, and everywhere in
// this module no Rules, or the zero Rules, is a default cluster.
//
//	t.Tolerates(&x)                                // in a default cluster
//	t.Tolerates(&x, rules)                         // in the cluster of rules
//	match.Decide(taints, list, rules)              // the same for lists: rules come last
//	toleration.NewMeaning(rules.Active(nil, list)) // takes no rules: leave out what does not count
//
// A function that takes rules as a variable number of arguments looks at the first only.
//
// # Lists
//
// In a pod's list a toleration is identified by everything except its seconds
// ([Toleration.Matches], rule A6). [Remove] and [Upsert] go by this identity, for which an empty operator is Equal. [Equal] compares whole tolerations, in order. Package
// taint has functions of the same names for its lists.
//
// The order of a pod's list matters for the eviction delay only: the first
// toleration that matches a taint gives its seconds (rule E2).
//
// Functions that build a list append it to dst and return the extended slice;
// pass nil for a new one, or where the documentation says so list[:0] to edit in
// place. A nil list is an empty list. These functions take linear time, and do
// not allocate if dst has room.
//
// # What a list means
//
// A valid list means one thing: for each taint a [Level], which says that the taint is not
// tolerated, tolerated for some seconds, or tolerated forever. Lists that are written
// differently can have the same [Meaning].
//
//	m, err := toleration.NewMeaning(list)   // an error if the list is not valid
//	m.Level(&x)                             // how long x is tolerated
//	m.Equal(n), m.Covers(n)                 // compared with the meaning of another list
//	for x, levels := range m.Compare(n) {   // taint by taint, for
//		...                             // which they differ where levels[0] != levels[1]
//	}
//	x, ok := m.Allows(&t)                   // whether t is on the whitelist m, and if not, why
//	m.Signature()                           // equal if and only if the meanings are, on every machine
//	m.AppendTolerations(nil)                // the same list for all lists with the meaning
//
// [Minimize] drops redundant tolerations from a list, and [Redundant] reports them.
//
// # Text
//
// The text of a toleration is like that of a taint, with the seconds after "@";
// [Parse] has the grammar. It validates. [Toleration.String] has a text for every
// toleration, valid or not. JSON is that of the Kubernetes API, in which the case of names
// counts; [ParseListJSON] is strict.
//
// Methods of Toleration have value receivers, except UnmarshalJSON and, as they are on hot
// paths, [Toleration.Tolerates] and [Toleration.Values]. A Meaning is a pointer. Tolerations
// that go into a list or out of it are passed by value, and tolerations that are looked up by
// pointer.
//
// # Invalid tolerations
//
// A Toleration may hold any strings at all, of any length. Matching never
// validates, exactly as in Kubernetes; [Rules.Validate] reports what the API server
// would refuse. No string makes a function panic, except the Must
// functions. A nil pointer is a programming error and panics, except where a
// function says otherwise; nil TolerationSeconds mean forever.
//
// # Concurrency and memory
//
// All types are plain data without hidden state and all functions are pure:
// concurrent calls are safe as long as nobody writes to the arguments. Nothing
// given to a function is retained by the package; where a result shares memory
// with an argument, its documentation says so.
//
// Rule numbers (M1, N2, V2, ...) refer to match/SEMANTICS.md. Reference behavior
// is that of Kubernetes 1.37: k8s.io/api and the validation of the API server.
package toleration
