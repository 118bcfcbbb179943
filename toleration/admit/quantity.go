package admit

import (
	"errors"
	"math"
	"math/big"
	"regexp"
	"strconv"
	"strings"
)

// Quantity is an amount of a resource as manifests write it, such as "100m",
// "0.1", "1Gi" or "2e3". The zero Quantity is not valid. A Quantity is a string in
// every other respect; == compares the text, not the amount.
//
// This package reads what Kubernetes reads, except exponents beyond 1000 and
// texts without a digit, such as "Ki". Kubernetes takes some of those for zero.
// The time grows with the length of the text as package math/big needs it.
type Quantity string

// maxExponent is the largest exponent of ten that is read. Kubernetes reads
// larger ones, for which it may need any amount of memory.
const maxExponent = 1000

var (
	errQuantity = errors.New("must be a decimal number with an optional suffix: n, u, m, k, M, G, T, P, E, Ki, Mi, Gi, Ti, Pi, Ei, or e and an exponent")
	errExponent = errors.New("must have an exponent between -1000 and 1000")
)

// amounts is the form of a quantity: a number, and a suffix that stands for a power of ten
// or of two, or an exponent.
var amounts = regexp.MustCompile(`^([+-]?[0-9]*)\.?([0-9]*)(?:([numkMGTPE]?)|([KMGTPE])i|[eE]([+-]?[0-9]+))$`)

// MilliValue returns the amount in thousandths, as kube-scheduler counts CPU: fractions are
// rounded away from zero, and what 64 bits do not hold is the nearest number that they do.
// (Kubernetes rounds some negative amounts, which no resource has, to positive ones.) The error
// says what a Quantity must be; it does not repeat q.
func (q Quantity) MilliValue() (int64, error) {
	amount, err := q.nanos()
	if err != nil {
		return 0, err
	}
	amount, rest := amount.QuoRem(amount, big.NewInt(1e6), new(big.Int))
	amount.Add(amount, big.NewInt(int64(rest.Sign())))
	switch {
	case amount.IsInt64():
		return amount.Int64(), nil
	case amount.Sign() < 0:
		return math.MinInt64, nil
	}
	return math.MaxInt64, nil
}

// nanos returns the amount in billionths. As Kubernetes does, it rounds smaller
// fractions away from zero, and cuts an amount with a binary suffix to what 64
// bits hold.
func (q Quantity) nanos() (*big.Int, error) {
	m := amounts.FindStringSubmatch(string(q))
	if m == nil {
		return nil, errQuantity
	}
	fraction, decimal, binary, exponent := m[2], m[3], m[4], m[5]
	amount, ok := new(big.Int).SetString(m[1]+fraction, 10)
	if !ok { // no digit
		return nil, errQuantity
	}
	ten := 0
	switch {
	case decimal != "":
		ten = 3 * (strings.Index("num kMGTPE", decimal) - 3)
	case exponent != "":
		var err error
		if ten, err = strconv.Atoi(exponent); err != nil || ten < -maxExponent || ten > maxExponent {
			return nil, errExponent
		}
	}
	if binary != "" {
		amount.Lsh(amount, uint(10*(strings.Index("KMGTPE", binary)+1)))
	}
	ten += 9 - len(fraction)
	factor, rest := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(max(ten, -ten))), nil), new(big.Int)
	if ten >= 0 {
		amount.Mul(amount, factor)
	} else {
		amount.QuoRem(amount, factor, rest)
		amount.Add(amount, big.NewInt(int64(rest.Sign())))
	}
	most := new(big.Int).Mul(big.NewInt(math.MaxInt64), big.NewInt(1e9))
	if binary != "" && amount.CmpAbs(most) > 0 {
		amount.Mul(most, big.NewInt(int64(amount.Sign())))
	}
	return amount, nil
}
