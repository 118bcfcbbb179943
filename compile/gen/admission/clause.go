package admission

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// clause is some tolerations of a policy that differ in few fields: those with one of the
// effects, one of the keys and, if the kind is OneValue, one of the values. An empty
// effect or key is every one.
type clause struct {
	effects, keys, values []string
	kind                  toleration.ValuesKind
	bound                 int64
	within                string // a test of the seconds, or empty
}

// clausesOf groups a valid list.
func clausesOf(list []toleration.Toleration) []clause {
	var clauses []clause
	for _, t := range list {
		if v := t.Values(); v.Kind != toleration.NoValue {
			clauses = append(clauses, clause{[]string{string(t.Effect)}, []string{t.Key}, []string{v.Value}, v.Kind, v.Bound, within(t.TolerationSeconds)})
		}
	}
	for _, part := range []func(*clause) *[]string{
		func(c *clause) *[]string { return &c.effects },
		func(c *clause) *[]string { return &c.values },
		func(c *clause) *[]string { return &c.keys },
	} {
		clauses = merge(clauses, part)
	}
	return clauses
}

// merge joins clauses that differ in one part only.
func merge(clauses []clause, part func(*clause) *[]string) (merged []clause) {
	index := make(map[string]int)
	for _, c := range clauses {
		own := *part(&c)
		*part(&c) = nil
		id := fmt.Sprintf("%q %q %q %d %d %q", c.effects, c.keys, c.values, c.kind, c.bound, c.within)
		i, found := index[id]
		if !found {
			i, index[id] = len(merged), len(merged)
			merged = append(merged, c)
		}
		all := part(&merged[i])
		*all = append(*all, own...)
	}
	for i := range merged {
		all := part(&merged[i])
		slices.Sort(*all)
		*all = slices.Compact(*all)
	}
	return merged
}

// within returns a test for at most so many seconds, or "" for forever. Beyond the longest time
// that Kubernetes counts, all are the same (rule E3).
func within(seconds *int64) string {
	switch {
	case seconds == nil:
		return ""
	case *seconds > int64(math.MaxInt64/time.Second):
		return "t.seconds != ''"
	}
	return fmt.Sprintf("t.seconds != '' && int(t.seconds) <= %d", max(0, *seconds))
}

const (
	isEqual = "t.operator in ['', 'Equal']"
	// matchesNothing holds for valid tolerations with Gt and Lt that no integer satisfies.
	matchesNothing = "t.operator == 'Gt' && t.value == '9223372036854775807' || t.operator == 'Lt' && t.value == '-9223372036854775808'"
)

// covered returns an expression for whether every taint that t tolerates is tolerated by the
// valid list, for as long. One toleration of the list has to do so for each effect: together several
// can do so only for integers. What covers all effects, unknown ones included, has no effect itself.
func covered(list []toleration.Toleration, comparisons bool) string {
	var tests []string
	for _, c := range clausesOf(list) {
		test := append(oneOf("effect", c.effects), oneOf("key", c.keys)...)
		switch c.kind {
		case toleration.OneValue:
			test = append(test, isEqual)
			test = append(test, in("t.value", c.values))
		case toleration.IntegersAbove, toleration.IntegersBelow:
			test = append(test, isEqual, c.holdsInteger())
		}
		tests = append(tests, and(append(test, c.within)...))
	}
	if comparisons {
		tests = append(append(tests, ranges(list)...), matchesNothing)
	}
	return or(tests)
}

// overlaps returns an expression for whether there is a taint that t and the valid list tolerate.
func overlaps(list []toleration.Toleration, comparisons bool) string {
	var tests []string
	for _, c := range clausesOf(list) {
		test := append(oneOf("effect", c.effects, ""), oneOf("key", c.keys, "")...)
		test = append(test, c.overlapsValues(comparisons))
		tests = append(tests, and(test...))
	}
	if comparisons {
		return "!(" + matchesNothing + ") && (" + or(tests) + ")"
	}
	return or(tests)
}

// overlapsValues returns a test for whether t matches a value of c, or "" if it always does.
// Every operator is like Exists except those that are told apart.
func (c *clause) overlapsValues(comparisons bool) string {
	switch {
	case c.kind == toleration.EveryValue:
		return ""
	case c.kind == toleration.OneValue && !comparisons:
		return "(!(" + isEqual + ") || " + in("t.value", c.values) + ")"
	case c.kind == toleration.OneValue:
		above, below := integerTests(c.values)
		return fmt.Sprintf("(%s ? %s : t.operator == 'Gt' ? %s : t.operator == 'Lt' ? %s : true)", isEqual, in("t.value", c.values), above, below)
	case c.kind == toleration.IntegersAbove:
		return fmt.Sprintf("(%s ? %s : t.operator != 'Lt' || int(t.value) > %d)", isEqual, c.holdsInteger(), c.bound+1)
	}
	return fmt.Sprintf("(%s ? %s : t.operator != 'Gt' || int(t.value) < %d)", isEqual, c.holdsInteger(), c.bound-1)
}

// holdsInteger returns a test for whether the value of t is an integer of the range c.
func (c *clause) holdsInteger() string {
	if c.kind == toleration.IntegersAbove {
		return fmt.Sprintf("t.integer != '' && int(t.integer) > %d", c.bound)
	}
	return fmt.Sprintf("t.integer != '' && int(t.integer) < %d", c.bound)
}

