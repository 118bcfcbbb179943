//go:build tolero_invariants

package index_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/tolero-dev/tolero/compile/index"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// What is crafted to be slow is not: the steps of a pod grow no faster than what is
// asked and what there is. All of this counts steps, which are the same on every
// machine; that needs the tag tolero_invariants.

// growth checks that steps grow no faster than n log n from n to 2n and 4n.
func growth(t *testing.T, what string, n int, steps func(n int) int) {
	t.Helper()
	one, two, four := steps(n), steps(2*n), steps(4*n)
	t.Logf("%s: %d steps for %d, %d for %d, %d for %d", what, one, n, two, 2*n, four, 4*n)
	if two > 5*one/2+64 || four > 5*one+64 {
		t.Errorf("%s: %d steps for %d, %d for %d, and %d for %d", what, one, n, two, 2*n, four, 4*n)
	}
}

func repeated(n int, of ...toleration.Toleration) (list []toleration.Toleration) {
	for range n {
		list = append(list, of...)
	}
	return list
}

func steps(s *index.Snapshot, tolerations []toleration.Toleration) int {
	var fit index.Fit
	s.FitList(&fit, tolerations)
	return fit.Steps()
}

// Equal and redundant tolerations cost nothing after they were read, and those without
// a key do not look at the sets once each.
func TestStepsOfRedundantTolerations(t *testing.T) {
	s := fleetOfSets(200, func(i int) []taint.Taint {
		return []taint.Taint{hardTaint("a", i, taint.NoSchedule), hardTaint("b", i, taint.NoExecute)}
	}).Snapshot()
	for what, of := range map[string]toleration.Toleration{
		"any key, one effect":         {Operator: toleration.OpExists, Effect: taint.NoSchedule},
		"any key, the other":          {Operator: toleration.OpExists, Effect: taint.NoExecute},
		"any key, no effect":          {Operator: toleration.OpExists},
		"a key":                       {Key: "a", Operator: toleration.OpExists},
		"a pair":                      {Key: "a", Value: "7"},
		"a range":                     {Key: "a", Operator: toleration.OpGt, Value: "50"},
		"a value of any key, invalid": {Value: "7"},
		"a range of any key, invalid": {Operator: toleration.OpLt, Value: "50"},
	} {
		once := steps(s, repeated(1, of))
		if often := steps(s, repeated(400, of)); often > once+400+1200 {
			t.Errorf("%s: %d steps said once, %d said 400 times", what, once, often)
		}
	}
	redundant := []toleration.Toleration{{Key: "a", Operator: toleration.OpExists}, {Key: "a", Operator: toleration.OpGt, Value: "-1"}, {Key: "a", Operator: toleration.OpLt, Value: "1000"}}
	for i := range 200 {
		redundant = append(redundant, toleration.Toleration{Key: "a", Value: strconv.Itoa(i)})
	}
	if once, often := steps(s, redundant[:1]), steps(s, redundant); often > once+4*len(redundant) {
		t.Errorf("a key: %d steps said once, %d with all that it covers", once, often)
	}
}

// Tolerations times sets: both four times as many are not sixteen times the steps.
func TestStepsOfManyTolerations(t *testing.T) {
	for what, of := range map[string]func(i int) toleration.Toleration{
		"any key": func(i int) toleration.Toleration {
			return toleration.Toleration{Operator: toleration.OpExists, Effect: taint.NoSchedule}
		},
		"keys": func(i int) toleration.Toleration {
			return toleration.Toleration{Key: fmt.Sprint("k", i), Operator: toleration.OpExists}
		},
		"pairs": func(i int) toleration.Toleration { return toleration.Toleration{Key: "b", Value: strconv.Itoa(i)} },
		"bounds": func(i int) toleration.Toleration {
			return toleration.Toleration{Key: "b", Operator: toleration.OpLt, Value: strconv.Itoa(i)}
		},
		"bounds of each key": func(i int) toleration.Toleration {
			return toleration.Toleration{Key: fmt.Sprint("k", i), Operator: toleration.OpGt, Value: "0"}
		},
		"values of any key": func(i int) toleration.Toleration { return toleration.Toleration{Value: strconv.Itoa(2 * i)} },
	} {
		growth(t, what, 250, func(n int) int {
			s := fleetOfSets(n, func(i int) []taint.Taint {
				return []taint.Taint{hardTaint(fmt.Sprint("k", i), i, taint.NoSchedule), hardTaint("b", i, taint.NoExecute), hardTaint("c", i%10, taint.NoSchedule)}
			}).Snapshot()
			var list []toleration.Toleration
			for i := range n {
				list = append(list, of(i))
			}
			return steps(s, list)
		})
	}
}

