package compile_test

import (
	"slices"
	"strconv"
	"testing"

	"github.com/tolero-dev/tolero/compile"
	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// Lists of any two tolerations, of one key or two, that compare numbers with bounds at
// and beside the values that taints have: every question gets the answer of match.
func TestPairsOfComparisonsAgreeWithMatch(t *testing.T) {
	var v compile.Vocabulary
	var taints []taint.Taint
	for _, key := range []string{"a", "b"} {
		for _, value := range []string{"4", "5", "6", "x"} {
			for _, effect := range []taint.Effect{taint.NoSchedule, taint.NoExecute} {
				taints = append(taints, taint.Taint{Key: key, Value: value, Effect: effect})
			}
		}
	}
	ids := v.Append(nil, taints)
	var all []toleration.Toleration
	for _, key := range []string{"a", "b"} {
		for _, effect := range []taint.Effect{"", taint.NoExecute} {
			for bound := 4; bound <= 6; bound++ {
				for _, operator := range []toleration.Operator{toleration.OpLt, toleration.OpGt, toleration.OpEqual} {
					seconds := int64(len(all))
					all = append(all, toleration.Toleration{Key: key, Operator: operator, Value: strconv.Itoa(bound), Effect: effect, TolerationSeconds: &seconds})
				}
			}
		}
	}
	var m compile.Matcher
	for _, first := range all {
		for _, second := range all {
			list := []toleration.Toleration{first, second}
			m.Compile(&v, list, comparisons)
			var want []compile.TaintID
			for i, id := range ids {
				tolerated := match.Tolerates(list, &taints[i], comparisons)
				if got := m.Tolerates(id); got != tolerated {
					t.Fatalf("%v tolerates %v: %t", list, &taints[i], got)
				}
				if tolerated {
					want = append(want, id)
				}
				after, evicted := match.EvictionDelay(taints[i:i+1], list, comparisons)
				if gotAfter, got := m.EvictionDelay(ids[i : i+1]); gotAfter != after || got != evicted {
					t.Fatalf("%v on a node with %v: %v, %t, want %v, %t", list, &taints[i], gotAfter, got, after, evicted)
				}
			}
			got := m.AppendTolerated(nil, taint.AllEffects)
			slices.Sort(got)
			if slices.Sort(want); !slices.Equal(got, want) {
				t.Fatalf("%v tolerates %v of the vocabulary, want %v", list, got, want)
			}
			set := m.Set()
			for i, id := range ids {
				if got := set.Has(id); got != slices.Contains(want, id) {
					t.Fatalf("the set of %v has %v: %t", list, &taints[i], got)
				}
			}
		}
	}
}
