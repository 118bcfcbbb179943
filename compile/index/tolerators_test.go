package index_test

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/tolero-dev/tolero/compile/index"
	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/match/matchtest"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// Whether classes are few or many, and words are kept or not.
func everyWay(do func()) {
	for _, few := range []int{1, 3, 512} {
		for _, words := range []int{0, 2, 1 << 20} {
			index.WithFewClasses(few, words, do)
		}
	}
}

// drawTolerators draws pods for some lists of taints, and a fleet that has the first.
func drawTolerators(t *rapid.T) (*index.Pods, []index.PodClass, [][]taint.Taint, *index.Snapshot) {
	rules := toleration.Rules{Comparisons: rapid.Bool().Draw(t, "comparisons")}
	lists := rapid.SliceOfN(matchtest.Taints(), 3, 5).Draw(t, "taints")
	pods := index.NewPods(rules)
	var classes []index.PodClass
	for range rapid.IntRange(0, 20).Draw(t, "pods") {
		classes = append(classes, pods.Add(matchtest.Tolerations(rapid.SampledFrom(lists).Draw(t, "for")).Draw(t, "pod")))
	}
	if len(classes) > 0 && rapid.Bool().Draw(t, "remove") {
		pods.Remove(classes[0])
	}
	slices.Sort(classes)
	classes = slices.Compact(classes)
	classes = slices.DeleteFunc(classes, func(c index.PodClass) bool { return pods.Count(c) == 0 })
	ix := index.New(rules)
	ix.Set("node", lists[0])
	return pods, classes, lists, ix.Snapshot()
}

// countsOf returns the counts by class, and checks that the classes come in ascending order and
// that those left out have counted nothing.
func countsOf(who *index.Tolerators, pods *index.Pods) []index.FitCount {
	last := index.PodClass(0)
	for c := range pods.All() {
		last = c
	}
	counts := make([]index.FitCount, last+1)
	next := index.PodClass(0)
	for c, n := range who.FitCounts() {
		if c < next || n == (index.FitCount{}) || who.FitCount(c) != n {
			panic(fmt.Sprintf("class %d follows class %d, with %+v or %+v", c, next-1, n, who.FitCount(c)))
		}
		counts[c], next = n, c+1
	}
	for c, n := range counts {
		if got := who.FitCount(index.PodClass(c)); got != n {
			panic(fmt.Sprintf("class %d has %+v or %+v", c, n, got))
		}
	}
	return counts
}

// A class tolerates the taint of a row if package match says so.
func TestTolerators(t *testing.T) {
	everyWay(func() {
		rapid.Check(t, func(t *rapid.T) {
			pods, classes, lists, fleet := drawTolerators(t)
			who := pods.Tolerators(fleet)
			for _, list := range lists {
				for i := range list {
					x := &list[i]
					row := who.Row(x)
					if (row == 0) == taint.Hard.Has(x.Effect) {
						t.Fatalf("row %d for %v", row, x)
					}
					if again := who.Row(x); again != row {
						t.Fatalf("rows %d and %d for %v", row, again, x)
					}
					who.NodesUpdated(nil, []index.TaintRow{row}, nil, 1) // bits may be made
					for _, c := range classes {
						want := row == 0 || match.Tolerates(pods.Rules().Active(nil, pods.Tolerations(c)), x)
						if got := who.Tolerates(row, c); got != want {
							t.Fatalf("%v tolerates %v: %v, want %v", pods.Tolerations(c), x, got, want)
						}
					}
					if who.Tolerates(row, 1000) {
						t.Fatalf("an unknown class tolerates %v", x)
					}
				}
			}
		})
	})
}

// The rows of a class of nodes are those of its taints.
func TestAppendRows(t *testing.T) {
	list := []taint.Taint{taint.MustParse("a=1:NoSchedule"), taint.MustParse("b:PreferNoSchedule"), taint.MustParse("a=1:NoExecute"), {Key: "c", Effect: "Odd"}}
	var ix index.Index
	id := ix.Set("node", list)
	fleet := ix.Snapshot()
	who := new(index.Pods).Tolerators(fleet)
	got := who.AppendRows([]index.TaintRow{7}, fleet.Class(id))
	want := []index.TaintRow{7}
	for i := range list {
		want = append(want, who.Row(&list[i]))
	}
	if !slices.Equal(got, want) || got[1] == got[3] || got[2] != 0 || got[4] != 0 {
		t.Errorf("rows %v, want %v", got, want)
	}
	if got := who.AppendRows(nil, index.Class{}); got != nil {
		t.Errorf("rows %v for an unknown class", got)
	}
}

