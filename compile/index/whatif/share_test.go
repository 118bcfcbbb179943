package whatif_test

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/tolero-dev/tolero/compile/index"
	"github.com/tolero-dev/tolero/compile/index/whatif"
	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// Results are good after the pods have changed: pods that move, go and come under other owners
// and with other lists, in the places of those that went, until all are gone.
func TestResultsOutliveChanges(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := drawWorld(t)
		w.times = nil
		fleet, pods := w.build()
		var results []*whatif.Result
		var want []answer
		for range rapid.IntRange(1, 3).Draw(t, "plans") {
			plan := drawPlan(t, w)
			if a := w.apply(plan); a != nil {
				r, err := whatif.Evaluate(fleet, pods, plan, whatif.Options{})
				if err != nil {
					t.Fatal(err)
				}
				results, want = append(results, r), append(want, a.answer(w, match.FirstMatch, epoch))
			}
			for range rapid.IntRange(0, 6).Draw(t, "changes") {
				p := whatif.Pod{Name: fmt.Sprint("pod-", rapid.IntRange(0, 25).Draw(t, "pod"))}
				w.pods = slices.DeleteFunc(slices.Clone(w.pods), func(q whatif.Pod) bool { return q.Name == p.Name })
				if pods.Delete(p.Name); rapid.Bool().Draw(t, "set") {
					p.Node = rapid.SampledFrom(append([]string{""}, w.names...)).Draw(t, "on")
					p.Owner, p.Tolerations = drawOwner.Draw(t, "owner"), drawTolerations(t)
					pods.Set(p)
					w.pods = append(w.pods, p)
				}
			}
		}
		for _, p := range w.pods {
			pods.Delete(p.Name)
		}
		pods.Set(whatif.Pod{Name: "stranger", Node: "elsewhere", Owner: "stranger", Tolerations: []toleration.Toleration{{Key: "stranger"}}})
		for i, r := range results {
			answerOf(r).compare(t, want[i])
		}
	})
}

