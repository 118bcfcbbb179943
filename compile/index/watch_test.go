package index_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/tolero-dev/tolero/compile/index"
	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// A taint that has no column keeps pods away from sets whose other taint has one, also when
// more sets have it by now than the other.
func TestRareTaintsThatBecomeFrequent(t *testing.T) {
	ix := index.New(comparing)
	nodes := map[string][]taint.Taint{}
	set := func(name string, list ...taint.Taint) { ix.Set(name, list); nodes[name] = list }
	remove := func(name string) { ix.Delete(name); delete(nodes, name) }
	var tolerations []toleration.Toleration
	for i := range 16 { // each taint in 16 sets
		tolerations = append(tolerations, toleration.Toleration{Key: "c", Value: fmt.Sprint(i)}, toleration.Toleration{Key: "d", Value: fmt.Sprint(i)})
		for j := range 16 {
			set(fmt.Sprint(i, "-", j), hardTaint("c", i, taint.NoSchedule), hardTaint("d", j, taint.NoSchedule))
		}
	}
	for i := range 300 { // so that columns are chosen
		set("short", hardTaint("short", i, taint.NoSchedule))
	}
	remove("short")
	if ix.Columns() != 32 {
		t.Fatalf("%d columns", ix.Columns())
	}
	for j := 3; j < 16; j++ {
		remove(fmt.Sprint("0-", j))
	}
	for i := range 20 {
		set(fmt.Sprint("rare-", i), taint.MustParse("rare:NoSchedule"), hardTaint("own", i, taint.NoSchedule))
	}
	set("both", taint.MustParse("rare:NoSchedule"), hardTaint("c", 0, taint.NoSchedule))
	set("reversed", hardTaint("d", 0, taint.NoSchedule), hardTaint("c", 0, taint.NoSchedule), taint.MustParse("rare:NoSchedule"))
	ix.CheckAll()
	s := ix.Snapshot()
	rare := toleration.MustParse("rare")
	for _, list := range [][]toleration.Toleration{tolerations, append(tolerations[:32:32], rare), tolerations[:2], {tolerations[0], rare}, {rare}} {
		var fit index.Fit
		s.FitList(&fit, list)
		if len(list) >= 32 && !strings.HasPrefix(fit.Plan(), "columns") {
			t.Errorf("%d tolerations: %s", len(list), fit.Plan())
		}
		for name, taints := range nodes {
			id, _ := s.ID(name)
			if _, refused := match.FirstUntolerated(taints, list, taint.Hard); fit.Has(id) == refused {
				t.Errorf("%s with %v, %d tolerations: fits %t", name, taints, len(list), fit.Has(id))
			}
		}
	}
}

// What a Change says of nodes that are new or gone says nothing of who had to leave another.
func TestChangesAreUsedAgain(t *testing.T) {
	pods := index.NewPods(toleration.Rules{})
	class := pods.Add(nil)
	out := []taint.Taint{taint.MustParse("k:NoExecute")}
	var c index.Change
	for range 2 {
		for what, fill := range map[string]func(){
			"added": func() { pods.NodeAdded(&c, nil) }, "deleted": func() { pods.NodeDeleted(&c, nil) },
		} {
			pods.NodeUpdated(&c, nil, out)
			for got := range c.MustLeave() {
				if got != class {
					t.Errorf("class %d must leave", got)
				}
			}
			fill()
			for got := range c.MustLeave() {
				t.Errorf("%s: class %d must leave", what, got)
			}
		}
	}
}

// A set is found by the rarest of its taints: who tolerates only another one does not look
// at it.
func TestSetsAreFoundByTheRarestTaint(t *testing.T) {
	ix := index.New(comparing)
	for i := range 10 {
		ix.Set(fmt.Sprint(i), []taint.Taint{hardTaint("own", i, taint.NoSchedule), taint.MustParse("pool:NoSchedule")})
	}
	s := ix.Snapshot()
	var f index.Fit
	for text, found := range map[string]int{"pool": 0, "own=3": 1, "own=3,pool": 1} { // taints, each with its set
		list, err := toleration.ParseList(text)
		if err != nil {
			t.Fatal(err)
		}
		_, steps := s.FitsMoreThan(&f, list, 10)
		if want := 1 + len(list) + 2*found; steps != want {
			t.Errorf("%s: %d steps, want %d", text, steps, want)
		}
		if plan, want := f.Plan(), fmt.Sprintf("watching: %d taints, %d sets", found, found); plan != want {
			t.Errorf("%s: %s, want %s", text, plan, want)
		}
	}
}

// Which taints are common, and of which effect the rarer is, changes all the time: the answers
// are those of package match.
func TestCommonTaintsChange(t *testing.T) {
	const nodes, keys = 400, 24 // each taint is in about as many sets as it takes to be common
	random := rand.New(rand.NewPCG(1, 7))
	ix := index.New(comparing)
	taints := make([][]taint.Taint, nodes)
	draw := func(phase int) int { return (phase + min(random.IntN(keys), random.IntN(keys))) % keys }
	chosen := map[int]bool{}
	for i := range 4000 {
		n := random.IntN(nodes)
		taints[n] = nil
		for k, x := range []taint.Taint{hardTaint("c", draw(i/100), taint.NoSchedule), hardTaint("e", draw(i/70), taint.NoExecute), hardTaint("d", draw(i/50), taint.NoSchedule), hardTaint("f", draw(i/60), taint.NoExecute)} {
			if random.IntN(4) >= k%2 {
				taints[n] = append(taints[n], x)
			}
		}
		ix.Set(fmt.Sprint(n), taints[n])
		chosen[ix.Columns()] = true
		if i%100 < 99 {
			continue
		}
		ix.CheckAll()
		s := ix.Snapshot()
		var fit index.Fit
		for _, with := range []toleration.Toleration{{Key: "c", Operator: toleration.OpExists}, {Operator: toleration.OpExists, Effect: taint.NoExecute}, {Key: "e", Value: "3"}} {
			list := []toleration.Toleration{with}
			for range 40 {
				list = append(list, toleration.Toleration{Key: []string{"c", "d", "e", "f"}[random.IntN(4)], Value: fmt.Sprint(random.IntN(keys))})
			}
			s.FitList(&fit, list)
			for n := range nodes {
				id, known := s.ID(fmt.Sprint(n))
				if _, refused := match.FirstUntolerated(taints[n], list, taint.Hard); known && fit.Has(id) == refused {
					t.Fatalf("%v of %v, %s: fits %t", list, taints[n], fit.Plan(), fit.Has(id))
				}
			}
		}
	}
	if len(chosen) < 5 {
		t.Errorf("so many columns: %v", chosen)
	}
}
