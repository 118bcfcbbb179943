package matrix

import (
	"fmt"
	"io"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tolero-dev/tolero/bench/scenario"
	"github.com/tolero-dev/tolero/examples/internal/command"
	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/match/matchtest"
	"github.com/tolero-dev/tolero/taint"
)

func quiet() *command.Program { return &command.Program{Stderr: io.Discard} }

// engines are both engines by name.
var engines = map[string]engine{"match": matchEngine, "compile": compileEngine}

// naive is the sweep without any grouping: all pods and all nodes.
type naive struct {
	free, avoid, refused, evictNow int64

	evictAfter map[time.Duration]int64
	reasons    map[string]map[reason]int64 // by toleration list, as a set of pods counts once
}

func newNaive(c *cluster) *naive {
	n := &naive{evictAfter: map[time.Duration]int64{}, reasons: map[string]map[reason]int64{}}
	for _, p := range c.pods {
		list := fmt.Sprintf("%q", p.tolerations)
		first := n.reasons[list] == nil
		if first {
			n.reasons[list] = make(map[reason]int64)
		}
		for _, node := range c.nodes {
			v := match.Decide(node.taints, p.tolerations, counted)
			n.add(v, p.count*node.count)
			if i, hard := match.FirstUntolerated(node.taints, p.tolerations, taint.Hard, counted); hard && first {
				n.reasons[list][reason{key: node.taints[i].Key, value: node.taints[i].Value}] += node.count
			}
		}
	}
	return n
}

func (n *naive) add(v match.Verdict, count int64) {
	switch v.Scheduling {
	case match.Schedulable:
		n.free += count
	case match.Avoid:
		n.avoid += count
	case match.Unschedulable:
		n.refused += count
	}
	switch v.Eviction {
	case match.EvictNow:
		n.evictNow += count
	case match.EvictAfter:
		n.evictAfter[v.After] += count
	}
}

// clusters returns the clusters that tests ask about, by name.
func clusters() map[string]*cluster {
	clusters := map[string]*cluster{"embedded": embedded(), "odd": odd()}
	for _, name := range scenario.Names() {
		for seed := range uint64(2) {
			o := &options{scenario: name, nodes: 80, pods: 100, seed: seed}
			clusters[fmt.Sprint(name, seed)] = synthetic(o)
		}
	}
	return clusters
}

// odd returns a cluster of lists that are invalid in many ways: duplicate taints
// and unknown effects among them.
func odd() *cluster {
	c := &cluster{}
	for i := range 60 {
		list := matchtest.Taints().Example(i)
		c.nodes = append(c.nodes, node{fmt.Sprint("node-", i), list, int64(1 + i%3)})
		for j := range 4 {
			tolerations := matchtest.Tolerations(list).Example(j)
			c.pods = append(c.pods, pod{fmt.Sprint("pod-", i, "-", j), tolerations, int64(1 + j%2)})
		}
	}
	return c
}

// TestTotals compares the sweep with the naive double loop.
func TestTotals(t *testing.T) {
	for name, c := range clusters() {
		want := newNaive(c)
		for engine, e := range engines {
			t.Run(name+"/"+engine, func(t *testing.T) {
				want.check(t, evaluate(quiet(), newFleet(c, allOperators), e, 1<<20))
			})
		}
	}
}

func (n *naive) check(t *testing.T, r *report) {
	t.Helper()
	got := [4]int64{r.total.free, r.total.avoid, r.total.refused, r.total.evictNow}
	if got != [4]int64{n.free, n.avoid, n.refused, n.evictNow} {
		t.Errorf("free, avoid, refused, evict now: %d, want %+v", got, n)
	}
	if got[0]+got[1]+got[2] != r.pairs() {
		t.Errorf("%d do not add up to %d", got, r.pairs())
	}
	after := make(map[time.Duration]int64)
	for _, q := range r.total.evictAfter {
		after[time.Duration(q.of)] = q.n
	}
	if diff := cmp.Diff(n.evictAfter, after); diff != "" {
		t.Errorf("evict after (-want +got):\n%s", diff)
	}
	for i := range r.rows {
		checkReasons(t, &r.rows[i], n.reasons[fmt.Sprintf("%q", r.rows[i].tolerations)])
	}
}

func checkReasons(t *testing.T, r *row, want map[reason]int64) {
	t.Helper()
	if len(r.reasons) != len(want) || r.others != (others{}) {
		t.Errorf("%s: %d reasons, want %d", r.text, len(r.reasons), len(want))
	}
	for _, reason := range r.reasons {
		n := reason.nodes
		if reason.nodes = 0; want[reason] != n {
			t.Errorf("%s: %d nodes for %s, want %d", r.text, n, reason, want[reason])
		}
	}
}

func TestScenarioSizes(t *testing.T) {
	for _, name := range scenario.Names() {
		for _, size := range [][2]int{{1, 1}, {7, 3}, {1000, 2000}} {
			o := &options{scenario: name, nodes: size[0], pods: size[1], seed: 5}
			f := newFleet(synthetic(o), allOperators)
			if f.nodeCount != int64(size[0]) || f.podCount != int64(size[1]) {
				t.Errorf("%s: %s", name, f.size())
			}
			if name == "unique" && len(f.nodes) != size[0] {
				t.Errorf("%d taint lists for %d nodes", len(f.nodes), size[0])
			}
		}
	}
}
