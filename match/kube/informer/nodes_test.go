package informer

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"
	"pgregory.net/rapid"

	"github.com/tolero-dev/tolero/compile/index"
	"github.com/tolero-dev/tolero/match/kube"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

func TestFollowsEvents(t *testing.T) {
	inBubble(t, func(t *testing.T, c *cluster) {
		if !c.nodes.HasSynced() {
			t.Error("not synced although the list has been handled")
		}
		c.check(t)
		c.set(newNode(t, "n3", "a=x:NoSchedule"), false)
		c.check(t)
		c.set(newNode(t, "n1", "b:NoExecute"), false)
		c.check(t)
		c.delete("n2", false)
		c.check(t)
		c.set(newNode(t, "n2", "a=y:NoSchedule"), false) // under the same name again
		c.check(t)
	}, newNode(t, "n1", ""), newNode(t, "n2", "a:NoSchedule"))
}

// TestF7Cordon: the cordon counts at once, and no answer changes when the controller
// adds or removes the taint for it. The index changes only where the order does.
func TestF7Cordon(t *testing.T) {
	inBubble(t, func(t *testing.T, c *cluster) {
		c.check(t)
		c.set(cordoned(newNode(t, "n", "a:NoSchedule")), false)
		c.check(t)
		s := c.nodes.Snapshot()
		c.set(cordoned(newNode(t, "n", "node.kubernetes.io/unschedulable:NoSchedule,a:NoSchedule")), false)
		c.check(t)
		if c.nodes.Snapshot() != s {
			t.Error("the taint of the cordon made a new snapshot")
		}
		c.set(cordoned(newNode(t, "n", "a:NoSchedule,node.kubernetes.io/unschedulable:NoSchedule")), false)
		c.check(t)
		c.set(newNode(t, "n", "a:NoSchedule,node.kubernetes.io/unschedulable:NoSchedule"), false)
		c.check(t)
		c.set(newNode(t, "n", "a:NoSchedule"), false)
		c.check(t)
	}, newNode(t, "n", "a:NoSchedule"))
}

// TestTombstones: a node that went while the watch was broken comes as a tombstone
// with the next list.
func TestTombstones(t *testing.T) {
	inBubble(t, func(t *testing.T, c *cluster) {
		before := c.nodes.Snapshot()
		c.delete("n1", true)
		c.set(newNode(t, "n2", "a:NoSchedule"), true)
		c.set(newNode(t, "n3", ""), true)
		synctest.Wait()
		if c.nodes.Snapshot() != before {
			t.Fatal("the index knows what the informer has missed")
		}
		c.breakWatch()
		c.check(t)
	}, newNode(t, "n1", ""), newNode(t, "n2", ""))
}

// TestTombstoneWithoutObject: nothing but the key is needed.
func TestTombstoneWithoutObject(t *testing.T) {
	inBubble(t, func(t *testing.T, c *cluster) {
		c.nodes.delete(cache.DeletedFinalStateUnknown{Key: "n1"})
		delete(c.model, "n1")
		c.check(t)
	}, newNode(t, "n1", ""), newNode(t, "n2", ""))
}

// TestResync: what is handed over again changes nothing, and nor does an update of
// what is not a taint.
func TestResync(t *testing.T) {
	inBubble(t, func(t *testing.T, c *cluster) {
		var again int
		counter := cache.ResourceEventHandlerFuncs{UpdateFunc: func(_, _ any) { again++ }}
		if _, err := c.informer.AddEventHandler(counter); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		before, changed := c.nodes.Snapshot(), c.nodes.Changed()
		time.Sleep(3 * resync)
		synctest.Wait()
		heartbeat := newNode(t, "n1", "a:NoSchedule")
		heartbeat.Spec.Taints[0].TimeAdded = &metav1.Time{Time: time.Now()}
		heartbeat.Status.Conditions = []v1.NodeCondition{{Type: v1.NodeReady}}
		c.set(heartbeat, false)
		c.check(t)
		if again < 4 {
			t.Fatalf("only %d updates: there was no resync", again)
		}
		if c.nodes.Snapshot() != before {
			t.Error("a new snapshot, although nothing has changed")
		}
		select {
		case <-changed:
			t.Error("told of a change, although there was none")
		default:
		}
	}, newNode(t, "n1", "a:NoSchedule"))
}

