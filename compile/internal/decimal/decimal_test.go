package decimal_test

import (
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"github.com/tolero-dev/tolero/compile/internal/decimal"
	"github.com/tolero-dev/tolero/match/matchtest"
)

// strconv reads more than the canonical form: what it reads is canonical if it
// writes the same.
func check(t interface{ Fatalf(string, ...any) }, s string) {
	want, err := strconv.ParseInt(s, 10, 64)
	canonical := err == nil && strconv.FormatInt(want, 10) == s
	if got, ok := decimal.Parse(s); ok != canonical || ok && got != want {
		t.Fatalf("Parse(%q) = %d, %v; want %d, %v", s, got, ok, want, canonical)
	}
}

func TestParse(t *testing.T) {
	for _, s := range matchtest.Numbers().Values {
		check(t, s)
	}
	rapid.Check(t, func(t *rapid.T) {
		check(t, rapid.OneOf(
			rapid.StringMatching(`-?[0-9]{0,21}`),
			rapid.StringMatching(`-?922337203685477580[0-9]`),
			rapid.Map(rapid.Int64(), func(n int64) string { return strconv.FormatInt(n, 10) }),
			rapid.String(),
		).Draw(t, "s"))
	})
}