// A soft toleration leads to no set, whatever taints there are.
func TestStepsOfSoftTolerations(t *testing.T) {
	s := fleetOfSets(5000, func(i int) []taint.Taint {
		return []taint.Taint{hardTaint("own", i, taint.NoSchedule), hardTaint("soft", i, taint.PreferNoSchedule)}
	}).Snapshot()
	for _, text := range []string{"*:PreferNoSchedule", "own:PreferNoSchedule", "soft", "soft:PreferNoSchedule", "soft>7", "own<700:PreferNoSchedule"} {
		if n := steps(s, []toleration.Toleration{toleration.MustParse(text)}); n > 16 {
			t.Errorf("%s: %d steps", text, n)
		}
	}
}

// Unix times in soft taints do not multiply what a verdict costs, nor the words.
func TestStepsWithTimesInSoftTaints(t *testing.T) {
	pools := func(times bool) func(i int) []taint.Taint {
		return func(i int) []taint.Taint {
			list := []taint.Taint{hardTaint("pool", i%20, taint.NoSchedule)}
			if times {
				list = append(list, hardTaint(taint.KeyDeletionCandidate, i, taint.PreferNoSchedule))
			}
			return list
		}
	}
	without, with := fleetOfSets(5000, pools(false)), fleetOfSets(5000, pools(true))
	for _, text := range []string{"pool=3", "pool", "pool>7", "*:NoSchedule", "*:NoExecute"} {
		list := []toleration.Toleration{toleration.MustParse(text)}
		if a, b := steps(without.Snapshot(), list), steps(with.Snapshot(), list); b > a+4 {
			t.Errorf("%s: %d steps, with times %d", text, a, b)
		}
	}
}

// Pods that tolerate one hard effect wholesale look at no sets that have only that one. A few
// others are all tested.
func TestStepsOfWholesaleTolerations(t *testing.T) {
	s := fleetOfSets(3000, func(i int) []taint.Taint {
		list := []taint.Taint{hardTaint("own", i, taint.NoSchedule)}
		if i%100 == 0 {
			list = append(list, hardTaint("down", i, taint.NoExecute))
		}
		return list
	}).Snapshot()
	for text, most := range map[string]int{"*:NoSchedule": 40, "*:NoExecute": 4, "*": 4, "*:NoSchedule,down=0:NoExecute": 40, "*:NoExecute,own=0": 12} {
		list, err := toleration.ParseList(text)
		if err != nil {
			t.Fatal(err)
		}
		if n := steps(s, list); n > most {
			t.Errorf("%s: %d steps", text, n)
		}
	}
}

// What is tolerated wholesale is not looked at in the sets that have more.
func TestStepsBesideWholesaleTaints(t *testing.T) {
	for text, effects := range map[string][2]taint.Effect{
		"*:NoExecute,own=7": {taint.NoSchedule, taint.NoExecute}, "*:NoSchedule,own=7": {taint.NoExecute, taint.NoSchedule},
	} {
		s := fleetOfSets(500, func(i int) []taint.Taint {
			list := []taint.Taint{hardTaint("own", i, effects[0]), hardTaint("other", i%50, effects[0])}
			for j := range 100 {
				list = append(list, hardTaint("tolerated", j, effects[1]))
			}
			return list
		}).Snapshot()
		if n := steps(s, mustParse(text)); n > 16 {
			t.Errorf("%s: %d steps", text, n)
		}
	}
}

// Where no taint is selective, common taints are columns, and the planner counts.
func TestStepsWithoutSelectiveTaints(t *testing.T) {
	const keys, each = 60, 8
	ix := fleetOfSets(20_000, func(i int) []taint.Taint { return unselective(i, keys, each) })
	s := ix.Snapshot()
	if n := s.Columns(); n != keys {
		t.Fatalf("%d columns, want %d", n, keys)
	}
	var fit index.Fit
	for _, c := range []struct {
		tolerated int
		way       string
		most      int
	}{
		{0, "watches", 0}, {2, "watches", 1500}, {50, "columns", 6000}, {57, "columns", 14_000}, {60, "columns", 21_000},
	} {
		var list []toleration.Toleration
		for k := range c.tolerated {
			list = append(list, toleration.Toleration{Key: fmt.Sprint("k", k), Operator: toleration.OpExists})
		}
		s.FitList(&fit, list)
		if fit.Way() != c.way || fit.Steps() > c.most {
			t.Errorf("%d keys tolerated, %d nodes fit: %d steps, %s", c.tolerated, fit.Len(), fit.Steps(), fit.Way())
		}
	}
}