// TestEventsInAnyOrder lets a cluster live, with a watch that breaks and misses
// things, and compares the index once the informer is up to date.
func TestEventsInAnyOrder(t *testing.T) {
	lists := rapid.SampledFrom([]string{"", "a:NoSchedule", "a=x:NoSchedule", "a=x:NoSchedule,b:NoExecute", "b:NoExecute,a=x:NoSchedule", "c:PreferNoSchedule"})
	synctest.Test(t, func(t *testing.T) {
		rapid.Check(withoutDeadline{t}, func(t *rapid.T) {
			c := newCluster(t)
			c.run()
			defer c.stop()
			for range rapid.IntRange(1, 30).Draw(t, "steps") {
				name, missed := fmt.Sprint("n", rapid.IntRange(1, 4).Draw(t, "node")), rapid.Bool().Draw(t, "missed")
				if c.model[name] != nil && rapid.Bool().Draw(t, "delete") {
					c.delete(name, missed)
				} else {
					node := newNode(t, name, lists.Draw(t, "taints"))
					node.Spec.Unschedulable = rapid.Bool().Draw(t, "cordoned")
					c.set(node, missed)
				}
				if missed {
					c.breakWatch()
				}
				c.check(t)
			}
		})
	})
}

// withoutDeadline keeps rapid from asking for the deadline of the test, which may not
// be done in a bubble.
type withoutDeadline struct{ rapid.TB }

// TestNeverAhead: while a handler is slow the index is behind the informer's store,
// by whole events, and catches up without another.
func TestNeverAhead(t *testing.T) {
	inBubble(t, func(t *testing.T, c *cluster) {
		old := maps.Clone(c.model)
		slow := make(chan struct{})
		c.nodes.handling.Lock()
		c.nodes.taints = func(dst []taint.Taint, node *v1.Node) []taint.Taint {
			<-slow
			return kube.AppendNodeTaints(dst, node)
		}
		c.nodes.handling.Unlock()
		c.set(newNode(t, "n1", "b:NoExecute"), false)
		c.set(newNode(t, "n2", "b:NoExecute"), false)
		synctest.Wait()
		if stored, _, _ := c.informer.GetStore().GetByKey("n2"); stored.(*v1.Node).Spec.Taints[0].Key != "b" {
			t.Error("the store is not ahead of the index")
		}
		check(t, c.nodes.index.Snapshot(), old)
		close(slow)
		c.check(t)
	}, newNode(t, "n1", "a:NoSchedule"), newNode(t, "n2", "a:NoSchedule"))
}

// TestSnapshotStays: a snapshot is not changed by what happens later.
func TestSnapshotStays(t *testing.T) {
	inBubble(t, func(t *testing.T, c *cluster) {
		s, old := c.nodes.Snapshot(), maps.Clone(c.model)
		c.set(newNode(t, "n1", "b:NoExecute"), false)
		c.delete("n2", false)
		c.check(t)
		check(t, s, old)
	}, newNode(t, "n1", "a:NoSchedule"), newNode(t, "n2", ""))
}

// TestNotSynced: before the informer has listed there is nothing, and HasSynced says so.
func TestNotSynced(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCluster(t, newNode(t, "n", ""))
		if c.nodes.HasSynced() || c.nodes.Snapshot().Len() != 0 {
			t.Errorf("not started, but synced: %t, nodes: %d", c.nodes.HasSynced(), c.nodes.Snapshot().Len())
		}
		c.run()
		defer c.stop()
		c.check(t)
	})
}

