package compile_test

import (
	"strconv"
	"sync"
	"testing"

	"github.com/tolero-dev/tolero/compile"
	"github.com/tolero-dev/tolero/fuzz/notation"
	"github.com/tolero-dev/tolero/taint"
)

// Many goroutines ask one Matcher, and compile their own, for a fork that nobody
// changes, while the vocabulary that it was forked from changes and is forked again.
func TestConcurrentUse(t *testing.T) {
	var v compile.Vocabulary
	taints := []taint.Taint{
		{Key: "a", Value: "1", Effect: taint.NoSchedule}, {Key: "a", Value: "9", Effect: taint.NoExecute}, {Key: "b", Effect: "Odd"},
	}
	ids := v.Append(nil, taints)
	fork := v.Fork()
	list, err := notation.Tolerations("a>5,b,c=1,a:NoExecute@5")
	if err != nil {
		t.Fatal(err)
	}
	var shared compile.Matcher
	shared.Compile(&fork, list, comparisons)
	set := shared.Set()
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			var own compile.Matcher
			for range 200 {
				own.Compile(&fork, list, comparisons)
				forked := fork.Fork() // a fork of a fork that nobody changes
				forked.Append(nil, taints)
				for _, m := range []*compile.Matcher{&own, &shared} {
					if i, refused := m.FirstUntolerated(ids, taint.AllEffects); i != 0 || !refused || m.Tolerates(ids[0]) || !m.Tolerates(ids[2]) {
						t.Errorf("the first untolerated is %d, %v", i, refused)
					}
				}
				if !set.Has(ids[1]) || len(shared.AppendTolerated(nil, taint.AllEffects)) != 2 || fork.Len() != 3 {
					t.Error("the fork changed")
				}
			}
		})
	}
	var changing []compile.TaintID
	for i := range 500 {
		v.Release(changing)
		changing = v.Append(changing[:0], []taint.Taint{{Key: "a", Value: strconv.Itoa(i), Effect: taint.NoSchedule}})
		snapshot := v.Fork()
		if snapshot.Len() != v.Len() {
			t.Errorf("a fork has %d taints of %d", snapshot.Len(), v.Len())
		}
	}
	group.Wait()
}
