package command

import (
	"testing"
	"time"

	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// A pod with 300 s of toleration on a node that was tainted 345 s ago is late, and after 45 s
// it has 255 s left. Without one of the times, or with a taint of a time to come, nobody knows.
func TestLeft(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	seconds := int64(300)
	list := []toleration.Toleration{{Key: "a", Operator: toleration.OpExists, TolerationSeconds: &seconds}}
	for _, c := range []struct {
		ago  time.Duration
		now  time.Time
		list []toleration.Toleration
		want string
	}{
		{345 * time.Second, now, list, "due 45s ago"},
		{305 * time.Second, now, list, "now"},
		{-time.Hour, now, list, "after 5m with the taint"},
		{-time.Hour, now, nil, "now"},
		{45 * time.Second, now, list, "in 4m15s"},
		{0, now, list, "after 5m with the taint"}, // no time is known
		{45 * time.Second, time.Time{}, list, "after 5m with the taint"},
		{45 * time.Second, now, nil, "due 45s ago"},
		{0, now, nil, "now"},
	} {
		taints := []taint.Taint{{Key: "a", Effect: taint.NoExecute}}
		if c.ago != 0 {
			taints[0].TimeAdded = &taint.Time{Time: now.Add(-c.ago)}
		}
		if got := When(Left(match.Decide(taints, c.list), taints, c.now)); got != c.want {
			t.Errorf("%v ago: %s, want %s", c.ago, got, c.want)
		}
	}
}
