package lifecycle_test

import (
	"fmt"
	"time"

	"github.com/tolero-dev/tolero/taint/lifecycle"
)

// A node of three stops sending heartbeats. The caller tells what happens, asks
// when there is something to decide, and carries the decisions out.
func ExampleController() {
	start := time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC)
	c, err := lifecycle.New(lifecycle.Defaults(), start)
	if err != nil {
		panic(err)
	}
	show := func(actions []lifecycle.Action) {
		for _, a := range actions {
			if a.Node != "" {
				fmt.Println(a.At.Sub(start), a.Node, a.Reason, "add:", a.Add, "remove:", a.Remove)
			}
		}
	}
	for _, name := range []string{"node-1", "node-2", "node-3"} {
		show(c.Set(nil, start, name, lifecycle.Node{Zone: "a", Conditions: lifecycle.Healthy(), Heartbeat: start, Created: start}))
	}
	for now := start; now.Sub(start) < 70*time.Second; now = now.Add(10 * time.Second) {
		show(c.SetLease(nil, now, "node-2", now, ""))
		show(c.SetLease(nil, now, "node-3", now, ""))
	}
	show(c.Post(nil, start.Add(72*time.Second), "node-1", lifecycle.Healthy()))
	at, _ := c.Next()
	show(c.Advance(nil, at))
	// Output:
	// 55s node-1 heartbeat lost add: node.kubernetes.io/unreachable:NoSchedule remove: none
	// 55s node-1 turn came add: node.kubernetes.io/unreachable:NoExecute remove: none
	// 1m12s node-1 conditions changed add: none remove: node.kubernetes.io/unreachable:NoSchedule
	// 1m15s node-1 recovered add: none remove: node.kubernetes.io/unreachable:NoExecute
}
