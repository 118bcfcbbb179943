package upstream

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/fake"
	clienttesting "k8s.io/client-go/testing"
	"k8s.io/client-go/tools/cache"
	"k8s.io/kubernetes/pkg/controller/tainteviction"

	"github.com/tolero-dev/tolero/match/kube"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// evictionController is upstream's taint-eviction controller at work in a
// synctest bubble, where time passes only when all its goroutines wait: a day
// takes no longer than its events.
type evictionController struct {
	t      *testing.T
	client *fake.Clientset
	start  time.Time

	mu      sync.Mutex
	evicted map[string]time.Duration // by name of the pod, since start
}

const nodeName = "n"

// runController starts the controller with one node and a pod on it for each
// list, named by its number, calls script, and stops the controller. It must be
// called in a bubble.
func runController(t *testing.T, taints []taint.Taint, pods [][]toleration.Toleration, script func(*evictionController)) {
	objects := []runtime.Object{newNode(taints)}
	for i, tolerations := range pods {
		objects = append(objects, newPod(i, tolerations))
	}
	c := &evictionController{t: t, client: fake.NewClientset(objects...), evicted: map[string]time.Duration{}}
	c.client.PrependReactor("patch", "pods", func(clienttesting.Action) (bool, runtime.Object, error) { return true, &v1.Pod{}, nil })
	c.client.PrependReactor("*", "events", func(clienttesting.Action) (bool, runtime.Object, error) { return true, &v1.Event{}, nil })
	c.client.PrependReactor("delete", "pods", c.recordDeletion)
	ctx, cancel := context.WithCancel(quietly())
	factory := informers.NewSharedInformerFactory(c.client, 0)
	podInformer := factory.Core().V1().Pods()
	byNode := cache.Indexers{"spec.nodeName": func(object any) ([]string, error) { return []string{object.(*v1.Pod).Spec.NodeName}, nil }}
	if err := podInformer.Informer().AddIndexers(byNode); err != nil {
		t.Fatal(err)
	}
	controller, err := tainteviction.New(ctx, c.client, podInformer, factory.Core().V1().Nodes(), "taint-eviction-controller")
	if err != nil {
		t.Fatal(err)
	}
	factory.Start(ctx.Done())
	factory.WaitForCacheSync(ctx.Done())
	c.start = time.Now() // waiting takes 100 ms before 1.36
	var running sync.WaitGroup
	running.Go(func() { controller.Run(ctx) })
	script(c)
	cancel()
	running.Wait()
	factory.Shutdown()
}

// recordDeletion notes when a pod was deleted and leaves it in place: hundreds
// of deletions at one instant are more than the fake client can tell its
// watchers. For the same reason the status of the pod is not written before;
// and events are dropped, because keeping them takes most of the time.
func (c *evictionController) recordDeletion(action clienttesting.Action) (handled bool, result runtime.Object, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.evicted[action.(clienttesting.DeleteAction).GetName()] = time.Since(c.start)
	return true, nil, nil
}

// setTaints changes the taints of the node.
func (c *evictionController) setTaints(taints ...taint.Taint) {
	if _, err := c.client.CoreV1().Nodes().Update(context.Background(), newNode(taints), metav1.UpdateOptions{}); err != nil {
		c.t.Fatal(err)
	}
}

// evictedAt returns when the i-th pod was evicted, since start, and whether it
// was.
func (c *evictionController) evictedAt(i int) (time.Duration, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	after, evicted := c.evicted[podName(i)]
	return after, evicted
}

func newNode(taints []taint.Taint) *v1.Node {
	return &v1.Node{ObjectMeta: metav1.ObjectMeta{Name: nodeName}, Spec: v1.NodeSpec{Taints: kube.AppendV1Taints(nil, taints)}}
}

func newPod(i int, tolerations []toleration.Toleration) *v1.Pod {
	return &v1.Pod{
		ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: podName(i)},
		Spec:       v1.PodSpec{NodeName: nodeName, Tolerations: kube.AppendV1Tolerations(nil, tolerations)},
	}
}

func podName(i int) string { return fmt.Sprintf("pod-%d", i) }

// evictions runs the controller for the given time and returns when each pod
// was evicted; those that were not are missing.
func evictions(t *testing.T, taints []taint.Taint, pods [][]toleration.Toleration, horizon time.Duration) map[int]time.Duration {
	evicted := map[int]time.Duration{}
	synctest.Test(t, func(t *testing.T) {
		runController(t, taints, pods, func(c *evictionController) {
			time.Sleep(horizon)
			for i := range pods {
				if after, ok := c.evictedAt(i); ok {
					evicted[i] = after
				}
			}
		})
	})
	return evicted
}
