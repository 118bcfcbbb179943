package index_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/tolero-dev/tolero/compile/index"
	"github.com/tolero-dev/tolero/fuzz/fleet"
	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// values has numbers side by side, at the ends of int64, and what is none (rule N2).
var values = []string{
	"", "x", "-1", "0", "5", "6", "7", "05", "-0", "9223372036854775806", "9223372036854775807",
	"9223372036854775808", "-9223372036854775807", "-9223372036854775808", "-9223372036854775809",
}

// comparisons is the lists of one toleration with Gt or Lt and one of the values.
func comparisons(keys ...string) (lists [][]toleration.Toleration) {
	for _, key := range keys {
		for _, value := range values {
			for _, effect := range []taint.Effect{"", taint.NoSchedule, taint.NoExecute} {
				for _, operator := range []toleration.Operator{toleration.OpGt, toleration.OpLt} {
					lists = append(lists, []toleration.Toleration{{Key: key, Operator: operator, Value: value, Effect: effect}})
				}
			}
		}
	}
	return lists
}

// Gt and Lt find what they tolerate in the tree of the numbers of a key, whatever
// numbers came and went (rules N1 and N2).
func TestComparisonsAgreeWithMatch(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	ix := index.New(comparing)
	fleet := map[string][]taint.Taint{}
	value := func() string {
		if i := random.IntN(2 * len(values)); i < len(values) {
			return values[i]
		}
		return fmt.Sprint(random.IntN(200) - 50)
	}
	var fit index.Fit
	for range 4 {
		for range 200 {
			name := fmt.Sprint(random.IntN(100))
			if random.IntN(3) == 0 {
				ix.Delete(name)
				delete(fleet, name)
				continue
			}
			fleet[name] = []taint.Taint{
				{Key: "k", Value: value(), Effect: []taint.Effect{taint.NoSchedule, taint.NoExecute}[random.IntN(2)]},
				{Key: []string{"k", "other"}[random.IntN(2)], Value: value(), Effect: taint.PreferNoSchedule},
			}
			ix.Set(name, fleet[name])
		}
		s := ix.Snapshot()
		for _, list := range comparisons("k", "") {
			s.FitList(&fit, list)
			fits := 0
			for name, taints := range fleet {
				_, refused := match.FirstUntolerated(taints, list, taint.Hard, comparing)
				if !refused {
					fits++
				}
				id := idOf(ix, name)
				if got, want := fit.CountUntolerated(s.Class(id), taint.Soft), match.CountUntolerated(taints, list, taint.Soft, comparing); fit.Has(id) == refused || got != want {
					t.Fatalf("pod %q on %q: fits %v, score %d, want %d", toleration.FormatList(list), taint.FormatList(taints), fit.Has(id), got, want)
				}
			}
			if fit.Len() != fits {
				t.Fatalf("pod %q fits %d nodes, want %d", toleration.FormatList(list), fit.Len(), fits)
			}
		}
	}
}

// A change of a node's taints tells those whom it concerns for their Gt or Lt (rules
// N1 and N2), and none whose class has other tolerations by now.
func TestChangesOfNumbersAgreeWithMatch(t *testing.T) {
	pods := index.NewPods(comparing)
	var classes []index.PodClass
	for _, list := range comparisons("k", "other", "") {
		// Twice in a list it counts once.
		classes = append(classes, pods.Add(append(list, list...)))
	}
	check := func() {
		var change index.Impact
		before := fleet.Side{There: true, Taints: []taint.Taint{taint.MustParse("k=6:NoExecute")}}
		for _, value := range values {
			for _, effect := range []taint.Effect{taint.NoSchedule, taint.NoExecute} {
				after := fleet.Side{There: true, Taints: []taint.Taint{{Key: "k", Value: value, Effect: effect}}}
				pods.NodeUpdated(&change, before.Taints, after.Taints)
				fleet.CheckChange(t, &change, pods, before, after)
			}
		}
	}
	check()
	for i, class := range classes {
		if i%3 != 0 {
			pods.Remove(class)
		}
	}
	check()
	for i := range classes { // in the classes that are free
		pods.Add([]toleration.Toleration{{Key: "none", Value: fmt.Sprint(i)}})
	}
	check()
}
