package index_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"testing"

	"github.com/tolero-dev/tolero/compile/index"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// fleets draw the taints of a node: each kind of fleet leads to its sets in another way.
var fleets = map[string]func(r *rand.Rand) []taint.Taint{
	"pools": func(r *rand.Rand) []taint.Taint { return []taint.Taint{pool(r.IntN(5))}[:r.IntN(2)] },
	"own":   func(r *rand.Rand) []taint.Taint { return []taint.Taint{own(r.IntN(1 << 20))} },
	"own and common": func(r *rand.Rand) []taint.Taint {
		return []taint.Taint{own(r.IntN(1 << 20)), hardTaint("common", r.IntN(2), taint.NoExecute)}
	},
	"common": unselectiveTaints,
	"common and own": func(r *rand.Rand) []taint.Taint {
		list := unselectiveTaints(r)[:1+r.IntN(3)]
		if r.IntN(3) == 0 {
			list = append(list, own(r.IntN(50)), pool(r.IntN(3)))
		}
		return list
	},
	"numbers": func(r *rand.Rand) []taint.Taint {
		return []taint.Taint{hardTaint("n", r.IntN(400), taint.NoSchedule), hardTaint("n", r.IntN(400), taint.NoExecute)}[:1+r.IntN(2)]
	},
}

// podFor draws a pod that tolerates most of some node, and more.
func podFor(r *rand.Rand, node []taint.Taint) (list []toleration.Toleration) {
	for _, x := range node {
		if r.IntN(10) > 0 {
			list = append(list, toleration.Toleration{Key: x.Key, Value: x.Value, Effect: x.Effect})
		}
	}
	for range r.IntN(60) {
		list = append(list, toleration.Toleration{Key: fmt.Sprint("k", r.IntN(60)), Operator: toleration.OpExists})
	}
	more := mustParse("own,pool,common,common=1,*:NoSchedule,*:NoExecute,*,n>200,n<100")
	more = append(more, toleration.Toleration{Value: "7"}, toleration.Toleration{Operator: toleration.OpGt, Value: "390"})
	for range r.IntN(3) {
		list = append(list, more[r.IntN(len(more))])
	}
	return list
}

// Whichever way leads to the sets, also beside changes of many kinds, and from base to base,
// the nodes are those of match.
func TestWaysAgreeWithMatch(t *testing.T) {
	ways := map[string]int{}
	for what, draw := range fleets {
		r := rand.New(rand.NewPCG(4, 27))
		ix := index.New(comparing)
		nodes := map[string][]taint.Taint{}
		for i := range 900 {
			nodes[fmt.Sprint(i)] = draw(r)
		}
		ix.Load(maps.All(nodes))
		bases := 0
		last := ix.Snapshot()
		for step := range 600 {
			switch name := fmt.Sprint(r.IntN(1000)); r.IntN(6) {
			case 0:
				ix.Delete(name)
				delete(nodes, name)
			case 1: // only the soft taints change
				nodes[name] = append(nodes[name][:len(nodes[name]):len(nodes[name])], hardTaint("time", step, taint.PreferNoSchedule))
				ix.Set(name, nodes[name])
			case 2:
				nodes[name] = nil
				ix.Set(name, nil)
			default:
				nodes[name] = draw(r)
				ix.Set(name, nodes[name])
			}
			if step%7 > 0 {
				continue
			}
			s := ix.Snapshot()
			if !s.SameBase(last) {
				bases++
			}
			last = s
			for range 3 {
				ways[checkFit(t, s, nodes, podFor(r, draw(r))).Way()]++
			}
		}
		if bases < 3 {
			t.Errorf("%s: %d bases", what, bases)
		}
	}
	for _, way := range []string{"wholesale", "every set", "watches", "columns"} {
		if ways[way] < 20 {
			t.Errorf("%d pods by %s: %v", ways[way], way, ways)
		}
	}
}

// A taint that is not common keeps pods away from sets whose other taint is.
func TestRareTaintsBesideCommonOnes(t *testing.T) {
	ix := index.New(comparing)
	nodes := map[string][]taint.Taint{}
	var list []toleration.Toleration
	for i := range 32 { // each taint in 32 sets
		list = append(list, toleration.Toleration{Key: "c", Value: fmt.Sprint(i)}, toleration.Toleration{Key: "d", Value: fmt.Sprint(i)})
		for j := range 32 {
			nodes[fmt.Sprint(i, "-", j)] = []taint.Taint{hardTaint("c", i, taint.NoSchedule), hardTaint("d", j, taint.NoSchedule)}
		}
	}
	rare := taint.MustParse("rare:NoSchedule")
	nodes["both"] = []taint.Taint{rare, hardTaint("c", 0, taint.NoSchedule)}
	nodes["three"] = []taint.Taint{hardTaint("d", 0, taint.NoSchedule), hardTaint("c", 0, taint.NoSchedule), rare}
	ix.Load(maps.All(nodes))
	s := ix.Snapshot()
	if s.Columns() != 64 {
		t.Fatalf("%d columns", s.Columns())
	}
	for _, list := range [][]toleration.Toleration{list, append(list[:64:64], toleration.MustParse("rare")), list[:2], {list[0], toleration.MustParse("rare")}, {toleration.MustParse("rare")}} {
		if fit := checkFit(t, s, nodes, list); len(list) >= 64 && fit.Way() != "columns" {
			t.Errorf("%d tolerations: %s", len(list), fit.Way())
		}
	}
}

