package toleration

import (
	"strings"

	"github.com/tolero-dev/tolero/taint"
)

// Tolerates reports whether t tolerates x, exactly as Kubernetes does (rules M1 to
// M6, N1 to N4): in a default cluster, or in one with the given rules. Both may be
// invalid. It compares each string once.
func (t *Toleration) Tolerates(x *taint.Taint, rules ...Rules) bool {
	// Kubernetes tests the effect before the key. The answer is the same, and
	// keys tell more tolerations apart, most of them by their length alone. The
	// rest is apart so that this is inlined.
	return (t.Key == "" || t.Key == x.Key) && t.holds(x, rules) // M1, M4: an empty key matches every key, with any operator
}

// holds reports whether the effect and the value of x match t.
func (t *Toleration) holds(x *taint.Taint, rules []Rules) bool {
	if t.Effect != "" && t.Effect != x.Effect { // M1, M3: an empty effect matches every effect
		return false
	}
	return Rules{Comparisons: len(rules) > 0 && rules[0].Comparisons}.Holds(t.Operator, x.Value, t.Value)
}

// Holds reports whether the operator o holds for have, the value of a taint, and want, the
// value of a toleration (rules M2, N1, N2, N4). Exists holds for all values, Equal and the
// empty operator for equal ones, and an unknown operator for none. Gt and Lt hold only if
// r has Comparisons, and only for integers: OpGt holds for "5" and "3".
//
// Node and device tolerations of every type are matched by it. [Toleration.Values] gives
// the same as a set.
func (r Rules) Holds(o Operator, have, want string) bool {
	switch o {
	case OpExists:
		return true
	case OpEqual, "":
		return have == want
	}
	return r.Comparisons && o.compares(have, want)
}

// compares answers for the operators Lt and Gt, and for unknown ones.
func (o Operator) compares(have, want string) bool {
	if !o.Comparison() {
		return false
	}
	bound, ok := parseInteger(want)
	if !ok {
		return false
	}
	n, ok := parseInteger(have)
	if !ok {
		return false
	}
	if o == OpGt {
		return n > bound
	}
	return n < bound
}

// parseInteger reads a canonical decimal integer that fits in 64 bits (rule
// N2): no sign but "-", no leading zero, no "-0". strconv.ParseInt would accept
// more, and allocate an error for what it refuses.
func parseInteger(s string) (n int64, ok bool) {
	digits, negative := strings.CutPrefix(s, "-")
	if len(digits) == 0 || len(digits) > len("9223372036854775808") {
		return 0, false
	}
	if digits[0] == '0' {
		return 0, s == "0"
	}
	var magnitude uint64 // 19 digits cannot overflow it
	for i := range len(digits) {
		digit := digits[i] - '0'
		if digit > 9 {
			return 0, false
		}
		magnitude = magnitude*10 + uint64(digit)
	}
	if negative {
		return -int64(magnitude), magnitude <= 1<<63
	}
	return int64(magnitude), magnitude < 1<<63
}
