package timeline_test

import (
	"fmt"
	"os"
	"time"

	"github.com/tolero-dev/tolero/match/evict/timeline"
	"github.com/tolero-dev/tolero/taint/lifecycle"
	"github.com/tolero-dev/tolero/toleration/admit"
)

// Two of three nodes go silent now, and one of them is back after four minutes.
func ExamplePlay() {
	now := time.Date(2026, time.January, 1, 12, 0, 0, 0, time.UTC)
	c := &timeline.Cluster{Start: now, Config: lifecycle.Defaults()}
	for _, name := range []string{"node-1", "node-2", "node-3"} {
		c.Nodes = append(c.Nodes, timeline.Node{Name: name, State: lifecycle.Node{
			Zone: "a", Conditions: lifecycle.Healthy(), Heartbeat: now.Add(-4 * time.Second),
		}})
		usual := admit.DefaultSeconds{}.Append(nil, nil) // 300 seconds
		c.Pods = append(c.Pods, timeline.Pod{Name: "web-" + name, Node: name, Tolerations: usual})
	}
	c.Outages = []timeline.Outage{{Node: "node-1"}, {Node: "node-2", Until: now.Add(4 * time.Minute)}}
	t, err := timeline.Play(c)
	if err != nil {
		fmt.Println(err)
		return
	}
	for i := range t.Pods {
		fmt.Println(c.Pods[i].Name, t.Pods[i].Outcome)
	}
	os.Stdout.Write(t.AppendText(nil, 0))
	// Output:
	// web-node-1 evicted
	// web-node-2 cancelled
	// web-node-3 unaffected
	//                NODES               PODS
	//        TIME     LOST  TAINTED SCHEDULED   EVICTED CANCELLED
	//          0s        0        0         0         0         0  zone a: 2 nodes silent
	//          1m        2        1         1         0         0
	//          2m        2        2         2         0         0
	//          4m        2        2         2         0         0  zone a: 1 node back
	//          5m        1        1         1         0         1
	//       5m55s        1        1         0         1         1
	//       5m55s        1        1         0         1         1  end
	//
	// ZONE   NODES  SILENT    LOST TAINTED      PODS   EVICTED CANCELLED   WAITING  EVICTIONS
	// a          3       2       2       2         3         1         1         0  5m55s
}