// NodesUpdated counts the classes that NodeUpdated reports for each change.
func TestNodesUpdated(t *testing.T) {
	everyWay(func() {
		rapid.Check(t, func(t *rapid.T) {
			pods, _, lists, fleet := drawTolerators(t)
			who := pods.Tolerators(fleet)
			want := make([]index.FitCount, len(countsOf(who, pods)))
			for range rapid.IntRange(1, 5).Draw(t, "changes") {
				kept, removed, added := drawOne(t, lists), drawOne(t, lists), drawOne(t, lists)
				nodes := rapid.IntRange(-1, 70).Draw(t, "nodes")
				who.NodesUpdated(rowsOf(who, kept), rowsOf(who, removed), rowsOf(who, added), nodes)
				var change index.Change
				pods.NodeUpdated(&change, slices.Concat(kept, removed), slices.Concat(kept, added))
				for c := range change.NowFit() {
					want[c].Gained += uint32(max(nodes, 0))
				}
				for c := range change.FitNoMore() {
					want[c].Lost += uint32(max(nodes, 0))
				}
				if rapid.Bool().Draw(t, "ask") {
					who.FitCount(0)
				}
			}
			if got := countsOf(who, pods); !slices.Equal(got, want) {
				t.Fatalf("%v, want %v", got, want)
			}
		})
	})
}

func drawOne(t *rapid.T, lists [][]taint.Taint) []taint.Taint {
	return rapid.SampledFrom(append(lists, nil)).Draw(t, "list")
}

func rowsOf(who *index.Tolerators, list []taint.Taint) (rows []index.TaintRow) {
	for i := range list {
		rows = append(rows, who.Row(&list[i]))
	}
	return rows
}

// Where each class has a key of its own, a change asks one class.
func TestLooksAtRareTaints(t *testing.T) {
	pods := index.NewPods(toleration.Rules{})
	var classes []index.PodClass
	for i := range 2000 {
		classes = append(classes, pods.Add([]toleration.Toleration{{Key: "own", Value: fmt.Sprint(i), Effect: taint.NoSchedule}}))
	}
	before := []taint.Taint{{Key: "own", Value: "7", Effect: taint.NoSchedule}}
	added := []taint.Taint{taint.MustParse("out:NoExecute")}
	who := pods.Tolerators(new(index.Index).Snapshot())
	kept, out := rowsOf(who, before), rowsOf(who, added)
	steps := who.Steps()
	who.NodesUpdated(kept, nil, out, 3)
	if n := who.Steps() - steps; n > 10 {
		t.Errorf("%d steps", n)
	}
	for i, c := range classes {
		want := index.FitCount{}
		if i == 7 {
			want.Lost = 3
		}
		if got := who.FitCount(c); got != want {
			t.Errorf("class %d: %+v, want %+v", i, got, want)
		}
	}
	if n := testing.AllocsPerRun(10, func() { who.NodesUpdated(kept, nil, out, 1) }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

// Where many classes tolerate many taints, a change looks at a word for each 64 of them
// and each taint, and rows that the same tolerations match share their words.
func TestLooksAtCommonTaints(t *testing.T) {
	const classes, taints = 6400, 1000
	pods := index.NewPods(toleration.Rules{})
	for i := range classes {
		pods.Add([]toleration.Toleration{{Key: "own", Operator: toleration.OpExists}, {Key: "class", Value: fmt.Sprint(i)}})
	}
	who := pods.Tolerators(new(index.Index).Snapshot())
	out := taint.MustParse("out:NoExecute")
	row := who.Row(&out)
	for i := range taints {
		own := taint.Taint{Key: "own", Value: fmt.Sprint(i), Effect: taint.NoSchedule}
		who.NodesUpdated([]index.TaintRow{who.Row(&own)}, nil, []index.TaintRow{row}, 1)
	}
	if got, most := who.Steps(), 6*taints*classes/64; got > most {
		t.Errorf("%d steps, want at most %d", got, most)
	}
	for c, n := range countsOf(who, pods)[1:] {
		if n != (index.FitCount{Lost: taints}) {
			t.Fatalf("class %d: %+v", c+1, n)
		}
	}
}
