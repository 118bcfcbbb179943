package admit

import (
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// UpstreamIsSuperset reports whether the admission plugin PodTolerationRestriction
// takes ss for a superset of t. It gives the plugin's own answer, errors included
// (rule A5); [toleration.Meaning.Allows] gives the right one. It errs in these
// ways:
//
//   - An Equal or empty operator in ss accepts only the operator Equal in t,
//     not the empty one, unless the two are equal in every field.
//   - Lt, Gt and unknown operators in ss cover nothing but their equals.
//   - An Equal toleration with an empty key covers no other key, although it
//     matches them.
//   - Seconds count only if the effect of ss is NoExecute, not if it is empty.
//   - A negative number of seconds is less than zero, although both mean at once.
//
// It takes constant time, except for comparing strings, and does not allocate.
func UpstreamIsSuperset(ss, t *toleration.Toleration) bool {
	switch {
	case equal(ss, t):
		return true
	case t.Key != ss.Key && (ss.Key != "" || ss.Operator != toleration.OpExists):
		return false
	case t.Effect != ss.Effect && ss.Effect != "":
		return false
	case ss.Effect == taint.NoExecute && ss.TolerationSeconds != nil &&
		(t.TolerationSeconds == nil || *t.TolerationSeconds > *ss.TolerationSeconds):
		return false
	}
	switch ss.Operator {
	case toleration.OpEqual, "":
		return t.Operator == toleration.OpEqual && t.Value == ss.Value
	case toleration.OpExists:
		return true
	}
	return false
}

// equal reports whether t and u are equal in every field, as they are written.
func equal(t, u *toleration.Toleration) bool { return t.Operator == u.Operator && t.Equal(u) }

// UpstreamMerge appends to dst what the admission plugin PodTolerationRestriction
// makes of the tolerations of first and second, by [UpstreamIsSuperset], and
// returns the extended slice. It gives the plugin's own answer (rule A5);
// [toleration.Minimize] gives the right one.
//
// dst may be first[:0], unless second follows first in the same array; it must not
// overlap the lists in any other way. UpstreamMerge takes expected linear time. It
// does not allocate if dst has room and both lists together have at most 32
// tolerations.
func UpstreamMerge(dst, first, second []toleration.Toleration) []toleration.Toleration {
	at := func(i int) *toleration.Toleration {
		if i < len(first) {
			return &first[i]
		}
		return &second[i-len(first)]
	}
	start, n := len(dst), len(first)+len(second)
	if n > shortMerge {
		return mergeLong(dst, n, at)
	}
next:
	for i := range n {
		t := at(i)
		for j := range dst[start:] {
			if UpstreamIsSuperset(&dst[start+j], t) {
				continue next
			}
		}
		for j := i + 1; j < n; j++ {
			if u := at(j); !equal(t, u) && UpstreamIsSuperset(u, t) {
				continue next
			}
		}
		dst = append(dst, *t)
	}
	return dst
}

// shortMerge is how long lists are merged by comparing each toleration with each.
const shortMerge = 32

// mergeLong is UpstreamMerge for n tolerations, by hashing.
func mergeLong(dst []toleration.Toleration, n int, at func(i int) *toleration.Toleration) []toleration.Toleration {
	covered := make([]bool, n) // by a later one
	later := newSupersets(nil)
	for i := n - 1; i >= 0; i-- {
		covered[i] = later.other(at(i))
		later.add(at(i))
	}
	kept := newSupersets(nil)
	for i := range n {
		if t := at(i); !covered[i] && !kept.of(t) {
			kept.add(t)
			dst = append(dst, *t)
		}
	}
	return dst
}
