package matchtest

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/tolero-dev/tolero/match/matchtest/corpus"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// Run tests the matchers that new makes against package match, as described at
// the top of this package. It fails t at the first difference in each of its
// subtests, with the inputs and both answers, and logs how many comparisons it
// made. In short mode the exhaustive search over lists is cut down; all in all
// Run takes seconds.
func Run(t *testing.T, new New) {
	t.Helper()
	if m := new(nil); m.empty() {
		t.Fatal("the matcher answers nothing")
	}
	t.Run("universe/wide", func(t *testing.T) { runSingles(t, new, Wide()) })
	t.Run("universe/numbers", func(t *testing.T) { runSingles(t, new, Numbers()) })
	t.Run("universe/lists", func(t *testing.T) { runLists(t, new) })
	t.Run("generated", func(t *testing.T) { runGenerated(t, new) })
	t.Run("laws", func(t *testing.T) { runLaws(t, new) })
	t.Run("corpus", func(t *testing.T) { runCorpus(t, new) })
}

// runSingles compares every toleration of the universe with every taint.
func runSingles(t *testing.T, new New, u *Universe) {
	c := newComparison(t)
	taints := u.Taints()
	for _, tolerations := range u.Tolerations() {
		c.setTolerations(new, []toleration.Toleration{tolerations})
		for i := range taints {
			c.compare(taints[i : i+1])
		}
	}
	c.log(t)
}

// runLists compares lists of tolerations with lists of taints: long toleration
// lists with single taints, and pairs with pairs.
func runLists(t *testing.T, new New) {
	u := Narrow()
	tolerations, taints := u.Tolerations(), u.Taints()
	few := thin(tolerations, 12)
	if testing.Short() {
		tolerations, few = thin(tolerations, 24), thin(tolerations, 6)
	}
	c := newComparison(t)
	for list := range Lists(tolerations, 2) {
		c.setTolerations(new, list)
		for i := range taints {
			c.compare(taints[i : i+1])
		}
		if len(list) < 2 {
			for pair := range Lists(taints, 2) {
				c.compare(pair)
			}
		}
	}
	for list := range Lists(few, 3) {
		c.setTolerations(new, list)
		for pair := range Lists(taints, 2) {
			c.compare(pair)
		}
	}
	c.log(t)
}

// thin returns about n items, evenly spread over the list.
func thin[T any](items []T, n int) []T {
	var few []T
	step := max(1, len(items)/n)
	for i := 0; i < len(items); i += step {
		few = append(few, items[i])
	}
	return few
}

func runGenerated(t *testing.T, new New) {
	rapid.Check(t, func(rt *rapid.T) { CheckGenerated(rt, new) })
}

// CheckGenerated draws a node and a pod from the generators, asks the matcher
// everything, and fails t if an answer differs from that of package match. [Run]
// does it a hundred times; with rapid.MakeFuzz it makes a fuzz target.
func CheckGenerated(t *rapid.T, new New) {
	c := newComparison(t)
	taints := Taints().Draw(t, "taints")
	c.now = Epoch.Add(time.Duration(rapid.Int64Range(-2000, 2000).Draw(t, "now")) * time.Second)
	c.setTolerations(new, Tolerations(taints).Draw(t, "tolerations"))
	c.compare(taints)
}

func runCorpus(t *testing.T, new New) {
	c := newComparison(t)
	nodes := corpus.Taints()
	var all []taint.Taint
	for _, node := range nodes {
		all = append(all, node.Taints...)
	}
	for _, pod := range corpus.Tolerations() {
		c.setTolerations(new, pod.Tolerations)
		for _, node := range nodes {
			c.compare(node.Taints)
		}
		c.compare(all)
		c.compare(nil)
	}
	c.log(t)
}