// unselective returns some of the taints with as many keys, others for each i.
func unselective(i, keys, each int) (list []taint.Taint) {
	state := uint64(i)*0x9e3779b97f4a7c15 + 1
	seen := map[uint64]bool{}
	for len(list) < each {
		state ^= state << 13
		state ^= state >> 7
		state ^= state << 17
		if k := state % uint64(keys); !seen[k] {
			seen[k] = true
			list = append(list, taint.Taint{Key: fmt.Sprint("k", k), Value: "x", Effect: []taint.Effect{taint.NoSchedule, taint.NoExecute}[k%2]})
		}
	}
	return list
}

// Numbers in the worst order, and lists that differ where a weak hash does not look.
func TestProbesOfCraftedLists(t *testing.T) {
	seconds := func(i int64) *int64 { return &i }
	for what, list := range map[string]func(i int) []toleration.Toleration{
		"the highest bit of the seconds of two": func(i int) []toleration.Toleration {
			flip := int64(-1 << 63)
			return []toleration.Toleration{
				{Key: "a", Operator: toleration.OpExists, TolerationSeconds: seconds(int64(i/4) ^ flip*int64(i&1))},
				{Key: "b", Operator: toleration.OpExists, TolerationSeconds: seconds(int64(i/4) ^ flip*int64(i>>1&1))},
			}
		},
		"the highest bit of the seconds of many": func(i int) (list []toleration.Toleration) {
			for bit := range 14 {
				list = append(list, toleration.Toleration{Key: "a", TolerationSeconds: seconds(int64(i>>bit&1) << 63)})
			}
			return list
		},
		"operators": func(i int) (list []toleration.Toleration) {
			for bit := range 14 {
				list = append(list, toleration.Toleration{Key: "a", Value: "1", Operator: []toleration.Operator{toleration.OpGt, toleration.OpLt}[i>>bit&1]})
			}
			return list
		},
		"effects": func(i int) (list []toleration.Toleration) {
			for bit := range 14 {
				list = append(list, toleration.Toleration{Key: "a", Effect: []taint.Effect{"NoSchedule", "NoScheduld"}[i>>bit&1]})
			}
			return list
		},
		"borders of fields": func(i int) (list []toleration.Toleration) {
			for bit := range 14 {
				list = append(list, [...]toleration.Toleration{{Key: "a"}, {Value: "a"}}[i>>bit&1])
			}
			return list
		},
		"the value that is the key": func(i int) []toleration.Toleration {
			return []toleration.Toleration{{Key: fmt.Sprint("team-", i), Value: fmt.Sprint("team-", i)}}
		},
		"seconds or none": func(i int) (list []toleration.Toleration) {
			for bit := range 14 {
				list = append(list, toleration.Toleration{Key: "a", TolerationSeconds: [...]*int64{nil, seconds(0)}[i>>bit&1]})
			}
			return list
		},
	} {
		checkProbes(t, what, list)
	}
}

// checkProbes adds up to 8,000 lists to pods. A list is looked up at four slots on average and
// at most. If half of the lists collided, each would look at 500 slots.
func checkProbes(t *testing.T, what string, list func(i int) []toleration.Toleration) {
	for _, n := range []int{2000, 4000, 8000} {
		probes := index.Probes(func() {
			var pods index.Pods
			for i := range n {
				pods.Add(list(i))
			}
		})
		if most := 4 * n; probes > most {
			t.Errorf("%s: %d probes for %d lists, want at most %d", what, probes, n, most)
		}
	}
}

