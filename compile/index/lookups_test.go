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

// Looking up many names, classes and taints together finds what looking them up one by one
// does: around the number that is looked up at once, repeated, unknown and stale ones too,
// and where all hashes are equal.
func TestLookupsTogether(t *testing.T) {
	t.Run("as they are", func(t *testing.T) { rapid.Check(t, checkLookupsTogether) })
	t.Run("colliding", func(t *testing.T) {
		index.WithHash(0, func() { rapid.Check(t, checkLookupsTogether) })
	})
}

func checkLookupsTogether(t *rapid.T) {
	ix := index.New(toleration.Rules{Comparisons: true})
	pods := index.NewPods(toleration.Rules{Comparisons: true})
	nodes := rapid.IntRange(0, 140).Draw(t, "nodes")
	names := []string{"", "nowhere"}
	classes := []index.Class{{}}
	first := rapid.SampledFrom([]string{"a", "z"}).Draw(t, "first") // less or greater than all others
	pods.Add([]toleration.Toleration{{Key: "own", Value: first}})
	for i := range nodes {
		name := fmt.Sprint("node-", i)
		list := matchtest.Taints().Draw(t, "taints")
		if i%2 == 0 {
			list = append(list, taint.Taint{Key: "own", Value: name, Effect: taint.NoSchedule})
		}
		names = append(names, name)
		id := ix.Set(name, list)
		if i%7 == 0 {
			classes = append(classes, ix.Snapshot().Class(id)) // stale if the node is set again
			ix.Set(name, nil)
		}
		pods.Add([]toleration.Toleration{{Key: "own", Value: name}})
		pods.Add([]toleration.Toleration{{Value: name}, {Key: "other", Value: name}})
		pods.Add(matchtest.Tolerations(list).Draw(t, "tolerations"))
	}
	ix.Delete("node-1")
	fleet := ix.Snapshot()
	names = append(names, names[rapid.IntRange(0, len(names)-1).Draw(t, "again"):]...)
	ids := fleet.AppendIDs([]index.NodeID{{}}, names)[1:]
	for i, name := range names {
		if want, _ := fleet.ID(name); ids[i] != want {
			t.Fatalf("%q: %+v, want %+v", name, ids[i], want)
		}
		classes = append(classes, fleet.Class(ids[i]))
	}
	checkTaintsTogether(t, pods, fleet, classes)
}

// checkTaintsTogether compares the taints and the rows of classes that are looked up together
// with those of one after the other.
func checkTaintsTogether(t *rapid.T, pods *index.Pods, fleet *index.Snapshot, classes []index.Class) {
	who, single := pods.Tolerators(fleet), pods.Tolerators(fleet)
	got, ends := fleet.AppendTaintsOf(make([]taint.Taint, 1), []int{7}, classes)
	rows := who.AppendRows([]index.TaintRow{9}, classes...)
	if len(ends) != 1+len(classes) || len(rows) != len(got) || rows[0] != 9 || ends[0] != 7 {
		t.Fatalf("%d ends of %d classes, %d rows of %d taints", len(ends)-1, len(classes), len(rows)-1, len(got)-1)
	}
	first := 1
	for i, c := range classes {
		want := fleet.AppendTaints(nil, c)
		if !taint.Equal(got[first:ends[i+1]], want) {
			t.Fatalf("class %d: %v, want %v", i, got[first:ends[i+1]], want)
		}
		for j := range want {
			row, alone := rows[first+j], single.Row(&want[j])
			if (row == 0) == taint.Hard.Has(want[j].Effect) {
				t.Fatalf("row %d for %v", row, want[j])
			}
			if again := who.Row(&want[j]); again != row {
				t.Fatalf("rows %d and %d for %v", row, again, want[j])
			}
			for class := range pods.All() {
				tolerated := row == 0 || match.Tolerates(pods.Tolerations(class), &want[j])
				if got, alone := who.Tolerates(row, class), single.Tolerates(alone, class); got != tolerated || alone != tolerated {
					t.Fatalf("class %d, %v: %t and alone %t, want %t", class, want[j], got, alone, tolerated)
				}
			}
		}
		first = ends[i+1]
	}
}

