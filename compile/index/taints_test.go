package index_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/tolero-dev/tolero/compile/index"
	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

func hardTaint(key string, value int, effect taint.Effect) taint.Taint {
	return taint.Taint{Key: key, Value: strconv.Itoa(value), Effect: effect}
}

// unselectiveTaints returns some of 60 taints, of which none selects few nodes.
func unselectiveTaints(random *rand.Rand) (list []taint.Taint) {
	for _, k := range random.Perm(60)[:8] {
		list = append(list, taint.Taint{Key: fmt.Sprint("k", k), Value: "x", Effect: []taint.Effect{taint.NoSchedule, taint.NoExecute}[k%2]})
	}
	return list
}

// checkFit compares all ways in which a Fit says which nodes fit with package match.
func checkFit(t *testing.T, s *index.Snapshot, nodes map[string][]taint.Taint, list []toleration.Toleration) *index.Fit {
	t.Helper()
	var fit index.Fit
	s.FitList(&fit, list)
	listed := map[index.NodeID]bool{}
	for id := range fit.Nodes() {
		if listed[id] {
			t.Fatalf("%v comes twice", id)
		}
		listed[id] = true
	}
	words := fit.AppendWords(nil)
	s.FitList(&usedFit, list)
	if again := usedFit.AppendWords(nil); !slices.Equal(again, words) || usedFit.Len() != fit.Len() {
		t.Fatalf("%s: %d nodes, and %d by a Fit that was used before", toleration.FormatList(list), fit.Len(), usedFit.Len())
	}
	used := slices.Repeat([]uint64{0x5a5a}, len(words)+1)[:0] // which had another answer
	if again := fit.AppendWords(used); !slices.Equal(again, words) {
		t.Fatalf("%x, and then %x", words, again)
	}
	all := make([]uint64, len(words)+1)
	for i := range all {
		all[i] = ^uint64(0)
	}
	fit.And(all)
	want := 0
	for name, taints := range nodes {
		id, known := s.ID(name)
		_, refused := match.FirstUntolerated(taints, list, taint.Hard, comparing)
		if !refused {
			want++
		}
		slot := s.Slot(id)
		if bit := words[slot/64]>>(slot%64)&1 != 0; !known || listed[id] == refused || bit == refused || fit.Has(id) == refused || all[slot/64] != words[slot/64] {
			t.Fatalf("%s with %s, %s: known %t, listed %t, bit %t, has %t, refused %t", name, taint.FormatList(taints),
				toleration.FormatList(list), known, listed[id], bit, fit.Has(id), refused)
		}
	}
	if fit.Len() != want || len(listed) != want || count(words) != want || count(all) != want || s.Len() != len(nodes) {
		t.Fatalf("%s: %d of %d nodes, %d listed, %d bits, %d after And, want %d of %d", toleration.FormatList(list), fit.Len(), s.Len(), len(listed), count(words), count(all), want, len(nodes))
	}
	reasons := fit.AppendReasons(nil, -1)
	for _, most := range []int{0, 1, 3, len(reasons), len(reasons) + 1} {
		if got := fit.AppendReasons(nil, most); !slices.Equal(got, reasons[:min(most, len(reasons))]) {
			t.Fatalf("%s: the first %d reasons are %v, and all are %v", toleration.FormatList(list), most, got, reasons)
		}
	}
	return &fit
}

// usedFit has been filled for other pods, and for other fleets.
var usedFit index.Fit

func count(words []uint64) (n int) {
	for _, word := range words {
		for ; word != 0; word &= word - 1 {
			n++
		}
	}
	return n
}

// fleetOfSets returns an index of nodes by their number.
func fleetOfSets(nodes int, taints func(i int) []taint.Taint) *index.Index {
	ix := index.New(comparing)
	ix.Load(func(yield func(string, []taint.Taint) bool) {
		for i := range nodes {
			if !yield(strconv.Itoa(i), taints(i)) {
				return
			}
		}
	})
	return ix
}
