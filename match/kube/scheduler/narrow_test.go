package scheduler

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"testing"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/sets"
	fwk "k8s.io/kube-scheduler/framework"
	"pgregory.net/rapid"

	"github.com/tolero-dev/tolero/match/matchtest"
)

func infosOf(nodes []*v1.Node) (infos []fwk.NodeInfo) {
	for _, node := range nodes {
		infos = append(infos, nodeInfo{node: node})
	}
	return infos
}

// TestNarrow keeps one plugin while nodes come, go, change and change places, and
// holds the names that PreFilter gives against what Filter lets pass.
func TestNarrow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		comparisons := rapid.Bool().Draw(t, "comparisons")
		pl := NewPlugin(Args{ComparisonOperators: &comparisons, IgnoreCordon: rapid.Bool().Draw(t, "ignore cordon")})
		var nodes []*v1.Node
		made := 0
		draw := func(t *rapid.T, name string) *v1.Node {
			return newNode(name, matchtest.Taints().Draw(t, "taints"), rapid.Bool().Draw(t, "cordoned"))
		}
		t.Repeat(map[string]func(*rapid.T){
			"add": func(t *rapid.T) {
				made++
				nodes = append(nodes, draw(t, fmt.Sprint("node-", made)))
			},
			"update": func(t *rapid.T) {
				if len(nodes) > 0 {
					i := rapid.IntRange(0, len(nodes)-1).Draw(t, "which")
					nodes[i] = draw(t, nodes[i].Name)
				}
			},
			"delete": func(t *rapid.T) {
				if len(nodes) > 0 {
					i := rapid.IntRange(0, len(nodes)-1).Draw(t, "which")
					nodes = append(nodes[:i:i], nodes[i+1:]...)
				}
			},
			"change places": func(t *rapid.T) { nodes = rapid.Permutation(nodes).Draw(t, "order") },
			"": func(t *rapid.T) {
				pod := newPod(matchtest.Tolerations(nil).Draw(t, "tolerations"))
				want := make(sets.Set[string])
				for _, node := range nodes {
					if pl.filterOne(pod, node).IsSuccess() {
						want.Insert(node.Name)
					}
				}
				got := pl.narrow.names(pod, infosOf(nodes))
				if few := want.Len()*narrowShare <= len(nodes) && len(nodes) > 0; few != (got != nil) {
					t.Fatalf("%d of %d nodes fit: %v", want.Len(), len(nodes), got)
				}
				if got != nil && want.Len() > 0 && !got.Equal(want) {
					t.Fatalf("the names are %v, want %v", sets.List(got), sets.List(want))
				}
				if got != nil && want.Len() == 0 && (got.Len() != 1 || !hasNode(nodes, sets.List(got)[0])) {
					t.Fatalf("none fits, and the names are %v", sets.List(got))
				}
			},
		})
	})
}

func hasNode(nodes []*v1.Node, name string) bool {
	return slices.ContainsFunc(nodes, func(node *v1.Node) bool { return node.Name == name })
}

// fewOf returns nodes of which one in share takes a pod without tolerations.
func fewOf(n, share int) (nodes []*v1.Node) {
	for i := range n {
		node := newNode(fmt.Sprint("node-", i), nil, false)
		if i%share != 0 {
			node.Spec.Taints = []v1.Taint{{Key: "a", Effect: v1.TaintEffectNoSchedule}}
		}
		nodes = append(nodes, node)
	}
	return nodes
}

// preFilter returns the names that PreFilter gives a new pod, nil for all.
func (pl *Plugin) preFilter(tb rapid.TB, nodes []*v1.Node, state fwk.CycleState) sets.Set[string] {
	tb.Helper()
	result, status := pl.PreFilter(context.Background(), state, newPod(nil), infosOf(nodes))
	if status != nil {
		tb.Fatalf("PreFilter: %v", status)
	}
	if result == nil {
		return nil
	}
	return result.NodeNames
}

// TestNarrowDecides: the plugin names nodes where there are many and few fit.
func TestNarrowDecides(t *testing.T) {
	no := false
	for _, test := range []struct {
		args     Args
		n, share int
		want     int // how many names, zero for all
	}{
		{Args{}, narrowNodes - 1, narrowNodes, 0},
		{Args{}, narrowNodes, narrowNodes, 1},
		{Args{Narrow: &no}, narrowNodes, narrowNodes, 0},
		{Args{}, 1000, 1, 0},
		{Args{}, 1000, narrowShare - 1, 0},
		{Args{}, 1000, 2 * narrowShare, 63},
	} {
		if got := NewPlugin(test.args).preFilter(t, fewOf(test.n, test.share), nil); got.Len() != test.want || (got == nil) != (test.want == 0) {
			t.Errorf("%d nodes of which one in %d fits: %d names, want %d", test.n, test.share, got.Len(), test.want)
		}
	}
}

