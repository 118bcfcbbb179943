package scheduler

import (
	"context"
	"fmt"
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
		pl := NewPlugin(Args{Narrow: true, ComparisonOperators: &comparisons, IgnoreCordon: rapid.Bool().Draw(t, "ignore cordon")})
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
					if pl.filter(pod, node).IsSuccess() {
						want.Insert(node.Name)
					}
				}
				result, status := pl.PreFilter(context.Background(), nil, pod, infosOf(nodes))
				if status != nil {
					t.Fatalf("PreFilter: %v", status)
				}
				if few := want.Len()*narrowShare <= len(nodes); few != (result != nil) {
					t.Fatalf("%d of %d nodes fit: %v", want.Len(), len(nodes), result)
				}
				if result != nil && !result.NodeNames.Equal(want) {
					t.Fatalf("PreFilter gives %v, want %v", sets.List(result.NodeNames), sets.List(want))
				}
			},
		})
	})
}

// TestNarrowOff: unless it is asked for, all nodes are looked at.
func TestNarrowOff(t *testing.T) {
	result, status := NewPlugin(Args{}).PreFilter(context.Background(), nil, newPod(nil), infosOf([]*v1.Node{newNode("n", nil, true)}))
	if result != nil || status != nil {
		t.Errorf("PreFilter = %v, %v", result, status)
	}
}

// TestNarrowNoNode: a node info without a node is left to Filter.
func TestNarrowNoNode(t *testing.T) {
	infos := infosOf([]*v1.Node{nil, newNode("n", nil, true)})
	if result, status := NewPlugin(Args{Narrow: true}).PreFilter(context.Background(), nil, newPod(nil), infos); result.AllNodes() || status != nil {
		t.Errorf("PreFilter = %v, %v", result, status)
	}
}
