package whatif_test

import (
	"fmt"
	"maps"
	"runtime"
	"slices"
	"sync"
	"testing"
	"weak"

	"pgregory.net/rapid"

	"github.com/tolero-dev/tolero/compile/index"
	"github.com/tolero-dev/tolero/compile/index/whatif"
	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// Plans in turn, for two snapshots, while pods come and go, have the effect that each has alone.
func TestPlansInTurn(t *testing.T) { rapid.Check(t, checkPlansInTurn) }

func checkPlansInTurn(t *rapid.T) {
	w := drawWorld(t)
	if w.times = nil; len(w.names) == 0 {
		return
	}
	other := *w
	other.nodes = maps.Clone(w.nodes)
	other.nodes[w.names[0]] = w.nodes[w.names[len(w.names)-1]]
	worlds := []*world{w, &other}
	fleet, pods := w.build()
	second, _ := other.build()
	fleets := []*index.Snapshot{fleet, second}
	for range rapid.IntRange(2, 6).Draw(t, "plans") {
		if rapid.IntRange(0, 3).Draw(t, "change") == 0 && len(w.pods) > 0 {
			i := rapid.IntRange(0, len(w.pods)-1).Draw(t, "pod")
			p := w.pods[i]
			w.pods = slices.Delete(slices.Clone(w.pods), i, i+1)
			if pods.Delete(p.Name); rapid.Bool().Draw(t, "move") {
				p.Node = rapid.SampledFrom(w.names).Draw(t, "to")
				pods.Set(p)
				w.pods = append(w.pods, p)
			}
			other.pods = w.pods
		}
		i := rapid.IntRange(0, 1).Draw(t, "fleet")
		plan := drawPlan(t, worlds[i])
		r, err := whatif.Evaluate(fleets[i], pods, plan, whatif.Options{})
		a := worlds[i].apply(plan)
		if (err != nil) != (a == nil) {
			t.Fatalf("error %v, want one: %t", err, a == nil)
		}
		if err == nil {
			answerOf(r).compare(t, a.answer(worlds[i], match.FirstMatch, epoch))
		}
	}
}

// Any number of goroutines may evaluate plans, and a plan may be evaluated while another
// one asks about its nodes.
func TestPlansAtTheSameTime(t *testing.T) {
	fleet, pods := cluster()
	plan, err := whatif.Parse("cordon --all\ntaint nodes --all x:NoExecute")
	if err != nil {
		t.Fatal(err)
	}
	evaluate := func(plan whatif.Plan) answer {
		r, err := whatif.Evaluate(fleet, pods, plan, whatif.Options{})
		if err != nil {
			t.Error(err)
			return answer{}
		}
		return answerOf(r)
	}
	want := evaluate(plan)
	asking := plan
	asking.Steps = slices.Clone(plan.Steps)
	asking.Steps[0].Nodes.Where = func(string, []taint.Taint) bool {
		evaluate(plan).compare(t, want)
		return true
	}
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			for range 5 {
				evaluate(asking).compare(t, want)
			}
		})
	}
	group.Wait()
}

// A snapshot is not retained forever because a plan was evaluated for it.
func TestSnapshotsAreFreed(t *testing.T) {
	fleet, pods := cluster()
	plan, _ := whatif.Parse("cordon --all")
	if _, err := whatif.Evaluate(fleet, pods, plan, whatif.Options{}); err != nil {
		t.Fatal(err)
	}
	pointer := weak.Make(fleet)
	fleet = nil
	for range 5 {
		runtime.GC()
	}
	if pointer.Value() != nil {
		t.Error("the snapshot is still retained")
	}
	runtime.KeepAlive(pods)
}

