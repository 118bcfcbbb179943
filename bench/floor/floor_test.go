package floor_test

import (
	"hash/maphash"
	"slices"
	"testing"

	"github.com/tolero-dev/tolero/bench/floor"
	"github.com/tolero-dev/tolero/bench/scenario"
	"github.com/tolero-dev/tolero/toleration"
)

func TestCopy(t *testing.T) {
	dst := make([]int, 3)
	if n := floor.Copy(dst, []int{1, 2, 3}); n != 3 || !slices.Equal(dst, []int{1, 2, 3}) {
		t.Errorf("%d copied: %v", n, dst)
	}
}

// Every string of every toleration counts: a pass that skipped one would be no
// pass over all of them.
func TestHashReadsEveryString(t *testing.T) {
	pods := func() []scenario.Pod {
		list := []toleration.Toleration{{Key: "a", Operator: "b", Value: "c", Effect: "d"}, {Key: "e", Operator: "f", Value: "g", Effect: "h"}}
		return []scenario.Pod{{Tolerations: list}, {Tolerations: slices.Clone(list[:1])}}
	}
	seed := maphash.MakeSeed()
	want := floor.Hash(seed, pods())
	if got := floor.Hash(seed, pods()); got != want {
		t.Fatal("the same pods have two hashes")
	}
	for pod, tolerations := range []int{2, 1} {
		for i := range tolerations {
			for name, change := range map[string]func(*toleration.Toleration){
				"key":      func(t *toleration.Toleration) { t.Key = "x" },
				"operator": func(t *toleration.Toleration) { t.Operator = "x" },
				"value":    func(t *toleration.Toleration) { t.Value = "x" },
				"effect":   func(t *toleration.Toleration) { t.Effect = "x" },
			} {
				changed := pods()
				change(&changed[pod].Tolerations[i])
				if floor.Hash(seed, changed) == want {
					t.Errorf("the %s of toleration %d of pod %d does not count", name, i, pod)
				}
			}
		}
	}
}
