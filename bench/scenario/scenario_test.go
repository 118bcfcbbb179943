package scenario_test

import (
	"reflect"
	"slices"
	"testing"

	"github.com/tolero-dev/tolero/bench/scenario"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// comparing are the rules of a cluster with Gt and Lt.
var comparing = toleration.Rules{Comparisons: true}

// forEach runs check for every scenario.
func forEach(t *testing.T, check func(t *testing.T, makeCluster scenario.Maker)) {
	for _, name := range scenario.Names() {
		makeCluster, ok := scenario.Find(name)
		if !ok {
			t.Fatalf("no scenario %q", name)
		}
		t.Run(name, func(t *testing.T) { check(t, makeCluster) })
	}
}

func TestFind(t *testing.T) {
	if want := []string{"pools", "unique", "numeric", "timestamps", "daemonsets", "permuted", "halfown", "distinct", "softtimes", "nearlyclean"}; !slices.Equal(scenario.Names(), want) {
		t.Errorf("the names are %q, want %q", scenario.Names(), want)
	}
	for _, name := range []string{"", "Pools", "pool"} {
		if _, ok := scenario.Find(name); ok {
			t.Errorf("there is a scenario %q", name)
		}
	}
}

func TestSameSeedSameCluster(t *testing.T) {
	forEach(t, func(t *testing.T, makeCluster scenario.Maker) {
		first := makeCluster(1, 300, 300)
		if !reflect.DeepEqual(first, makeCluster(1, 300, 300)) {
			t.Error("the same seed gives two clusters")
		}
		if reflect.DeepEqual(first, makeCluster(2, 300, 300)) {
			t.Error("another seed gives the same cluster")
		}
	})
}

func TestSizes(t *testing.T) {
	sizes := []struct{ nodes, pods, wantNodes, wantPods int }{
		{0, 0, 0, 0}, {1, 0, 1, 0}, {0, 1, 0, 1}, {7, 3, 7, 3}, {-1, 4, 0, 4}, {4, -1, 4, 0}, {-5, -5, 0, 0},
	}
	forEach(t, func(t *testing.T, makeCluster scenario.Maker) {
		for _, size := range sizes {
			c := makeCluster(3, size.nodes, size.pods)
			if len(c.Nodes) != size.wantNodes || len(c.Pods) != size.wantPods {
				t.Errorf("%d nodes and %d pods asked for, got %d and %d", size.nodes, size.pods, len(c.Nodes), len(c.Pods))
			}
		}
	})
}

func TestNamesAreDistinct(t *testing.T) {
	forEach(t, func(t *testing.T, makeCluster scenario.Maker) {
		c := makeCluster(4, 2000, 2000)
		nodes, pods := map[string]bool{}, map[string]bool{}
		for _, n := range c.Nodes {
			nodes[n.Name] = true
		}
		for _, p := range c.Pods {
			pods[p.Name] = true
		}
		if len(nodes) != len(c.Nodes) || len(pods) != len(c.Pods) || nodes[""] || pods[""] {
			t.Errorf("%d names for %d nodes, %d names for %d pods", len(nodes), len(c.Nodes), len(pods), len(c.Pods))
		}
	})
}

// Every list is one that the API server would take (rules V1, V2).
func TestV1V2ListsAreValid(t *testing.T) {
	forEach(t, func(t *testing.T, makeCluster scenario.Maker) {
		for seed := range uint64(5) {
			c := makeCluster(seed, 500, 500)
			for _, n := range c.Nodes {
				if err := taint.Validate(n.Taints); err != nil {
					t.Errorf("seed %d: %s: %v", seed, n.Name, err)
				}
			}
			for _, p := range c.Pods {
				if err := comparing.Validate(p.Tolerations); err != nil {
					t.Errorf("seed %d: %s: %v", seed, p.Name, err)
				}
			}
		}
	})
}

// The shares that the documentation promises, within three percentage points.
func TestPoolsShares(t *testing.T) {
	const n = 20_000
	c := scenario.Pools(5, n, n)
	has := func(key string) func(node scenario.Node) bool {
		return func(node scenario.Node) bool { return taint.KeyExists(node.Taints, key) }
	}
	shares := []struct {
		name     string
		got      int
		atLeast  int
		lessThan int
	}{
		{"untainted nodes", count(c.Nodes, func(n scenario.Node) bool { return len(n.Taints) == 0 }), 34, 40},
		{"nodes not ready", count(c.Nodes, has(taint.KeyNotReady)), 1, 5},
		{"unreachable nodes", count(c.Nodes, has(taint.KeyUnreachable)), 0, 4},
		{"candidates for deletion", count(c.Nodes, has(taint.KeyDeletionCandidate)), 1, 5},
		{"pods with the defaults only", count(c.Pods, func(p scenario.Pod) bool { return len(p.Tolerations) == 2 }), 47, 60},
	}
	for _, share := range shares {
		if percent := share.got * 100 / n; percent < share.atLeast || percent >= share.lessThan {
			t.Errorf("%s: %d %%, want from %d to %d", share.name, percent, share.atLeast, share.lessThan)
		}
	}
}

func count[T any](items []T, is func(T) bool) (n int) {
	for _, item := range items {
		if is(item) {
			n++
		}
	}
	return n
}

// In the unique scenario no two nodes share a taint, and every pod tolerates
// that of some node, or of none where there is none.
func TestUnique(t *testing.T) {
	c := scenario.Unique(6, 100, 100)
	seen := map[string]bool{}
	for _, n := range c.Nodes {
		if len(n.Taints) != 1 || n.Taints[0].Value != n.Name {
			t.Errorf("%s has %v", n.Name, n.Taints)
		}
		seen[n.Taints[0].Value] = true
	}
	for _, p := range c.Pods {
		if own := p.Tolerations[0]; !seen[own.Value] {
			t.Errorf("%s tolerates %v", p.Name, own)
		}
	}
	if lonely := scenario.Unique(6, 0, 1).Pods[0].Tolerations[0].Value; lonely != "none" {
		t.Errorf("without nodes a pod tolerates %q", lonely)
	}
}

// Lists that share memory must not share room to grow: a caller that appends
// to one would write into another.
func TestListsHaveNoSharedRoom(t *testing.T) {
	forEach(t, func(t *testing.T, makeCluster scenario.Maker) {
		want := makeCluster(7, 500, 500)
		c := makeCluster(7, 500, 500)
		for i := range c.Nodes {
			_ = append(c.Nodes[i].Taints, taint.Taint{Key: "mine"})
		}
		for i := range c.Pods {
			_ = append(c.Pods[i].Tolerations, toleration.Toleration{Key: "mine"})
		}
		if !reflect.DeepEqual(c, want) {
			t.Error("appending to one list changed another")
		}
	})
}
