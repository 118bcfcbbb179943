package match

import (
	"fmt"
	"math"
	"time"

	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// EvictionPolicy says how long a pod may stay on a node whose NoExecute taints
// it tolerates. The zero value is [FirstMatch], Kubernetes' own policy. Under
// every policy an untolerated NoExecute taint evicts at once, other effects do
// not count, and a pod may stay no longer than its least time over the taints.
// An EvictionPolicy is a small integer, free to copy and to share.
type EvictionPolicy uint8

// The policies.
const (
	// FirstMatch takes for each taint the first toleration of the list that
	// matches it, and counts its seconds from when the taint is noticed. So
	// the order of the list matters. This is what Kubernetes does (rule E2).
	FirstMatch EvictionPolicy = iota
	// MostLenient takes for each taint, of the tolerations that match it, the
	// one with the most seconds. The order of the list does not matter.
	MostLenient
	// SinceAdded is FirstMatch with the seconds counted from the taint's
	// TimeAdded, so that a controller that starts late catches up. A taint
	// whose TimeAdded is nil or the zero time counts from when it is noticed,
	// and so does one whose TimeAdded is in the future. It needs the
	// current time: a zero now is a programming error and panics.
	SinceAdded
)

// String returns "first match", "most lenient" or "since added", and for any
// other value its number, such as "EvictionPolicy(9)".
func (p EvictionPolicy) String() string {
	switch p {
	case FirstMatch:
		return "first match"
	case MostLenient:
		return "most lenient"
	case SinceAdded:
		return "since added"
	}
	return fmt.Sprintf("EvictionPolicy(%d)", uint8(p))
}

// MaxDelay is the longest eviction delay, about 292 years. More seconds than
// fit are cut to it; in Kubernetes they overflow, and the pod may be evicted at
// once or never (rule E3).
const MaxDelay time.Duration = math.MaxInt64

// EvictionDelay returns how long a pod with the given tolerations may still run
// on a node with the given taints under Kubernetes' policy, [FirstMatch]: see
// [EvictionPolicy.Delay].
func EvictionDelay(taints []taint.Taint, tolerations []toleration.Toleration, rules ...toleration.Rules) (after time.Duration, evicted bool) {
	return FirstMatch.Delay(taints, tolerations, time.Time{}, rules...)
}

// Delay returns whether the taints evict a pod with the given tolerations, and
// if so after how long, counted from now: zero is at once. If no time is
// limited, the pod is not evicted, and after is zero (rules E1 to E3). after is
// never negative and never exceeds [MaxDelay].
//
// now is when the taints are noticed. Only [SinceAdded] looks at it, and panics
// if it is zero; pass time.Time{} with the others. A policy that is none of the
// three acts as FirstMatch.
func (p EvictionPolicy) Delay(taints []taint.Taint, tolerations []toleration.Toleration, now time.Time, rules ...toleration.Rules) (after time.Duration, evicted bool) {
	after, _, evicted = p.soonest(taints, tolerations, now, rules)
	return after, evicted
}

// soonest returns what Delay does, and the index of the taint that decides it.
func (p EvictionPolicy) soonest(taints []taint.Taint, tolerations []toleration.Toleration, now time.Time, rules []toleration.Rules) (after time.Duration, index int, evicted bool) {
	if p == SinceAdded && now.IsZero() {
		panic("match: the policy SinceAdded needs to know the time, but now is zero")
	}
	for i := range taints {
		t := &taints[i]
		if t.Effect != taint.NoExecute { // E1: only NoExecute counts
			continue
		}
		seconds, tolerated := p.seconds(tolerations, t, rules)
		if !tolerated { // E1: an untolerated one evicts now
			return 0, i, true
		}
		if seconds == nil { // E2: no seconds is forever
			continue
		}
		if left := p.remaining(*seconds, t, now); !evicted || left < after { // E2: the least over the taints
			after, index, evicted = left, i, true
		}
	}
	return after, index, evicted
}

// seconds returns the seconds that the tolerations grant for t, nil for forever,
// and whether they tolerate it at all.
func (p EvictionPolicy) seconds(tolerations []toleration.Toleration, t *taint.Taint, rules []toleration.Rules) (seconds *int64, tolerated bool) {
	for i := range tolerations {
		if !tolerations[i].Tolerates(t, rules...) {
			continue
		}
		granted := tolerations[i].TolerationSeconds
		if p != MostLenient || granted == nil {
			return granted, true
		}
		if !tolerated || *granted > *seconds {
			seconds, tolerated = granted, true
		}
	}
	return seconds, tolerated
}

// remaining returns what is left at now of the seconds granted for t.
func (p EvictionPolicy) remaining(seconds int64, t *taint.Taint, now time.Time) time.Duration {
	granted := MaxDelay // E3
	if seconds <= int64(MaxDelay/time.Second) {
		granted = time.Duration(max(0, seconds)) * time.Second // E2: zero or less is now
	}
	if p != SinceAdded || t.TimeAdded.IsZero() { // neither nil nor the zero time is a time
		return granted
	}
	return max(0, granted-max(0, now.Sub(t.TimeAdded.Time)))
}
