package lifecycle

import (
	"iter"
	"math/bits"
	"slices"

	"github.com/tolero-dev/tolero/taint"
)

// TaintSet is a set of the taints that the node controller adds and removes; it leaves
// every other taint of a node alone (rule C1). Sets are combined with the operators |, &
// and &^, and the zero TaintSet is empty.
type TaintSet uint16

// The taints of the node controller. Those with the effect NoSchedule follow the conditions
// and the cordon of a node at once (rule C1). The two with NoExecute follow its Ready
// condition at the pace of the zone (rule C2).
const (
	memoryPressure TaintSet = 1 << iota
	diskPressure
	pidPressure
	notReady
	unreachable
	networkUnavailable
	unschedulable
	NotReadyNoExecute    // node.kubernetes.io/not-ready:NoExecute
	UnreachableNoExecute // node.kubernetes.io/unreachable:NoExecute

	byCondition = NotReadyNoExecute - 1
	evicting    = NotReadyNoExecute | UnreachableNoExecute
	managed     = byCondition | evicting
)

// taints is the taints of the bits of a TaintSet, from the lowest. It is only read.
var taints = [...]taint.Taint{
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

// Of returns the set of those of taints that the node controller manages, whatever their
// values and times.
func Of(list []taint.Taint) TaintSet {
	var s TaintSet
	for i := range list {
		s |= bitOf(&list[i])
	}
	return s
}

// bitOf returns the set of t, empty if it is not managed.
func bitOf(t *taint.Taint) TaintSet {
	for bit := range taints {
		if taints[bit].Matches(t) {
			return 1 << bit
		}
	}
	return 0
}

// All iterates over the taints of s, without times: memory-pressure, disk-pressure,
// pid-pressure, not-ready, unreachable, network-unavailable and unschedulable with
// NoSchedule, and then not-ready and unreachable with NoExecute.
func (s TaintSet) All() iter.Seq[taint.Taint] {
	return func(yield func(taint.Taint) bool) {
		for rest := s & managed; rest != 0; rest &= rest - 1 {
			if !yield(taints[bits.TrailingZeros16(uint16(rest))]) {
				return
			}
		}
	}
}

// String returns the taints of s separated by commas, and "none" for the empty set.
func (s TaintSet) String() string {
	if s&managed == 0 {
		return "none"
	}
	return taint.FormatList(slices.Collect(s.All()))
}

// ByCondition returns which NoSchedule taints to put on a node that has the given taints,
// and which to take off, so that they are those of [Conditions.Taints] (rule C1). One that
// is there already is left alone, whatever its value.
func ByCondition(list []taint.Taint, c Conditions, cordoned bool) (add, remove TaintSet) {
	return difference(Of(list), c.Taints(cordoned))
}

func difference(present, wanted TaintSet) (add, remove TaintSet) {
	present &= byCondition
	return wanted &^ present, present &^ wanted
}
