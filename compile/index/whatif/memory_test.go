package whatif_test

import (
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
)

// What one evaluation leaves for the next one changes no answer: plans in turn, for two
// snapshots, while pods come and go, mean what each means alone.
func TestPlansInTurn(t *testing.T) {
	for _, rounds := range []uint32{0, 3, 1 << 31} {
		whatif.WithMostRounds(rounds, func() { rapid.Check(t, checkPlansInTurn) })
	}
}

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

// A snapshot is not retained for good because a plan was evaluated for it.
func TestSnapshotsAreLetGo(t *testing.T) {
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
		t.Error("it is")
	}
	runtime.KeepAlive(pods)
}

// The next plan for the same snapshot and pods looks up no taint again. The garbage
// collector, or the race detector, may have taken what is known now and then.
func TestWhatIsKnownIsNotLookedUp(t *testing.T) {
	s := shapes["all sets and lists differ"](400, 100)
	first := steps(t, s.fleet, s.pods, s.plan)
	for range 20 {
		if again := steps(t, s.fleet, s.pods, s.plan); again < first {
			return
		}
	}
	t.Errorf("%d steps each time", first)
}
