package index_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/tolero-dev/tolero/compile/index"
	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// unselectiveTaints returns some of 60 taints, of which none selects few nodes.
func unselectiveTaints(random *rand.Rand) (list []taint.Taint) {
	for _, k := range random.Perm(60)[:8] {
		list = append(list, taint.Taint{Key: fmt.Sprint("k", k), Value: "x", Effect: []taint.Effect{taint.NoSchedule, taint.NoExecute}[k%2]})
	}
	return list
}

// Where nearly every node has a set of its own, answers come from columns a word at a
// time. They stay right when nodes join and leave sets, come and go, and many stay
// aligned.
func TestAlignedSetsUnderChurn(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	fleet := map[string][]taint.Taint{}
	for i := range 1500 {
		fleet[fmt.Sprint(i)] = unselectiveTaints(random)
	}
	ix := index.New(comparing)
	ix.Load(maps.All(fleet))
	if n := ix.Aligned(); n < 1400 {
		t.Fatalf("%d sets of 1500 are aligned", n)
	}
	var fit index.Fit
	for step := range 3000 {
		name := fmt.Sprint(random.IntN(1600))
		switch random.IntN(8) {
		case 0: // two nodes with a set
			other := fmt.Sprint(random.IntN(1500))
			fleet[name] = fleet[other]
			ix.Set(name, fleet[other])
		case 1:
			delete(fleet, name)
			ix.Delete(name)
		case 2:
			fleet[name] = nil
			ix.Set(name, nil)
		default:
			fleet[name] = unselectiveTaints(random)
			ix.Set(name, fleet[name])
		}
		if step%300 == 299 {
			ix.CheckAll()
			compareAligned(t, random, ix.Snapshot(), &fit, fleet)
		}
	}
	if n, alone := ix.Aligned(), alone(fleet); n < alone*9/10 {
		t.Errorf("%d sets have one node, and %d are still aligned", alone, n)
	}
}

// alone returns how many nodes have hard taints that no other node has.
func alone(fleet map[string][]taint.Taint) (n int) {
	nodes := map[string]int{}
	for _, taints := range fleet {
		if len(taints) > 0 {
			words := strings.Split(taint.FormatList(taints), ",")
			slices.Sort(words)
			nodes[fmt.Sprint(words)]++
		}
	}
	for _, of := range nodes {
		if of == 1 {
			n++
		}
	}
	return n
}

// compareAligned compares the answer for a pod that tolerates most keys with match.
func compareAligned(t *testing.T, random *rand.Rand, s *index.Snapshot, fit *index.Fit, fleet map[string][]taint.Taint) {
	t.Helper()
	var tolerations []toleration.Toleration
	for _, k := range random.Perm(60)[:random.IntN(8)+52] {
		tolerations = append(tolerations, toleration.Toleration{Key: fmt.Sprint("k", k), Operator: toleration.OpExists})
	}
	s.FitList(fit, tolerations)
	if plan := fit.Plan(); plan[:7] != "columns" {
		t.Errorf("the plan is %s", plan)
	}
	words, listed, count := fit.AppendWords(nil), map[index.NodeID]bool{}, 0
	for id := range fit.Nodes() {
		listed[id] = true
	}
	for name, taints := range fleet {
		id, _ := s.ID(name)
		_, refused := match.FirstUntolerated(taints, tolerations, taint.Hard)
		if !refused {
			count++
		}
		bit := words[s.Slot(id)/64]>>(s.Slot(id)%64)&1 != 0
		if fit.Has(id) == refused || bit == refused || listed[id] == refused || fit.HasClass(s.Class(id)) == refused {
			t.Fatalf("%s: refused %v, has %v, bit %v, listed %v, class %v", name, refused, fit.Has(id), bit, listed[id], fit.HasClass(s.Class(id)))
		}
	}
	if fit.Len() != count || len(listed) != count {
		t.Errorf("%d fit, %d listed, want %d", fit.Len(), len(listed), count)
	}
}

// A set that has one node left is aligned again if that is where it was.
func TestSetsAreAlignedAgain(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 3))
	ix := index.New(comparing)
	fleet := map[string][]taint.Taint{}
	for i := range 1500 {
		fleet[fmt.Sprint(i)] = unselectiveTaints(random)
	}
	ix.Load(maps.All(fleet))
	aligned := ix.Aligned()
	if aligned < 1400 {
		t.Fatalf("%d sets of 1500 are aligned", aligned)
	}
	for i := range 50 {
		before := ix.Aligned()
		ix.Set("another", fleet[fmt.Sprint(i)])
		together := ix.Aligned()
		ix.Delete("another")
		if after := ix.Aligned(); after != before || before-together > 1 || before-together < 0 {
			t.Errorf("node %d: %d sets are aligned, %d with another node, %d without it", i, before, together, after)
		}
	}
	if after := ix.Aligned(); after != aligned {
		t.Errorf("%d sets are aligned, and %d were", after, aligned)
	}
	ix.CheckAll()
}
