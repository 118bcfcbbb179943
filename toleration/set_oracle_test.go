package toleration_test

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// span returns taints of every kind that lists can tell apart: with each key and
// effect that they name and some that they do not, with each value that they
// name, the integers next to it and those at the ends of the range, and values
// that they do not name; valid ones and others of each.
func span(lists ...[]toleration.Toleration) []taint.Taint {
	keys := []string{"", "fresh", "-fresh"}
	effects := []taint.Effect{"", "Fresh", taint.NoSchedule, taint.PreferNoSchedule, taint.NoExecute}
	values := []string{"", "fresh", "-fresh", "05", "-0", "9223372036854775808"}
	for _, n := range []int64{math.MinInt64, -1, 0, 1, math.MaxInt64} {
		values = append(values, strconv.FormatInt(n, 10))
	}
	for _, t := range slices.Concat(lists...) {
		keys, effects, values = append(keys, t.Key), append(effects, t.Effect), append(values, t.Value)
		if n, err := strconv.ParseInt(t.Value, 10, 64); err == nil {
			values = append(values, strconv.FormatInt(max(n, math.MinInt64+1)-1, 10))
			values = append(values, strconv.FormatInt(min(n, math.MaxInt64-1)+1, 10))
		}
	}
	keys, effects, values = compacted(keys), compacted(effects), compacted(values)
	taints := make([]taint.Taint, 0, len(keys)*len(effects)*len(values))
	for _, key := range keys {
		for _, effect := range effects {
			for _, value := range values {
				taints = append(taints, taint.Taint{Key: key, Value: value, Effect: effect})
			}
		}
	}
	return taints
}

func compacted[S ~string](list []S) []S {
	slices.Sort(list)
	return slices.Compact(list)
}

// members is a set of the taints of a span, found by asking each toleration.
type members []uint64

func membersOf(list []toleration.Toleration, taints []taint.Taint) members {
	m := make(members, (len(taints)+63)/64)
	for i := range taints {
		if tolerates(list, &taints[i]) {
			m[i/64] |= 1 << (i % 64)
		}
	}
	return m
}

func tolerates(list []toleration.Toleration, x *taint.Taint) bool {
	return slices.ContainsFunc(list, func(t toleration.Toleration) bool { return t.Tolerates(x) })
}

func (m members) has(i int) bool { return m[i/64]>>(i%64)&1 != 0 }

func (m members) with(n members) members {
	sum := slices.Clone(m)
	for i := range sum {
		sum[i] |= n[i]
	}
	return sum
}

func (m members) minus(n members) members {
	difference := slices.Clone(m)
	for i := range difference {
		difference[i] &^= n[i]
	}
	return difference
}

func (m members) common(n members) members { return m.minus(m.minus(n)) }

func (m members) empty() bool {
	return !slices.ContainsFunc(m, func(word uint64) bool { return word != 0 })
}

// name returns m as a map key.
func (m members) name() string {
	var b strings.Builder
	for _, word := range m {
		b.WriteString(strconv.FormatUint(word, 36) + " ")
	}
	return b.String()
}

// validTaint reports whether x is valid.
func validTaint(x *taint.Taint) bool {
	return taint.Validate([]taint.Taint{*x}) == nil
}

// world is an alphabet of tolerations with the taints that it spans.
type world struct {
	alphabet []toleration.Toleration
	taints   []taint.Taint
	single   []members // of each toleration of the alphabet
	valid    members   // the valid taints
}

func newWorld(t *testing.T, text string) *world {
	w := &world{alphabet: mustParseList(t, strings.NewReplacer("\n", "", "\t", "").Replace(text))}
	w.taints = span(w.alphabet)
	for i := range w.alphabet {
		w.single = append(w.single, membersOf(w.alphabet[i:i+1], w.taints))
	}
	w.valid = w.validTaints()
	return w
}

func (w *world) validTaints() members {
	valid := membersOf(nil, w.taints)
	for i := range w.taints {
		if validTaint(&w.taints[i]) {
			valid[i/64] |= 1 << (i % 64)
		}
	}
	return valid
}

// subject is a list of a world with what it tolerates and its set.
type subject struct {
	list    []toleration.Toleration
	members members
	set     toleration.Set
}

// subjects returns all lists of up to length different tolerations, in
// the order of the alphabet.
func (w *world) subjects(length int) []subject {
	var all []subject
	var grow func(list []toleration.Toleration, m members, from int)
	grow = func(list []toleration.Toleration, m members, from int) {
		all = append(all, subject{slices.Clone(list), m, toleration.NewSet(list)})
		for i := from; i < len(w.alphabet) && len(list) < length; i++ {
			grow(append(list, w.alphabet[i]), m.with(w.single[i]), i+1)
		}
	}
	grow(nil, membersOf(nil, w.taints), 0)
	return all
}

// worlds are small alphabets, each for one way in which tolerations can add up.
var worlds = map[string]string{
	// Cells: wider and narrower keys and effects.
	"cells": `*,*:NoSchedule,*:NoExecute,*:Odd,*=x,*=x:NoSchedule,*=5:NoExecute,*=x:Odd,
		a,a:NoSchedule,a:NoExecute,a:Odd,a=x,a==x,a=x:NoSchedule,a=5:NoExecute,a=y:NoExecute,a=x:Odd,
		b,b=x,b=5:NoExecute,b:NoSchedule`,
	// Integers near each other, in cells that lie within each other.
	"integers": `a>5,a>6,a>7,a<4,a<5,a<7,a=4,a=5,a=6,a=7,a=8,a=x,a=,
		a>5:NoExecute,a>8:NoExecute,a<6:NoExecute,a=5:NoExecute,a=6:NoExecute,a=7:NoExecute,a=9:NoExecute,
		*>7,*=6,*>9:NoExecute,*=8:NoExecute`,
	// The ends of the range.
	"ends": `a>9223372036854775804,a>9223372036854775805,a>9223372036854775806,a>9223372036854775807,
		a=9223372036854775805,a=9223372036854775806,a=9223372036854775807,
		a<"-9223372036854775807",a<"-9223372036854775806",a<"-9223372036854775808",a="-9223372036854775808",a="-9223372036854775807",
		a>"-9223372036854775808",a>"-9223372036854775807",a<9223372036854775807,a<9223372036854775806,
		*=9223372036854775806,*="-9223372036854775808",*="-9223372036854775807",*<9223372036854775806,*>"-9223372036854775806"`,
	// What cannot be a valid taint or toleration, beside what can.
	"invalid": `"-k","-k"=x,a="!",a="-5",a<0,a<1,a>"-7",a>"-1",*="!":NoExecute,*="-5",a:Odd,a=7:Odd,*:Odd,
		a?In x,a?And x,*?Exists z,"-k":NoSchedule,a="-6",*<"-6",a?exists x,a>x,a<05,a=05,a=,
		a?Exists "!":PreferNoSchedule,*:PreferNoSchedule`,
}
