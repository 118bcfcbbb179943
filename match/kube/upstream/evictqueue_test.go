package upstream

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	clienttesting "k8s.io/client-go/testing"
	"k8s.io/kubernetes/pkg/features"
	"pgregory.net/rapid"

	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/match/evict"
	"github.com/tolero-dev/tolero/match/kube"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// both is upstream's controller and evict.Queue, told the same at the same time.
// Neither takes pods away that it evicts: that is for the script.
type both struct {
	controller *evictionController
	queue      *evict.Queue[string]
	nodes      map[string]bool
	pods       map[string]bool
	ours       []string // evictions by evict.Queue
	cancelled  int      // evictions that evict.Queue had scheduled

	mu          sync.Mutex
	theirs      []string // evictions by the controller
	cancelsSeen int      // that the controller told of
}

// runBoth runs a script in a bubble and compares the evictions.
func runBoth(t *testing.T, script func(*both)) (b *both) {
	synctest.Test(t, func(t *testing.T) {
		runController(t, nil, nil, func(c *evictionController) {
			rules := toleration.Rules{Comparisons: utilfeature.DefaultFeatureGate.Enabled(features.TaintTolerationComparisonOperators)}
			b = &both{controller: c, queue: evict.New[string](match.FirstMatch, rules), nodes: map[string]bool{nodeName: true}, pods: map[string]bool{}}
			c.client.PrependReactor("delete", "pods", b.recordDeletion)
			c.client.PrependReactor("*", "events", b.recordEvent)
			b.tell(b.queue.SetNode(nil, time.Now(), nodeName, nil))
			script(b)
			time.Sleep(24 * time.Hour)
			synctest.Wait()
			b.tell(b.queue.Advance(nil, time.Now()))
		})
	})
	b.ours, b.theirs = inOrder(b.ours), inOrder(b.theirs)
	return b
}

// inOrder sorts evictions, which begin with the time: upstream's order of those
// of one moment is that of its goroutines.
func inOrder(evictions []string) []string {
	return slices.SortedFunc(slices.Values(evictions), cmp.Compare[string])
}

func eviction(at time.Duration, pod string) string {
	return fmt.Sprintf("%15d ns %s", at.Nanoseconds(), pod)
}

func (b *both) recordDeletion(action clienttesting.Action) (handled bool, result runtime.Object, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.theirs = append(b.theirs, eviction(time.Since(b.controller.start), action.(clienttesting.DeleteAction).GetName()))
	return true, nil, nil
}

// recordEvent counts the events by which the controller tells of cancellations.
func (b *both) recordEvent(action clienttesting.Action) (handled bool, result runtime.Object, err error) {
	if create, ok := action.(clienttesting.CreateAction); ok {
		if event, ok := create.GetObject().(*v1.Event); ok && strings.HasPrefix(event.Message, "Cancelling") {
			b.mu.Lock()
			b.cancelsSeen++
			b.mu.Unlock()
		}
	}
	return true, &v1.Event{}, nil
}

// tell notes what the queue decides, when the controller has decided too.
func (b *both) tell(decisions []evict.Decision[string]) {
	synctest.Wait()
	for _, d := range decisions {
		if d.Reason.Evicts() {
			b.ours = append(b.ours, eviction(d.Due.Sub(b.controller.start), d.Pod))
		} else {
			b.cancelled++
		}
	}
}

func (b *both) must(_ any, err error) {
	if err != nil {
		b.controller.t.Fatal(err)
	}
}

func (b *both) setNode(name string, taints []taint.Taint) {
	node := newNode(taints)
	node.Name = name
	nodes := b.controller.client.CoreV1().Nodes()
	if b.nodes[name] {
		b.must(nodes.Update(context.Background(), node, metav1.UpdateOptions{}))
	} else {
		b.must(nodes.Create(context.Background(), node, metav1.CreateOptions{}))
	}
	b.nodes[name] = true
	b.tell(b.queue.SetNode(nil, time.Now(), name, taints))
}

func (b *both) deleteNode(name string) {
	if b.nodes[name] {
		b.must(nil, b.controller.client.CoreV1().Nodes().Delete(context.Background(), name, metav1.DeleteOptions{}))
	}
	delete(b.nodes, name)
	b.tell(b.queue.DeleteNode(nil, time.Now(), name))
}

