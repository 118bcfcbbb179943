package main

import (
	"maps"
	"path/filepath"
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

// TestExplainedMutantsExist finds explanations that outlive their code. A run of the command
// finds them, too, but nobody runs it for every file.
func TestExplainedMutantsExist(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	m := module{root: root, path: "github.com/tolero-dev/tolero"}
	explained, err := m.readEquivalents("fuzz/mutate/equivalent.txt")
	if err != nil {
		t.Fatal(err)
	}
	made := map[string]map[equivalent]bool{}
	for e := range explained {
		if made[e.file] == nil {
			made[e.file] = map[equivalent]bool{}
			src, err := m.load(filepath.Join(root, e.file))
			if err != nil {
				t.Fatal(err)
			}
			for _, mutant := range find(src, false) {
				made[e.file][mutant.equivalent()] = true
			}
		}
		if !made[e.file][e] {
			t.Errorf("there is no such mutant: %s: %s\n\t- %s\n\t+ %s", e.file, e.decl, e.before, e.after)
		}
	}
}
