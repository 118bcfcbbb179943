// Package decimal reads the integers that the operators Gt and Lt compare. It is
// written anew for package compile, because a mistake shared with package
// toleration could not be found by comparing the two.
package decimal

// Parse reads a canonical decimal integer that fits in 64 bits (rule N2): 0, or
// an optional minus sign and digits of which the first is not 0. It returns
// false for everything else, and does not allocate.
func Parse(s string) (n int64, ok bool) {
	limit, sign := "9223372036854775807", int64(1)
	if len(s) > 0 && s[0] == '-' {
		limit, sign, s = "9223372036854775808", -1, s[1:]
	}
	switch {
	case s == "0":
		return 0, sign > 0
	case s == "" || s[0] == '0' || len(s) > len(limit) || len(s) == len(limit) && s > limit:
		return 0, false
	}
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return 0, false
		}
		n = n*10 + sign*int64(s[i]-'0')
	}
	return n, true
}
