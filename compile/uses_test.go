package compile_test

import (
	"slices"
	"testing"

	"github.com/tolero-dev/tolero/compile"
	"github.com/tolero-dev/tolero/taint"
)

// usesTaints are taints that have much in common.
var usesTaints = [4]taint.Taint{
	{Key: "k", Value: "1", Effect: taint.NoSchedule}, {Key: "k", Value: "1", Effect: "Odd"}, {Key: "k", Value: "1", Effect: "Odder"}, {Key: "l", Value: "1", Effect: "Odd"},
}

// TestUses adds and releases four taints in every order of five steps, and each has as many
// uses after it as it was added and not released.
func TestUses(t *testing.T) {
	const steps = 5
	checkUses(t, nil)
	for count, n := 1, 1; n <= steps; n++ {
		count *= 2 * len(usesTaints)
		for number := range count {
			var order []int
			for rest := number; len(order) < n; rest /= 2 * len(usesTaints) {
				order = append(order, rest%(2*len(usesTaints)))
			}
			checkUses(t, order)
		}
	}
}

// checkUses adds the i-th taint in step 2i and releases it in step 2i+1.
func checkUses(t *testing.T, order []int) {
	t.Helper()
	var v compile.Vocabulary
	var uses [len(usesTaints)]int
	inUse := 0
	for _, step := range order {
		i := step / 2
		if step%2 == 0 {
			v.Append(nil, usesTaints[i:i+1])
			uses[i]++
			if uses[i] == 1 {
				inUse++
			}
			continue
		}
		if id, ok := v.ID(&usesTaints[i]); ok {
			v.Release([]compile.TaintID{id})
			uses[i]--
			if uses[i] == 0 {
				inUse--
			}
		}
	}
	var want, odd []compile.TaintID
	for i := range usesTaints {
		id, ok := v.ID(&usesTaints[i])
		if ok != (uses[i] > 0) || ok && v.Uses(id) != uses[i] {
			t.Fatalf("%v: taint %d has %d uses, want %d", order, i, v.Uses(id), uses[i])
		}
		if ok && i > 0 {
			odd = append(odd, id)
		}
		if ok {
			want = append(want, id)
		}
	}
	if v.Len() != inUse {
		t.Fatalf("%v: %d are in use, want %d", order, v.Len(), inUse)
	}
	for effects := range taint.AllEffects + 1 {
		wanted := slices.Clone(want)
		if effects&taint.NoSchedule.Set() == 0 && uses[0] > 0 {
			wanted = wanted[1:]
		}
		if effects&taint.OtherEffects == 0 {
			wanted = wanted[:len(wanted)-len(odd)]
		}
		got := v.AppendIDs(nil, effects)
		slices.Sort(got)
		if slices.Sort(wanted); !slices.Equal(got, wanted) {
			t.Fatalf("%v: of %v, %#x are in use, want %#x", order, effects, got, wanted)
		}
	}
	if err := v.Inspect(); err != nil {
		t.Fatalf("%v: %v", order, err)
	}
}