// A taint of its own and a common one on each node: who tolerates only the first does not look
// at each node, and neither does who tolerates numbers or values of no node.
func TestStepsBesideACommonTaint(t *testing.T) {
	const nodes = 20_000
	s := fleetOfSets(nodes, func(i int) []taint.Taint {
		return []taint.Taint{hardTaint("own", i, taint.NoSchedule), taint.MustParse("not-ready:NoExecute"), hardTaint("time", i, taint.PreferNoSchedule)}
	}).Snapshot()
	for _, list := range [][]toleration.Toleration{
		{toleration.MustParse("own")}, {toleration.MustParse("own>5")}, {{Value: "7"}}, {{Operator: toleration.OpGt, Value: "7"}}, {toleration.MustParse("*:NoSchedule")},
	} {
		if n := steps(s, list); n > nodes/4 {
			t.Errorf("%s: %d steps for %d nodes", toleration.FormatList(list), n, nodes)
		}
	}
}

// Who tolerates only the taint that all sets have looks at none of them, whichever of the taints
// come first and whichever effects they have: each set watches its own one.
func TestStepsOfCommonTaints(t *testing.T) {
	for _, common := range []string{"common:NoSchedule", "common:NoExecute"} {
		for _, effect := range []taint.Effect{taint.NoSchedule, taint.NoExecute} {
			for first := range 2 {
				s := fleetOfSets(2000, func(i int) []taint.Taint {
					list := []taint.Taint{taint.MustParse(common), hardTaint("own", i, effect)}
					return []taint.Taint{list[first], list[1-first]}
				}).Snapshot()
				if n := steps(s, mustParse("common")); n > 64 {
					t.Errorf("%s and own taints with %s: %d steps", common, effect, n)
				}
			}
		}
	}
}

// Changes do not make pods dearer: over a cycle from base to base, and after many, a pod takes
// on average at most twice the steps that it takes on an index that was loaded.
func TestStepsDoNotDecay(t *testing.T) {
	for what, draw := range fleets {
		r := rand.New(rand.NewPCG(1, 16))
		nodes := map[string][]taint.Taint{}
		for i := range 3000 {
			nodes[strconv.Itoa(i)] = draw(r)
		}
		ix := index.New(comparing)
		ix.Load(maps.All(nodes))
		pods := make([][]toleration.Toleration, 50)
		for i := range pods {
			pods[i] = podFor(r, draw(r))
		}
		changed, asked := 0, 0
		for range 3000 {
			name := strconv.Itoa(r.IntN(3000))
			nodes[name] = draw(r)
			ix.Set(name, nodes[name])
			s := ix.Snapshot()
			changed += steps(s, pods[r.IntN(len(pods))])
			asked++
		}
		fresh := index.New(comparing)
		fresh.Load(maps.All(nodes))
		s, loaded := fresh.Snapshot(), 0
		for _, pod := range pods {
			loaded += steps(s, pod)
		}
		moves := 3 * ix.MostTransfers() / 2 // half of them, with some taints each
		if a, b := changed/asked, loaded/len(pods); a > 2*b+moves {
			t.Errorf("%s: %d steps a pod, and %d on an index that was loaded", what, a, b)
		}
	}
}

// What is left of taints that nodes had does not make pods dearer: nodes with many taints that lost
// them, one that goes to and fro between long lists, and many that leave a set with many taints.
func TestStepsBesideStragglers(t *testing.T) {
	long := func(first, n int) (list []taint.Taint) {
		for i := range n {
			list = append(list, hardTaint("k", first+i, taint.NoSchedule))
		}
		return list
	}
	for what, c := range map[string]struct {
		nodes         int
		before, after func(i int) []taint.Taint // of a node, and of the node of a change
		changes       int
	}{
		"all lose their taints":     {60, func(i int) []taint.Taint { return long(300*i, 300) }, func(int) []taint.Taint { return nil }, 60},
		"all but one of a long set": {100, func(i int) []taint.Taint { return long(max(0, i-60)*10, 10+990*max(0, 1-max(0, i-60))) }, func(int) []taint.Taint { return nil }, 60},
		"one goes to and fro":       {1, func(int) []taint.Taint { return nil }, func(i int) []taint.Taint { return long(i%2, 1000) }, 60},
	} {
		var ix index.Index
		nodes := map[string][]taint.Taint{}
		for i := range c.nodes {
			nodes[fmt.Sprint(i)] = c.before(i)
			ix.Set(fmt.Sprint(i), c.before(i))
		}
		ix.Snapshot()
		for i := range c.changes {
			nodes[fmt.Sprint(i%c.nodes)] = c.after(i)
			ix.Set(fmt.Sprint(i%c.nodes), c.after(i))
			var fresh index.Index
			fresh.Load(maps.All(nodes))
			for _, text := range []string{"k", "k=0,k=1,k=7", "k:NoSchedule,x"} {
				list := mustParse(text)
				checkFit(t, ix.Snapshot(), nodes, list)
				if now, loaded := steps(ix.Snapshot(), list), steps(fresh.Snapshot(), list); now > 3*loaded+600 {
					t.Fatalf("%s, change %d, %s: %d steps, and %d on an index that was loaded", what, i, text, now, loaded)
				}
			}
		}
	}
}

