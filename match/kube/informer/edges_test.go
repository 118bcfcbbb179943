package informer

import (
	"slices"
	"testing"
	"testing/synctest"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/cache"

	"github.com/tolero-dev/tolero/match/kube"
	"github.com/tolero-dev/tolero/taint"
)

// TestTaintsOfItsOwn: a TaintsFunc may return a slice that it keeps, and gets it back as
// it was.
func TestTaintsOfItsOwn(t *testing.T) {
	own := []taint.Taint{{Key: "a", Effect: taint.NoSchedule}, {Key: "b", Effect: taint.NoExecute}}
	want := slices.Clone(own)
	inBubble(t, func(t *testing.T, c *cluster) {
		nodes, err := WatchFunc(c.informer, func(dst []taint.Taint, node *v1.Node) []taint.Taint {
			if node.Name == "own" {
				return own[:1]
			}
			return kube.AppendNodeTaints(dst, node)
		})
		if err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		c.set(newNode(t, "n", "c:NoSchedule,d:NoSchedule"), false)
		synctest.Wait()
		if !slices.Equal(own, want) {
			t.Errorf("the function's slice is now %v", own)
		}
		check(t, nodes.Snapshot(), map[string]*v1.Node{"own": newNode(t, "own", "a:NoSchedule"), "n": c.model["n"]})
	}, newNode(t, "own", ""), newNode(t, "n", ""))
}

// TestTaintsFuncAsks: a TaintsFunc may ask for a snapshot, which is the one before.
func TestTaintsFuncAsks(t *testing.T) {
	inBubble(t, func(t *testing.T, c *cluster) {
		var before []int
		c.nodes.handling.Lock()
		c.nodes.taints = func(dst []taint.Taint, node *v1.Node) []taint.Taint {
			before = append(before, c.nodes.Snapshot().Len())
			return kube.AppendNodeTaints(dst, node)
		}
		c.nodes.handling.Unlock()
		c.set(newNode(t, "m", ""), false)
		c.check(t)
		if !slices.Equal(before, []int{1}) {
			t.Errorf("nodes before the event: %v", before)
		}
	}, newNode(t, "n", ""))
}

// TestStopWakes: who waits for a change goes on when the index is stopped, and nobody
// waits after that.
func TestStopWakes(t *testing.T) {
	inBubble(t, func(t *testing.T, c *cluster) {
		var looks int
		done := make(chan struct{})
		go func() {
			defer close(done)
			for !c.nodes.IsStopped() {
				changed := c.nodes.Changed()
				looks++
				<-changed
			}
		}()
		synctest.Wait()
		for range 2 {
			if err := c.nodes.Stop(); err != nil {
				t.Fatal(err)
			}
		}
		c.nodes.add(newNode(t, "late", "")) // an event that was handed over before
		<-done
		<-c.nodes.Changed()
		if looks != 1 || c.nodes.Snapshot().Len() != 2 {
			t.Errorf("%d looks, %d nodes", looks, c.nodes.Snapshot().Len())
		}
	}, newNode(t, "n", ""))
}

// TestEdgesOfEvents: events that are not about a node change nothing and are reported; a
// pointer to a tombstone is one.
func TestEdgesOfEvents(t *testing.T) {
	pod := &v1.Pod{}
	pod.Name = "n"
	for name, test := range map[string]struct {
		event func(n *Nodes)
		nodes int
		errs  int
	}{
		"a pod of the same name":   {func(n *Nodes) { n.delete(pod) }, 1, 1},
		"nothing":                  {func(n *Nodes) { n.add(nil); n.update(nil, nil); n.delete(nil) }, 1, 3},
		"nil nodes":                {func(n *Nodes) { var no *v1.Node; n.add(no); n.update(no, no); n.delete(no) }, 1, 3},
		"a nil tombstone":          {func(n *Nodes) { n.delete((*cache.DeletedFinalStateUnknown)(nil)) }, 1, 1},
		"a pointer to a tombstone": {func(n *Nodes) { n.delete(&cache.DeletedFinalStateUnknown{Key: "n"}) }, 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, c *cluster) {
				errs := reported(t)
				test.event(c.nodes)
				if got := c.nodes.Snapshot().Len(); got != test.nodes || len(*errs) != test.errs {
					t.Errorf("%d nodes and errors %q, want %d and %d", got, *errs, test.nodes, test.errs)
				}
			}, newNode(t, "n", ""))
		})
	}
}

// TestAddOverAdd: a node that is added with another UID has a new ID, and a late deletion
// of the old one leaves it there.
func TestAddOverAdd(t *testing.T) {
	withUID := func(uid types.UID) *v1.Node {
		node := newNode(t, "n", "a:NoSchedule")
		node.UID = uid
		return node
	}
	inBubble(t, func(t *testing.T, c *cluster) {
		old, _ := c.nodes.Snapshot().ID("n")
		c.nodes.add(withUID("2"))
		id, _ := c.nodes.Snapshot().ID("n")
		if id == old {
			t.Error("the new node has the old ID")
		}
		c.nodes.delete(withUID("1"))
		if after, known := c.nodes.Snapshot().ID("n"); !known || after != id {
			t.Error("a late deletion took the new node")
		}
		c.nodes.delete(withUID("2"))
		if n := c.nodes.Snapshot().Len(); n != 0 {
			t.Errorf("%d nodes", n)
		}
	}, withUID("1"))
}
