package scheduler

import (
	"context"
	"fmt"
	"sync"
	"testing"

	v1 "k8s.io/api/core/v1"
	fwk "k8s.io/kube-scheduler/framework"
	"pgregory.net/rapid"

	"github.com/tolero-dev/tolero/match/matchtest"
)

// asking is a plugin that remembers, and one that does not, for the same questions.
type asking struct{ pl, plain *Plugin }

func newAsking(args Args) asking {
	no := false
	args.Narrow = &no
	return asking{NewPlugin(args), NewPlugin(args)}
}

// compare asks both about a pod and a node.
func (a asking) compare(tb rapid.TB, pod *v1.Pod, node *v1.Node) {
	tb.Helper()
	info := nodeInfo{node: node}
	got, want := a.pl.Filter(context.Background(), nil, pod, info), a.plain.filterOne(pod, node)
	if got.Code() != want.Code() || got.Message() != want.Message() {
		tb.Fatalf("Filter of %v on %v = %v, want %v", pod.Spec.Tolerations, node.Spec, got, want)
	}
	score, _ := a.pl.Score(context.Background(), nil, pod, info)
	if want, _ := a.plain.Score(context.Background(), nil, pod, info); score != want {
		tb.Fatalf("Score of %v on %v = %d, want %d", pod.Spec.Tolerations, node.Spec, score, want)
	}
}

// TestFleetRemembers lets nodes and pods come and change, and holds what the plugin
// remembers against the objects. The same pod is asked about again after other nodes
// brought taints that it was not compiled for.
func TestFleetRemembers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		on := rapid.Bool().Draw(t, "comparisons")
		a := newAsking(Args{ComparisonOperators: &on, NameTaints: rapid.Bool().Draw(t, "named"), IgnoreCordon: rapid.Bool().Draw(t, "ignore cordon")})
		var nodes []*v1.Node
		var pods []*v1.Pod
		node := func(t *rapid.T) *v1.Node {
			return newNode("n", matchtest.Taints().Draw(t, "taints"), rapid.Bool().Draw(t, "cordoned"))
		}
		t.Repeat(map[string]func(*rapid.T){
			"node": func(t *rapid.T) { nodes = append(nodes, node(t)) },
			"pod": func(t *rapid.T) {
				pods = append(pods, newPod(matchtest.Tolerations(nil).Draw(t, "tolerations")))
			},
			"change a node": func(t *rapid.T) {
				if len(nodes) > 0 {
					nodes[rapid.IntRange(0, len(nodes)-1).Draw(t, "which")] = node(t)
				}
			},
			"give a pod another list": func(t *rapid.T) {
				if len(pods) > 0 {
					pods[0].Spec.Tolerations = newPod(matchtest.Tolerations(nil).Draw(t, "tolerations")).Spec.Tolerations
				}
			},
			"prepare": func(t *rapid.T) {
				for _, pod := range pods {
					a.pl.prepare(context.Background(), pod, rapid.SampledFrom([]int{1, manyNodes, 500}).Draw(t, "nodes"))
				}
			},
			"": func(t *rapid.T) {
				for _, pod := range pods {
					for _, node := range nodes {
						a.compare(t, pod, node)
					}
				}
			},
		})
	})
}

// TestFleetLearns: what is met a second time is remembered, and bounded.
func TestFleetLearns(t *testing.T) {
	a, pod := newAsking(Args{}), newPod(mustTolerations(t, "a"))
	taints := mustTaints(t, "a:NoSchedule,b:PreferNoSchedule")
	info := nodeInfo{node: newNode("n", taints, false)}
	a.pl.remember(pod, []fwk.NodeInfo{info})
	f := a.pl.fleet.Load()
	if k := a.pl.ask(pod).find(info.node); k == nil || len(k.hard()) != 1 || len(k.soft()) != 1 {
		t.Errorf("of a node with a hard and a soft taint it remembers %v", k)
	}
	other := newPod(nil)
	for a.pl.questions.of(other) == a.pl.questions.of(pod) {
		other = newPod(nil)
	}
	a.pl.prepare(context.Background(), other, manyNodes)
	for i := range 10 * f.limit() {
		node := newNode("n", taints, i%2 == 0)
		a.compare(t, pod, node)
		a.compare(t, pod, node)
	}
	if f.used != f.limit() || a.pl.fleet.Load() != f {
		t.Errorf("%d entries, want %d", f.used, f.limit())
	}
	a.pl.prepare(context.Background(), pod, manyNodes)
	if next := a.pl.fleet.Load(); next == f || next.used != 0 {
		t.Error("a full fleet is not replaced")
	}
	for i := range a.pl.questions {
		if q := a.pl.questions[i].Load(); q != nil && q.fleet == f {
			t.Error("a question retains the full fleet and its nodes")
		}
	}
	a.compare(t, pod, info.node)
}

