package compile_test

import (
	"slices"
	"strconv"
	"testing"

	"github.com/tolero-dev/tolero/compile"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// TestLinks: in whatever order the pairs of a key come, become hard and go, all that are in
// use are found, and nothing else.
func TestLinks(t *testing.T) {
	const pairs = 4
	list, err := toleration.ParseList("k,own")
	if err != nil {
		t.Fatal(err)
	}
	orders := permutations(pairs)
	for _, words := range []string{"", "w"} { // numbers and words
		for _, going := range orders {
			for hard := range 1 << pairs {
				checkLinks(t, words, going, hard, list)
			}
		}
	}
}

func checkLinks(t *testing.T, words string, going []int, hard int, list []toleration.Toleration) {
	t.Helper()
	var v compile.Vocabulary
	want := map[compile.TaintID]bool{}
	check := func() {
		t.Helper()
		if err := v.Inspect(); err != nil {
			t.Fatalf("%v going, %b hard: %v", going, hard, err)
		}
		var m compile.Matcher
		m.Compile(&v, list, comparisons)
		got := m.AppendTolerated(nil, taint.AllEffects)
		for _, id := range got {
			if !want[id] {
				t.Fatalf("%v going, %b hard: %#x is found", going, hard, id)
			}
		}
		if slices.Sort(got); len(slices.Compact(got)) != len(want) || v.Len() != len(want) {
			t.Fatalf("%v going, %b hard: %d are found, of %d", going, hard, len(got), len(want))
		}
	}
	add := func(i int, effect taint.Effect) compile.TaintID {
		id := v.Append(nil, []taint.Taint{{Key: "k", Value: words + strconv.Itoa(i), Effect: effect}})[0]
		want[id] = true
		check()
		return id
	}
	release := func(id compile.TaintID) {
		v.Release([]compile.TaintID{id})
		delete(want, id)
		check()
	}
	ids := make([]compile.TaintID, len(going))
	for i := range going {
		ids[i] = add(i, taint.PreferNoSchedule)
	}
	for i := range going {
		if hard>>i&1 != 0 {
			id := add(i, taint.NoExecute)
			release(ids[i])
			ids[i] = id
		}
	}
	for _, i := range going {
		release(ids[i])
	}
}

// permutations returns the orders of the numbers below n.
func permutations(n int) [][]int {
	if n == 0 {
		return [][]int{nil}
	}
	var all [][]int
	for _, order := range permutations(n - 1) {
		for at := range n {
			all = append(all, slices.Insert(slices.Clone(order), at, n-1))
		}
	}
	return all
}
