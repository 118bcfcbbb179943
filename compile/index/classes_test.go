package index_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/tolero-dev/tolero/compile/index"
	"github.com/tolero-dev/tolero/fuzz/fleet"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// Lists with the same taints in other orders come and go in any order, and so do sets
// that watch the same taint: a pod that fits them finds the nodes of each, and no
// others.
func TestListsAndSetsComeAndGo(t *testing.T) {
	taints := []taint.Taint{taint.MustParse("k=a:NoSchedule"), taint.MustParse("k=a:NoExecute"), taint.MustParse("k=b:NoSchedule")}
	extra := []taint.Taint{taint.MustParse("x:NoSchedule"), taint.MustParse("y:NoSchedule")}
	pods := [][]toleration.Toleration{nil, {{Key: "k", Operator: toleration.OpExists}}, {{Key: "k", Value: "a"}, {Key: "k", Value: "b"}, {Key: "x"}}, exists}
	random := rand.New(rand.NewPCG(1, 1))
	ix := index.New(comparing)
	ids := map[string]index.NodeID{}
	lists := map[string][]taint.Taint{}
	var fit index.Fit
	for range 500 {
		name := fmt.Sprint(random.IntN(8))
		if _, known := ids[name]; known {
			ix.Delete(name)
			delete(ids, name)
		} else {
			list := append([]taint.Taint{extra[random.IntN(2)]}, taints...)[random.IntN(2):]
			random.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
			ids[name], lists[name] = ix.Set(name, list), list
		}
		s := ix.Snapshot()
		for _, pod := range pods {
			s.FitList(&fit, pod)
			found := map[index.NodeID]bool{}
			for id := range fit.Nodes() {
				found[id] = true
			}
			words := fit.AppendWords(nil)
			for name, id := range ids {
				fits := fleet.Side{There: true, Taints: lists[name]}.Fits(pod)
				if bit := words[s.Slot(id)/64]>>(s.Slot(id)%64)&1 != 0; found[id] != fits || bit != fits || fit.Has(id) != fits {
					t.Fatalf("pod %q on %q: found %v, bit %v, has %v", toleration.FormatList(pod), taint.FormatList(lists[name]), found[id], bit, fit.Has(id))
				}
			}
			if len(found) != fit.Len() {
				t.Fatalf("pod %q: %d nodes, and %d are found", toleration.FormatList(pod), fit.Len(), len(found))
			}
		}
	}
}