// TestFleetGrows: a fleet that was made for few nodes is replaced when there are many.
func TestFleetGrows(t *testing.T) {
	pl, pod := NewPlugin(Args{}), newPod(nil)
	pl.prepare(context.Background(), pod, manyNodes)
	small := pl.fleet.Load()
	pl.prepare(context.Background(), pod, small.limit())
	if pl.fleet.Load() != small {
		t.Error("there is room")
	}
	pl.prepare(context.Background(), pod, small.limit()+1)
	if big := pl.fleet.Load(); big == small || big.limit() <= small.limit() || len(big.entries.nodes) < 2*big.limit() {
		t.Errorf("%d entries for %d objects", len(big.entries.nodes), big.limit())
	}
}

// TestFleetOfNearAddresses: objects whose addresses collide are remembered or asked.
func TestFleetOfNearAddresses(t *testing.T) {
	a, pod := newAsking(Args{}), newPod(nil)
	a.pl.prepare(context.Background(), pod, manyNodes)
	objects := make([]v1.Node, 200) // next to each other
	for range 2 {
		for i := range objects {
			objects[i].Spec.Unschedulable = i%3 == 0
			a.compare(t, pod, &objects[i])
		}
	}
}

// TestFleetTogether: goroutines with their own pods and the same nodes, which change.
func TestFleetTogether(t *testing.T) {
	on := true
	a := newAsking(Args{ComparisonOperators: &on})
	lists := mustTolerations(t, "a,b==x,c>3,d:NoSchedule,*:NoExecute")
	var group sync.WaitGroup
	for w := range 4 {
		group.Go(func() {
			pod := newPod(lists[w:])
			for round := range 20 {
				a.pl.prepare(context.Background(), pod, 100)
				for i := range 100 {
					taints := fmt.Sprintf("a=%d:NoSchedule,b=x:NoExecute,c=%d:NoExecute,d=%d:PreferNoSchedule", i%7, i%9, round)
					a.compare(t, pod, newNode("n", mustTaints(t, taints), i%5 == 0))
				}
			}
		})
	}
	group.Wait()
}

// TestQuestionIsForThisPod: a pod with another list or another pod is another question.
func TestQuestionIsForThisPod(t *testing.T) {
	pl, pod := NewPlugin(Args{}), newPod(mustTolerations(t, "a,b"))
	pl.prepare(context.Background(), pod, manyNodes-1)
	if pl.ask(pod) != nil {
		t.Error("few nodes are prepared for")
	}
	pl.prepare(context.Background(), pod, manyNodes)
	q := pl.ask(pod)
	if q == nil {
		t.Fatal("no question")
	}
	pl.prepare(context.Background(), pod, manyNodes)
	if pl.ask(pod) != q {
		t.Error("the same pod is compiled again")
	}
	twin := pod.DeepCopy()
	if q.about(twin) {
		t.Error("another object is the same")
	}
	copied := *pod
	if q.about(&copied) {
		t.Error("another object with the same list is the same")
	}
	pod.Spec.Tolerations = pod.Spec.Tolerations[:1]
	if q.about(pod) {
		t.Error("a shorter list is the same")
	}
	pod.Spec.Tolerations = mustV1(t, "a,b")
	if q.about(pod) {
		t.Error("another list is the same")
	}
	if (*question)(nil).about(pod) {
		t.Error("no question is about a pod")
	}
}

func mustV1(tb rapid.TB, text string) []v1.Toleration {
	return newPod(mustTolerations(tb, text)).Spec.Tolerations
}
