package taint_test

import (
	"encoding/json"
	"testing"

	"github.com/tolero-dev/tolero/taint"
	"pgregory.net/rapid"
)

func TestK3MatchesIsKeyAndEffect(t *testing.T) {
	base := taint.Taint{Key: "k", Value: "v", Effect: taint.NoSchedule, TimeAdded: instant(0)}
	tests := []struct {
		name    string
		other   taint.Taint
		matches bool
		equal   bool
	}{
		{"the same", base, true, true},
		{"another value", taint.Taint{Key: "k", Value: "w", Effect: taint.NoSchedule, TimeAdded: instant(0)}, true, false},
		{"no value", taint.Taint{Key: "k", Effect: taint.NoSchedule, TimeAdded: instant(0)}, true, false},
		{"another time", taint.Taint{Key: "k", Value: "v", Effect: taint.NoSchedule, TimeAdded: instant(1)}, true, false},
		{"no time", taint.Taint{Key: "k", Value: "v", Effect: taint.NoSchedule}, true, false},
		{"the zero time", taint.Taint{Key: "k", Value: "v", Effect: taint.NoSchedule, TimeAdded: &taint.Time{}}, true, false},
		{"the same instant elsewhere", taint.Taint{Key: "k", Value: "v", Effect: taint.NoSchedule, TimeAdded: sameInstantElsewhere(0)}, true, true},
		{"another key", taint.Taint{Key: "K", Value: "v", Effect: taint.NoSchedule, TimeAdded: instant(0)}, false, false},
		{"another effect", taint.Taint{Key: "k", Value: "v", Effect: taint.NoExecute, TimeAdded: instant(0)}, false, false},
		{"no effect", taint.Taint{Key: "k", Value: "v", TimeAdded: instant(0)}, false, false},
		{"the zero taint", taint.Taint{}, false, false},
	}
	for _, tt := range tests {
		for _, pair := range [][2]*taint.Taint{{&base, &tt.other}, {&tt.other, &base}} {
			if got := pair[0].Matches(pair[1]); got != tt.matches {
				t.Errorf("%s: %v.Matches(%v) = %v", tt.name, pair[0], pair[1], got)
			}
			if got := pair[0].Equal(pair[1]); got != tt.equal {
				t.Errorf("%s: %v.Equal(%v) = %v", tt.name, pair[0], pair[1], got)
			}
		}
	}
}

func TestEqualOfTimes(t *testing.T) {
	var zero taint.Time
	tests := []struct {
		name string
		a, b *taint.Time
		want bool
	}{
		{"both nil", nil, nil, true},
		{"nil and the zero time", nil, &zero, true},
		{"nil and an instant", nil, instant(0), false},
		{"zero times at two addresses", &zero, &taint.Time{}, true},
		{"another second", instant(0), instant(1), false},
		{"the same instant in two zones", instant(1), sameInstantElsewhere(1), true},
	}
	for _, tt := range tests {
		a, b := taint.Taint{TimeAdded: tt.a}, taint.Taint{TimeAdded: tt.b}
		if a.Equal(&b) != tt.want || b.Equal(&a) != tt.want {
			t.Errorf("%s: Equal = %v and %v, want %v", tt.name, a.Equal(&b), b.Equal(&a), tt.want)
		}
	}
}

func TestIsZero(t *testing.T) {
	for _, c := range []struct {
		time *taint.Time
		want bool
	}{{nil, true}, {&taint.Time{}, true}, {instant(0), false}} {
		if got := c.time.IsZero(); got != c.want {
			t.Errorf("%v: %v", c.time, got)
		}
	}
}

// JSON has null for a TimeAdded that points to the zero time and for none:
// reading back what was written changes nothing.
func TestZeroTimeSurvivesJSON(t *testing.T) {
	before := taint.Taint{Key: "k", Effect: taint.NoExecute, TimeAdded: &taint.Time{}}
	text, err := json.Marshal(before)
	if err != nil {
		t.Fatal(err)
	}
	var after taint.Taint
	if err := json.Unmarshal(text, &after); err != nil || !after.Equal(&before) || !before.Equal(&after) {
		t.Errorf("%s: %+v became %+v, %v", text, before, after, err)
	}
}

// Equal and Matches are equivalence relations, and Equal is the finer one.
func TestEqualLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b, c := smallTaint.Draw(t, "a"), smallTaint.Draw(t, "b"), smallTaint.Draw(t, "c")
		if !a.Equal(&a) || !a.Matches(&a) {
			t.Fatalf("%v does not equal itself", a)
		}
		if a.Equal(&b) != b.Equal(&a) || a.Matches(&b) != b.Matches(&a) {
			t.Fatalf("not symmetric: %v and %v", a, b)
		}
		if a.Equal(&b) && !a.Matches(&b) {
			t.Fatalf("equal but not matching: %v and %v", a, b)
		}
		if a.Equal(&b) && b.Equal(&c) && !a.Equal(&c) {
			t.Fatalf("not transitive: %v, %v, %v", a, b, c)
		}
		if a == b && !a.Equal(&b) {
			t.Fatalf("identical but not equal: %v", a)
		}
	})
}
