package informer

import (
	"context"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/tools/cache"
	cachetesting "k8s.io/client-go/tools/cache/testing"
	"pgregory.net/rapid"

	"github.com/tolero-dev/tolero/compile/index"
	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/match/kube"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// cluster is an API server of nodes, an informer that watches it and the index that
// follows the informer. It lives in a bubble of package synctest, where the time that
// the informer waits before it lists again takes none.
type cluster struct {
	source   *cachetesting.FakeControllerSource
	informer cache.SharedIndexInformer
	nodes    *Nodes
	model    map[string]*v1.Node // what the API server has
	stop     context.CancelFunc
}

// resync is how often the informer hands over everything again.
const resync = time.Hour

func newCluster(t rapid.TB, nodes ...*v1.Node) *cluster {
	c := &cluster{source: cachetesting.NewFakeControllerSource(), model: make(map[string]*v1.Node)}
	c.informer = cache.NewSharedIndexInformer(c.source, &v1.Node{}, resync, nil)
	for _, node := range nodes {
		c.set(node, false)
	}
	var err error
	if c.nodes, err = Watch(c.informer, toleration.Rules{}); err != nil {
		t.Fatal(err)
	}
	return c
}

// run starts the informer and waits until all has been handled.
func (c *cluster) run() {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		c.informer.Run(ctx.Done())
		close(done)
	}()
	c.stop = func() {
		cancel()
		c.source.Shutdown()
		<-done
		time.Sleep(time.Minute) // the reflector's timers
	}
	synctest.Wait()
}

// set creates or updates a node in the API server. If it is missed, the watch does
// not tell.
func (c *cluster) set(node *v1.Node, missed bool) {
	kind := watch.Added
	if c.model[node.Name] != nil {
		kind = watch.Modified
	}
	c.model[node.Name] = node
	c.source.Change(watch.Event{Type: kind, Object: node.DeepCopy()}, told(missed))
}

func (c *cluster) delete(name string, missed bool) {
	c.source.Change(watch.Event{Type: watch.Deleted, Object: c.model[name].DeepCopy()}, told(missed))
	delete(c.model, name)
}

// told is the share of events that are told.
func told(missed bool) float64 {
	if missed {
		return 0
	}
	return 1
}

// breakWatch ends the watch, so that the informer lists anew.
func (c *cluster) breakWatch() {
	c.source.ResetWatch()
	time.Sleep(time.Minute) // it does not do so at once
	synctest.Wait()
}

// pods are toleration lists that tell the lists of taints apart that the tests use.
var pods = [][]toleration.Toleration{
	nil,
	{{Key: "a", Operator: toleration.OpExists}},
	{{Key: "a", Operator: toleration.OpEqual, Value: "x", Effect: taint.NoSchedule}, {Key: "b", Operator: toleration.OpExists}},
	{{Key: taint.KeyUnschedulable, Operator: toleration.OpExists}},
	{{Operator: toleration.OpExists}},
}

// check holds a snapshot against nodes, one by one (rules F2, F7).
func check(t rapid.TB, s *index.Snapshot, nodes map[string]*v1.Node) {
	t.Helper()
	if s.Len() != len(nodes) {
		t.Fatalf("the index has %d nodes, the cluster %d", s.Len(), len(nodes))
	}
	var fit index.Fit
	for _, pod := range pods {
		var got, want []string
		s.FitList(&fit, pod)
		for id := range fit.Nodes() {
			name, _ := s.Name(id)
			got = append(got, name)
		}
		for name, node := range nodes {
			_, refused := match.FirstUntolerated(kube.AppendTaints(nil, node.Spec.Taints), pod, taint.Hard)
			if !refused && !(node.Spec.Unschedulable && match.Cordoned(pod)) {
				want = append(want, name)
			}
		}
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Fatalf("pod %q fits %q, want %q", pod, got, want)
		}
	}
}

func (c *cluster) check(t rapid.TB) {
	t.Helper()
	synctest.Wait()
	check(t, c.nodes.Snapshot(), c.model)
}

func newNode(t rapid.TB, name, taints string) *v1.Node {
	list, err := taint.ParseList(taints)
	if err != nil {
		t.Fatal(err)
	}
	return &v1.Node{ObjectMeta: metav1.ObjectMeta{Name: name}, Spec: v1.NodeSpec{Taints: kube.AppendV1Taints(nil, list)}}
}

func cordoned(node *v1.Node) *v1.Node {
	node.Spec.Unschedulable = true
	return node
}

// inBubble runs a test on a cluster that has the nodes from the start.
func inBubble(t *testing.T, run func(t *testing.T, c *cluster), nodes ...*v1.Node) {
	synctest.Test(t, func(t *testing.T) {
		c := newCluster(t, nodes...)
		c.run()
		defer c.stop()
		run(t, c)
	})
}
