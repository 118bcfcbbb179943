package toleration_test

import (
	"testing"

	"github.com/tolero-dev/tolero/match/matchtest"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// algebra is a universe in which every two value sets that differ are told
// apart by some taint: the taints have the neighbours of every bound, and a
// key, a value and an effect that no toleration names.
var algebra = matchtest.Universe{
	Keys:      []string{"", "a"},
	TaintKeys: []string{"", "a", "b"},
	Values:    []string{"", "x", "5", "6", "7", "-9223372036854775808", "-9223372036854775807", "9223372036854775806", "9223372036854775807"},
	TaintValues: []string{"", "x", "y", "0", "4", "5", "6", "7", "8", "05",
		"-9223372036854775808", "-9223372036854775807", "-9223372036854775806",
		"9223372036854775805", "9223372036854775806", "9223372036854775807", "9223372036854775808"},
	Effects:      []taint.Effect{"", taint.NoSchedule, taint.NoExecute},
	TaintEffects: []taint.Effect{taint.NoSchedule, taint.NoExecute, "Other"},
	Operators:    []toleration.Operator{"", toleration.OpEqual, toleration.OpExists, toleration.OpGt, toleration.OpLt, "In"},
	Seconds:      []*int64{nil, ptr(-1), ptr(0), ptr(60)},
}

// tolerated is the set of the universe's taints that each toleration tolerates,
// found by asking.
func tolerated(tolerations []toleration.Toleration, taints []taint.Taint) [][]bool {
	sets := make([][]bool, len(tolerations))
	for i := range tolerations {
		sets[i] = make([]bool, len(taints))
		for j := range taints {
			sets[i][j] = tolerations[i].Tolerates(&taints[j])
		}
	}
	return sets
}

// longer reports whether a grants more seconds than b, by rule E2.
func longer(a, b *int64) bool {
	switch {
	case b == nil:
		return false
	case a == nil:
		return true
	}
	return *a > *b && *a > 0
}

func TestCoversAndOverlapsAreExact(t *testing.T) {
	tolerations, taints := algebra.Tolerations(), algebra.Taints()
	sets := tolerated(tolerations, taints)
	var covers, overlaps int
	for i := range tolerations {
		a := &tolerations[i]
		for j := range tolerations {
			b := &tolerations[j]
			wantCovers, wantOverlaps := true, false
			for k := range taints {
				switch {
				case !sets[j][k]:
				case !sets[i][k] || taints[k].Effect == taint.NoExecute && longer(b.TolerationSeconds, a.TolerationSeconds):
					wantCovers = false
				}
				wantOverlaps = wantOverlaps || sets[i][k] && sets[j][k]
			}
			if got := a.Covers(b); got != wantCovers {
				t.Fatalf("%s covers %s: got %v", a, b, got)
			}
			if got := a.Overlaps(b); got != wantOverlaps {
				t.Fatalf("%s overlaps %s: got %v", a, b, got)
			}
			if wantCovers {
				covers++
			}
			if wantOverlaps {
				overlaps++
			}
		}
	}
	t.Logf("%d pairs, of which %d cover and %d overlap", len(tolerations)*len(tolerations), covers, overlaps)
}

// What the universe has no parts for: two keys, and an effect that is unknown and
// sorts before the known ones.
func TestCoversAndOverlapsOfOtherParts(t *testing.T) {
	for _, c := range []struct {
		a, b             string
		covers, overlaps bool
	}{
		{"a", "b", false, false},
		{"b", "a", false, false},
		{"a=1", "b=1", false, false},
		{"b:NoSchedule", "a:NoSchedule", false, false},
		{"a:NoExecute@0", "a:NoExecute@1", false, true},
		{"a:NoExecute@1", "a:NoExecute@0", true, true},
		{"a:NoExecute@9223372036", "a:NoExecute@9223372037", false, true},
		{"a:NoExecute@9223372037", "a:NoExecute@9223372036854775807", true, true}, // both are cut to the longest time (E3)
		{"a:NoExecute@9223372036854775807", "a:NoExecute", false, true},
		{"a:Alpha@60", "a:Alpha@300", true, true}, // seconds count for NoExecute only
		{"a:Zeta@60", "a:Zeta@300", true, true},
		{"a:Alpha", "a:Zeta", false, false},
		{"a:Zeta", "a:Alpha", false, false},
	} {
		a, b := mustParse(c.a), mustParse(c.b)
		if got := a.Covers(&b); got != c.covers {
			t.Errorf("%s covers %s: got %v", a, b, got)
		}
		if got := a.Overlaps(&b); got != c.overlaps {
			t.Errorf("%s overlaps %s: got %v", a, b, got)
		}
	}
}