// Pods that come, move and go, and snapshots in which nodes have other numbers and other
// taints, are seen by the next plan.
func TestNothingIsRememberedWrongly(t *testing.T) {
	var first, second index.Index
	for i, name := range []string{"a", "b", "c"} {
		first.Set(name, []taint.Taint{{Key: "own", Value: name, Effect: taint.NoExecute}})
		second.Set(string("ca"[i%2:i%2+1])+"b"[:i/2], []taint.Taint{{Key: "own", Value: "b", Effect: taint.NoSchedule}}) // c, a and cb
	}
	fleets := []*index.Snapshot{first.Snapshot(), second.Snapshot()}
	plan, err := whatif.Parse("taint nodes --all out:NoExecute")
	if err != nil {
		t.Fatal(err)
	}
	evaluate := func(fleet *index.Snapshot, pods *whatif.Pods) answer {
		r, err := whatif.Evaluate(fleet, pods, plan, whatif.Options{})
		if err != nil {
			t.Fatal(err)
		}
		return answerOf(r)
	}
	list := func(text string) []toleration.Toleration { return []toleration.Toleration{toleration.MustParse(text)} }
	pods := new(whatif.Pods)
	now := map[string]whatif.Pod{}
	for i, p := range []whatif.Pod{
		{Name: "1", Node: "a", Tolerations: list("own=a")},
		{Name: "2", Node: "b", Tolerations: list("own=b")},
		{Name: "3", Node: "", Tolerations: list("own=a")},
		{Name: "1", Node: "c", Tolerations: list("own=a")}, // moves
		{Name: "2"}, // goes
		{Name: "4", Node: "cb", Tolerations: list("own=b")},
		{Name: "5", Node: "b", Tolerations: list("own")},
		{Name: "6", Node: "a", Tolerations: list("own=c")},
		{Name: "5"},
		{Name: "1"},
		{Name: "7", Node: "c", Tolerations: list("out")},
	} {
		if delete(now, p.Name); p.Tolerations != nil {
			now[p.Name] = p
			pods.Set(p)
		} else {
			pods.Delete(p.Name)
		}
		fresh := new(whatif.Pods)
		for _, p := range now {
			fresh.Set(p)
		}
		for range 2 {
			for k := range fleets {
				j := (i + k) % 2 // the first one is the last one before the change
				fleet := fleets[j]
				if got, want := fmt.Sprint(evaluate(fleet, pods)), fmt.Sprint(evaluate(fleet, fresh)); got != want {
					t.Errorf("change %d, snapshot %d: %s, want %s", i, j, got, want)
				}
				if got, want := fmt.Sprint(evaluate(fleet, pods)), fmt.Sprint(evaluate(fleet, fresh)); got != want {
					t.Errorf("change %d, snapshot %d again: %s, want %s", i, j, got, want)
				}
			}
		}
	}
}

// What is decided about a class on the nodes of one plan is not taken for what another plan
// with other nodes does to it, whichever nodes come first.
func TestDecisionsAreNotMistaken(t *testing.T) {
	const nodes = 6
	var ix index.Index
	for i := range nodes {
		ix.Set(fmt.Sprint(i), []taint.Taint{{Key: "own", Value: fmt.Sprint(i), Effect: taint.NoExecute}})
	}
	fleet := ix.Snapshot()
	fill := func(pods *whatif.Pods) *whatif.Pods {
		for i := range nodes {
			pods.Set(whatif.Pod{Name: fmt.Sprint(i), Node: fmt.Sprint(i), Tolerations: []toleration.Toleration{
				toleration.MustParse("own"), toleration.MustParse("a:NoExecute@100"), toleration.MustParse(fmt.Sprintf("b:NoExecute@%d", i)),
			}})
		}
		return pods
	}
	pods := fill(new(whatif.Pods))
	for i := range nodes {
		for _, text := range []string{fmt.Sprintf("taint nodes %d a:NoExecute", i), "taint nodes --all b:NoExecute"} {
			plan, err := whatif.Parse(text)
			if err != nil {
				t.Fatal(err)
			}
			got, err := whatif.Evaluate(fleet, pods, plan, whatif.Options{})
			if err != nil {
				t.Fatal(err)
			}
			want, err := whatif.Evaluate(fleet, fill(new(whatif.Pods)), plan, whatif.Options{})
			if err != nil {
				t.Fatal(err)
			}
			answerOf(got).compare(t, answerOf(want))
		}
	}
}