// integerTests returns tests for whether one of the values is an integer above the value of t, and
// below it.
func integerTests(values []string) (above, below string) {
	var integers []int64
	for _, v := range values {
		if n, err := strconv.ParseInt(v, 10, 64); err == nil && strconv.FormatInt(n, 10) == v {
			integers = append(integers, n)
		}
	}
	if integers == nil {
		return "false", "false"
	}
	return fmt.Sprintf("int(t.value) < %d", slices.Max(integers)), fmt.Sprintf("int(t.value) > %d", slices.Min(integers))
}

// ranges returns tests for which t with Gt and Lt are covered by a list: from which integer on
// all are tolerated, or up to which one. Several tolerations may do that together.
func ranges(list []toleration.Toleration) (tests []string) {
	allowed, err := toleration.NewLenientMeaning(list)
	if err != nil {
		return nil // not valid, which compile has reported
	}
	byKey := make(map[string][]toleration.Toleration)
	for _, t := range list {
		if v := t.Values(); v.Kind != toleration.EveryValue {
			byKey[t.Key] = append(byKey[t.Key], t)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(byKey)) {
		for _, operator := range []toleration.Operator{toleration.OpGt, toleration.OpLt} {
			limits := make(map[taint.Effect]int64) // those of longer and wider tolerations, which need no other test
			for _, t := range asked(byKey[key]) {
				t.Key, t.Operator = key, operator
				n, found := limit(allowed, t)
				for _, wider := range []taint.Effect{"", t.Effect} {
					known, is := limits[wider]
					found = found && !(is && known == n)
				}
				if found {
					limits[t.Effect] = n
					tests = append(tests, rangeTest(&t, n))
				}
			}
		}
	}
	return tests
}

// rangeTest returns a test for whether the toleration t of a pod has the operator of this one, and a value up to the limit.
func rangeTest(t *toleration.Toleration, limit int64) string {
	order := ">="
	if t.Operator == toleration.OpLt {
		order = "<="
	}
	test := append(oneOf("effect", []string{string(t.Effect)}), in("t.key", []string{t.Key}), in("t.operator", []string{string(t.Operator)}))
	return and(append(test, fmt.Sprintf("int(t.value) %s %d", order, limit), within(t.TolerationSeconds))...)
}

// asked returns tolerations with every effect, and with the seconds that the list of a key tells apart: the
// widest and the longest first.
func asked(list []toleration.Toleration) (ask []toleration.Toleration) {
	for _, e := range []taint.Effect{"", taint.NoSchedule, taint.PreferNoSchedule, taint.NoExecute} {
		ask = append(ask, toleration.Toleration{Effect: e})
	}
	var seconds []int64
	for _, t := range list {
		if t.TolerationSeconds != nil {
			seconds = append(seconds, *t.TolerationSeconds)
		}
	}
	slices.SortFunc(seconds, func(a, b int64) int { return cmp.Compare(b, a) })
	for _, s := range slices.Compact(seconds) {
		ask = append(ask, toleration.Toleration{Effect: taint.NoExecute, TolerationSeconds: &s})
	}
	return ask
}

// limit returns the least integer from which on allowed allows t, which has the operator Gt, or the
// greatest up to which it does with Lt. It finds none if it allows only what matches nothing.
func limit(allowed *toleration.Meaning, t toleration.Toleration) (n int64, found bool) {
	at := func(d uint64) int64 { // the most that t can match comes first
		if t.Operator == toleration.OpGt {
			return int64(d + 1<<63)
		}
		return int64(math.MaxInt64 - d)
	}
	lo, hi := uint64(0), uint64(math.MaxUint64)
	for lo < hi {
		mid := lo + (hi-lo)/2
		t.Value = strconv.FormatInt(at(mid), 10)
		if _, ok := allowed.Allows(&t); ok {
			hi = mid
		} else {
			lo = mid + 1
		}
	}
	return at(lo), lo < math.MaxUint64
}

// oneOf returns a test that a field is one of the names or of more. An empty name stands for
// every one; then there is no test.
func oneOf(field string, names []string, more ...string) []string {
	if slices.Contains(names, "") {
		return nil
	}
	return []string{in("t."+field, append(more, names...))}
}

func in(field string, names []string) string {
	quoted := make([]string, len(names))
	for i, name := range names {
		quoted[i] = quote(name)
	}
	if len(quoted) == 1 {
		return field + " == " + quoted[0]
	}
	return field + " in [" + strings.Join(quoted, ", ") + "]"
}

// and joins tests, of which empty ones hold.
func and(tests ...string) string {
	tests = slices.DeleteFunc(tests, func(test string) bool { return test == "" })
	if len(tests) == 0 {
		return "true"
	}
	return strings.Join(tests, " && ")
}

func or(tests []string) string {
	if len(tests) == 0 {
		return "false"
	}
	return strings.Join(tests, "\n || ")
}

// quote returns a string as CEL writes it.
func quote(s string) string {
	return "'" + strings.NewReplacer(`\`, `\\`, `'`, `\'`, "\n", `\n`, "\r", `\r`).Replace(s) + "'"
}