func (b *both) setPod(name, node string, tolerations []toleration.Toleration) {
	pod := &v1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: name},
		Spec: v1.PodSpec{NodeName: node, Tolerations: kube.AppendV1Tolerations(nil, tolerations)}}
	pods := b.controller.client.CoreV1().Pods("default")
	if b.pods[name] {
		b.must(pods.Update(context.Background(), pod, metav1.UpdateOptions{}))
	} else {
		b.must(pods.Create(context.Background(), pod, metav1.CreateOptions{}))
	}
	b.pods[name] = true
	b.tell(b.queue.SetPod(nil, time.Now(), name, node, tolerations))
}

// deletePod goes to the store of the fake client, past recordDeletion.
func (b *both) deletePod(name string) {
	if b.pods[name] {
		b.must(nil, b.controller.client.Tracker().Delete(v1.SchemeGroupVersion.WithResource("pods"), "default", name))
	}
	delete(b.pods, name)
	b.tell(b.queue.DeletePod(nil, time.Now(), name))
}

// sleep lets time pass. Neither waits for the other.
func (b *both) sleep(d time.Duration) {
	time.Sleep(d)
	b.tell(b.queue.Advance(nil, time.Now()))
}

// TestE5Queue runs scripts of what can happen to a pod with an eviction scheduled,
// and compares evictions and cancellations. The taint comes at 0 s and the change
// at 100 s, unless the script says otherwise.
func TestE5Queue(t *testing.T) {
	slow, tolerations := mustTaints("slow:NoExecute"), mustTolerations("slow@300,quick@10,slower@3000,none@0,calm")
	for _, test := range []struct {
		name   string
		change func(b *both)
		want   string // seconds of the evictions
		cancel int    // cancellations that the controller tells of
	}{
		{"E2: nothing", func(*both) {}, "300", 0},
		{"E5: sooner", func(b *both) { b.setNode("n", mustTaints("slow:NoExecute", "quick:NoExecute")) }, "300", 0},
		{"E5: sooner, at once", func(b *both) { b.setNode("n", mustTaints("slow:NoExecute", "none:NoExecute")) }, "300", 0},
		{"E5: later", func(b *both) { b.setNode("n", mustTaints("slower:NoExecute")) }, "300", 0},
		{"E1: untolerated", func(b *both) { b.setNode("n", mustTaints("slow:NoExecute", "other:NoExecute")) }, "100", 1},
		{"E4: gone", func(b *both) { b.setNode("n", nil) }, "", 1},
		{"E4: another effect", func(b *both) { b.setNode("n", mustTaints("slow:NoSchedule")) }, "", 1},
		{"E4: back", func(b *both) { b.setNode("n", nil); b.sleep(time.Second); b.setNode("n", slow) }, "401", 1},
		{"E2: without limit", func(b *both) { b.setNode("n", mustTaints("calm:NoExecute")) }, "", 1},
		{"E4: duplicate", func(b *both) { b.setNode("n", slow) }, "300", 0},
		{"E5: tolerations, less", func(b *both) { b.setPod("p", "n", mustTolerations("slow@150")) }, "300", 0},
		{"E5: tolerations, more", func(b *both) { b.setPod("p", "n", mustTolerations("slow@600")) }, "300", 0},
		{"E5: tolerations, none left", func(b *both) { b.setPod("p", "n", mustTolerations("slow@0")) }, "300", 0},
		{"E1: tolerations gone", func(b *both) { b.setPod("p", "n", nil) }, "100", 1},
		{"E2: tolerations without limit", func(b *both) { b.setPod("p", "n", mustTolerations("slow")) }, "", 1},
		{"pod gone", func(b *both) { b.deletePod("p") }, "", 1},
		{"pod gone and back", func(b *both) { b.deletePod("p"); b.setPod("p", "n", tolerations) }, "400", 1},
		{"node gone", func(b *both) { b.deleteNode("n") }, "300", 0},
		{"node gone, then tolerations", func(b *both) { b.deleteNode("n"); b.setPod("p", "n", nil) }, "300", 0},
		{"node gone and back", func(b *both) { b.deleteNode("n"); b.setNode("n", slow) }, "300", 0},
		{"node gone and back without taints", func(b *both) { b.deleteNode("n"); b.setNode("n", nil) }, "", 1},
		{"pod elsewhere, no taints", func(b *both) { b.setNode("m", nil); b.setPod("p", "m", tolerations) }, "300", 0},
		{"pod elsewhere, unknown", func(b *both) { b.setPod("p", "m", tolerations) }, "300", 0},
		{"pod elsewhere, taints", func(b *both) { b.setNode("m", mustTaints("quick:NoExecute")); b.setPod("p", "m", tolerations) }, "300", 0},
		{"pod elsewhere, untolerated", func(b *both) { b.setNode("m", mustTaints("other:NoExecute")); b.setPod("p", "m", tolerations) }, "100", 1},
		{"E6: evicted, and still there", func(b *both) { b.sleep(250 * time.Second); b.setNode("n", mustTaints("slow=x:NoExecute")) }, "300 650", 0},
		{"E1: evicted at once, and still there", func(b *both) {
			b.setNode("n", mustTaints("other:NoExecute"))
			b.sleep(time.Second)
			b.setNode("n", mustTaints("other=x:NoExecute"))
		}, "100 101", 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			b := runBoth(t, func(b *both) {
				b.setPod("p", "n", tolerations)
				b.setNode("n", slow)
				b.sleep(100 * time.Second)
				test.change(b)
			})
			var want []string
			for _, s := range strings.Fields(test.want) {
				at, _ := time.ParseDuration(s + "s")
				want = append(want, eviction(at, "p"))
			}
			if !slices.Equal(b.theirs, want) || !slices.Equal(b.ours, want) {
				t.Errorf("the controller evicts %q, the queue %q, want %q", b.theirs, b.ours, want)
			}
			// The controller tells of a cancellation also where it evicts at once
			// what it would have evicted later; the queue tells of the eviction.
			cancel := test.cancel
			if strings.HasPrefix(test.want, "100") {
				cancel = 0
			}
			if b.cancelsSeen != test.cancel || b.cancelled != cancel {
				t.Errorf("the controller cancels %d, the queue %d, want %d and %d", b.cancelsSeen, b.cancelled, test.cancel, cancel)
			}
		})
	}
}

