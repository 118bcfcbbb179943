package main

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
)

func TestDiff(t *testing.T) {
	for _, test := range []struct{ old, new, want string }{
		{"a\n", "a\n", ""},
		{"", "a\n", "1: +a\n"},
		{"a\nb\nc\n", "a\nc\n", "2: -b\n"},
		{"a\nb\nc\nd\n", "a\nx\nc\nd\ny\n", "2: -b\n3: +x\n5: +y\n"},
		{"a\nb\n", "b\na\n", "1: -a\n3: +a\n"},
		{"a", "a\n", "2: +\n"},
	} {
		if got := diff(test.old, test.new); got != test.want {
			t.Errorf("%q to %q:\n%swant:\n%s", test.old, test.new, got, test.want)
		}
	}
	enormous := strings.Repeat("a\n", 3000)
	if got := diff("x\n"+enormous, enormous+"y\n"); strings.Count(got, ": -") > 3000 || apply(t, "x\n"+enormous, got) != enormous+"y\n" {
		t.Errorf("%d bytes for enormous texts", len(got))
	}
}

// A difference takes the old text to the new one.
func TestDiffLeadsFromOldToNew(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	lines := func(n int) string {
		var b strings.Builder
		for range n {
			fmt.Fprintln(&b, random.IntN(5))
		}
		return b.String()
	}
	for range 2000 {
		old, new := lines(random.IntN(12)), lines(random.IntN(12))
		if got := apply(t, old, diff(old, new)); got != new {
			t.Fatalf("%q to %q: %q by\n%s", old, new, got, diff(old, new))
		}
	}
}

// apply changes a text as a difference says.
func apply(t *testing.T, old, difference string) string {
	t.Helper()
	var lines []string
	rest, at := strings.Split(old, "\n"), 1
	for text := range strings.Lines(difference) {
		number, text, _ := strings.Cut(strings.TrimSuffix(text, "\n"), ": ")
		line, err := strconv.Atoi(number)
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		lines, rest, at = append(lines, rest[:line-at]...), rest[line-at:], line
		switch {
		case text[0] == '+':
			lines = append(lines, text[1:])
		case rest[0] != text[1:]:
			t.Fatalf("line %d is %q, not %q", line, rest[0], text[1:])
		default:
			rest, at = rest[1:], at+1
		}
	}
	return strings.Join(append(lines, rest...), "\n")
}
