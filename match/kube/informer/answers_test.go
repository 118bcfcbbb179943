package informer

import (
	"slices"
	"testing"
	"testing/synctest"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/tolero-dev/tolero/compile/index"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// TestN4DefaultCluster: Gt and Lt count only if the rules say so.
func TestN4DefaultCluster(t *testing.T) {
	pod := []toleration.Toleration{toleration.MustParse("a>5:NoSchedule")}
	inBubble(t, func(t *testing.T, c *cluster) {
		comparing, err := Watch(c.informer, toleration.Rules{Comparisons: true})
		if err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		var fit index.Fit
		if c.nodes.Snapshot().FitList(&fit, pod); fit.Len() != 0 {
			t.Error("the toleration counts in a default cluster")
		}
		if comparing.Snapshot().FitList(&fit, pod); fit.Len() != 1 {
			t.Error("the toleration does not count where it should")
		}
	}, newNode(t, "n", "a=7:NoSchedule"))
}

// TestF3CordonComesFirst: it is the reason that is reported.
func TestF3CordonComesFirst(t *testing.T) {
	inBubble(t, func(t *testing.T, c *cluster) {
		var fit index.Fit
		c.nodes.Snapshot().FitList(&fit, nil)
		want := []index.Reason{{Taint: taint.MustParse(taint.KeyUnschedulable + ":NoSchedule"), Nodes: 1}}
		if got := fit.AppendReasons(nil, -1); !slices.Equal(got, want) {
			t.Errorf("reasons: %v, want %v", got, want)
		}
	}, cordoned(newNode(t, "n", "a:NoSchedule")))
}

// TestIDsAreOfTheSnapshot: a snapshot finds by name what it had, whatever has
// happened since.
func TestIDsAreOfTheSnapshot(t *testing.T) {
	inBubble(t, func(t *testing.T, c *cluster) {
		before := c.nodes.Snapshot()
		c.set(newNode(t, "n", "b:NoSchedule"), false)
		c.delete("gone", false)
		c.set(newNode(t, "new", ""), false)
		synctest.Wait()
		after := c.nodes.Snapshot()
		for _, test := range []struct {
			name      string
			in        *index.Snapshot
			known     bool
			elsewhere *index.Snapshot
		}{
			{"n", before, true, after}, {"n", after, true, before}, {"gone", before, true, after},
			{"gone", after, false, before}, {"new", before, false, after}, {"new", after, true, before},
		} {
			id, ok := test.in.ID(test.name)
			if ok != test.known || test.in.Has(id) != ok || test.elsewhere.Has(id) {
				t.Errorf("%s: %v, %t", test.name, id, ok)
			}
		}
	}, newNode(t, "n", "a:NoSchedule"), newNode(t, "gone", ""))
}

// TestMadeAnew: a node with another UID is another node, whether its deletion was
// seen or missed, and with the same taints or others. The index is never without a
// node whose deletion was missed.
func TestMadeAnew(t *testing.T) {
	for _, missed := range []bool{false, true} {
		for _, taints := range []string{"a:NoSchedule", "b:NoSchedule"} {
			inBubble(t, func(t *testing.T, c *cluster) {
				before, changed := c.nodes.Snapshot(), c.nodes.Changed()
				id, _ := before.ID("n")
				c.delete("n", missed)
				c.set(withUID(newNode(t, "n", taints), "2"), missed)
				if missed {
					c.breakWatch()
				}
				c.check(t)
				after := c.nodes.Snapshot()
				if now, ok := after.ID("n"); !ok || now == id || after.Has(id) || !before.Has(id) {
					t.Errorf("missed %t, %s: the ID was %v and is %v", missed, taints, id, now)
				}
				select {
				case <-changed:
				default:
					t.Error("not told of the change")
				}
				again, same := c.nodes.Changed(), after
				c.set(withUID(newNode(t, "n", taints), "2"), false)
				c.check(t)
				select {
				case <-again:
					t.Error("told of a change of the same node")
				default:
				}
				if c.nodes.Snapshot() != same {
					t.Error("the same node made a new snapshot")
				}
			}, withUID(newNode(t, "n", "a:NoSchedule"), "1"))
		}
	}
}

func withUID(node *v1.Node, uid types.UID) *v1.Node {
	node.UID = uid
	return node
}