func TestChanged(t *testing.T) {
	inBubble(t, func(t *testing.T, c *cluster) {
		first := c.nodes.Changed()
		if c.nodes.Changed() != first {
			t.Error("two channels for one change")
		}
		c.set(newNode(t, "n", "a:NoSchedule"), false)
		synctest.Wait()
		select {
		case <-first:
		default:
			t.Error("not told of a change")
		}
		second := c.nodes.Changed()
		c.delete("n", false)
		synctest.Wait()
		select {
		case <-second:
		default:
			t.Error("not told that a node is gone")
		}
	}, newNode(t, "n", ""))
}

func TestStop(t *testing.T) {
	inBubble(t, func(t *testing.T, c *cluster) {
		old := maps.Clone(c.model)
		if err := c.nodes.Stop(); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		c.set(newNode(t, "n", "a:NoSchedule"), false)
		synctest.Wait()
		check(t, c.nodes.Snapshot(), old)
	}, newNode(t, "n", ""))
}

// TestWatchFunc leaves out the taints that a node starts with.
func TestWatchFunc(t *testing.T) {
	inBubble(t, func(t *testing.T, c *cluster) {
		nodes, err := WatchFunc(c.informer, func(dst []taint.Taint, node *v1.Node) []taint.Taint {
			return slices.DeleteFunc(kube.AppendNodeTaints(dst, node), func(x taint.Taint) bool { return strings.HasPrefix(x.Key, "startup/") })
		})
		if err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		check(t, nodes.Snapshot(), map[string]*v1.Node{"n": newNode(t, "n", "a:NoSchedule")})
	}, newNode(t, "n", "startup/agent:NoSchedule,a:NoSchedule"))
}

// TestWhatIsNoNode: the error is reported as client-go reports errors of handlers, and
// the index stays as it is.
func TestWhatIsNoNode(t *testing.T) {
	inBubble(t, func(t *testing.T, c *cluster) {
		errs := reported(t)
		c.nodes.add(&v1.Pod{})
		c.nodes.update(&v1.Pod{}, &v1.Pod{})
		c.nodes.delete("n")
		c.check(t)
		if len(*errs) != 3 || !strings.Contains((*errs)[0], "*v1.Pod") || !strings.Contains((*errs)[2], "deleted") {
			t.Errorf("errors: %q", *errs)
		}
	}, newNode(t, "n", ""))
}

func TestBadInformer(t *testing.T) {
	if n, err := Watch(nil, toleration.Rules{}); n != nil || err == nil {
		t.Errorf("Watch(nil) = %v, %v", n, err)
	}
	synctest.Test(t, func(t *testing.T) {
		c := newCluster(t)
		c.run()
		if n, err := WatchFunc(c.informer, nil); n != nil || err == nil {
			t.Errorf("WatchFunc without a function = %v, %v", n, err)
		}
		c.stop()
		if n, err := Watch(c.informer, toleration.Rules{}); n != nil || err == nil {
			t.Errorf("Watch of an informer that has been stopped = %v, %v", n, err)
		}
	})
}

// TestConcurrentReaders is for the race detector: many ask while nodes change.
func TestConcurrentReaders(t *testing.T) {
	inBubble(t, func(t *testing.T, c *cluster) {
		var group sync.WaitGroup
		for range 3 {
			group.Go(func() {
				var fit index.Fit
				for range 200 {
					changed := c.nodes.Changed()
					s := c.nodes.Snapshot()
					s.FitList(&fit, pods[1])
					if id, ok := s.ID("n"); ok && fit.Has(id) && fit.Len() == 0 {
						t.Error("no node fits, but one does")
					}
					select {
					case <-changed:
					default:
					}
				}
			})
		}
		for i := range 100 {
			c.set(newNode(t, "n", []string{"a:NoSchedule", "b:NoExecute"}[i%2]), false)
		}
		group.Wait()
		c.check(t)
	}, newNode(t, "n", ""))
}
