package index_test

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/tolero-dev/tolero/compile/index"
	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/match/matchtest"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// Pods have the same class exactly when their lists are equal.
func TestPods(t *testing.T) {
	for _, bits := range []int{32, 4, 0} {
		t.Run(fmt.Sprint(bits, " bits"), func(t *testing.T) {
			index.WithHash(bits, func() { rapid.Check(t, checkPods) })
		})
	}
}

func checkPods(t *rapid.T) {
	pods := index.NewPods(comparing)
	model := map[string][]index.PodClass{} // the pods of each list
	total := 0
	list := rapid.SliceOfN(matchtest.Toleration(), 0, 2)
	lists := rapid.SliceOfN(list, 1, 8).Draw(t, "lists")
	for range rapid.IntRange(1, 60).Draw(t, "steps") {
		tolerations := rapid.SampledFrom(lists).Draw(t, "list")
		text := toleration.FormatList(tolerations)
		if have := model[text]; len(have) > 0 && rapid.Bool().Draw(t, "remove") {
			if !pods.Remove(have[0]) {
				t.Fatalf("%q: there is no pod of class %d", text, have[0])
			}
			model[text] = have[1:]
			total--
		} else {
			model[text] = append(have, pods.Add(tolerations))
			total++
		}
		seen := map[index.PodClass]string{}
		for text, have := range model {
			for _, c := range have {
				if other, known := seen[c]; known && other != text || c != have[0] {
					t.Fatalf("%q has class %d, which is also that of %q", text, c, other)
				}
				seen[c] = text
				if pods.Count(c) != len(have) || toleration.FormatList(pods.Tolerations(c)) != text {
					t.Fatalf("class %d: %d pods of %v, want %d of %q", c, pods.Count(c), pods.Tolerations(c), len(have), text)
				}
			}
		}
		sum, classes := 0, 0
		for c, n := range pods.All() {
			if pods.Count(c) != n {
				t.Fatalf("class %d: %d pods, want %d", c, n, pods.Count(c))
			}
			sum, classes = sum+n, classes+1
		}
		last := rapid.IntRange(1, 3).Draw(t, "last")
		for c := range pods.All() { // it may stop anywhere
			if last--; last == 0 || c == 0 {
				break
			}
		}
		if pods.Len() != total || sum != total || classes != len(seen) {
			t.Fatalf("%d pods, %d in %d classes, want %d in %d", pods.Len(), sum, classes, total, len(seen))
		}
	}
	if pods.Remove(0) || pods.Remove(1000) || pods.Remove(^index.PodClass(0)) || pods.Count(0) != 0 || pods.Tolerations(1000) != nil {
		t.Fatal("no such class")
	}
}

// What a caller does to a list afterwards does not change the class.
func TestPodsKeepACopy(t *testing.T) {
	seconds := int64(300)
	list := []toleration.Toleration{{Key: "k", TolerationSeconds: &seconds}}
	pods := index.NewPods(comparing)
	class := pods.Add(list)
	seconds, list[0].Key = 1, "other"
	if kept := pods.Tolerations(class); kept[0].Key != "k" || *kept[0].TolerationSeconds != 300 {
		t.Errorf("the class has %v", kept)
	}
	seconds, list[0].Key = 300, "k"
	if again := pods.Add(list); again != class {
		t.Errorf("the same list has class %d, and had %d", again, class)
	}
}

// Nobody who chooses the seconds of many pods can know how to make them collide.
func TestListsWithoutStringsHashDifferently(t *testing.T) {
	seconds := int64(300)
	list := []toleration.Toleration{{Operator: toleration.OpExists, Effect: taint.NoExecute, TolerationSeconds: &seconds}}
	hashes := map[uint32]bool{}
	for range 8 {
		pods := index.NewPods(comparing)
		pods.Add(list)
		hashes[pods.Hash(list)] = true
	}
	if len(hashes) == 1 {
		t.Error("the hash is the same in every Pods")
	}
}

