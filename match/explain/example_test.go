package explain_test

import (
	"fmt"

	"github.com/tolero-dev/tolero/match/explain"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

func ExampleQuery_Explain() {
	node, _ := taint.ParseList("dedicated=gpu:NoSchedule,node.kubernetes.io/unreachable:NoExecute")
	pod, _ := toleration.ParseList("dedicated==cpu:NoSchedule,node.kubernetes.io/unreachable:NoExecute@300")
	q := explain.Query{Taints: node, Tolerations: pod}
	e := q.Explain()
	fmt.Println(e.Verdict)
	for _, reason := range e.Reasons {
		if !reason.Tolerated {
			fmt.Println("the nearest is", reason.Toleration, "and what differs is", reason.Differs)
		}
	}
	fmt.Println(e)
	// Output:
	// unschedulable, evict after 5m0s
	// the nearest is dedicated==cpu:NoSchedule and what differs is value
	// not schedulable: dedicated=gpu:NoSchedule is not tolerated; evicted after 5m0s because of node.kubernetes.io/unreachable:NoExecute
	//   dedicated=gpu:NoSchedule is not tolerated; nearest is tolerations[0], dedicated==cpu:NoSchedule: its value is "cpu"
	//   node.kubernetes.io/unreachable:NoExecute is tolerated by tolerations[1], node.kubernetes.io/unreachable:NoExecute@300
}

func ExampleQuery_Add() {
	node, _ := taint.ParseList("dedicated=gpu:NoSchedule,spot:NoExecute")
	pod, _ := toleration.ParseList("spot:NoExecute@60")
	q := explain.Query{Taints: node, Tolerations: pod}

	r := q.Add(explain.ToSchedule)
	fmt.Println(r)
	fmt.Println(toleration.FormatList(r.Apply(nil, pod)))
	fmt.Println()
	// The seconds of the first toleration that matches count: additions come first.
	r = q.Add(explain.ToScheduleAndStay)
	fmt.Println(r)
	fmt.Println(toleration.FormatList(r.Apply(nil, pod)))
	// Output:
	// add dedicated==gpu:NoSchedule
	// dedicated==gpu:NoSchedule,spot:NoExecute@60
	//
	// add dedicated==gpu:NoSchedule
	// add spot==:NoExecute
	// dedicated==gpu:NoSchedule,spot==:NoExecute,spot:NoExecute@60
}

func ExampleQuery_Edit() {
	node, _ := taint.ParseList("dedicated=gpu:NoSchedule,spot:NoExecute")
	pod, _ := toleration.ParseList("dedicated==cpu:NoSchedule,spot:NoExecute@60")
	q := explain.Query{Taints: node, Tolerations: pod}
	r := q.Edit(explain.ToScheduleAndStay)
	fmt.Println(r)
	// Output:
	// change tolerations[0], dedicated==cpu:NoSchedule, to dedicated:NoSchedule
	// change tolerations[1], spot:NoExecute@60, to spot:NoExecute
}

// A message to somebody who may not see the values of taints.
func ExampleQuery_hideValues() {
	node, _ := taint.ParseList("tenant=acme:NoSchedule")
	q := explain.Query{Taints: node, HideValues: true}
	fmt.Println(q.Explain())
	fmt.Println(q.Add(explain.ToSchedule))
	// Output:
	// not schedulable: tenant:NoSchedule is not tolerated; may stay
	//   tenant:NoSchedule is not tolerated; no toleration comes near
	// add tenant:NoSchedule
}

func ExampleEviction() {
	node, _ := taint.ParseList("node.kubernetes.io/unreachable:NoExecute")
	pod, _ := toleration.ParseList("*:NoExecute@30,node.kubernetes.io/unreachable:NoExecute@300")
	q := explain.Query{Taints: node, Tolerations: pod}
	e := q.Explain()
	fmt.Println(pod[e.Eviction.Listed.Toleration], "counts")
	fmt.Println(e.Eviction)
	// Output:
	// *:NoExecute@30 counts
	// evicted after 30s; in another order of the tolerations, evicted after 30s at the soonest and evicted after 5m0s at the latest
}