// A pod takes the way that looks at less: of 64 sets at each; of more at those that watch what it
// tolerates, or at the columns of what it does not, sixteen words of which are as much as a set.
func TestStepsOfEachWay(t *testing.T) {
	tolerating := func(n int, key string) (list []toleration.Toleration) {
		for i := range n {
			list = append(list, toleration.Toleration{Key: key, Value: fmt.Sprint(i)})
		}
		return list
	}
	var fit index.Fit
	for _, first := range []int{0, 1000} { // sets that are tolerated wholesale
		few := func(n int) int {
			s := fleetOfSets(first+n, func(i int) []taint.Taint {
				if i < first {
					return []taint.Taint{hardTaint("first", i, taint.NoSchedule)}
				}
				return []taint.Taint{hardTaint("own", i-first, taint.NoExecute)}
			}).Snapshot()
			return steps(s, append(mustParse("*:NoSchedule"), tolerating(1, "own")...))
		}
		if at64, at65 := few(64), few(65); at64 < 64 || at65 > 32 {
			t.Errorf("%d steps for 64 sets, and %d for 65", at64, at65)
		}
		// 240 words, and 20 taints that are common.
		s := fleetOfSets(first+15_360, func(i int) []taint.Taint {
			if i < first {
				return []taint.Taint{hardTaint("first", i, taint.NoSchedule)}
			}
			return []taint.Taint{hardTaint("own", i-first, taint.NoExecute), hardTaint("common", i%20, taint.NoExecute)}
		}).Snapshot()
		if s.Columns() != 20 {
			t.Fatalf("%d columns", s.Columns())
		}
		for n, way := range map[int]string{315: "watches", 316: "columns"} {
			if s.FitList(&fit, append(mustParse("*:NoSchedule"), tolerating(n, "own")...)); fit.Way() != way {
				t.Errorf("%d of 15,360 sets are watched, and 20 taints refused: %s", n, fit.Way())
			}
		}
		for n := 18; n <= 22; n++ { // whether columns are looked at, which adds 20
			more := steps(s, append(mustParse("*:NoSchedule"), tolerating(n+1, "own")...)) - steps(s, append(mustParse("*:NoSchedule"), tolerating(n, "own")...))
			if (more >= 20) != (n == 20) {
				t.Errorf("%d steps more for %d of 15,360 sets than for %d", more, n+1, n)
			}
		}
		s.FitList(&fit, append(mustParse("*:NoSchedule,common"), tolerating(5000, "own")...))
		if fit.Len() != first+5000 || fit.Way() != "watches" {
			t.Errorf("%d nodes fit, by %s", fit.Len(), fit.Way())
		}
	}
	// The taints that are tolerated are found among those of the sets, or through the tolerations:
	// a pod that tolerates more than an eighth of the sets, four for itself and 64 gives up.
	for n, way := range map[int]string{866: "watches", 867: "watches", 868: "columns"} {
		s := fleetOfSets(6400, func(i int) []taint.Taint {
			return []taint.Taint{hardTaint([]string{"some", "other"}[min(1, i/n)], i, taint.NoSchedule)}
		}).Snapshot()
		if s.FitList(&fit, mustParse("some")); fit.Way() != way || fit.Len() != n {
			t.Errorf("%d of 6400 sets: %d nodes by %s, want them by %s", n, fit.Len(), fit.Way(), way)
		}
	}
	s := fleetOfSets(400, func(i int) []taint.Taint {
		return []taint.Taint{hardTaint("few", i/20, taint.NoSchedule), hardTaint("few", i%20, taint.NoExecute)}
	}).Snapshot()
	nine, ten := steps(s, tolerating(9, "x")), steps(s, tolerating(10, "x"))
	if ten-nine != 41 {
		t.Errorf("%d steps for nine tolerations and 40 taints, %d for ten", nine, ten)
	}
}
