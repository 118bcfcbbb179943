package index_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/tolero-dev/tolero/compile/index"
	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// smallPods has a class for each of some lists, two of which have no pods any more.
func smallPods(t *testing.T) (*index.Pods, []index.PodClass) {
	pods := index.NewPods(comparing)
	var classes []index.PodClass
	for _, text := range []string{
		"", "*", "*:NoSchedule", "a", "a=1", "a=2:NoExecute", "b", "a,b", "n>3", "n<7", "n>5", "n<5", "n>3,n<2,n>4", "a=1,n<9", "b,a=1,n>4,n=5", "a=9", "z=9",
	} {
		list, err := toleration.ParseList(text)
		if err != nil {
			t.Fatal(err)
		}
		classes = append(classes, pods.Add(list))
	}
	classes = append(classes, pods.Add([]toleration.Toleration{{Value: "5"}}), pods.Add([]toleration.Toleration{{Operator: toleration.OpGt, Value: "4"}}))
	for range 2 { // of a=9 and z=9
		pods.Remove(classes[15])
		classes = append(classes[:15], classes[16:]...)
	}
	return pods, classes
}

// subsets returns all lists of up to n of some taints, in their order.
func subsets(list []taint.Taint, n int) [][]taint.Taint {
	if len(list) == 0 || n == 0 {
		return [][]taint.Taint{nil}
	}
	all := subsets(list[1:], n)
	for _, rest := range subsets(list[1:], n-1) {
		all = append(all, append([]taint.Taint{list[0]}, rest...))
	}
	return all
}

// However the classes are found, each small change of taints is counted as package match
// counts it. The numbers of steps are recorded, not derived: a change that takes more shows.
func TestSmallChanges(t *testing.T) {
	list, err := taint.ParseList("a=1:NoSchedule,a=2:NoExecute,b:NoSchedule,n=5:NoSchedule,s:PreferNoSchedule,n=05:NoExecute")
	if err != nil {
		t.Fatal(err)
	}
	list = append(list, taint.MustParse("n=8:NoSchedule"))
	steps := []int{}
	everyWay(func() {
		pods, classes := smallPods(t)
		who := pods.Tolerators(new(index.Index).Snapshot())
		fits := func(c index.PodClass, taints ...[]taint.Taint) bool {
			for _, list := range taints {
				if _, refused := match.FirstUntolerated(list, pods.Tolerations(c), taint.Hard); refused {
					return false
				}
			}
			return true
		}
		for _, kept := range subsets(list, 1) {
			for _, removed := range subsets(list, 2) {
				for _, added := range subsets(list, 2) {
					who.ClearCounts()
					who.NodesUpdated(rowsOf(who, kept), rowsOf(who, removed), rowsOf(who, added), 3)
					who.NodesAdded(rowsOf(who, removed), 2)
					counts := countsOf(who, pods)
					for _, c := range classes {
						before, after := fits(c, kept, removed), fits(c, kept, added)
						var want index.FitCount
						if after && !before {
							want.Gained = 3
						}
						if before && !after {
							want.Lost = 3
						}
						if fits(c, removed) {
							want.Gained += 2
						}
						if counts[c] != want {
							t.Fatalf("%v: keeps %v, loses %v, gets %v: %+v, want %+v", pods.Tolerations(c), kept, removed, added, counts[c], want)
						}
					}
				}
			}
		}
		steps = append(steps, who.Steps())
	})
	if got, want := fmt.Sprint(steps), "[285950 260174 238218 257404 225748 190770 367491 301269 197203]"; got != want {
		t.Errorf("%s steps, want %s", got, want)
	}
}

// Clearing the counts also resets the limit, and classes without pods gain nothing.
func TestCountsAnew(t *testing.T) {
	pods, classes := smallPods(t)
	who := pods.Tolerators(new(index.Index).Snapshot())
	for range 3 {
		who.NodesAdded(nil, math.MaxInt32)
		who.NodesAdded(nil, math.MaxInt32)
		who.NodesAdded(nil, 1)
		who.NodesAdded(nil, 7)
		counts := countsOf(who, pods)
		for _, c := range classes {
			if counts[c] != (index.FitCount{Gained: 1<<32 - 1}) {
				t.Fatalf("class %d: %+v", c, counts[c])
			}
		}
		if who.FitCount(16) != (index.FitCount{}) || who.FitCount(0) != (index.FitCount{}) {
			t.Fatalf("no pods gain nodes: %+v, %+v", who.FitCount(16), who.FitCount(0))
		}
		who.ClearCounts()
	}
}

// No node at all counts nothing, one node counts as one.
func TestFitCountsOfFewNodes(t *testing.T) {
	everyWay(func() { checkFitCountsOfFewNodes(t) })
}

