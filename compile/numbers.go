package compile

import (
	"math"
	"math/bits"

	"github.com/tolero-dev/tolero/compile/internal/decimal"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// numbers is what Gt and Lt tolerate, effect by effect (rules N1, N2). Of many
// Gt for an effect only the one with the least bound counts, and of many Lt the
// one with the greatest, so that any number of them is two comparisons.
type numbers struct {
	above [effects]int64 // the integers above it are tolerated: none above math.MaxInt64
	below [effects]int64 // the integers below it are tolerated: none below math.MinInt64
}

// effects is how many effects an EffectSet tells apart.
const effects = 4

func newNumbers() *numbers {
	var n numbers
	for i := range effects {
		n.above[i], n.below[i] = math.MaxInt64, math.MinInt64
	}
	return &n
}

// tolerates reports whether n tolerates a taint with the given value and effect.
func (n *numbers) tolerates(value string, effect taint.EffectSet) bool {
	i := bits.TrailingZeros8(uint8(effect)) % effects
	number, ok := decimal.Parse(value)
	return ok && (number > n.above[i] || number < n.below[i])
}

// addNumbers makes r tolerate the integers that the operator, Gt or Lt, accepts
// for bound, with the effects of set.
func (r *rest) addNumbers(operator toleration.Operator, bound int64, set taint.EffectSet) {
	if r.numbers == nil {
		r.numbers = newNumbers()
	}
	n := r.numbers
	for i := range effects {
		switch {
		case set>>i&1 == 0:
		case operator == toleration.OpGt:
			n.above[i] = min(n.above[i], bound)
		default:
			n.below[i] = max(n.below[i], bound)
		}
	}
}

// seal makes n tolerate nothing with the given effects, and reports whether it
// tolerates anything then.
func (n *numbers) seal(redundant taint.EffectSet) (any bool) {
	for i := range effects {
		if redundant>>i&1 != 0 {
			n.above[i], n.below[i] = math.MaxInt64, math.MinInt64
		}
		any = any || n.above[i] != math.MaxInt64 || n.below[i] != math.MinInt64
	}
	return any
}
