package main

import (
	"strconv"
	"strings"
	"time"
)

// short returns a duration without the zeros that its String ends with: "5m" and
// not "5m0s".
func short(d time.Duration) string {
	text := d.Round(time.Millisecond).String()
	for _, zero := range []string{"m0s", "h0m"} {
		if strings.HasSuffix(text, zero) {
			text = text[:len(text)-2]
		}
	}
	return text
}

// thousands returns n with a comma before each three digits.
func thousands(n int) string {
	text := strconv.Itoa(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}