func checkFitCountsOfFewNodes(t *testing.T) {
	pods := index.NewPods(toleration.Rules{})
	c := pods.Add([]toleration.Toleration{{Key: "own", Operator: toleration.OpExists}})
	who := pods.Tolerators(new(index.Index).Snapshot())
	own, out := taint.MustParse("own:NoSchedule"), taint.MustParse("out:NoExecute")
	kept, changed := []index.TaintRow{who.Row(&own)}, []index.TaintRow{who.Row(&out)}
	for n := range 2 {
		for range 2 - n {
			who.NodesUpdated(kept, nil, changed, n)
			who.NodesUpdated(kept, changed, nil, n)
			who.NodesAdded(kept, n)
		}
		counted := 0
		for range who.FitCounts() {
			counted++
		}
		if got, want := who.FitCount(c), (index.FitCount{Gained: uint32(2 * n), Lost: uint32(n)}); got != want || counted != n {
			t.Errorf("%d nodes: %+v of %d classes, want %+v", n, got, counted, want)
		}
	}
}

// Counts are cleared whether anybody has asked for them or not; asking again takes no step;
// asking may end early; and no class but those of the pods has counts.
func TestFitCountsAreCleared(t *testing.T) {
	everyWay(func() {
		pods := index.NewPods(toleration.Rules{})
		var classes []index.PodClass
		for i := range 70 {
			classes = append(classes, pods.Add([]toleration.Toleration{{Key: "own", Operator: toleration.OpExists}, {Key: fmt.Sprint(i)}}))
		}
		who := pods.Tolerators(new(index.Index).Snapshot())
		own, out := taint.MustParse("own:NoSchedule"), taint.MustParse("out:NoExecute")
		kept, changed := []index.TaintRow{who.Row(&own)}, []index.TaintRow{who.Row(&out)}
		for i := range 4 {
			who.NodesUpdated(kept, nil, changed, 5)
			if i%2 == 0 {
				if got := who.FitCount(classes[69]); got != (index.FitCount{Lost: 5}) {
					t.Errorf("%+v", got)
				}
				before := who.Steps()
				for _, c := range append(classes, classes[69]+1, classes[69]+1000) {
					if got := who.FitCount(c); (got.Lost == 5) != (c <= classes[69]) {
						t.Errorf("class %d: %+v", c, got)
					}
				}
				for c := range who.FitCounts() {
					if c == classes[3] {
						break
					}
				}
				if n := who.Steps() - before; n != 0 {
					t.Errorf("asking again took %d steps", n)
				}
			}
			who.ClearCounts()
			for c, n := range who.FitCounts() {
				t.Errorf("class %d has %+v", c, n)
			}
		}
	})
}

// What many classes gain one by one is added for as many as there is room for.
func TestPending(t *testing.T) {
	const classes = 200
	index.WithFewClasses(1, 0, func() {
		pods := index.NewPods(toleration.Rules{})
		for i := range classes {
			pods.Add([]toleration.Toleration{{Key: "class", Value: fmt.Sprint(i)}})
		}
		who := pods.Tolerators(new(index.Index).Snapshot())
		for i := range classes {
			x := taint.Taint{Key: "class", Value: fmt.Sprint(i), Effect: taint.NoSchedule}
			who.NodesAdded([]index.TaintRow{who.Row(&x)}, 1)
			if n, most := who.Pending(); n != i%most+1 {
				t.Fatalf("%d are pending after %d", n, i+1)
			}
		}
		for class, n := range who.FitCounts() {
			if pending, _ := who.Pending(); n.Gained != 1 || pending != 0 {
				t.Fatalf("class %d: %+v, and %d are pending", class, n, pending)
			}
		}
	})
}

// Classes that tolerate everything lose no nodes; when they are gone, other classes that have
// their numbers do.
func TestClassesThatTolerateEverything(t *testing.T) {
	everyWay(func() {
		a, b := taint.Taint{Key: "a", Effect: taint.NoSchedule}, taint.Taint{Key: "b", Effect: taint.NoExecute}
		ix, pods := new(index.Index), new(index.Pods)
		ix.Set("node", []taint.Taint{a, b})
		everything := pods.Add([]toleration.Toleration{{Operator: toleration.OpExists}})
		every := toleration.Toleration{Operator: toleration.OpExists, Effect: taint.NoExecute}
		noExecute := pods.Add([]toleration.Toleration{every})
		who := pods.Tolerators(ix.Snapshot())
		lost := func(c index.PodClass) uint32 {
			who.ClearCounts()
			who.NodesUpdated([]index.TaintRow{who.Row(&b)}, nil, []index.TaintRow{who.Row(&a)}, 3)
			return who.FitCount(c).Lost
		}
		if all, some := lost(everything), lost(noExecute); all != 0 || some != 3 {
			t.Errorf("%d and %d nodes are lost, want none and 3", all, some)
		}
		pods.Remove(everything)
		other := pods.Add([]toleration.Toleration{every, {Key: "other"}})
		who.Reset(ix.Snapshot())
		if n := lost(other); other != everything || n != 3 {
			t.Errorf("class %d, in place of %d, loses %d nodes, want 3", other, everything, n)
		}
	})
}
