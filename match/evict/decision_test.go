package evict_test

import (
	"testing"
	"time"

	"github.com/tolero-dev/tolero/match/evict"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

func TestDecisionReads(t *testing.T) {
	granted := toleration.Toleration{Key: "k", Operator: toleration.OpExists, Effect: taint.NoExecute, TolerationSeconds: new(int64)}
	decision := func(why evict.Reason, tolerated *toleration.Toleration) evict.Decision[string] {
		return evict.Decision[string]{
			Pod: "web", Node: "node-1", Reason: why, Due: time.Date(2026, time.January, 1, 12, 5, 0, 0, time.UTC),
			Taint: taint.MustParse("k:NoExecute"), Toleration: tolerated,
		}
	}
	for _, c := range []struct {
		decision evict.Decision[string]
		want     string
	}{
		{decision(evict.Untolerated, nil), "pod web is evicted from node-1 at 2026-01-01T12:05:00Z: k:NoExecute is untolerated"},
		{decision(evict.TimeUp, &granted), "pod web is evicted from node-1 at 2026-01-01T12:05:00Z: time is up for k:NoExecute, tolerated by k:NoExecute@0"},
		{decision(evict.TimeUp, nil), "pod web is evicted from node-1 at 2026-01-01T12:05:00Z: time is up for k:NoExecute"},
		{decision(evict.NoLimit, &granted), "pod web is not evicted from node-1 at 2026-01-01T12:05:00Z for k:NoExecute: no limit"},
		{decision(evict.TaintsGone, nil), "pod web is not evicted from node-1 at 2026-01-01T12:05:00Z for k:NoExecute: taints are gone"},
		{decision(evict.NodeGone, nil), "pod web is not evicted from node-1 at 2026-01-01T12:05:00Z for k:NoExecute: node is gone"},
		{decision(evict.PodGone, nil), "pod web is not evicted from node-1 at 2026-01-01T12:05:00Z for k:NoExecute: pod is gone"},
		{decision(9, nil), "nothing is decided about pod web on node-1: Reason(9)"},
		{evict.Decision[string]{}, "nothing is decided about pod  on : Reason(0)"},
	} {
		if got := c.decision.String(); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
}
