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
	//   evicted after 5m0s: tolerations[1], node.kubernetes.io/unreachable:NoExecute@300, decides; the same in every order of the tolerations
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
	fmt.Println(e.Eviction.Listed.By, "counts")
	fmt.Println(e.Eviction.Listed)
	fmt.Println(e.Eviction.Latest)
	// Output:
	// *:NoExecute@30 counts
	// evicted after 30s: tolerations[0], *:NoExecute@30, decides
	// evicted after 5m0s: tolerations[1], node.kubernetes.io/unreachable:NoExecute@300, decides
}

func ExampleQuery_Correct() {
	node, _ := taint.ParseList("dedicated=gpu:NoSchedule,spot:NoExecute")
	pod, _ := toleration.ParseList("dedicatd==gpu:NoSchedule,spot:NoExecute@60")
	q := explain.Query{Taints: node, Tolerations: pod}
	for _, goal := range []explain.Goal{explain.ToSchedule, explain.ToScheduleAndStay} {
		r := q.Correct(goal)
		fmt.Printf("to %s, %d fields\n", goal, r.Size())
		for _, e := range r.Edits {
			fmt.Printf("%s %v\n", e, e.Fields())
		}
	}
	// Output:
	// to schedule, 1 fields
	// change tolerations[0], dedicatd==gpu:NoSchedule, to dedicated==gpu:NoSchedule [key]
	// to schedule and stay, 2 fields
	// change tolerations[0], dedicatd==gpu:NoSchedule, to dedicated==gpu:NoSchedule [key]
	// change tolerations[1], spot:NoExecute@60, to spot:NoExecute [tolerationSeconds]
}
