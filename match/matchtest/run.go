package matchtest

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/tolero-dev/tolero/match/matchtest/corpus"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// Run tests the matchers that new makes against package match, for a default cluster
// or for one with the given rules, as the package comment describes. Each of its
// subtests stops at the first difference, with the inputs and both answers, and logs
// how many answers it compared. A matcher that answers nothing fails. In short mode
// the exhaustive searches are cut down to a sample that is the same each time; all in
// all Run takes seconds.
//
// Run asks one matcher at a time, from one goroutine.
func Run(t *testing.T, new New, rules ...toleration.Rules) {
	t.Helper()
	s := sides{new, Canonical(rules...)}
	if m := new(nil); m.empty() {
		t.Fatal("the matcher answers nothing")
	}
	t.Run("universe/wide", func(t *testing.T) { runSingles(t, s, Wide()) })
	t.Run("universe/numbers", func(t *testing.T) { runSingles(t, s, Numbers()) })
	t.Run("universe/times", func(t *testing.T) { runTimes(t, s) })
	t.Run("universe/lists", func(t *testing.T) { runLists(t, s) })
	t.Run("generated", func(t *testing.T) { runGenerated(t, s) })
	t.Run("laws", func(t *testing.T) { runLaws(t, new) })
	t.Run("corpus", func(t *testing.T) { runCorpus(t, s) })
}

// runSingles compares every toleration of the universe with every taint, except that one
// with seconds meets each seventh of the taints that do not evict. In short mode, of many
// tolerations it takes every fourth or so: [thin] takes every part in turn, and each part
// meets most of the others in what is left.
func runSingles(t *testing.T, s sides, u *Universe) {
	c := newComparison(t, s)
	taints, tolerations := u.Taints(), u.Tolerations()
	if testing.Short() {
		tolerations = thin(tolerations, min(len(tolerations), 1000))
	}
	for i := range tolerations {
		c.setTolerations(tolerations[i : i+1])
		for j := range taints {
			if tolerations[i].TolerationSeconds == nil || taints[j].Effect == taint.NoExecute || (i+j)%7 == 0 {
				c.compare(taints[j : j+1])
			}
		}
	}
	c.log(t)
}

// runTimes compares pairs of NoExecute taints that were added at all sorts of
// times, for tolerations with all sorts of seconds.
func runTimes(t *testing.T, s sides) {
	var taints []taint.Taint
	for _, added := range times {
		taints = append(taints, taint.Taint{Key: "a", Effect: taint.NoExecute, TimeAdded: added})
	}
	granted := []*int64{nil}
	for i := range limits {
		granted = append(granted, &limits[i])
	}
	c := newComparison(t, s)
	for pair := range Lists(granted, 2) {
		var tolerations []toleration.Toleration
		for i, seconds := range pair {
			tolerations = append(tolerations, toleration.Toleration{Key: "a"[i:], Operator: toleration.OpExists, TolerationSeconds: seconds})
		}
		c.setTolerations(tolerations)
		for list := range Lists(taints, 2) {
			c.compare(list)
		}
	}
	c.log(t)
}

// runLists compares lists of tolerations with lists of taints: all pairs of
// tolerations with single taints, all single tolerations with pairs of taints, and
// lists of up to three tolerations with pairs of taints. For the last, a few
// tolerations are enough: what the third can do is to come after one that matches
// and one that does not, with its own seconds, and [thin] takes all seconds, keys,
// effects and operators.
func runLists(t *testing.T, s sides) {
	u := Narrow()
	tolerations, taints := u.Tolerations(), u.Taints()
	few := thin(tolerations, 8)
	if testing.Short() {
		tolerations, few = thin(tolerations, 24), thin(tolerations, 5)
	}
	c := newComparison(t, s)
	for list := range Lists(tolerations, 2) {
		c.setTolerations(list)
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
		c.setTolerations(list)
		for pair := range Lists(taints, 2) {
			c.compare(pair)
		}
	}
	c.log(t)
}

// thin returns n of the items, evenly spread over the list. The distance between
// them has no divisor in common with the length of the list, so that in the product
// of a [Universe] no part is left out in step with it.
func thin[T any](items []T, n int) []T {
	step := max(1, len(items)/n)
	for divisor(step, len(items)) > 1 {
		step++
	}
	few := make([]T, 0, n)
	for i := range min(n, len(items)) {
		few = append(few, items[i*step%len(items)])
	}
	return few
}

// divisor returns the greatest common divisor of two positive numbers.
func divisor(a, b int) int {
	for b > 0 {
		a, b = b, a%b
	}
	return a
}

func runGenerated(t *testing.T, s sides) {
	rapid.Check(t, func(rt *rapid.T) {
		c := newComparison(rt, s)
		taints := Taints().Draw(rt, "taints")
		c.now = Epoch().Add(time.Duration(rapid.Int64Range(-2000, 2000).Draw(rt, "now")) * time.Second)
		c.setTolerations(Tolerations(taints).Draw(rt, "tolerations"))
		c.compare(taints)
	})
}

func runCorpus(t *testing.T, s sides) {
	c := newComparison(t, s)
	nodes := corpus.Taints()
	var all []taint.Taint
	for _, node := range nodes {
		all = append(all, node.Taints...)
	}
	for _, pod := range corpus.Tolerations() {
		c.setTolerations(pod.Tolerations)
		for _, node := range nodes {
			c.compare(node.Taints)
		}
		c.compare(all)
		c.compare(nil)
	}
	c.log(t)
}
