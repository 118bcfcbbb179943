package matchtest

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/tolero-dev/tolero/match/matchtest/corpus"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// Run tests the matchers that new makes against package match, as the package
// comment describes. Each of its subtests stops at the first difference, with
// the inputs and both answers, and logs how many answers it compared. A matcher
// that answers nothing fails. In short mode the exhaustive search over lists is
// cut down; all in all Run takes seconds.
//
// Run asks one matcher at a time, from one goroutine.
func Run(t *testing.T, new New) {
	t.Helper()
	if m := new(nil); m.empty() {
		t.Fatal("the matcher answers nothing")
	}
	t.Run("universe/wide", func(t *testing.T) { runSingles(t, new, Wide()) })
	t.Run("universe/numbers", func(t *testing.T) { runSingles(t, new, Numbers()) })
	t.Run("universe/times", func(t *testing.T) { runTimes(t, new) })
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

// runTimes compares pairs of NoExecute taints that were added at all sorts of
// times, for tolerations with all sorts of seconds.
func runTimes(t *testing.T, new New) {
	var taints []taint.Taint
	for _, added := range times {
		taints = append(taints, taint.Taint{Key: "a", Effect: taint.NoExecute, TimeAdded: added})
	}
	granted := []*int64{nil}
	for i := range limits {
		granted = append(granted, &limits[i])
	}
	c := newComparison(t)
	for pair := range Lists(granted, 2) {
		var tolerations []toleration.Toleration
		for i, seconds := range pair {
			tolerations = append(tolerations, toleration.Toleration{Key: "a"[i:], Operator: toleration.OpExists, TolerationSeconds: seconds})
		}
		c.setTolerations(new, tolerations)
		for list := range Lists(taints, 2) {
			c.compare(list)
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
	rapid.Check(t, func(rt *rapid.T) {
		c := newComparison(rt)
		taints := Taints().Draw(rt, "taints")
		c.now = Epoch.Add(time.Duration(rapid.Int64Range(-2000, 2000).Draw(rt, "now")) * time.Second)
		c.setTolerations(new, Tolerations(taints).Draw(rt, "tolerations"))
		c.compare(taints)
	})
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