// The taints of a node on which only the lists of pods change are those of the result, whatever plans
// follow.
func TestResultsOutliveOtherPlans(t *testing.T) {
	var ix index.Index
	ix.Set("a", []taint.Taint{taint.MustParse("first=1:NoSchedule"), taint.MustParse("second=2:NoExecute")})
	ix.Set("b", []taint.Taint{taint.MustParse("third=3:NoExecute"), taint.MustParse("fourth=4:NoSchedule")})
	fleet := ix.Snapshot()
	var pods whatif.Pods
	pods.Set(whatif.Pod{Name: "pod", Node: "a", Owner: "web"})
	evaluate := func(text string) *whatif.Result {
		plan, err := whatif.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		r, err := whatif.Evaluate(fleet, &pods, plan, whatif.Options{})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	r := evaluate("tolerations other web")
	want := answerOf(r)
	for range 10 { // now and then, the collector drops the memory that the next plan uses again
		evaluate("taint nodes b x:NoExecute")
		answerOf(r).compare(t, want)
	}
	after := r.Fleet()
	id, _ := after.ID("a")
	if got := taint.FormatList(after.AppendTaints(nil, after.Class(id))); got != "first=1:NoSchedule,second=2:NoExecute" {
		t.Errorf("the node has %s", got)
	}
}

// A result may be read while the pods change: for the race detector.
func TestResultsAreReadDuringChanges(t *testing.T) {
	fleet, pods := cluster()
	plan, err := whatif.Parse("taint nodes --all x:NoExecute")
	if err != nil {
		t.Fatal(err)
	}
	r, err := whatif.Evaluate(fleet, pods, plan, whatif.Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := answerOf(r)
	var group sync.WaitGroup
	for range 2 {
		group.Go(func() {
			for range 20 {
				answerOf(r).compare(t, want)
			}
		})
	}
	for i := range 200 {
		name := fmt.Sprint("web-", i%9)
		pods.Delete(name)
		pods.Set(whatif.Pod{Name: name, Node: fmt.Sprint("node-", i%3), Owner: fmt.Sprint(i), Tolerations: []toleration.Toleration{{Key: fmt.Sprint(i)}}})
	}
	group.Wait()
}

// evaluated returns what a plan does.
func evaluated(t *testing.T, fleet *index.Snapshot, pods *whatif.Pods, text string, o whatif.Options) *whatif.Result {
	t.Helper()
	plan, err := whatif.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	r, err := whatif.Evaluate(fleet, pods, plan, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// A plan sees an owner that came after the plan before, with a list that is not new.
func TestOwnersAreSeenAfterAPlan(t *testing.T) {
	var ix index.Index
	ix.Set("a", nil)
	var pods whatif.Pods
	for _, owner := range []string{"web", "cart", "stock"} {
		pods.Set(whatif.Pod{Name: "pod of " + owner, Node: "a", Owner: owner})
		got := map[string]bool{}
		for e := range evaluated(t, ix.Snapshot(), &pods, "taint nodes a x:NoExecute", whatif.Options{}).Evictions() {
			if got[e.Owner] = true; e.Pod != "pod of "+e.Owner {
				t.Errorf("%s is evicted, of owner %q", e.Pod, e.Owner)
			}
		}
		if !got[owner] {
			t.Errorf("no pod of %s is evicted", owner)
		}
	}
}

// A pod whose seconds are over is evicted without a plan too, under the policy that asks for
// times, and so no plan evicts it.
func TestSecondsThatAreOver(t *testing.T) {
	var ix index.Index
	ix.Set("a", []taint.Taint{taint.MustParse("old:NoExecute")})
	var pods whatif.Pods
	pods.Set(whatif.Pod{Name: "pod", Node: "a", Tolerations: []toleration.Toleration{toleration.MustParse("old:NoExecute@100")}})
	for seconds, want := range map[int]whatif.Summary{99: {Nodes: 1, EvictedNow: 1}, 100: {Nodes: 1, EvictedAnyway: 1}} {
		r := evaluated(t, ix.Snapshot(), &pods, "taint nodes a x:NoExecute", whatif.Options{
			Policy: match.SinceAdded, Now: epoch,
			Added: func(string, taint.Taint) time.Time { return epoch.Add(-time.Duration(seconds) * time.Second) },
		})
		if got := r.Summary(); got != want {
			t.Errorf("%d seconds: %+v, want %+v", seconds, got, want)
		}
	}
}

// heap returns how much memory is in use after so many garbage collections: after two, the
// caches are gone.
func heap(collections int) int {
	var m runtime.MemStats
	for range collections {
		runtime.GC()
	}
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}

// Pods retain nothing of one that went: not its name, nor that of its owner, nor its list.
func TestPodsThatWentAreNotRetained(t *testing.T) {
	const long = 8 << 20
	before := heap(3)
	var ix index.Index
	ix.Set("a", nil)
	var pods whatif.Pods
	pods.Set(whatif.Pod{Name: "stays", Node: "a", Owner: "stays"})
	pods.Set(whatif.Pod{
		Name: strings.Repeat("n", long), Node: "a", Owner: strings.Repeat("o", long),
		Tolerations: []toleration.Toleration{{Key: strings.Repeat("k", long), Operator: toleration.OpExists}},
	})
	evaluated(t, ix.Snapshot(), &pods, "taint nodes a x:NoExecute", whatif.Options{})
	pods.Delete(strings.Repeat("n", long))
	if got := heap(3) - before; got > long/2 {
		t.Errorf("%d bytes are retained", got)
	}
	runtime.KeepAlive(&pods)
}

// A result retains a few words, and no taints, of the nodes that a plan selects and does not
// change, also after all nodes were read.
func TestResultsRetainLittleOfOtherNodes(t *testing.T) {
	const nodes, most = 3000, 120 // bytes for each
	var ix index.Index
	for i := range nodes {
		taints := make([]taint.Taint, 10)
		for j := range taints {
			taints[j] = taint.Taint{Key: fmt.Sprint("k", j), Value: fmt.Sprint(i), Effect: taint.NoSchedule}
		}
		ix.Set(fmt.Sprint(i), taints)
	}
	fleet, pods := ix.Snapshot(), new(whatif.Pods)
	before := heap(3)
	r := evaluated(t, fleet, pods, "taint nodes 7 x:NoSchedule\nuncordon --all", whatif.Options{})
	for name := range r.Nodes() {
		if name != "7" {
			t.Errorf("node %s changes", name)
		}
	}
	if got := heap(3) - before; got > most*nodes {
		t.Errorf("%d bytes are retained for %d nodes", got, nodes)
	}
	runtime.KeepAlive(r)
	runtime.KeepAlive(pods)
}

// Reading the nodes of a result replaces what it has of their taints: it does not take that much
// more, also where each taint has a time of its own.
func TestTaintsAreNotRetainedTwice(t *testing.T) {
	const nodes, taints = 1000, 10
	var ix index.Index
	list := make([]taint.Taint, taints)
	for j := range list {
		list[j] = taint.Taint{Key: fmt.Sprint("k", j), Effect: taint.NoExecute}
	}
	for i := range nodes {
		ix.Set(fmt.Sprint(i), list)
	}
	fleet, pods := ix.Snapshot(), new(whatif.Pods)
	r := evaluated(t, fleet, pods, "cordon --all", whatif.Options{
		Policy: match.SinceAdded, Now: epoch, Added: func(string, taint.Taint) time.Time { return epoch },
	})
	before := heap(3)
	read := 0
	for range r.Nodes() {
		read++
	}
	if got := heap(3) - before; read != nodes || got > 20*nodes*taints {
		t.Errorf("%d bytes more for %d nodes", got, read)
	}
	runtime.KeepAlive(r)
	runtime.KeepAlive(pods)
}