// Lists that the first guess takes for each other are told apart, and a class that is
// gone is not mistaken for that of the empty list.
func TestPodsWithEqualSketches(t *testing.T) {
	var pods index.Pods
	lists := [][]toleration.Toleration{{{Key: "a1z", Value: "pxxq"}}, {{Key: "a2z", Value: "pyxq"}}, {{Key: "a3z", Value: "pzxq"}}, nil}
	classes := make([]index.PodClass, len(lists))
	for i, list := range lists {
		classes[i] = pods.Add(list)
	}
	for round := range 3 {
		for i, list := range lists {
			if c := pods.Add(slices.Clone(list)); c != classes[i] {
				t.Errorf("round %d: list %d has class %d, want %d", round, i, c, classes[i])
			}
		}
	}
	if sketches := index.Sketches(lists[:3]); len(sketches) != 1 {
		t.Errorf("%d sketches: the lists should have the same", len(sketches))
	}
	for range 4 {
		for _, c := range classes {
			pods.Remove(c)
		}
	}
	fresh := map[index.PodClass]bool{}
	for _, list := range lists {
		c := pods.Add(list)
		if fresh[c] = true; pods.Count(c) != 1 || !slices.EqualFunc(pods.Tolerations(c), list, func(a, b toleration.Toleration) bool { return a.Equal(&b) }) {
			t.Errorf("class %d has %d pods with %v, want 1 with %v", c, pods.Count(c), pods.Tolerations(c), list)
		}
	}
	if len(fresh) != len(lists) {
		t.Errorf("%d classes, want %d", len(fresh), len(lists))
	}
}

// 20,000 pods that tolerate a key with the value of its name, and as many with a bound each, are
// found by what they tolerate, and forgotten.
func TestPodsByTheirOwnKeyAndBound(t *testing.T) {
	const n = 20_000
	pods := index.NewPods(comparing)
	var classes []index.PodClass
	for i := range n {
		name := fmt.Sprint("team-", i)
		classes = append(classes, pods.Add([]toleration.Toleration{{Key: name, Value: name}}))
		classes = append(classes, pods.Add([]toleration.Toleration{{Key: "rank", Operator: toleration.OpGt, Value: fmt.Sprint(i)}}))
	}
	var c index.Impact
	pods.NodeAdded(&c, []taint.Taint{taint.MustParse("team-7=team-7:NoSchedule")})
	if got := slices.Collect(c.NowFit()); !slices.Equal(got, classes[14:15]) {
		t.Errorf("classes %v tolerate team-7, want %v", got, classes[14])
	}
	pods.NodeAdded(&c, []taint.Taint{taint.MustParse("rank=3:NoExecute")})
	if got := slices.Collect(c.NowFit()); !slices.Equal(got, []index.PodClass{classes[1], classes[3], classes[5]}) {
		t.Errorf("classes %v tolerate rank 3", got)
	}
	for _, class := range classes {
		pods.Remove(class)
	}
	if pods.Postings() != 0 {
		t.Errorf("%d postings of no pods", pods.Postings())
	}
}

// Of many bounds for a key the widest counts, whatever their order.
func TestPodsWithManyBounds(t *testing.T) {
	pods := index.NewPods(comparing)
	for p := range 4 {
		var list []toleration.Toleration
		for i := range 10_000 {
			list = append(list, toleration.Toleration{Key: "rank", Operator: toleration.OpGt, Value: fmt.Sprint((i*7919)%10_000 + 10*p)},
				toleration.Toleration{Key: "rank", Operator: toleration.OpLt, Value: fmt.Sprint(-(i*7919)%10_000 - 10*p)})
		}
		pods.Add(list)
	}
	var c index.Impact
	for value, want := range map[int]int{-10029: 3, -10000: 0, 0: 0, 1: 1, 11: 2, 30: 3, 31: 4} {
		pods.NodeAdded(&c, []taint.Taint{hardTaint("rank", value, taint.NoSchedule)})
		got := 0
		for class := range c.NowFit() {
			if _, refused := match.FirstUntolerated([]taint.Taint{hardTaint("rank", value, taint.NoSchedule)}, pods.Tolerations(class), taint.Hard, comparing); refused {
				t.Errorf("rank %d: class %d does not tolerate it", value, class)
			}
			got++
		}
		if value >= 0 && got != want {
			t.Errorf("rank %d: %d classes, want %d", value, got, want)
		}
	}
}