// A Tolerators that is reset is as good as a new one: for the pods as they are then, and for
// another snapshot.
func TestReset(t *testing.T) {
	everyWay(func() {
		rapid.Check(t, func(t *rapid.T) {
			pods, _, lists, fleet := drawTolerators(t)
			who := pods.Tolerators(fleet)
			count := func(who *index.Tolerators) []index.FitCount {
				for _, list := range lists {
					who.NodesUpdated(rowsOf(who, list[:len(list)/2]), rowsOf(who, list[len(list)/2:]), nil, 3)
					who.NodesAdded(rowsOf(who, list), 2)
				}
				return countsOf(who, pods)
			}
			for range 3 {
				count(who) // and keeps the counts, and some that nobody has asked for
				who.NodesUpdated(rowsOf(who, lists[0]), rowsOf(who, lists[1]), rowsOf(who, lists[2]), 1)
				who.NodesAdded(rowsOf(who, lists[0]), 1)
				pods.Add(matchtest.Tolerations(lists[0]).Draw(t, "another"))
				ix := fleet.Fork()
				ix.Set("other", rapid.SampledFrom(lists).Draw(t, "taints"))
				fleet = ix.Snapshot()
				who.Reset(fleet)
				for c, n := range who.FitCounts() {
					t.Fatalf("class %d has %+v", c, n)
				}
				fresh := pods.Tolerators(fleet)
				if got, want := count(who), count(fresh); !slices.Equal(got, want) {
					t.Fatalf("%v, want %v", got, want)
				}
				if who.Steps() != fresh.Steps() {
					t.Fatalf("%d steps, want %d", who.Steps(), fresh.Steps())
				}
			}
		})
	})
}

// Expecting questions changes no answer.
func TestExpect(t *testing.T) {
	everyWay(func() {
		rapid.Check(t, func(t *rapid.T) {
			pods, classes, lists, fleet := drawTolerators(t)
			who, plain := pods.Tolerators(fleet), pods.Tolerators(fleet)
			for _, list := range lists {
				for i := range list {
					row, other := who.Row(&list[i]), plain.Row(&list[i])
					who.Expect(row, rapid.IntRange(-1, 3).Draw(t, "questions"))
					for _, c := range append(classes, 0, 1000) {
						if got, want := who.Tolerates(row, c), plain.Tolerates(other, c); got != want {
							t.Fatalf("class %d, %v: %t, want %t", c, list[i], got, want)
						}
					}
				}
			}
		})
	})
}

// What is expected often is written down once: then each answer is one step.
func TestExpectPays(t *testing.T) {
	const classes = 6400
	pods := index.NewPods(toleration.Rules{Comparisons: true})
	for i := range classes {
		pods.Add([]toleration.Toleration{{Key: "a", Operator: toleration.OpGt, Value: fmt.Sprint(i)}, {Key: "class", Value: fmt.Sprint(i)}})
	}
	who := pods.Tolerators(index.New(toleration.Rules{Comparisons: true}).Snapshot())
	row := who.Row(&taint.Taint{Key: "a", Value: fmt.Sprint(classes / 2), Effect: taint.NoSchedule})
	ask := func() (tolerated, steps int) {
		before := who.Steps()
		for c := range pods.All() {
			if who.Tolerates(row, c) {
				tolerated++
			}
		}
		return tolerated, who.Steps() - before
	}
	if n, steps := ask(); n != classes/2 || steps < 2*classes {
		t.Errorf("%d classes tolerate the taint, in %d steps", n, steps)
	}
	for range classes {
		who.Expect(row, 1)
	}
	if n, steps := ask(); n != classes/2 || steps != classes {
		t.Errorf("%d classes tolerate the taint, in %d steps", n, steps)
	}
}

// A taint that has a row is one step, whether its class is asked for alone or with others.
func TestRowsAreMadeOnce(t *testing.T) {
	var ix index.Index
	var ids []index.NodeID
	for _, name := range []string{"a", "b"} {
		ids = append(ids, ix.Set(name, []taint.Taint{
			{Key: "own", Value: name, Effect: taint.NoSchedule}, {Key: "soft", Effect: taint.PreferNoSchedule}, {Key: "out", Effect: taint.NoExecute},
		}))
	}
	fleet := ix.Snapshot()
	classes := []index.Class{fleet.Class(ids[0]), fleet.Class(ids[1])}
	who := new(index.Pods).Tolerators(fleet)
	steps := func(classes ...index.Class) int {
		before := who.Steps()
		who.AppendRows(nil, classes...)
		return who.Steps() - before
	}
	if got, want := steps(classes...), 2*3+4+2*3; got != want { // taints, those without a row, rows that are made and counted
		t.Errorf("the first time: %d steps, want %d", got, want)
	}
	if got, want := steps(classes...), 2*3; got != want {
		t.Errorf("the second time: %d steps, want %d", got, want)
	}
	if got, want := steps(classes[0]), 3; got != want {
		t.Errorf("alone: %d steps, want %d", got, want)
	}
}

