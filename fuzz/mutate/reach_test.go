package main

import "testing"

func TestReaches(t *testing.T) {
	_, mutants := parsed(t, `package x

func f(a int) {
	switch a {
	case 7:
		a++
	}
}
`)
	const head = "mode: set\nm/y.go:6.3,6.6 1 1\n"
	tests := []struct {
		name, profile       string
		inCase, inStatement bool
	}{
		{"nothing", "", false, false},
		{"the statement alone", "m/x.go:6.3,6.6 1 1\n", true, true},
		{"the function, without the statement", "m/x.go:3.15,4.11 1 3\nm/x.go:6.3,6.6 1 0\n", true, false},
		{"the function that follows", "m/x.go:6.3,6.6 1 0\nm/x.go:10.3,10.6 1 1\n", false, false},
		{"up to the statement", "m/x.go:5.10,6.3 1 1\n", true, true},
	}
	for _, tt := range tests {
		p, err := parseProfile(head + tt.profile)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range mutants {
			want := tt.inStatement
			if m.Line == 5 {
				want = tt.inCase
			}
			if got := p.reaches(m, "m"); got != want {
				t.Errorf("%s: %v, want %v: %s", tt.name, got, want, m.diff())
			}
		}
	}
}

func TestParseProfileRefuses(t *testing.T) {
	for _, text := range []string{"x", "x:1.2,3.4 5", "x:1.2-3.4 5 6"} {
		if p, err := parseProfile(text); err == nil {
			t.Errorf("%q: got %v", text, p)
		}
	}
}
