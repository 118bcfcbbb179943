package admit

import (
	"errors"
	"math"
	"math/big"
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

// suffixes are the powers of ten and of two that suffixes stand for.
var suffixes = map[string]struct {
	ten int
	two uint
}{
	"n": {ten: -9}, "u": {ten: -6}, "m": {ten: -3}, "": {}, "k": {ten: 3}, "M": {ten: 6}, "G": {ten: 9}, "T": {ten: 12},
	"P": {ten: 15}, "E": {ten: 18}, "Ki": {two: 10}, "Mi": {two: 20}, "Gi": {two: 30}, "Ti": {two: 40}, "Pi": {two: 50}, "Ei": {two: 60},
}

// nanos returns the amount in billionths. As Kubernetes does, it rounds smaller
// fractions away from zero, and cuts an amount with a binary suffix to what 64
// bits hold.
func (q Quantity) nanos() (*big.Int, error) {
	digits, places, suffix := q.split()
	amount, ok := new(big.Int).SetString(digits, 10)
	if !ok {
		return nil, errQuantity
	}
	ten, two, err := factor(suffix)
	if err != nil {
		return nil, err
	}
	amount = scale(amount.Lsh(amount, two), ten-places+9)
	if most := scale(big.NewInt(math.MaxInt64), 9); two > 0 && amount.Cmp(most) > 0 {
		amount = most
	}
	if q[0] == '-' {
		amount.Neg(amount)
	}
	return amount, nil
}

// factor returns the powers of ten and of two that a suffix stands for.
func factor(suffix string) (ten int, two uint, err error) {
	if f, ok := suffixes[suffix]; ok {
		return f.ten, f.two, nil
	}
	if suffix[0] != 'e' && suffix[0] != 'E' {
		return 0, 0, errQuantity
	}
	exponent, err := strconv.ParseInt(suffix[1:], 10, 64)
	switch {
	case err != nil && !errors.Is(err, strconv.ErrRange):
		return 0, 0, errQuantity
	case err != nil || exponent < -maxExponent || exponent > maxExponent:
		return 0, 0, errExponent
	}
	return int(exponent), 0, nil
}

// split returns the digits of q without sign and point, how many of them follow
// the point, and the rest.
func (q Quantity) split() (digits string, places int, suffix string) {
	rest := string(q)
	if rest != "" && (rest[0] == '-' || rest[0] == '+') {
		rest = rest[1:]
	}
	whole := rest[:countDigits(rest)]
	rest = rest[len(whole):]
	var fraction string
	if strings.HasPrefix(rest, ".") {
		fraction = rest[1 : 1+countDigits(rest[1:])]
		rest = rest[1+len(fraction):]
	}
	return whole + fraction, len(fraction), rest
}

func countDigits(s string) int {
	n := 0
	for n < len(s) && '0' <= s[n] && s[n] <= '9' {
		n++
	}
	return n
}

// scale returns amount times ten to the power, rounded up.
func scale(amount *big.Int, power int) *big.Int {
	factor := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(max(power, -power))), nil)
	if power >= 0 {
		return amount.Mul(amount, factor)
	}
	rest := new(big.Int)
	if amount.QuoRem(amount, factor, rest); rest.Sign() > 0 {
		amount.Add(amount, big.NewInt(1))
	}
	return amount
}