// A taint that one class tolerates is one step for a change and one for a question, however
// many classes there are. A number among words is told apart from them.
func TestTaintsOfOneClass(t *testing.T) {
	pods := index.NewPods(toleration.Rules{Comparisons: true})
	var classes []index.PodClass
	for i := range 2000 {
		classes = append(classes, pods.Add([]toleration.Toleration{{Key: "own", Value: fmt.Sprint("v", i)}}))
	}
	above := pods.Add([]toleration.Toleration{{Key: "own", Operator: toleration.OpGt, Value: "7"}, {Key: "x"}, {Key: "y"}})
	who := pods.Tolerators(index.New(toleration.Rules{Comparisons: true}).Snapshot())
	out := who.Row(&taint.Taint{Key: "out", Effect: taint.NoExecute})
	for _, c := range []struct {
		value string
		class index.PodClass
	}{{"v3", classes[3]}, {"8", above}} {
		row := who.Row(&taint.Taint{Key: "own", Value: c.value, Effect: taint.NoSchedule})
		who.NodesUpdated([]index.TaintRow{row}, nil, []index.TaintRow{out}, 1) // counts the classes
		before := who.Steps()
		who.NodesUpdated([]index.TaintRow{row}, nil, []index.TaintRow{out}, 1)
		if got, want := who.Steps()-before, 1+2+1; got != want { // a change of two taints, one class that does not tolerate the other
			t.Errorf("%s: %d steps, want %d", c.value, got, want)
		}
		if got := who.FitCount(c.class); got != (index.FitCount{Lost: 2}) {
			t.Errorf("%s: %+v", c.value, got)
		}
		before = who.Steps()
		for class := range pods.All() {
			if who.Tolerates(row, class) != (class == c.class) {
				t.Errorf("%s, class %d: %t", c.value, class, class != c.class)
			}
		}
		if got, want := who.Steps()-before, 2001; got != want {
			t.Errorf("%s: %d steps, want %d", c.value, got, want)
		}
	}
}

// Where words and numbers are tolerated by Exists alike, and some numbers by Gt too, the bits
// of the one are not those of the other, whichever is asked for first.
func TestNumbersHaveBitsOfTheirOwn(t *testing.T) {
	for _, values := range [][]string{{"word", "8"}, {"8", "word"}} {
		pods := index.NewPods(toleration.Rules{Comparisons: true})
		exists := pods.Add([]toleration.Toleration{{Key: "own", Operator: toleration.OpExists}})
		above := pods.Add([]toleration.Toleration{{Key: "own", Operator: toleration.OpGt, Value: "7"}})
		who := pods.Tolerators(index.New(toleration.Rules{Comparisons: true}).Snapshot())
		for range 2 {
			for _, value := range values {
				row := who.Row(&taint.Taint{Key: "own", Value: value, Effect: taint.NoSchedule})
				who.Expect(row, 1000)
				if !who.Tolerates(row, exists) || who.Tolerates(row, above) != (value == "8") {
					t.Errorf("%s of %v: %t, %t", value, values, who.Tolerates(row, exists), who.Tolerates(row, above))
				}
			}
		}
	}
}

// Of a node that has gone and of one that never was there is no name, no slot and no class.
func TestNodesThatAreGone(t *testing.T) {
	var ix index.Index
	gone := ix.Set("gone", []taint.Taint{{Key: "gone", Effect: taint.NoSchedule}})
	ix.Set("stays", []taint.Taint{{Key: "stays", Effect: taint.NoSchedule}})
	ix.Delete("gone")
	fleet := ix.Snapshot()
	for _, id := range []index.NodeID{gone, {}} {
		if name, ok := fleet.Name(id); name != "" || ok {
			t.Errorf("name %q, %t", name, ok)
		}
		if slot := fleet.Slot(id); slot != -1 {
			t.Errorf("slot %d", slot)
		}
	}
	for class, n := range fleet.Classes() {
		if list := fleet.AppendTaints(nil, class); n != 1 || len(list) != 1 || list[0].Key != "stays" {
			t.Errorf("%d nodes with %v", n, list)
		}
	}
}

// Looking a taint up takes the same steps, however many keys and values there are, unless they
// have its hashes: then a wrong guess is a step more.
func TestStepsOfLookups(t *testing.T) {
	const taints = 70
	steps := func(bits int) (steps int) {
		index.WithHash(bits, func() {
			ix, pods := index.New(toleration.Rules{}), index.NewPods(toleration.Rules{})
			var classes []index.Class
			for i := range taints {
				x := taint.Taint{Key: fmt.Sprint("key-", i), Value: fmt.Sprint("value-", i), Effect: taint.NoSchedule}
				pods.Add([]toleration.Toleration{{Key: x.Key, Value: x.Value}, {Operator: toleration.OpEqual, Value: x.Value}})
				id := ix.Set(x.Key, []taint.Taint{x})
				classes = append(classes, ix.Snapshot().Class(id))
			}
			who := pods.Tolerators(ix.Snapshot())
			who.AppendRows(nil, classes...)
			steps = who.Steps()
		})
		return steps
	}
	const each = 4
	if got := steps(32); got != each*taints {
		t.Errorf("%d steps, want %d", got, each*taints)
	}
	// One guess of a key is right, and one of a value, with a key or without.
	if got, want := steps(0), each*taints+(taints-1)+(2*taints-1); got != want {
		t.Errorf("%d steps where all hashes are equal, want %d", got, want)
	}
}
