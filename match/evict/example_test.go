package evict_test

import (
	"fmt"
	"time"

	"github.com/tolero-dev/tolero/fuzz/notation"
	"github.com/tolero-dev/tolero/match/evict"
	"github.com/tolero-dev/tolero/taint"
)

func Example() {
	now := time.Date(2026, time.January, 1, 12, 0, 0, 0, time.UTC)
	web, _ := notation.Tolerations("node.kubernetes.io/unreachable:NoExecute@300")
	agent, _ := notation.Tolerations("node.kubernetes.io/unreachable:NoExecute")
	down, _ := taint.ParseList("node.kubernetes.io/unreachable:NoExecute")

	var q evict.Queue[string]
	q.SetPod(nil, now, "web", "node-1", web)
	q.SetPod(nil, now, "agent", "node-1", agent)
	q.SetPod(nil, now, "batch", "node-1", nil)
	decisions := q.SetNode(nil, now, "node-1", down)
	if due, ok := q.Next(); ok {
		decisions = q.Advance(decisions, due)
	}
	for _, d := range decisions {
		fmt.Println(d.Due.Format(time.TimeOnly), d.Pod, d.Reason)
	}
	// Output:
	// 12:00:00 batch untolerated
	// 12:05:00 web time is up
}
