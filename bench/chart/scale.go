package main

import (
	"math"
	"strconv"
	"strings"
)

// scale maps values to positions, by their logarithms.
type scale struct {
	low, high float64 // powers of ten
	from, to  float64 // positions
}

// newScale returns a scale from the power of ten at or below the least value to
// that at or above the greatest.
func newScale(least, greatest, from, to float64) scale {
	s := scale{math.Pow(10, math.Floor(math.Log10(least))), math.Pow(10, math.Ceil(math.Log10(greatest))), from, to}
	if s.low == s.high {
		s.high *= 10
	}
	return s
}

func (s scale) at(value float64) float64 {
	return s.from + (s.to-s.from)*math.Log(value/s.low)/math.Log(s.high/s.low)
}

// ticks returns the powers of ten.
func (s scale) ticks() (values []float64) {
	for v := s.low; v <= s.high*1.001; v *= 10 {
		values = append(values, v)
	}
	return values
}

// duration writes nanoseconds with three digits at the most.
func duration(nanoseconds float64) string {
	units := []string{"ns", "µs", "ms", "s"}
	i := 0
	for ; nanoseconds >= 999.5 && i < len(units)-1; i++ {
		nanoseconds /= 1000
	}
	return digits(nanoseconds) + "\u00a0" + units[i]
}

// digits writes a number below a thousand with three digits, and a greater one
// without those behind the point, in groups of three.
func digits(value float64) string {
	precision := max(0, 2-int(math.Floor(math.Log10(value)+1e-9)))
	text := strconv.FormatFloat(value, 'f', min(precision, 2), 64)
	if strings.Contains(text, ".") {
		return strings.TrimRight(strings.TrimRight(text, "0"), ".")
	}
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

// rounded rounds to two significant digits: what a ratio is good for.
func rounded(value float64) float64 {
	unit := math.Pow(10, math.Floor(math.Log10(value))-1)
	return math.Round(value/unit) * unit
}