// Sets of all hard effects, some with one node and some with more, lead to the right nodes, however
// many there are: few are all tested, and many are found by what they watch, or have columns.
func TestPartsAgreeWithMatch(t *testing.T) {
	effects := []taint.Effect{taint.NoSchedule, taint.NoExecute}
	var many []toleration.Toleration
	for i := range 200 {
		many = append(many, toleration.Toleration{Key: "none", Value: fmt.Sprint(i)})
	}
	for _, sets := range []int{3, 63, 70, 300} {
		ix := index.New(comparing)
		nodes := map[string][]taint.Taint{}
		for i := range sets {
			x, y := hardTaint("x", i, effects[i%2]), hardTaint("y", i%7, effects[i/2%2])
			for j, list := range [][]taint.Taint{{x}, {y}, {x, y}, {y, x, taint.MustParse("all:NoExecute")}, {y, taint.MustParse("all:NoSchedule")}, nil} {
				for n := range 1 + (i+j)%3 {
					nodes[fmt.Sprint(i, "-", j, "-", n)] = list
				}
			}
		}
		ix.Load(maps.All(nodes))
		for change := range 3 {
			s := ix.Snapshot()
			for _, text := range []string{"", "x", "y", "all", "x=1", "x,y", "y,all", "x=2,x=3,y,all", "x,y,all"} {
				for _, whole := range []string{"", "*:NoSchedule", "*:NoExecute", "*"} {
					list := append(mustParse(whole), mustParse(text)...)
					checkFit(t, s, nodes, list)
					if change == 0 { // so many tolerations that all taints are looked at
						checkFit(t, s, nodes, append(list, many...))
					}
				}
			}
			name := fmt.Sprint("0-", change, "-0")
			nodes[name] = []taint.Taint{hardTaint("x", change, taint.NoExecute), hardTaint("y", 1, taint.NoSchedule)}
			ix.Set(name, nodes[name])
		}
	}
}

// Where 64 sets have one node each, an answer is a shifted word: in all words of places but one
// where these end, and one that has a set with more nodes. Sets with more nodes come last.
func TestWordsOfLoneSets(t *testing.T) {
	pods := map[string][]toleration.Toleration{"all": nil, "none": nil, "but c=3": nil, "but d=15": nil}
	for i := range 20 {
		for _, key := range []string{"c", "d"} {
			of := toleration.Toleration{Key: key, Value: fmt.Sprint(i)}
			pods["all"] = append(pods["all"], of)
			if key == "d" || i != 3 {
				pods["but c=3"] = append(pods["but c=3"], of)
			}
			if key == "c" || i != 15 {
				pods["but d=15"] = append(pods["but d=15"], of)
			}
		}
	}
	for _, sets := range []int{319, 320, 321, 384} {
		for _, more := range []int{0, 1} { // sets with two nodes
			ix := index.New(comparing)
			nodes := map[string][]taint.Taint{}
			for i := range sets {
				list := []taint.Taint{hardTaint("c", i/20, taint.NoSchedule), hardTaint("d", i%20, taint.NoSchedule)}
				nodes[fmt.Sprint(i)] = list
				if i < more {
					nodes["more"] = list
				}
			}
			ix.Load(maps.All(nodes))
			s := ix.Snapshot()
			want := sets / 64
			if more > 0 && sets%64 == 0 {
				want--
			}
			if s.Columns() == 0 || s.Lone() != want {
				t.Errorf("%d sets: %d columns, %d words of lone sets, want %d", sets, s.Columns(), s.Lone(), want)
			}
			for what, pod := range pods {
				if way := checkFit(t, s, nodes, pod).Way(); way != "columns" && what[:3] == "but" {
					t.Errorf("%d sets: %s by %s", sets, what, way)
				}
			}
		}
	}
}

// A fork goes on beside the base of its snapshot, with twice as many transfers: nodes that come, go,
// go to and fro, and leave sets that others left before.
func TestManyTransfers(t *testing.T) {
	for what, draw := range fleets {
		r := rand.New(rand.NewPCG(5, 27))
		ix := index.New(comparing)
		nodes := map[string][]taint.Taint{}
		for i := range 400 {
			nodes[fmt.Sprint(i)] = draw(r)
		}
		ix.Load(maps.All(nodes))
		first := ix.Snapshot()
		name := ""
		change := func(ix *index.Index, i int) {
			if i%2 == 0 { // and then the same node
				name = fmt.Sprint(r.IntN(450))
			}
			switch i % 5 {
			case 0:
				ix.Delete(name)
				delete(nodes, name)
			case 1:
				nodes[name] = nil
				ix.Set(name, nil)
			default:
				nodes[name] = draw(r)
				ix.Set(name, nodes[name])
			}
		}
		for i := range 50 {
			change(ix, i)
		}
		fork := ix.Snapshot().Fork()
		for i := range 60 {
			change(fork, i)
			if i%4 > 0 {
				continue
			}
			s := fork.Snapshot()
			if !s.SameBase(first) {
				t.Fatalf("%s: another base after %d changes of a fork", what, i)
			}
			for range 4 {
				fit := checkFit(t, s, nodes, podFor(r, draw(r)))
				for rest := range 3 { // the last of the nodes came late
					left := fit.Len() - rest
					for range fit.Nodes() {
						if left--; left <= 0 {
							break
						}
					}
				}
			}
		}
	}
}
