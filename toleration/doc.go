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
//	          Gt, Lt        the taint's value is a greater, or lesser, integer
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
//	list, removed := toleration.Remove(nil, list, &t)
//
//	rules := toleration.Rules{}                        // a default cluster
//	err = rules.Validate(list)                         // what the API server would say
//	verdict := match.Decide(taints, rules.Active(nil, list))
//
// [Toleration.Tolerates] is the answer for one taint and one toleration. Answers
// for lists are in package match; what a list tolerates as a whole is a [Set].
//
// # Gt and Lt
//
// The operators Gt and Lt need the feature gate TaintTolerationComparisonOperators,
// which is off by default. A cluster with the gate off ignores a toleration with one
// of them (rule N4).
// [Rules] says which kind of cluster is meant: it validates, and its Active
// method returns the tolerations that count. [Toleration.Tolerates] and package
// match evaluate whatever they are given.
//
// # Lists
//
// In a pod's list a toleration is identified by everything except its seconds
// ([Toleration.Matches], rule A6). [Find], [Exists], [Remove], [Upsert] and
// [Difference] go by this identity. [Equal] and [EqualUnordered] compare whole
// tolerations. Package taint has functions of the same names for its lists.
//
// The order of a pod's list matters for the eviction delay only: the first
// toleration that matches a taint gives its seconds (rule E2).
//
// Functions that build a list append it to dst and return the extended slice;
// pass nil for a new one, or where the documentation says so list[:0] to edit in
// place. A nil list is an empty list. These functions take expected linear time at
// most.
//
// # What a list means
//
// A list means two things: which taints it tolerates, whatever its order, and for
// how long, which its order decides. Each has a normal form.
//
//	s := toleration.NewSet(list)                // exactly the taints that are tolerated
//	s.Covers(t), s.Equal(t), s.Intersects(t)    // compared with those of another list
//	x, found := s.Minus(t)                      // a taint in s and not in t
//	s.Everything(taint.Hard)                    // no hard taint keeps the pod out
//	s.AppendTolerations(nil)                    // the shortest list for s
//	s.Signature()                               // equal if and only if the sets are, on every machine
//
//	g := toleration.NewGrants(list)             // the seconds that count for each taint
//	g.Forever()                                 // no taint evicts the pod
//	g.Covers(h), g.Equal(h)                     // compared with those of another list
//	x, found := g.Minus(h)                      // a taint that lets the pod stay longer by g than by h
//
//	toleration.Equivalent(a, b)                 // both: two lists mean the same
//	toleration.Uncovered(list, whitelist)       // the tolerations that go beyond a whitelist, and by which taint
//
// [Merge] drops from a list what makes no difference to either. [Rules.Lint] says
// where the order of a list decides.
//
// # Text
//
// The text of a toleration is like that of a taint, with the seconds after "@";
// [Parse] has the grammar. It validates. [Toleration.String] has a text for every
// toleration, valid or not, and [ParseLenient] reads each of them back.
// [TextList] has text methods for flags and configuration files. JSON is that of
// the Kubernetes API.
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
