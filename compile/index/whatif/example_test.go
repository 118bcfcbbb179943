package whatif_test

import (
	"fmt"

	"github.com/tolero-dev/tolero/compile/index"
	"github.com/tolero-dev/tolero/compile/index/whatif"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// cluster is three nodes with two web servers and an agent each. The agents tolerate
// maintenance, and the web servers for five minutes that a node is not ready.
func cluster() (*index.Snapshot, *whatif.Pods) {
	var ix index.Index
	pods := new(whatif.Pods)
	agent := []toleration.Toleration{toleration.MustParse("maintenance"), toleration.MustParse(taint.KeyNotReady)}
	web := []toleration.Toleration{toleration.MustParse(taint.KeyNotReady + ":NoExecute@300")}
	for i := 1; i <= 3; i++ {
		node := fmt.Sprint("node-", i)
		ix.Set(node, nil)
		pods.Set(whatif.Pod{Name: fmt.Sprint("agent-", i), Node: node, Owner: "DaemonSet agent", Tolerations: agent})
		for j := range 2 {
			pods.Set(whatif.Pod{Name: fmt.Sprint("web-", 2*i+j-1), Node: node, Owner: "Deployment web", Tolerations: web})
		}
	}
	return ix.Snapshot(), pods
}

func Example() {
	fleet, pods := cluster()
	plan, err := whatif.Parse(`
		kubectl cordon --all
		kubectl taint nodes node-1 node-2 maintenance:NoExecute
		kubectl taint nodes node-3 node.kubernetes.io/not-ready:NoExecute
	`)
	if err != nil {
		fmt.Println(err)
		return
	}
	r, err := whatif.Evaluate(fleet, pods, plan, whatif.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	s := r.Summary()
	fmt.Printf("%d nodes are affected: %d pods are evicted at once, %d later, %d stay\n", s.Nodes, s.EvictedNow, s.EvictedLater, s.Stay)
	for e := range r.Evictions() {
		if e.After > 0 {
			fmt.Printf("%s is evicted from %s after %v because of %v\n", e.Pod, e.Node, e.After, e.Taint)
		}
	}
	for _, c := range r.Unschedulable() {
		fmt.Printf("no node is left for %d pods that tolerate %s\n", c.Pods, toleration.FormatList(c.After))
	}
	// Output:
	// 3 nodes are affected: 4 pods are evicted at once, 2 later, 3 stay
	// web-5 is evicted from node-3 after 5m0s because of node.kubernetes.io/not-ready:NoExecute
	// web-6 is evicted from node-3 after 5m0s because of node.kubernetes.io/not-ready:NoExecute
	// no node is left for 3 pods that tolerate maintenance,node.kubernetes.io/not-ready
	// no node is left for 6 pods that tolerate node.kubernetes.io/not-ready:NoExecute@300
}

func ExampleResult_Check() {
	fleet, pods := cluster()
	plan, _ := whatif.Parse("kubectl taint nodes node-1 node-2 maintenance:NoExecute")
	r, err := whatif.Evaluate(fleet, pods, plan, whatif.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	broken, err := r.Check(whatif.Limits{
		MaxPercent:  40,
		MaxPerOwner: 3,
		Budgets:     []whatif.Budget{{Name: "web", Owners: []string{"Deployment web"}, Allowed: 1}},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, v := range broken {
		fmt.Println(v)
	}
	// Output:
	// 4 pods are evicted, and 3 are allowed by the share of running pods
	// 4 pods of "Deployment web" are evicted, and 3 are allowed
	// 4 pods of budget "web" are evicted, and 1 is allowed
}

func ExampleResult_Stages() {
	fleet, pods := cluster()
	plan, _ := whatif.Parse("kubectl taint nodes --all maintenance:NoExecute")
	r, err := whatif.Evaluate(fleet, pods, plan, whatif.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	stages, err := r.Stages(whatif.Limits{MaxPods: 4})
	if err != nil {
		fmt.Println(err)
		return
	}
	for i, stage := range stages {
		fmt.Printf("stage %d evicts %d pods:\n%v", i+1, stage.Summary().Evicted(), stage.Plan())
	}
	// Output:
	// stage 1 evicts 4 pods:
	// kubectl taint nodes node-1 node-2 maintenance:NoExecute
	// stage 2 evicts 2 pods:
	// kubectl taint nodes node-3 maintenance:NoExecute
}

func ExampleEvaluate_tolerations() {
	fleet, pods := cluster()
	plan := whatif.Plan{Steps: []whatif.Step{
		{Nodes: whatif.Nodes{Names: []string{"node-1"}}, Taints: taint.Change{Add: []taint.Taint{taint.MustParse("maintenance:NoExecute")}}},
		{Verb: whatif.SetTolerations, Owner: "DaemonSet agent", Tolerations: nil},
	}}
	r, err := whatif.Evaluate(fleet, pods, plan, whatif.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for c := range r.Classes() {
		if c.Owner != "" {
			fmt.Printf("%d pods of %s; nodes lost: %d, evicted: %d\n", c.Pods, c.Owner, c.Lost, c.Evicted)
		}
	}
	// Output:
	// 3 pods of DaemonSet agent; nodes lost: 1, evicted: 1
}
