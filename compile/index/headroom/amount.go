package headroom

import (
	"math"
	"math/bits"
)

// Amount is a number of nodes, and what they have of the caller's numbers.
//
// The zero Amount is no nodes. It is plain data; a copy shares Numbers.
type Amount struct {
	Nodes int
	// Numbers are sums over the nodes, one for each of the caller's numbers. A sum that an
	// int64 cannot hold is the nearest that it can: no sum on the way there is cut.
	Numbers []int64
}

// sum is an exact sum of numbers, as an integer of 128 bits.
type sum struct {
	high int64
	low  uint64
}

func (s *sum) add(t sum) {
	var carry uint64
	s.low, carry = bits.Add64(s.low, t.low, 0)
	s.high += t.high + int64(carry)
}

// sumOf returns a number as a sum.
func sumOf(n int64) sum { return sum{n >> 63, uint64(n)} }

// number returns the nearest number.
func (s sum) number() int64 {
	switch {
	case s.high == int64(s.low)>>63:
		return int64(s.low)
	case s.high < 0:
		return math.MinInt64
	}
	return math.MaxInt64
}

// total is the exact form of an Amount.
type total struct {
	nodes int
	sums  []sum
}

func newTotal(kinds int) total { return total{sums: make([]sum, kinds)} }

func (t *total) add(u *total) {
	t.nodes += u.nodes
	for i := range u.sums {
		t.sums[i].add(u.sums[i])
	}
}

func (t *total) amount() Amount {
	a := Amount{Nodes: t.nodes, Numbers: make([]int64, len(t.sums))}
	for i := range t.sums {
		a.Numbers[i] = t.sums[i].number()
	}
	return a
}
