package matchtest

import (
	"iter"

	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// Universe is a small world to be searched completely: every taint and every
// toleration that can be put together from its parts.
//
// The zero Universe holds nothing. Copying shares the slices, which nothing
// here writes to; a Universe may be read concurrently. What it makes shares the
// strings and the seconds of its parts.
type Universe struct {
	Keys         []string
	Values       []string
	Effects      []taint.Effect
	TaintKeys    []string       // of the taints; Keys if nil
	TaintValues  []string       // of the taints; Values if nil
	TaintEffects []taint.Effect // of the taints; Effects if nil
	Operators    []toleration.Operator
	Seconds      []*int64
}

// Taints returns every taint of u, the last part varying fastest.
func (u *Universe) Taints() []taint.Taint {
	var list []taint.Taint
	for _, key := range either(u.TaintKeys, u.Keys) {
		for _, value := range either(u.TaintValues, u.Values) {
			for _, effect := range either(u.TaintEffects, u.Effects) {
				list = append(list, taint.Taint{Key: key, Value: value, Effect: effect})
			}
		}
	}
	return list
}

// Tolerations returns every toleration of u, the last part varying fastest.
func (u *Universe) Tolerations() []toleration.Toleration {
	var list []toleration.Toleration
	for _, key := range u.Keys {
		for _, operator := range u.Operators {
			for _, value := range u.Values {
				for _, effect := range u.Effects {
					for _, seconds := range u.Seconds {
						list = append(list, toleration.Toleration{
							Key: key, Operator: operator, Value: value, Effect: effect, TolerationSeconds: seconds,
						})
					}
				}
			}
		}
	}
	return list
}

func either[T any](own, shared []T) []T {
	if own != nil {
		return own
	}
	return shared
}

// Lists returns every list of at most the given length over items, in any order
// and with repetitions, shortest first. The lists share one buffer: each is
// valid until the next one.
func Lists[T any](items []T, length int) iter.Seq[[]T] {
	return func(yield func([]T) bool) {
		for n := range length + 1 {
			if !yieldLists(make([]T, n), 0, items, yield) {
				return
			}
		}
	}
}

// yieldLists fills list from position at on in every way.
func yieldLists[T any](list []T, at int, items []T, yield func([]T) bool) bool {
	if at == len(list) {
		return yield(list)
	}
	for _, item := range items {
		list[at] = item
		if !yieldLists(list, at+1, items, yield) {
			return false
		}
	}
	return true
}

func seconds(n int64) *int64 { return &n }

// Wide has many parts, for single tolerations against single taints: keys and
// values that differ in case or length, every operator and near-miss of one,
// known, empty and unknown effects, and seconds around every limit.
func Wide() *Universe {
	return &Universe{
		Keys:      []string{"", "a", "A", "ab"},
		Values:    []string{"", "x", "X", "0", "1"},
		Effects:   []taint.Effect{"", taint.NoSchedule, taint.PreferNoSchedule, taint.NoExecute, "noschedule", "Other"},
		Operators: []toleration.Operator{"", toleration.OpEqual, toleration.OpExists, toleration.OpLt, toleration.OpGt, "equal", "exists", "In"},
		Seconds:   []*int64{nil, seconds(-1), seconds(300), seconds(maxSeconds), seconds(maxSeconds + 1)},
	}
}

// maxSeconds is the greatest number of seconds that fits in a Duration.
const maxSeconds = 9223372036

// Numbers is about Gt and Lt: every value that is, or nearly is, a canonical
// 64-bit integer against every other.
func Numbers() *Universe {
	return &Universe{
		Keys:    []string{"a"},
		Effects: []taint.Effect{taint.NoSchedule},
		Values: []string{
			"", "-", "+", "0", "-0", "00", "000", "+0", "1", "-1", "+1", "01", "-01", "001", "2", "9", "10", "-10", "99", "100",
			" 1", "1 ", "1.0", "1e3", "1_000", "0x1", "--1", "1-", "a", "1a", "a1", "½", "١", "１", "1\x00", "/", ":", "1/", "1:",
			"999999999999999999", "1000000000000000000", "4611686018427387904",
			"9223372036854775806", "9223372036854775807", "9223372036854775808", "9223372036854775809", "9999999999999999999",
			"-9223372036854775807", "-9223372036854775808", "-9223372036854775809", "-9999999999999999999",
			"10000000000000000000", "18446744073709551615", "18446744073709551616", "-18446744073709551615", "99999999999999999999",
			"09223372036854775807", "100000000000000000000000000000000000000000",
		},
		Operators: []toleration.Operator{toleration.OpLt, toleration.OpGt, toleration.OpEqual},
		Seconds:   []*int64{nil},
	}
}

// Narrow has few parts, for lists: what lets the tolerations of a list help,
// shadow and contradict each other.
func Narrow() *Universe {
	return &Universe{
		Keys:         []string{"", "a"},
		TaintKeys:    []string{"a", "b"},
		Values:       []string{"", "1"},
		TaintValues:  []string{"", "2"},
		Effects:      []taint.Effect{"", taint.NoExecute},
		TaintEffects: []taint.Effect{taint.NoSchedule, taint.PreferNoSchedule, taint.NoExecute, "Other"},
		Operators:    []toleration.Operator{"", toleration.OpExists, toleration.OpGt},
		Seconds:      []*int64{nil, seconds(0), seconds(60), seconds(300)},
	}
}
