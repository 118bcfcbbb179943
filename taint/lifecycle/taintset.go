package lifecycle

import (
	"iter"
	"math/bits"
	"time"

	"github.com/tolero-dev/tolero/taint"
)

// TaintSet is a set of the taints that the node controller adds and removes.
// Every other taint of a node is none of its business (rule C1).
//
// The zero TaintSet is empty. A TaintSet is a small integer: free to copy and
// to share, comparable with ==, combined with the operators |, & and &^.
type TaintSet uint16

// The taints that a condition or the cordon of a node brings at once, with the
// effect NoSchedule (rule C1), and the two that the Ready condition brings at
// the pace of the zone, with the effect NoExecute (rule C2).
const (
	MemoryPressure       TaintSet = 1 << iota // node.kubernetes.io/memory-pressure:NoSchedule
	DiskPressure                              // node.kubernetes.io/disk-pressure:NoSchedule
	PIDPressure                               // node.kubernetes.io/pid-pressure:NoSchedule
	NotReady                                  // node.kubernetes.io/not-ready:NoSchedule
	Unreachable                               // node.kubernetes.io/unreachable:NoSchedule
	NetworkUnavailable                        // node.kubernetes.io/network-unavailable:NoSchedule
	Unschedulable                             // node.kubernetes.io/unschedulable:NoSchedule
	NotReadyNoExecute                         // node.kubernetes.io/not-ready:NoExecute
	UnreachableNoExecute                      // node.kubernetes.io/unreachable:NoExecute
)

// Both groups of taints, and all.
const (
	ByCondition = MemoryPressure | DiskPressure | PIDPressure | NotReady | Unreachable | NetworkUnavailable | Unschedulable
	Evicting    = NotReadyNoExecute | UnreachableNoExecute
	Managed     = ByCondition | Evicting
)

// managed is the taints of the bits of a TaintSet, from the lowest. It is only
// read.
var managed = [...]taint.Taint{
	{Key: taint.KeyMemoryPressure, Effect: taint.NoSchedule},
	{Key: taint.KeyDiskPressure, Effect: taint.NoSchedule},
	{Key: taint.KeyPIDPressure, Effect: taint.NoSchedule},
	{Key: taint.KeyNotReady, Effect: taint.NoSchedule},
	{Key: taint.KeyUnreachable, Effect: taint.NoSchedule},
	{Key: taint.KeyNetworkUnavailable, Effect: taint.NoSchedule},
	{Key: taint.KeyUnschedulable, Effect: taint.NoSchedule},
	{Key: taint.KeyNotReady, Effect: taint.NoExecute},
	{Key: taint.KeyUnreachable, Effect: taint.NoExecute},
}

// Of returns the set of those of taints that the node controller manages,
// whatever their values and times. It does not allocate.
func Of(taints []taint.Taint) TaintSet {
	var s TaintSet
	for i := range taints {
		s |= bitOf(&taints[i])
	}
	return s
}

// bitOf returns the set of t, empty if it is not managed.
func bitOf(t *taint.Taint) TaintSet {
	for bit := range managed {
		if managed[bit].Matches(t) {
			return 1 << bit
		}
	}
	return 0
}

// All iterates over the taints of s, without times, in the order of the
// constants.
func (s TaintSet) All() iter.Seq[taint.Taint] {
	return func(yield func(taint.Taint) bool) {
		for rest := s & Managed; rest != 0; rest &= rest - 1 {
			if !yield(managed[bits.TrailingZeros16(uint16(rest))]) {
				return
			}
		}
	}
}

// String returns the taints of s separated by commas, and "none" for the empty
// set.
func (s TaintSet) String() string {
	var text []byte
	for t := range s.All() {
		if text != nil {
			text = append(text, ',')
		}
		text = t.AppendTo(text)
	}
	if text == nil {
		return "none"
	}
	return string(text)
}

// Apply appends to dst what taints becomes when add is put on the node at the
// given time and remove is taken off, and returns the extended slice. A taint
// that is there already is replaced in its place, its value and time with it;
// a new one comes last, in the order of the constants; all others keep their
// places (rule C1). A taint in both sets is taken off.
//
// dst may be taints[:0], which edits the list in place; it must not overlap
// taints in any other way. All taints that are added share one Time.
func Apply(dst, taints []taint.Taint, add, remove TaintSet, at time.Time) []taint.Taint {
	add = add & Managed &^ remove
	var added *taint.Time
	if add != 0 {
		added = &taint.Time{Time: at}
	}
	missing := add
	for i := range taints {
		t := taints[i]
		switch bit := bitOf(&t); {
		case bit&remove != 0:
		case bit&add != 0:
			missing &^= bit
			dst = append(dst, taint.Taint{Key: t.Key, Effect: t.Effect, TimeAdded: added})
		default:
			dst = append(dst, t)
		}
	}
	for t := range missing.All() {
		t.TimeAdded = added
		dst = append(dst, t)
	}
	return dst
}

// Reconcile returns which NoSchedule taints to put on a node with the given
// taints and conditions, and which to take off (rule C1). One that is there
// already, whatever its value, is left alone, and so is every taint that is not
// in [ByCondition].
func Reconcile(taints []taint.Taint, c Conditions, unschedulable bool) (add, remove TaintSet) {
	return difference(Of(taints), c.Taints(unschedulable))
}

func difference(present, wanted TaintSet) (add, remove TaintSet) {
	present &= ByCondition
	return wanted &^ present, present &^ wanted
}
