package matchtest

import (
	"cmp"
	"math/big"
	"regexp"
	"slices"
	"time"

	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// Spec is a second reading of the rules, for the one purpose of checking
// package match: it says what the answer is, not how to get it, with regular
// expressions and big integers, and shares no code with what it checks. It answers
// for a default cluster, or for one with the given rules. It is slow. A matcher
// retains its tolerations, which must not change, and one goroutine at a time may
// ask it.
func Spec(rules ...toleration.Rules) New {
	gate := len(rules) > 0 && rules[0].Comparisons
	return func(tolerations []toleration.Toleration) Matcher { return newSpec(tolerations, gate) }
}

func newSpec(tolerations []toleration.Toleration, gate bool) Matcher {
	s := spec{tolerations, gate, make(map[[3]string][]int)}
	return Matcher{
		Tolerates:       func(x *taint.Taint) bool { return len(s.tolerating(x)) > 0 },
		FirstTolerating: func(x *taint.Taint) (int, bool) { return first(s.tolerating(x)) },
		Filter: func(dst, taints []taint.Taint, set taint.EffectSet) []taint.Taint {
			for _, i := range s.left(taints, set, all) {
				dst = append(dst, taints[i]) // the indexes ascend, so dst may be taints[:0]
			}
			return dst
		},
		FirstUntolerated: func(taints []taint.Taint, set taint.EffectSet) (int, bool) {
			return first(s.left(taints, set, all))
		},
		FirstUntoleratedFunc: func(taints []taint.Taint, set taint.EffectSet, keep func(*taint.Taint) bool) (int, bool) {
			return first(s.left(taints, set, keep))
		},
		CountUntolerated: func(taints []taint.Taint, set taint.EffectSet) int64 {
			return int64(len(s.left(taints, set, all)))
		},
		Decide:        s.decide,
		EvictionDelay: s.delay,
	}
}

// spec is a list, whether the gate is on, and what tolerating said of taints, because
// it is asked of the same ones again and again.
type spec struct {
	list []toleration.Toleration
	gate bool
	said map[[3]string][]int
}

// canonicalInteger is rule N2, except the range.
var canonicalInteger = regexp.MustCompile(`\A(0|-?[1-9][0-9]*)\z`)

// order compares two values as integers (rules N1, N2). It is false unless both
// are canonical and fit in 64 bits.
func order(a, b string) (order int, ok bool) {
	var n [2]big.Int
	for i, s := range [...]string{a, b} {
		if !canonicalInteger.MatchString(s) {
			return 0, false
		}
		if _, ok := n[i].SetString(s, 10); !ok || !n[i].IsInt64() {
			return 0, false
		}
	}
	return n[0].Cmp(&n[1]), true
}

// tolerates is rules M1 to M6: three conditions that all have to hold.
func (s spec) tolerates(t *toleration.Toleration, x *taint.Taint) bool {
	effect := slices.Contains([]taint.Effect{"", x.Effect}, t.Effect)
	key := slices.Contains([]string{"", x.Key}, t.Key)
	return effect && key && s.values(t.Operator, x.Value, t.Value)
}

// values reports whether the operator holds between the taint's value and the
// toleration's (rules M2, N1, N4).
func (s spec) values(operator toleration.Operator, taint, toleration string) bool {
	switch operator {
	case "", "Equal":
		return taint == toleration
	case "Gt", "Lt":
		order, numeric := order(taint, toleration)
		return s.gate && numeric && order == map[string]int{"Gt": +1, "Lt": -1}[string(operator)]
	}
	return operator == "Exists"
}

// tolerating returns the indexes of all tolerations that tolerate x.
func (s spec) tolerating(x *taint.Taint) []int {
	asked := [3]string{x.Key, x.Value, string(x.Effect)} // M6: all that matters
	indexes, said := s.said[asked]
	if !said {
		for i := range s.list {
			if s.tolerates(&s.list[i], x) {
				indexes = append(indexes, i)
			}
		}
		s.said[asked] = indexes
	}
	return indexes
}

// untolerated returns the indexes of the taints that are left with one of the
// given effects (rules F1, F3).
func (s spec) untolerated(taints []taint.Taint, effects ...taint.Effect) []int {
	var indexes []int
	for i := range taints {
		if slices.Contains(effects, taints[i].Effect) && len(s.tolerating(&taints[i])) == 0 {
			indexes = append(indexes, i)
		}
	}
	return indexes
}

// all is the predicate that leaves nothing out, as nil does.
var all func(*taint.Taint) bool

// bits are the effect sets of the known effects.
var bits = map[taint.Effect]taint.EffectSet{"NoSchedule": 1, "PreferNoSchedule": 2, "NoExecute": 4}

// left is untolerated with the effect set spelled out as the effects that occur,
// and without what the predicate leaves out.
func (s spec) left(taints []taint.Taint, set taint.EffectSet, keep func(*taint.Taint) bool) []int {
	var effects []taint.Effect
	for _, x := range taints {
		if set&cmp.Or(bits[x.Effect], 8) != 0 {
			effects = append(effects, x.Effect)
		}
	}
	return slices.DeleteFunc(s.untolerated(taints, effects...), func(i int) bool {
		return keep != nil && !keep(&taints[i])
	})
}

// first returns the first of the indexes, and whether there is one.
func first(indexes []int) (int, bool) {
	if len(indexes) == 0 {
		return 0, false
	}
	return indexes[0], true
}

// decide is rules F2 and E1 to E3.
func (s spec) decide(taints []taint.Taint) match.Verdict {
	var v match.Verdict
	if hard := s.untolerated(taints, "NoSchedule", "NoExecute"); len(hard) > 0 {
		v.Scheduling, v.SchedulingTaint = match.Unschedulable, hard[0]
	} else if soft := s.untolerated(taints, "PreferNoSchedule"); len(soft) > 0 {
		v.Scheduling, v.SchedulingTaint = match.Avoid, soft[0]
	}
	after, evicted := s.delay(taints, match.FirstMatch, time.Time{})
	if !evicted {
		return v
	}
	v.Eviction, v.After = match.EvictAfter, after
	if after == 0 {
		v.Eviction = match.EvictNow
	}
	v.EvictionTaint = slices.IndexFunc(taints, func(x taint.Taint) bool { // the first that is as bad alone
		alone, evicts := s.delay([]taint.Taint{x}, match.FirstMatch, time.Time{})
		return evicts && alone == after
	})
	if now := s.untolerated(taints, "NoExecute"); len(now) > 0 {
		v.EvictionTaint = now[0]
	}
	return v
}

// delay is rules E1 to E3 and the named alternatives of E2.
func (s spec) delay(taints []taint.Taint, p match.EvictionPolicy, now time.Time) (time.Duration, bool) {
	if len(s.untolerated(taints, "NoExecute")) > 0 {
		return 0, true
	}
	var limits []*big.Int // in nanoseconds, one for each taint that sets one
	for _, x := range taints {
		if x.Effect != "NoExecute" {
			continue
		}
		if seconds := s.granted(&x, p); seconds != nil {
			limits = append(limits, limit(*seconds, &x, p, now))
		}
	}
	if len(limits) == 0 {
		return 0, false
	}
	return time.Duration(slices.MinFunc(limits, (*big.Int).Cmp).Int64()), true
}

// granted returns the seconds that the policy takes for a tolerated taint.
func (s spec) granted(x *taint.Taint, p match.EvictionPolicy) *int64 {
	indexes := s.tolerating(x)
	if p == match.MostLenient {
		lenient := slices.MaxFunc(indexes, func(i, j int) int {
			a, b := s.list[i].TolerationSeconds, s.list[j].TolerationSeconds
			switch {
			case a == nil && b == nil:
				return 0
			case a == nil:
				return 1
			case b == nil:
				return -1
			}
			return cmp.Compare(*a, *b)
		})
		return s.list[lenient].TolerationSeconds
	}
	return s.list[indexes[0]].TolerationSeconds
}

func limit(seconds int64, x *taint.Taint, p match.EvictionPolicy, now time.Time) *big.Int {
	zero, longest := new(big.Int), big.NewInt(1<<63-1)
	nanoseconds := new(big.Int).Mul(big.NewInt(seconds), big.NewInt(1e9))
	nanoseconds = least(nanoseconds, longest) // E3: saturate before anything is taken off
	nanoseconds = most(nanoseconds, zero)
	if p == match.SinceAdded && x.TimeAdded != nil && x.TimeAdded.Compare(time.Time{}) != 0 && now.After(x.TimeAdded.Time) {
		elapsed := big.NewInt(int64(now.Sub(x.TimeAdded.Time)))
		nanoseconds = new(big.Int).Sub(nanoseconds, elapsed)
	}
	return most(nanoseconds, zero)
}

func least(a, b *big.Int) *big.Int {
	return slices.MinFunc([]*big.Int{a, b}, (*big.Int).Cmp)
}

func most(a, b *big.Int) *big.Int {
	return slices.MaxFunc([]*big.Int{a, b}, (*big.Int).Cmp)
}
