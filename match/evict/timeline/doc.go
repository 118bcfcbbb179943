// Package timeline answers: when does each pod leave if these nodes go silent now? It
// plays the node life-cycle controller (package taint/lifecycle) and the
// taint-eviction controller (package match/evict) against each other and notes what
// they decide. It has no rules of its own.
//
//	t, err := timeline.Play(&timeline.Cluster{
//		Start:    now,
//		Config:   lifecycle.Defaults(),
//		Nodes:    nodes,
//		Pods:     pods,
//		Outages: []timeline.Outage{{Node: "node-1"}, {Node: "node-2", Until: now.Add(10 * time.Minute)}},
//	})
//	for _, i := range t.Evicted {
//		fmt.Println(t.Sentence(i)) // web on node-1 is evicted after 5m55s (lost after 55s, tainted after 55s); time is up ...
//	}
//	os.WriteFile("timeline.svg", t.SVG(), 0o644)
//
// # What happens to a silent node
//
//	silent ──grace period──> lost ──zone's turn──> tainted ──seconds──> pods evicted
//	          (rule C3)             (C4, C5)     NoExecute    (E1, E2)
//	   └──────────── heartbeats come back: Ready, taints off, evictions cancelled (C2, E4)
//
// All times of the result are durations since [Cluster.Start]; those of what was
// before are negative.
//
// # Heartbeats
//
// A node had its last heartbeat at State.Heartbeat. From Start on, Start included, the
// next ones come at whole multiples of [Cluster.HeartbeatInterval] after that one, except
// while the node is silent: from From until before Until. At a heartbeat that finds the node
// lost, its kubelet reports the conditions that the node was given with, or
// [lifecycle.Healthy] if these are Unknown or none.
//
// # What is assumed
//
//   - The controllers have been running for the grace period, with a look at the nodes at
//     Start itself. Nobody outside knows when a real controller looks: it decides up to a
//     MonitorPeriod earlier or later.
//   - Zones have not had to wait: their limiters are full at Start.
//   - A node that is not Ready and has its NoExecute taint at Start keeps it. NoExecute
//     taints were noticed at their TimeAdded, and those without one at Start.
//   - An evicted pod is gone at once. Nothing takes its place, and no other pod comes.
//   - Leases are what they seem: [lifecycle.Config.Verify] is not called (rule C6).
//
// # Cost
//
// With n nodes, p pods and s silences Play takes (n+p+s) log (n+p+s) steps, and as much
// memory, whatever the time that passes: heartbeats that change nothing are not played.
// Each time that all zones are lost or cease to be adds n log n steps. The figures are
// those of BenchmarkPlay.
//
// The page of examples/tolero draws what is evicted when a node pool goes silent; there is a picture in
// examples/internal/page/testdata/pictures/silence.png.
package timeline
