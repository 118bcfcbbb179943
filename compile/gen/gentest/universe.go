package gentest

import (
	"math"
	"strconv"
	"strings"

	"github.com/tolero-dev/tolero/match/matchtest"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// work is how many single comparisons of a toleration with a taint a test of a
// list may take. Only lists of hundreds of tolerations exceed it.
const work = 20_000_000

// universe returns all taints that the list tells apart, and near-misses: each
// of its keys with each of its values and effects. If that is too much work, it
// is every n-th of the tolerations, each with what is near to it; and then
// complete is false.
func universe(tolerations []toleration.Toleration) (taints []taint.Taint, complete bool) {
	u := spanned(tolerations)
	size := float64(len(u.Keys)) * float64(len(u.Values)) * float64(len(u.Effects)) // does not overflow
	if size*float64(1+len(tolerations)) <= work {
		return u.Taints(), true
	}
	few := work / 400 / len(tolerations) // 400 or fewer taints are near to one toleration
	step := 1 + len(tolerations)/(1+few)
	for i := 0; i < len(tolerations); i += step {
		taints = append(taints, spanned(tolerations[i:i+1]).Taints()...)
	}
	return taints, false
}

// spanned returns the parts that taints are put together from.
func spanned(tolerations []toleration.Toleration) *matchtest.Universe {
	var keys, values, effects words
	keys.add("", "other")
	values.add("", "other")
	effects.add("", "noexecute", "NoExecut")
	for _, e := range []taint.Effect{taint.NoSchedule, taint.PreferNoSchedule, taint.NoExecute} {
		effects.add(string(e))
	}
	for i := range tolerations {
		t := &tolerations[i]
		keys.add(near(t.Key)...)
		values.add(near(t.Value)...)
		if t.Operator.Comparison() {
			values.add(nearNumber(t.Value)...)
		}
		if !t.Effect.Known() {
			effects.add(near(string(t.Effect))...)
		}
	}
	u := &matchtest.Universe{Keys: keys.list, Values: values.list}
	for _, e := range effects.list {
		u.Effects = append(u.Effects, taint.Effect(e))
	}
	return u
}

// words is a list without repetitions.
type words struct {
	list []string
	seen map[string]bool
}

func (w *words) add(some ...string) {
	if w.seen == nil {
		w.seen = make(map[string]bool)
	}
	for _, word := range some {
		if !w.seen[word] {
			w.seen[word] = true
			w.list = append(w.list, word)
		}
	}
}

// near returns a word and others of which each differs from it in one way: in
// length at the end, in the last byte, in the first, in one in the middle of each
// piece of which long words are compared, and in case.
func near(word string) []string {
	if word == "" {
		return []string{""}
	}
	last := len(word) - 1
	others := []string{word, word + "x", word[:last], flip(word, last), flip(word, 0), strings.ToUpper(word)}
	for middle := 8; middle < last; middle += 16 {
		others = append(others, flip(word, middle))
	}
	return others
}

// flip returns a word that differs from word in byte i.
func flip(word string, i int) string {
	other := []byte(word)
	other[i] ^= 1
	return string(other)
}

// nearNumber returns numbers around the one that is given, and around the limits
// of 64 bits, and other ways to write them, which do not count (rule N2).
func nearNumber(value string) []string {
	numbers := []string{
		"0", "-0", "9223372036854775806", "9223372036854775807", "9223372036854775808",
		"-9223372036854775807", "-9223372036854775808", "-9223372036854775809", "18446744073709551617", "99999999999999999999",
		"0" + value, "+" + value, value + "0", value + ".0", " " + value,
	}
	if n, err := strconv.ParseInt(value, 10, 64); err == nil {
		if n > math.MinInt64 {
			numbers = append(numbers, strconv.FormatInt(n-1, 10))
		}
		if n < math.MaxInt64 {
			numbers = append(numbers, strconv.FormatInt(n+1, 10))
		}
	}
	return numbers
}
