package main

import (
	"maps"
	"testing"
)

func TestParseEquivalents(t *testing.T) {
	got, err := parseEquivalents(`# comment

a/b.go: F
- if x {
+ if !x {
= x is never read

	a/c.go: T.m (2)
	- f()
	+
	= f does nothing
`)
	want := equivalents{
		{"a/b.go", "F", "if x {", "if !x {"}: "x is never read",
		{"a/c.go", "T.m (2)", "f()", ""}:     "f does nothing",
	}
	if err != nil || !maps.Equal(got, want) {
		t.Errorf("got %v, %v, want %v", got, err, want)
	}
}

func TestParseEquivalentsRefuses(t *testing.T) {
	const form = `want "file: declaration", "- before", "+ after" and "= reason"`
	tests := []struct{ name, text, err string }{
		{"too short", "\na.go: F\n- x\n+ y", "line 2: want four lines"},
		{"no declaration", "a.go\n- x\n+ y\n= z\n", "line 1: " + form},
		{"wrong sign", "a.go: F\n+ x\n- y\n= z\n", "line 1: " + form},
		{"no reason", "a.go: F\n- x\n+ y\n=\n", "line 1: " + form},
		{"reason left out", "a.go: F\n- x\n+ y\n\nb.go: F\n", "line 1: " + form},
		{"twice", "a.go: F\n- x\n+ y\n= z\na.go: F\n- x\n+ y\n= w\n", "line 5: explained twice"},
	}
	for _, tt := range tests {
		if got, err := parseEquivalents(tt.text); err == nil || err.Error() != tt.err || got != nil {
			t.Errorf("%s: got %v, %v, want %s", tt.name, got, err, tt.err)
		}
	}
}

// TestExplainedFilesExist finds the explanations that a deleted file leaves behind.
func TestExplainedFilesExist(t *testing.T) {
	m := module{root: "../.."}
	if _, err := m.readEquivalents("fuzz/mutate/equivalent.txt"); err != nil {
		t.Error(err)
	}
}
