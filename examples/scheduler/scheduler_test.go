package main

import (
	"fmt"
	"maps"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/tolero-dev/tolero/fuzz/target"
	"github.com/tolero-dev/tolero/match/matchtest"
	"github.com/tolero-dev/tolero/toleration"
)

// failer is a test, or a run of a property.
type failer interface {
	Helper()
	Fatalf(format string, args ...any)
}

// twins is two schedulers that get the same events.
type twins struct {
	failer
	s *scheduler
	n *naive
}

func newTwins(t failer) *twins { return &twins{t, newScheduler(), &naive{}} }

func (w *twins) tell(e event) {
	w.Helper()
	e.tell(w.s)
	e.tell(w.n)
	w.compare(&e)
}

// compare fails unless both have bound the same pods to the same nodes, for the
// same time, after the same evictions; and unless each pod that was woken was
// bound.
func (w *twins) compare(e *event) {
	w.Helper()
	if len(w.s.pods) != len(w.n.pods) || len(w.s.cache.byName) != len(w.n.nodes) || len(w.s.queue.active) > 0 {
		w.Fatalf("%s: %d pods, %d nodes, %d pods left to try", e.text, len(w.s.pods), len(w.s.cache.byName), len(w.s.queue.active))
	}
	waiting := 0
	for _, want := range w.n.pods {
		p := w.s.pods[want.name]
		if got, want := w.s.where(p), whereNaive(want); got != want {
			w.Fatalf("%s: %s is %s, want %s", e.text, p.name, got, want)
		}
		if want.on == nil {
			waiting++
		}
	}
	c := &w.s.counts
	if w.s.queue.length != waiting || len(w.s.queue.all()) != waiting {
		w.Fatalf("%s: %d pods wait, want %d", e.text, w.s.queue.length, waiting)
	}
	if c.evicted != w.n.evicted || c.timedOut != w.n.timedOut || c.displaced != w.n.displaced || c.wakeAll != w.n.wakeAll {
		w.Fatalf("%s: counted %+v, want %d evicted, %d timed out, %d displaced, %d to wake", e.text, *c, w.n.evicted, w.n.timedOut, w.n.displaced, w.n.wakeAll)
	}
	if c.vain != 0 || c.wakeUps > c.wakeAll {
		w.Fatalf("%s: woken in vain: %+v", e.text, *c)
	}
}

func (s *scheduler) where(p *pod) string {
	switch {
	case p == nil:
		return "unknown"
	case p.node == nil:
		return "pending"
	case p.leaving:
		return fmt.Sprintf("on %s until %v", p.node.name, p.due.Sub(epoch))
	}
	if d, found := s.evictions.Find(p); found {
		return fmt.Sprintf("on %s until %v", p.node.name, d.Due.Sub(epoch))
	}
	return "on " + p.node.name
}

func whereNaive(p *naivePod) string {
	switch {
	case p.on == nil:
		return "pending"
	case p.leaves != nil:
		return fmt.Sprintf("on %s until %v", p.on.name, *p.leaves)
	}
	return "on " + p.on.name
}

// compareReasons fails unless both say the same of each pod that is pending.
func (w *twins) compareReasons() {
	w.Helper()
	for _, want := range w.n.pods {
		if want.on != nil {
			continue
		}
		p := w.s.pods[want.name]
		d := w.s.diagnose(p.class, p.request)
		if reasons := w.n.reasons(want); !maps.Equal(d.why, reasons) || d.nodes != len(w.n.nodes) {
			w.Fatalf("%s is said to be pending because %v, want %v", p.name, d, reasons)
		}
	}
}

// TestStories compares the schedulers on what the program plays.
func TestStories(t *testing.T) {
	seeds := uint64(4)
	if testing.Short() {
		seeds = 1
	}
	for seed := range seeds {
		for _, size := range [][3]int{{0, 0, 50}, {1, 5, 100}, {5, 40, 300}, {30, 200, 120}} {
			t.Run(fmt.Sprint(seed, size), func(t *testing.T) {
				o := &options{nodes: size[0], pods: size[1], events: size[2], seed: seed}
				w, story := newTwins(t), newScript(o)
				for _, e := range story.begin(o.nodes, o.pods) {
					e.tell(w.s)
					e.tell(w.n)
				}
				for i := range o.events {
					w.tell(story.next())
					if i%50 == 0 {
						w.compareReasons()
					}
				}
				w.compareReasons()
			})
		}
	}
}

// TestRandomEvents compares the schedulers after random events, with lists that
// are invalid, too.
func TestRandomEvents(t *testing.T) { rapid.Check(t, checkEvents) }

func FuzzEvents(f *testing.F) { target.Fuzz(f, target.Rapid(checkEvents)) }

func checkEvents(t *rapid.T) {
	w := newTwins(t)
	podNames := rapid.Map(rapid.IntRange(0, 15), func(i int) string { return fmt.Sprint("pod-", i) })
	nodeNames := rapid.Map(rapid.IntRange(0, 5), func(i int) string { return fmt.Sprint("node-", i) })
	amounts := rapid.Int64Range(0, 6)
	setNodes := func(t *rapid.T) {
		w.tell(setNode(nodeSpec{nodeNames.Draw(t, "name"), matchtest.Taints().Draw(t, "taints"),
			rapid.Bool().Draw(t, "cordoned"), amounts.Draw(t, "capacity")}))
	}
	addPods := func(t *rapid.T) {
		taints := matchtest.Taints().Draw(t, "taints")
		if len(w.n.nodes) > 0 && rapid.Bool().Draw(t, "near") {
			taints = rapid.SampledFrom(w.n.nodes).Draw(t, "node").all
		}
		w.tell(addPod(podSpec{podNames.Draw(t, "name"), matchtest.Tolerations(taints).Draw(t, "tolerations"), amounts.Draw(t, "request")}))
	}
	t.Repeat(map[string]func(*rapid.T){
		"setNode": setNodes,
		"better": func(t *rapid.T) { // a node that pods wait for
			if len(w.n.nodes) == 0 {
				return
			}
			n := rapid.SampledFrom(w.n.nodes).Draw(t, "node").nodeSpec
			n.cordoned = false
			if len(n.taints) > 0 {
				n.taints = n.taints[1:]
			}
			w.tell(setNode(n))
		},
		"deleteNode": func(t *rapid.T) { w.tell(deleteNode(nodeNames.Draw(t, "name"))) },
		"addPod":     addPods,
		"addFriend": func(t *rapid.T) { // a pod that may go to a node with taints, maybe for a time
			if len(w.n.nodes) == 0 {
				return
			}
			var list []toleration.Toleration
			for _, x := range rapid.SampledFrom(w.n.nodes).Draw(t, "node").all {
				seconds := rapid.Ptr(rapid.SampledFrom([]int64{-1, 0, 1, 60, 300, 1 << 62}), true).Draw(t, "seconds")
				list = append(list, toleration.Toleration{Key: x.Key, Operator: toleration.OpExists, Effect: x.Effect, TolerationSeconds: seconds})
			}
			w.tell(addPod(podSpec{podNames.Draw(t, "name"), list, amounts.Draw(t, "request")}))
		},
		"deletePod": func(t *rapid.T) { w.tell(deletePod(podNames.Draw(t, "name"))) },
		"wait": func(t *rapid.T) {
			wait := time.Duration(rapid.SampledFrom([]int64{1, 60, 299, 300, 1 << 20}).Draw(t, "seconds")) * time.Second
			e := deletePod("none")
			e.wait = wait
			w.tell(e)
		},
		"": func(t *rapid.T) { w.compareReasons() },
	})
}
