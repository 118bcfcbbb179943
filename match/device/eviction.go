package device

import (
	"time"

	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// Eviction is when the pods that use a device are evicted, and what decides it.
// The zero Eviction is none. It is plain data, comparable with ==, and retains
// nothing.
type Eviction struct {
	// At is the moment. It may be in the past, which means at once.
	At time.Time
	// Allocation is the index of the device among those of the claim or pod, and
	// Taint that of the taint among those of the device. Of several taints with the
	// same moment the first decides.
	Allocation, Taint int
	// Toleration is the index of the toleration whose seconds count, or -1 if none
	// tolerates the taint.
	Toleration int
}

// EvictionTime returns when the pods that use a device are evicted because of its
// taints, if the claim's tolerations for it are these, and whether they are evicted
// at all (rules D6, D7). Allocation is 0 in the result. The answer does not depend
// on what time it is, nor on the order of the tolerations. It does not allocate.
func EvictionTime(taints []taint.Taint, tolerations []toleration.Toleration) (e Eviction, evicted bool) {
	for i := range taints {
		at, by, ok := evictionTime(&taints[i], tolerations)
		if ok && (!evicted || at.Before(e.At)) {
			e, evicted = Eviction{At: at, Taint: i, Toleration: by}, true
		}
	}
	return e, evicted
}

// EarliestEviction returns when what uses several devices is evicted, and whether
// it is at all (rule D8). For a claim, pass the results of its allocation, and for a
// pod those of all its claims that are reserved for it. taints returns the taints
// that a device has: its own if the newest generation of its pool has the device,
// and those of the rules in any case (rule D9). It is called once for each
// allocation, and what it returned is not looked at once it is called again.
func EarliestEviction(allocations []Allocation, taints func(ID) []taint.Taint) (e Eviction, evicted bool) {
	for i := range allocations {
		a := &allocations[i]
		first, ok := EvictionTime(taints(a.ID), a.Tolerations)
		if ok && (!evicted || first.At.Before(e.At)) {
			e, evicted = first, true
			e.Allocation = i
		}
	}
	return e, evicted
}

// AppendEvicting appends to dst the indexes of the taints that evict, sooner or
// later, in their order, and returns the extended slice: the NoExecute taints that
// are not tolerated forever. Kubernetes names all of them as reasons, not only the
// one that decides (rule D8), and also those without TimeAdded, which have no
// moment, if another one has.
func AppendEvicting(dst []int, taints []taint.Taint, tolerations []toleration.Toleration) []int {
	for i := range taints {
		if _, _, forever := limit(&taints[i], tolerations); taints[i].Effect == taint.NoExecute && !forever {
			dst = append(dst, i)
		}
	}
	return dst
}

// evictionTime returns when a taint evicts, the toleration that put it off, if
// any, and whether it evicts at all.
func evictionTime(t *taint.Taint, tolerations []toleration.Toleration) (at time.Time, by int, ok bool) {
	if t.Effect != taint.NoExecute || t.TimeAdded.IsZero() { // D6, D7
		return at, by, false
	}
	seconds, by, forever := limit(t, tolerations)
	if forever {
		return time.Time{}, by, false
	}
	return t.TimeAdded.Add(duration(seconds)), by, true
}

// limit returns the least seconds that the tolerations allow for a taint, and the
// first toleration that allows no more, or -1 and zero if none tolerates it. If one
// of them has no limit, forever is true (rule D6). An empty effect does not do, though the
// device may be allocated because of it.
func limit(t *taint.Taint, tolerations []toleration.Toleration) (seconds int64, by int, forever bool) {
	by = -1
	for i := range tolerations {
		if tolerations[i].Effect != taint.NoExecute || !tolerates(&tolerations[i], t) {
			continue
		}
		if tolerations[i].TolerationSeconds == nil {
			return 0, i, true
		}
		if own := max(0, *tolerations[i].TolerationSeconds); by < 0 || own < seconds {
			seconds, by = own, i
		}
	}
	return seconds, by, false
}

// duration returns seconds as a duration, cut to [match.MaxDelay], where Kubernetes
// overflows (rules D7, E3).
func duration(seconds int64) time.Duration {
	if seconds > int64(match.MaxDelay/time.Second) {
		return match.MaxDelay
	}
	return time.Duration(seconds) * time.Second
}
