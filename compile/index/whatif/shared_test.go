package whatif_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/tolero-dev/tolero/compile/index"
	"github.com/tolero-dev/tolero/compile/index/whatif"
	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

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

// The pods of a node are copied once after a plan, not for each that goes.
func TestPodsAreCopiedOnce(t *testing.T) {
	const n = 5000
	var ix index.Index
	ix.Set("a", nil)
	var pods whatif.Pods
	names := make([]string, n)
	for i := range names {
		names[i] = fmt.Sprint(i)
		pods.Set(whatif.Pod{Name: names[i], Node: "a"})
	}
	evaluated(t, ix.Snapshot(), &pods, "taint nodes a x:NoExecute", whatif.Options{})
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for _, name := range names {
		pods.Delete(name)
	}
	runtime.ReadMemStats(&after)
	if got, most := int(after.TotalAlloc-before.TotalAlloc), 200*n+1<<20; got > most {
		t.Errorf("%d bytes for %d pods that go, want at most %d", got, n, most)
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

// What an evaluation keeps for the next one retains no pods that went since a larger plan.
func TestCachesRetainNoPods(t *testing.T) {
	const long = 8 << 20
	var ix index.Index
	ix.Set("a", nil)
	ix.Set("b", nil)
	fleet := ix.Snapshot()
	var pods whatif.Pods
	before := heap(1)
	pods.Set(whatif.Pod{Name: strings.Repeat("n", long), Node: "b"})
	evaluated(t, fleet, &pods, "taint nodes --all x:NoExecute", whatif.Options{})
	pods.Delete(strings.Repeat("n", long))
	evaluated(t, fleet, &pods, "taint nodes a x:NoExecute", whatif.Options{})
	if got := heap(1) - before; got > long/2 {
		t.Errorf("%d bytes are retained", got)
	}
	runtime.KeepAlive(&pods)
}