// TestNarrowLooksAtFew: where many nodes fit, the index is not made.
func TestNarrowLooksAtFew(t *testing.T) {
	pl := NewPlugin(Args{})
	pl.preFilter(t, fewOf(1000, 2), nil)
	if pl.narrow.changes != 0 {
		t.Errorf("%d nodes were set", pl.narrow.changes)
	}
}

// TestNarrowOnlyForOthers: pods that choose nodes by name, as those of DaemonSets do,
// have few nodes anyway.
func TestNarrowOnlyForOthers(t *testing.T) {
	term := func(t v1.NodeSelectorTerm) *v1.Affinity {
		return &v1.Affinity{NodeAffinity: &v1.NodeAffinity{RequiredDuringSchedulingIgnoredDuringExecution: &v1.NodeSelector{NodeSelectorTerms: []v1.NodeSelectorTerm{{}, t}}}}
	}
	for _, test := range []struct {
		name   string
		change func(*v1.Pod)
		want   bool
	}{
		{"another pod", func(*v1.Pod) {}, false},
		{"a name", func(pod *v1.Pod) { pod.Spec.NodeName = "n" }, true},
		{"an empty affinity", func(pod *v1.Pod) { pod.Spec.Affinity = &v1.Affinity{} }, false},
		{"labels", func(pod *v1.Pod) {
			pod.Spec.Affinity = term(v1.NodeSelectorTerm{MatchExpressions: []v1.NodeSelectorRequirement{{}}})
		}, false},
		{"a field", func(pod *v1.Pod) {
			pod.Spec.Affinity = term(v1.NodeSelectorTerm{MatchFields: []v1.NodeSelectorRequirement{{}}})
		}, true},
	} {
		pod := newPod(nil)
		test.change(pod)
		if got := elsewhere(nil, pod); got != test.want {
			t.Errorf("%s: %t", test.name, got)
		}
	}
	if state := (groupState{newState()}); !elsewhere(state, newPod(nil)) {
		t.Error("a group is narrowed, whose words PostFilter does not correct")
	}
}

type groupState struct{ fwk.CycleState }

func (groupState) IsPodGroupSchedulingCycle() bool { return true }

// TestNarrowFollows counts how many nodes are set and deleted for a change of the list.
func TestNarrowFollows(t *testing.T) {
	pl, nodes := NewPlugin(Args{}), fewOf(300, 300)
	changes := func(nodes []*v1.Node) int {
		before := pl.narrow.changes
		pl.preFilter(t, nodes, nil)
		return pl.narrow.changes - before
	}
	index := pl.narrow.index
	expect := func(what string, nodes []*v1.Node, want int) {
		t.Helper()
		if got := changes(nodes); got != want || pl.narrow.index != index || pl.narrow.index.Len() != len(nodes) {
			t.Errorf("%s: %d changes, want %d, and %d of %d nodes", what, got, want, pl.narrow.index.Len(), len(nodes))
		}
	}
	expect("at first", nodes, len(nodes))
	expect("the same", nodes, 0)
	shifted := slices.Insert(slices.Clone(nodes), 1, newNode("new", nil, false))
	expect("one in between", shifted, 1)
	expect("one less", nodes, 1)
	changed := slices.Clone(nodes)
	changed[7] = newNode(nodes[7].Name, nil, false)
	expect("another object", changed, 1)
	reversed := slices.Clone(changed)
	slices.Reverse(reversed)
	expect("another order", reversed, 0)
	swapped := slices.Clone(changed)
	swapped[7] = newNode("instead", nil, true)
	expect("another order, and one in the place of another", swapped, 2)
}

// TestNarrowOfPairs: a program that calls PreFilter for each pair of pod and node, with
// all nodes or with that one, does not keep the plugin busy.
func TestNarrowOfPairs(t *testing.T) {
	pl, pod, infos := NewPlugin(Args{}), newPod(nil), infosOf(fewOf(1000, 1000))
	looks := 0
	for range infos {
		if result, _ := pl.PreFilter(context.Background(), nil, pod, infos); result != nil {
			looks++
		}
	}
	if looks != 10 { // 1, 2, 4, ..., 512
		t.Errorf("all nodes were looked at %d times", looks)
	}
	version := pl.fleet.Load()
	for i := range infos {
		if result, _ := pl.PreFilter(context.Background(), nil, pod, infos[i:i+1]); result != nil {
			t.Fatal("one node is narrowed")
		}
		if got, want := pl.Filter(context.Background(), nil, pod, infos[i]).IsSuccess(), i == 0; got != want {
			t.Fatalf("node %d: %t", i, got)
		}
	}
	if pl.fleet.Load() != version || pl.narrow.changes != len(infos) {
		t.Errorf("%d nodes were set, or the fleet was forgotten", pl.narrow.changes)
	}
}

