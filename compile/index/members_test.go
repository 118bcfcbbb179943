package index_test

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/tolero-dev/tolero/bench/scenario"
	"github.com/tolero-dev/tolero/compile/index"
	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/match/matchtest"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// The classes of a snapshot, with their nodes, taints and hard sets, are those of its
// nodes one by one.
func TestClassesAndNodes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ix := index.New(comparing)
		lists := rapid.SliceOfN(matchtest.Taints(), 1, 5).Draw(t, "lists")
		nodes := map[string][]taint.Taint{}
		for range rapid.IntRange(0, 150).Draw(t, "nodes") {
			name := fmt.Sprint(rapid.IntRange(0, 99).Draw(t, "name"))
			if rapid.IntRange(0, 4).Draw(t, "delete") == 0 {
				ix.Delete(name)
				delete(nodes, name)
				continue
			}
			nodes[name] = rapid.SampledFrom(lists).Draw(t, "taints")
			ix.Set(name, nodes[name])
		}
		checkMembers(t, ix.Snapshot(), nodes)
		checkHardSets(t, ix.Snapshot(), matchtest.Tolerations(lists[0]).Draw(t, "tolerations"))
	})
}

func checkMembers(t *rapid.T, s *index.Snapshot, nodes map[string][]taint.Taint) {
	count := map[index.Class]int{}
	for name, taints := range nodes {
		id, _ := s.ID(name)
		count[s.Class(id)]++
		got := s.AppendTaints([]taint.Taint{{Key: "first"}}, s.Class(id))
		if !slices.EqualFunc(got[1:], taints, sameTaint) || got[0].Key != "first" {
			t.Fatalf("%s: %v, want %v", name, got[1:], taints)
		}
	}
	keep := map[index.Class]bool{}
	for c, n := range s.Classes() {
		if count[c] != n || n == 0 {
			t.Fatalf("%d nodes of %v, want %d", n, c, count[c])
		}
		delete(count, c)
		keep[c] = rapid.Bool().Draw(t, "keep")
	}
	if len(count) > 0 {
		t.Fatalf("%v are missing", count)
	}
	all, kept := map[string]bool{}, map[string]bool{}
	for id := range s.Nodes(nil) {
		name, ok := s.Name(id)
		if all[name] || !ok {
			t.Fatalf("%s comes twice, or is unknown", name)
		}
		all[name] = true
	}
	asked := map[index.Class]bool{}
	for id := range s.Nodes(func(c index.Class) bool {
		if asked[c] {
			t.Fatalf("asked twice for %v", c)
		}
		asked[c] = true
		return keep[c]
	}) {
		name, _ := s.Name(id)
		if kept[name] {
			t.Fatalf("%s comes twice", name)
		}
		kept[name] = true
	}
	for name := range nodes {
		id, _ := s.ID(name)
		if !all[name] || kept[name] != keep[s.Class(id)] {
			t.Fatalf("%s: among all %t, kept %t, want %t", name, all[name], kept[name], keep[s.Class(id)])
		}
	}
	if len(all) != len(nodes) || len(asked) != len(keep) {
		t.Fatalf("%d nodes, want %d; asked for %d classes of %d", len(all), len(nodes), len(asked), len(keep))
	}
}

func sameTaint(a, b taint.Taint) bool {
	return a.Key == b.Key && a.Value == b.Value && a.Effect == b.Effect
}

// checkHardSets checks that sets are numbered by their hard taints, and that the sets of
// a Fit are those of its nodes.
func checkHardSets(t *rapid.T, s *index.Snapshot, tolerations []toleration.Toleration) {
	hardOf := map[int][]taint.Taint{}
	fits := map[int]bool{}
	for c := range s.Classes() {
		set := s.HardSet(c)
		taints := s.AppendTaints(nil, c)
		hard := slices.DeleteFunc(taints, func(t taint.Taint) bool { return !taint.Hard.Has(t.Effect) })
		slices.SortFunc(hard, func(a, b taint.Taint) int { return slices.Compare([]byte(a.String()), []byte(b.String())) })
		hard = slices.CompactFunc(hard, sameTaint)
		if known, ok := hardOf[set]; set < 0 || set >= s.HardSets() || ok && !slices.EqualFunc(known, hard, sameTaint) {
			t.Fatalf("set %d of %d has %v and %v", set, s.HardSets(), known, hard)
		}
		hardOf[set] = hard
		if _, refused := match.FirstUntolerated(hard, tolerations, taint.Hard); !refused {
			fits[set] = true
		}
	}
	for a := range hardOf {
		for b := range hardOf {
			if a < b && slices.EqualFunc(hardOf[a], hardOf[b], sameTaint) {
				t.Fatalf("sets %d and %d have %v", a, b, hardOf[a])
			}
		}
	}
	var fit index.Fit
	s.FitList(&fit, tolerations)
	for set := range fit.HardSets() {
		if !fits[set] {
			t.Fatalf("set %d %v fits %v, or comes twice", set, hardOf[set], tolerations)
		}
		delete(fits, set)
	}
	if len(fits) > 0 {
		t.Fatalf("%v are missing", fits)
	}
}

