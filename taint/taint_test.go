package taint_test

import (
	"testing"

	"github.com/tolero-dev/tolero/taint"
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