// TestNarrowTogether: goroutines with the same nodes get the right names or none.
func TestNarrowTogether(t *testing.T) {
	pl, infos := NewPlugin(Args{}), infosOf(fewOf(500, 500))
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			for range 50 {
				result, status := pl.PreFilter(context.Background(), nil, newPod(nil), infos)
				if status != nil || result != nil && (result.NodeNames.Len() != 1 || !result.NodeNames.Has("node-0")) {
					t.Errorf("PreFilter = %v, %v", result, status)
				}
			}
		})
	}
	group.Wait()
}

// TestNarrowNoNode: a node info without a node is left to Filter.
func TestNarrowNoNode(t *testing.T) {
	nodes := append([]*v1.Node{nil}, fewOf(200, 200)...)
	if names := NewPlugin(Args{}).preFilter(t, nodes, nil); names.Len() != 1 || !names.Has("node-0") {
		t.Errorf("the names are %v", names)
	}
}

// TestPostFilter says what the scheduler would have said without narrowing.
func TestPostFilter(t *testing.T) {
	for _, test := range []struct {
		name  string
		args  Args
		leave string // what the scheduler says of the nodes that were left out
		want  map[string]int
	}{
		{"as it is", Args{}, "node(s) didn't satisfy plugin(s) [ToleroTaintToleration]", map[string]int{reasonTaints: 195, reasonCordon: 4, "else": 1}},
		{"named", Args{NameTaints: true}, "node(s) didn't satisfy plugin(s) [ToleroTaintToleration]", map[string]int{"node(s) had untolerated taint {a: }": 195, reasonCordon: 4, "else": 1}},
		{"another name", Args{Name: "Other"}, "node(s) didn't satisfy plugin(s) [Other]", map[string]int{reasonTaints: 195, reasonCordon: 4, "else": 1}},
		{"of two plugins", Args{}, "node(s) didn't satisfy plugin(s) [NodeAffinity ToleroTaintToleration]", map[string]int{"node(s) didn't satisfy plugin(s) [NodeAffinity ToleroTaintToleration]": 199, "else": 1}},
	} {
		pl, nodes, state := NewPlugin(test.args), fewOf(200, 200), newState()
		for i := range 4 {
			nodes[50*i+1].Spec.Unschedulable = true
		}
		if names := pl.preFilter(t, nodes, state); names.Len() != 1 {
			t.Fatalf("%s: the names are %v", test.name, names)
		}
		s := &nodeStatuses{absent: fwk.NewStatus(fwk.UnschedulableAndUnresolvable, test.leave), set: map[string]*fwk.Status{"node-0": fwk.NewStatus(fwk.Unschedulable, "else")}}
		if result, status := pl.PostFilter(context.Background(), state, newPod(nil), s); result != nil || status.Code() != fwk.Unschedulable || len(status.Reasons()) != 0 {
			t.Errorf("%s: PostFilter = %v, %v", test.name, result, status)
		}
		if got := s.reasons(nodes); !maps.Equal(got, test.want) {
			t.Errorf("%s: the reasons are %v, want %v", test.name, got, test.want)
		}
		for name, status := range s.set {
			if name != "node-0" && (status.Plugin() != pl.Name() || status.Code() != fwk.UnschedulableAndUnresolvable) {
				t.Errorf("%s: a status of %s, %v", test.name, status.Plugin(), status.Code())
			}
		}
	}
}

// TestPostFilterOfOthers: there is nothing to correct where nothing was left out, nor
// where it cannot be.
func TestPostFilterOfOthers(t *testing.T) {
	pl, s := NewPlugin(Args{}), &nodeStatuses{absent: fwk.NewStatus(fwk.UnschedulableAndUnresolvable), set: map[string]*fwk.Status{}}
	for _, reader := range []fwk.NodeToStatusReader{s, nil, struct{ fwk.NodeToStatusReader }{s}} {
		if result, status := pl.PostFilter(context.Background(), newState(), newPod(nil), reader); result != nil || status.Code() != fwk.Unschedulable {
			t.Errorf("PostFilter = %v, %v", result, status)
		}
	}
	if len(s.absent.Reasons()) != 0 || len(s.set) != 0 {
		t.Errorf("the statuses are %v, %v", s.absent, s.set)
	}
}

// nodeStatuses is the statuses of the nodes as the scheduler has them.
type nodeStatuses struct {
	fwk.NodeToStatusReader
	absent *fwk.Status
	set    map[string]*fwk.Status
}

func (s *nodeStatuses) AbsentNodesStatus() *fwk.Status          { return s.absent }
func (s *nodeStatuses) SetAbsentNodesStatus(status *fwk.Status) { s.absent = status }
func (s *nodeStatuses) Set(name string, status *fwk.Status)     { s.set[name] = status }

func (s *nodeStatuses) reasons(nodes []*v1.Node) map[string]int {
	counts := make(map[string]int)
	for _, node := range nodes {
		status, found := s.set[node.Name]
		if !found {
			status = s.absent
		}
		for _, reason := range status.Reasons() {
			counts[reason]++
		}
	}
	return counts
}
