package evict_test

import (
	"testing"
	"time"

	"github.com/tolero-dev/tolero/match/device"
	"github.com/tolero-dev/tolero/match/device/evict"
)

func TestDecisionReads(t *testing.T) {
	due := time.Date(2026, time.January, 1, 12, 5, 0, 0, time.UTC)
	rule := evict.Cause{Rule: "broken"}
	slice := evict.Cause{Slice: "s", Device: device.ID{Driver: "d", Pool: "p", Device: "gpu"}}
	for _, c := range []struct {
		decision evict.Decision[string]
		want     string
	}{
		{evict.Decision[string]{Pod: "web", Kind: evict.Evict, Due: due, Causes: []evict.Cause{rule, slice, slice}},
			"pod web is evicted, due at 2026-01-01T12:05:00Z: DeviceTaintRule broken and 2 more"},
		{evict.Decision[string]{Pod: "web", Kind: evict.Schedule, Due: due, Causes: []evict.Cause{slice}},
			"pod web is to be evicted at 2026-01-01T12:05:00Z: " + slice.String()},
		{evict.Decision[string]{Pod: "web", Kind: evict.Move, Due: due, Was: due.Add(4 * time.Minute), Causes: []evict.Cause{rule}},
			"pod web is to be evicted at 2026-01-01T12:05:00Z instead of 2026-01-01T12:09:00Z: DeviceTaintRule broken"},
		{evict.Decision[string]{Pod: "web", Kind: evict.Cancel, Due: due, Causes: []evict.Cause{rule}},
			"pod web is not evicted at 2026-01-01T12:05:00Z for DeviceTaintRule broken"},
		{evict.Decision[string]{Pod: "web", Kind: evict.Cancel, Due: due}, "pod web is not evicted at 2026-01-01T12:05:00Z"},
		{evict.Decision[string]{Pod: "web"}, "nothing is decided about pod web: Kind(0)"},
	} {
		if got := c.decision.String(); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
}
