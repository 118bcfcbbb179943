package compile_test

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/tolero-dev/tolero/compile"
	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// TestTrees: whatever numbers came and went, Gt and Lt find those beyond their bounds, for
// each effect.
func TestTrees(t *testing.T) {
	var lists [][]toleration.Toleration
	for _, text := range []string{
		"k>0", "k<0", "k>-9", "k<9", "k>4,k<-4", "k<3,k>-3", "k>7:NoSchedule,k>-7:NoExecute", "k<7:NoSchedule,k<-7:NoExecute",
		"k<5:NoSchedule,k>-5:PreferNoSchedule", "k>2,k=1,k=3", "k<2,k:NoExecute,k=7",
	} {
		list, err := toleration.ParseList(text)
		if err != nil {
			t.Fatal(err)
		}
		lists = append(lists, list)
	}
	effects := []taint.Effect{taint.NoSchedule, taint.PreferNoSchedule, taint.NoExecute}
	random := rand.New(rand.NewPCG(1, 2))
	for range 30 {
		var v compile.Vocabulary
		inUse := map[taint.Taint]compile.TaintID{}
		for step := range 60 {
			x := taint.Taint{Key: "k", Value: strconv.Itoa(random.IntN(21) - 10), Effect: effects[random.IntN(3)]}
			if id, ok := inUse[x]; ok {
				v.Release([]compile.TaintID{id})
				delete(inUse, x)
			} else {
				inUse[x] = v.Append(nil, []taint.Taint{x})[0]
			}
			if err := v.Inspect(); err != nil {
				t.Fatal(err)
			}
			checkTolerated(t, &v, inUse, lists[step%len(lists)])
		}
	}
}

// checkTolerated compares what is found of the taints in use with match.
func checkTolerated(t *testing.T, v *compile.Vocabulary, inUse map[taint.Taint]compile.TaintID, list []toleration.Toleration) {
	t.Helper()
	var m compile.Matcher
	m.Compile(v, list)
	for effects := range taint.OtherEffects {
		var want []compile.TaintID
		for x, id := range inUse {
			if effects.Has(x.Effect) && match.Tolerates(list, &x) {
				want = append(want, id)
			}
		}
		got := m.AppendTolerated(nil, effects)
		slices.Sort(got)
		if slices.Sort(want); !slices.Equal(got, want) {
			t.Fatalf("%v, %v: %#x are found, want %#x", list, effects, got, want)
		}
	}
}

// TestRanks: different positions have different ranks.
func TestRanks(t *testing.T) {
	var v compile.Vocabulary
	v.Append(nil, others)
	const n = 1 << 16
	seen := make(map[uint64]bool, n)
	for position := range uint32(n) {
		seen[v.Rank(position)] = true
	}
	if len(seen) != n {
		t.Errorf("%d ranks of %d positions", len(seen), n)
	}
}