// TestE1E5QueueGenerated compares the evictions of generated sequences of events.
// No event happens at the moment of an eviction, because then upstream's order is
// that of its goroutines: the milliseconds of every moment at which something
// changes are different.
func TestE1E5QueueGenerated(t *testing.T) {
	checkLess(t, 10)
	for name, on := range map[string]bool{"gate off": false, "gate on": true} {
		t.Run(name, func(t *testing.T) {
			setGate(t, on)
			compareGenerated(t)
		})
	}
}

func compareGenerated(t *testing.T) {
	sequences, evictions := 0, 0
	rapid.Check(t, func(r *rapid.T) {
		script := scripts.Draw(r, "script")
		b := runBoth(t, func(b *both) {
			for i, act := range script {
				if act.pause >= 0 {
					past := time.Since(b.controller.start)
					b.sleep((past + act.pause).Truncate(time.Second) + time.Second + time.Duration(i)*time.Millisecond - past)
				}
				act.on(b)
			}
		})
		sequences, evictions = sequences+1, evictions+len(b.theirs)
		if !slices.Equal(b.ours, b.theirs) {
			r.Fatalf("the queue evicts\n%s\nthe controller\n%s", strings.Join(b.ours, "\n"), strings.Join(b.theirs, "\n"))
		}
	})
	t.Logf("%d sequences, %d evictions", sequences, evictions)
}

// checkLess makes rapid check a part of the cases that it does by default, for a
// test in which each takes long.
func checkLess(t *testing.T, part int) {
	checks := flag.Lookup("rapid.checks").Value
	before := checks.String()
	n, err := strconv.Atoi(before)
	if err != nil {
		t.Fatal(err)
	}
	_ = checks.Set(strconv.Itoa(max(1, n/part)))
	t.Cleanup(func() { _ = checks.Set(before) })
}

// act is an event, after a pause, or at the moment of the one before if the pause
// is negative.
type act struct {
	pause       time.Duration
	kind        string
	pod, node   string
	taints      []taint.Taint
	tolerations []toleration.Toleration
}

