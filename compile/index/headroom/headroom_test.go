package headroom_test

import (
	"fmt"
	"maps"
	"math"
	"math/big"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/tolero-dev/tolero/compile/index"
	"github.com/tolero-dev/tolero/compile/index/headroom"
	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/match/matchtest"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// node is a node as the tests see it.
type node struct {
	name    string
	taints  []taint.Taint
	numbers []int64
}

// amount adds up the nodes that pass, one by one.
func amount(nodes []node, kinds int, passes func(*node) bool) (a headroom.Amount) {
	sums := make([]*big.Int, kinds)
	for i := range sums {
		sums[i] = new(big.Int)
	}
	for i := range nodes {
		if !passes(&nodes[i]) {
			continue
		}
		a.Nodes++
		for j := range sums {
			sums[j].Add(sums[j], big.NewInt(nodes[i].numbers[j]))
		}
	}
	a.Numbers = make([]int64, kinds)
	for j, sum := range sums {
		switch {
		case sum.IsInt64():
			a.Numbers[j] = sum.Int64()
		case sum.Sign() < 0:
			a.Numbers[j] = math.MinInt64
		default:
			a.Numbers[j] = math.MaxInt64
		}
	}
	return a
}

func equal(a, b headroom.Amount) bool {
	return a.Nodes == b.Nodes && slices.Equal(a.Numbers, b.Numbers)
}

// Everything that a table says is what comes of asking package match about each node
// and class.
func TestTablesAgreeWithMatch(t *testing.T) { rapid.Check(t, checkTable) }

func checkTable(t *rapid.T) {
	rules := toleration.Rules{Comparisons: rapid.Bool().Draw(t, "comparisons")}
	kinds := rapid.IntRange(0, 2).Draw(t, "kinds")
	lists := rapid.SliceOfN(matchtest.Taints(), 1, 6).Draw(t, "lists")
	number := rapid.OneOf(rapid.Int64Range(-5, 100), rapid.SampledFrom([]int64{math.MaxInt64, math.MinInt64}))
	ix, pods := index.New(rules), index.NewPods(rules)
	var nodes []node
	byName := map[string][]int64{}
	for i := range rapid.IntRange(0, 30).Draw(t, "nodes") {
		n := node{fmt.Sprint("node-", i), rapid.SampledFrom(lists).Draw(t, "taints"), nil}
		n.numbers = rapid.SliceOfN(number, kinds, kinds).Draw(t, "numbers")
		nodes, byName[n.name] = append(nodes, n), n.numbers
		ix.Set(n.name, n.taints)
	}
	for len(nodes) > 0 && rapid.IntRange(0, 3).Draw(t, "delete") == 0 { // sets become empty
		ix.Delete(nodes[len(nodes)-1].name)
		nodes = nodes[:len(nodes)-1]
	}
	for range rapid.IntRange(0, 8).Draw(t, "pods") {
		pods.Add(matchtest.Tolerations(rapid.SampledFrom(lists).Draw(t, "for")).Draw(t, "tolerations"))
	}
	f := headroom.New(ix.Snapshot(), kinds, func(name string, into []int64) {
		if len(into) != kinds || slices.ContainsFunc(into, func(n int64) bool { return n != 0 }) {
			t.Fatalf("%s: numbers %d, want %d zeros", name, into, kinds)
		}
		copy(into, byName[name])
	})
	fits := func(c index.PodClass, n *node) bool {
		_, refused := match.FirstUntolerated(n.taints, pods.Tolerations(c), taint.Hard, rules)
		return !refused
	}
	check := func(what string, got headroom.Amount, passes func(*node) bool) {
		t.Helper()
		if want := amount(nodes, kinds, passes); !equal(got, want) {
			t.Fatalf("%s: %+v, want %+v", what, got, want)
		}
	}
	check("all", f.Total(), func(*node) bool { return true })
	table := f.Table(pods)
	var classes []index.PodClass
	for row := range table.Rows() {
		classes = append(classes, row.Class)
		if row.Pods != pods.Count(row.Class) || !toleration.Equal(row.Tolerations, pods.Tolerations(row.Class)) {
			t.Fatalf("%+v: want %d pods", row, pods.Count(row.Class))
		}
		check("a list", f.For(row.Tolerations), func(n *node) bool { return fits(row.Class, n) })
		check("a class", row.Room, func(n *node) bool { return fits(row.Class, n) })
		check("its own", row.Own, func(n *node) bool {
			for c := range pods.All() {
				if fits(c, n) != (c == row.Class) {
					return false
				}
			}
			return true
		})
	}
	if n := 0; len(classes) > 0 {
		for range pods.All() {
			n++
		}
		if n != len(classes) {
			t.Fatalf("%d rows for %d classes", len(classes), n)
		}
		some := rapid.SliceOfN(rapid.SampledFrom(append(classes, 999)), 0, 4).Draw(t, "some")
		check("shared", table.Shared(some...), func(n *node) bool {
			return !slices.ContainsFunc(some, func(c index.PodClass) bool { return c == 999 || !fits(c, n) })
		})
		check("either", table.Either(some...), func(n *node) bool {
			return slices.ContainsFunc(some, func(c index.PodClass) bool { return c != 999 && fits(c, n) })
		})
	}
	checkRegions(t, table, classes, check, fits)
}

// checkRegions checks that each node is in the one region of those who may use it.
func checkRegions(t *rapid.T, table *headroom.Table, classes []index.PodClass, check func(string, headroom.Amount, func(*node) bool), fits func(index.PodClass, *node) bool) {
	var seen [][]index.PodClass
	for region := range table.Regions() {
		if region.Nodes == 0 || slices.ContainsFunc(seen, func(c []index.PodClass) bool { return slices.Equal(c, region.Classes) }) {
			t.Fatalf("region %+v is empty or not the only one", region)
		}
		seen = append(seen, region.Classes)
		check("region", region.Amount, func(n *node) bool {
			return !slices.ContainsFunc(classes, func(c index.PodClass) bool { return fits(c, n) != slices.Contains(region.Classes, c) })
		})
	}
	check("all regions", table.Shared(), func(*node) bool { return true })
}

// A fleet without numbers counts nodes, and zero values answer for no nodes.
func TestWithoutNumbers(t *testing.T) {
	var ix index.Index
	ix.Set("a", nil)
	ix.Set("b", []taint.Taint{taint.MustParse("k:NoSchedule")})
	for _, f := range []*headroom.Fleet{headroom.New(ix.Snapshot(), 0, nil), headroom.New(ix.Snapshot(), -1, func(string, []int64) { t.Error("asked for numbers") }), headroom.New(ix.Snapshot(), 1, nil)} {
		if f.Total().Nodes != 2 || f.For(nil).Nodes != 1 {
			t.Errorf("%d nodes, %d for all pods", f.Total().Nodes, f.For(nil).Nodes)
		}
	}
	var pods index.Pods
	c := pods.Add(nil)
	var zero headroom.Fleet
	var none headroom.Table
	table := zero.Table(&pods)
	for _, a := range []headroom.Amount{zero.Total(), zero.For(nil), table.Shared(c), table.Either(c), none.Shared(), none.Either(c)} {
		if a.Nodes != 0 || len(a.Numbers) != 0 {
			t.Errorf("%+v for no nodes", a)
		}
	}
	for range none.Rows() {
		t.Error("the zero Table has a row")
	}
	for range none.Regions() {
		t.Error("the zero Table has a region")
	}
}

// Iterations stop when they are told to.
func TestIterationsStop(t *testing.T) {
	var ix index.Index
	ix.Set("a", nil)
	ix.Set("b", []taint.Taint{taint.MustParse("k:NoSchedule")})
	var pods index.Pods
	pods.Add(nil)
	pods.Add([]toleration.Toleration{toleration.MustParse("k")})
	table := headroom.New(ix.Snapshot(), 0, nil).Table(&pods)
	rows, regions := 0, 0
	for range table.Rows() {
		rows++
		break
	}
	for range table.Regions() {
		regions++
		break
	}
	if rows != 1 || regions != 1 {
		t.Errorf("%d rows and %d regions after the first", rows, regions)
	}
}

// All sequences of three classes out of eight, on nodes with every set of up to three taints:
// regions are found by splitting, and each is what the same classes may use.
func TestRegionsOfThreeClasses(t *testing.T) {
	all := []taint.Taint{taint.MustParse("a:NoSchedule"), taint.MustParse("b:NoSchedule"), taint.MustParse("c:NoSchedule")}
	var ix index.Index
	var lists [8][]toleration.Toleration
	for set := range lists {
		var taints []taint.Taint
		for i := range all {
			if set&(1<<i) != 0 {
				taints = append(taints, all[i])
				lists[set] = append(lists[set], toleration.For(&all[i]))
			}
		}
		ix.Set(fmt.Sprint("n", set), taints)
	}
	f := headroom.New(ix.Snapshot(), 0, nil)
	for sequence := range 8 * 8 * 8 {
		var pods index.Pods
		tolerated := map[index.PodClass]int{}
		for _, set := range []int{sequence % 8, sequence / 8 % 8, sequence / 64} {
			tolerated[pods.Add(lists[set])] = set
		}
		want := map[string]int{}
		for set := range lists {
			var users []index.PodClass
			for class := range pods.All() {
				if set&^tolerated[class] == 0 {
					users = append(users, class)
				}
			}
			want[fmt.Sprint(users)]++
		}
		got := map[string]int{}
		for r := range f.Table(&pods).Regions() {
			got[fmt.Sprint(r.Classes)] += r.Nodes
		}
		if !maps.Equal(got, want) {
			t.Fatalf("sequence %o: %v, want %v", sequence, got, want)
		}
	}
}