// Where sets are found by columns, and where whole effects are tolerated, too.
func TestHardSetsOfLargeFleets(t *testing.T) {
	for _, make := range []scenario.Maker{scenario.Distinct, scenario.Pools, scenario.SoftTimes} {
		c := make(1, 3000, 40)
		s := load(c).Snapshot()
		lists := [][]toleration.Toleration{{{Operator: toleration.OpExists, Effect: taint.NoSchedule}}, {{Operator: toleration.OpExists}}}
		for i := range c.Pods {
			lists = append(lists, c.Pods[i].Tolerations)
		}
		perSet := map[int]int{}
		for class, n := range s.Classes() {
			perSet[s.HardSet(class)] += n
		}
		var fit index.Fit
		for _, list := range lists {
			s.FitList(&fit, list)
			nodes := 0
			seen := map[int]bool{}
			for set := range fit.HardSets() {
				if nodes += perSet[set]; seen[set] {
					t.Fatalf("set %d comes twice", set)
				}
				seen[set] = true
			}
			if nodes != fit.Len() {
				t.Fatalf("the sets that fit %v have %d nodes, want %d", list, nodes, fit.Len())
			}
			stopAnywhere(t, &fit, len(seen))
		}
	}
}

// stopAnywhere stops an iteration at the first, the last, and some other set.
func stopAnywhere(t *testing.T, fit *index.Fit, sets int) {
	for _, last := range []int{1, 2, sets / 2, sets - 1} {
		n := 0
		for range fit.HardSets() {
			if n++; n == last {
				break
			}
		}
		if last > 0 && n != min(last, sets) {
			t.Fatalf("%d sets after the iteration stopped at %d", n, last)
		}
	}
}

// Iterations stop where they are told to: at any node, class or set.
func TestIterationsStop(t *testing.T) {
	var ix index.Index
	for i, text := range []string{"", "", "s:PreferNoSchedule", "a:NoSchedule", "a:NoSchedule", "a:NoSchedule,s:PreferNoSchedule", "b:NoExecute"} {
		ix.Set(fmt.Sprint(i), mustTaints(t, text))
	}
	s := ix.Snapshot()
	for n := 1; n <= 7; n++ {
		left := n
		for range s.Nodes(nil) {
			if left--; left == 0 {
				break
			}
		}
		if left != 0 {
			t.Errorf("%d of %d nodes are missing", left, n)
		}
	}
	for n := 1; n <= 5; n++ {
		left := n
		for range s.Classes() {
			if left--; left == 0 {
				break
			}
		}
		if left != 0 {
			t.Errorf("%d of %d classes are missing", left, n)
		}
	}
}

func mustTaints(t *testing.T, text string) []taint.Taint {
	list, err := taint.ParseList(text)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// Taints that are appended together get room once, just enough for them.
func TestAppendTaintsOfGrowsOnce(t *testing.T) {
	var ix index.Index
	for n := range 9 {
		var list []taint.Taint
		for i := range n {
			list = append(list, taint.Taint{Key: fmt.Sprint("k", i), Effect: taint.NoSchedule})
		}
		id := ix.Set(fmt.Sprint(n), list)
		s := ix.Snapshot()
		got, _ := s.AppendTaintsOf(nil, nil, []index.Class{s.Class(id), {}})
		if want := cap(slices.Grow([]taint.Taint(nil), n)); len(got) != n || cap(got) != want {
			t.Errorf("%d taints of %d, room for %d and not %d", len(got), n, cap(got), want)
		}
	}
}

// Where no effect is tolerated whatever the key, only one set fits for its shape, and the
// others are not looked at.
func TestSetsThatFitForTheirShape(t *testing.T) {
	var ix index.Index
	for i := range 10 {
		ix.Set(fmt.Sprint(i), []taint.Taint{{Key: "own", Value: fmt.Sprint(i), Effect: taint.NoSchedule}})
	}
	var f index.Fit
	for text, want := range map[string]int{"": 1, "own": 1, "own=1": 1, "*:NoExecute": 11, "*:NoSchedule": 11, "*": 11, "*:PreferNoSchedule": 1} {
		list, err := toleration.ParseList(text)
		if err != nil {
			t.Fatal(err)
		}
		ix.Snapshot().FitList(&f, list)
		if got := f.Wholesale(); got != want {
			t.Errorf("%s: %d sets, want %d", text, got, want)
		}
		new(index.Snapshot).FitList(&f, list)
		if got := f.Wholesale(); got != 0 {
			t.Errorf("%s: %d sets of nothing", text, got)
		}
	}
}

// What has no nodes, and classes of other snapshots, have no members.
func TestMembersOfNothing(t *testing.T) {
	var s index.Snapshot
	var fit index.Fit
	for range s.Classes() {
		t.Error("the zero Snapshot has a class")
	}
	for range s.Nodes(nil) {
		t.Error("the zero Snapshot has a node")
	}
	for range fit.HardSets() {
		t.Error("the zero Fit has a set")
	}
	if s.HardSet(index.Class{}) != -1 || s.HardSets() != 0 || s.AppendTaints(nil, index.Class{}) != nil || (*index.Snapshot)(nil).AppendTaints(nil, index.Class{}) != nil {
		t.Error("the zero Class has something")
	}
	if s.Rules() != (toleration.Rules{}) || index.New(comparing).Snapshot().Rules() != comparing || index.NewPods(comparing).Rules() != comparing {
		t.Error("rules are not those that were given")
	}
	var ix index.Index
	ix.Set("a", nil)
	ix.Set("b", []taint.Taint{{Key: "k"}})
	for range ix.Snapshot().Classes() {
		break
	}
	for range ix.Snapshot().Nodes(nil) {
		break
	}
}
