package whatif_test

import (
	"fmt"
	"slices"
	"sync"
	"testing"

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