func (a act) on(b *both) {
	switch a.kind {
	case "set node":
		b.setNode(a.node, a.taints)
	case "delete node":
		b.deleteNode(a.node)
	case "set pod":
		b.setPod(a.pod, a.node, a.tolerations)
	case "delete pod":
		b.deletePod(a.pod)
	}
}

var (
	queueTaints = rapid.SliceOfN(rapid.SampledFrom(append(
		mustTaints("a:NoExecute", "a=x:NoExecute", "a=5:NoExecute", "b:NoExecute", "c:NoExecute", "a:NoSchedule", "c:PreferNoSchedule"),
		taint.Taint{Key: "a", Effect: taint.NoExecute, TimeAdded: &taint.Time{Time: time.Date(1999, 12, 31, 0, 0, 0, 0, time.UTC)}},
	)), 0, 3)
	queueTolerations = rapid.SliceOfN(rapid.SampledFrom(mustTolerations("a@60,a@300,a,b@10,b@900,c@60,c=x@5,a:NoSchedule@1,*@400,*,a@0,b@-1,c@9223372036,a>4@60,a>3,a<9@200")), 0, 4)
	queueTolerating  = rapid.Map(queueTolerations, func(list []toleration.Toleration) []toleration.Toleration {
		return append(list[:len(list):len(list)], mustTolerations("*@400")...)
	})
	acts = rapid.Custom(func(t *rapid.T) act {
		return act{
			pause:       rapid.SampledFrom([]time.Duration{-1, 0, time.Second, 30 * time.Second, 100 * time.Second, 350 * time.Second}).Draw(t, "pause"),
			kind:        rapid.SampledFrom([]string{"set node", "set node", "set node", "set pod", "set pod", "set pod", "delete node", "delete pod"}).Draw(t, "kind"),
			pod:         rapid.SampledFrom([]string{"p", "q", "r"}).Draw(t, "pod"),
			node:        rapid.SampledFrom([]string{"n", "n", "m"}).Draw(t, "node"),
			taints:      queueTaints.Draw(t, "taints"),
			tolerations: rapid.OneOf(queueTolerations, queueTolerating).Draw(t, "tolerations"),
		}
	})
	scripts = rapid.SliceOfN(acts, 10, 60)
)

// TestN5Queue: with the gate off, Gt does not protect a pod, and a pod that was
// evicted is evicted once more when nothing but such a toleration changes.
func TestN5Queue(t *testing.T) {
	for on, seconds := range map[bool][]int{false: {0, 100}, true: {300}} {
		t.Run(fmt.Sprint("gate on ", on), func(t *testing.T) {
			setGate(t, on)
			b := runBoth(t, func(b *both) {
				b.setPod("p", "n", mustTolerations("a>4@300"))
				b.setNode("n", mustTaints("a=5:NoExecute"))
				b.sleep(100 * time.Second)
				b.setPod("p", "n", mustTolerations("a>3@300"))
			})
			var want []string
			for _, s := range seconds {
				want = append(want, eviction(time.Duration(s)*time.Second, "p"))
			}
			if !slices.Equal(b.theirs, want) || !slices.Equal(b.ours, want) {
				t.Errorf("the controller evicts %q, the queue %q, want %q", b.theirs, b.ours, want)
			}
		})
	}
}

// TestE3QueueDifference shows the one difference: 18446744074 s overflow to 0.29 s
// in upstream. The queue takes them for the 292 years that a duration can hold.
func TestE3QueueDifference(t *testing.T) {
	b := runBoth(t, func(b *both) {
		b.setPod("overflows", "n", mustTolerations("a@18446744074"))
		b.setPod("forever", "n", mustTolerations("a@9223372037")) // negative, which is for ever
		b.setNode("n", mustTaints("a:NoExecute"))
	})
	if want := []string{eviction(290448384, "overflows")}; !slices.Equal(b.theirs, want) || len(b.ours) != 0 {
		t.Errorf("the controller evicts %q, the queue %q", b.theirs, b.ours)
	}
	for _, pod := range []string{"overflows", "forever"} {
		if d, ok := b.queue.Find(pod); !ok || d.Due.Sub(b.controller.start) < 292*365*24*time.Hour {
			t.Errorf("%s is scheduled: %t, %v", pod, ok, d.Due)
		}
	}
}
