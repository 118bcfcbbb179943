package matchtest

import (
	"slices"
	"testing"
	"time"

	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// failer is what a comparison needs of a testing.T or a rapid.T.
type failer interface {
	Helper()
	Fatalf(format string, args ...any)
}

// comparison asks a matcher and package match the same questions.
type comparison struct {
	failer
	sides
	tolerations []toleration.Toleration
	got, want   Matcher
	now         time.Time
	before      []taint.Taint    // what the node has, to see whether the matcher changes it
	left        [2][]taint.Taint // buffers for Filter
	count       int              // of the answers compared
}

// sides are what makes the matchers to compare: the one to test, and package match for
// the same cluster.
type sides struct{ new, canonical New }

func newComparison(f failer, s sides) *comparison {
	return &comparison{failer: f, sides: s, now: Epoch()}
}

// log says how many answers were compared, so that a run that compared nothing
// can be told from one that found nothing.
func (c *comparison) log(t *testing.T) {
	t.Helper()
	t.Logf("%d answers compared", c.count)
	if c.count == 0 {
		t.Error("nothing was compared")
	}
}

// setTolerations makes the matchers for the questions to come.
func (c *comparison) setTolerations(tolerations []toleration.Toleration) {
	c.tolerations = tolerations
	c.got, c.want = c.new(tolerations), c.canonical(tolerations)
}

// questionSets are the effect sets that are asked for.
var questionSets = [...]taint.EffectSet{0, taint.Hard, taint.Soft, taint.Evicting, taint.OtherEffects, taint.AllEffects}

// predicates are what FirstUntoleratedFunc is asked with.
var predicates = [...]struct {
	name string
	keep func(*taint.Taint) bool
	set  taint.EffectSet
}{
	{"", nil, taint.AllEffects},
	{" of nothing", func(*taint.Taint) bool { return false }, taint.AllEffects},
	{" of key a", func(t *taint.Taint) bool { return t.Key == "a" }, taint.Hard},
	{" of values", func(t *taint.Taint) bool { return t.Value != "" }, taint.AllEffects},
}

// policies includes one that does not exist, which acts as FirstMatch.
var policies = [...]match.EvictionPolicy{match.FirstMatch, match.MostLenient, match.SinceAdded, match.SinceAdded + 1}

// compare asks everything that there is to ask about a node with the given
// taints. Neither it nor what it calls is marked as a helper: Helper walks the
// stack, which took most of the time of a run.
func (c *comparison) compare(taints []taint.Taint) {
	c.before = append(c.before[:0], taints...)
	for i := range taints {
		c.compareOne(&taints[i])
	}
	for _, set := range questionSets {
		c.compareSet(taints, set)
	}
	c.comparePredicates(taints)
	if c.got.Decide != nil {
		got, want := c.got.Decide(taints), c.want.Decide(taints)
		if c.differ(got == want) {
			c.fail("Decide", taints, got, want)
		}
	}
	if c.got.EvictionDelay != nil {
		for _, p := range policies {
			got, want := delayOf(c.got.EvictionDelay(taints, p, c.now)), delayOf(c.want.EvictionDelay(taints, p, c.now))
			if c.differ(got == want) {
				c.fail("EvictionDelay "+p.String(), taints, got, want)
			}
		}
	}
	if c.differ(taint.Equal(taints, c.before)) {
		c.fail("the taints after all questions", c.before, taints, c.before)
	}
}

func (c *comparison) compareOne(x *taint.Taint) {
	if c.got.Tolerates != nil {
		got, want := c.got.Tolerates(x), c.want.Tolerates(x)
		if c.differ(got == want) {
			c.fail("Tolerates", []taint.Taint{*x}, got, want)
		}
	}
	if c.got.FirstTolerating != nil {
		got, want := indexOf(c.got.FirstTolerating(x)), indexOf(c.want.FirstTolerating(x))
		if c.differ(got == want) {
			c.fail("FirstTolerating", []taint.Taint{*x}, got, want)
		}
	}
}

// compareSet asks what depends on a set of effects.
func (c *comparison) compareSet(taints []taint.Taint, set taint.EffectSet) {
	if c.got.FirstUntolerated != nil {
		got, want := indexOf(c.got.FirstUntolerated(taints, set)), indexOf(c.want.FirstUntolerated(taints, set))
		if c.differ(got == want) {
			c.fail(question{"FirstUntolerated", set, ""}.String(), taints, got, want)
		}
	}
	if c.got.CountUntolerated != nil {
		got, want := c.got.CountUntolerated(taints, set), c.want.CountUntolerated(taints, set)
		if c.differ(got == want) {
			c.fail(question{"CountUntolerated", set, ""}.String(), taints, got, want)
		}
	}
	if c.got.Filter != nil {
		c.compareFilter(question{"Filter", set, ""}, taints, func(m *Matcher, dst, taints []taint.Taint) []taint.Taint {
			return m.Filter(dst, taints, set)
		})
	}
}

// comparePredicates asks what depends on a predicate.
func (c *comparison) comparePredicates(taints []taint.Taint) {
	for i := range predicates {
		p := &predicates[i]
		if c.got.FirstUntoleratedFunc != nil {
			got, want := indexOf(c.got.FirstUntoleratedFunc(taints, p.set, c.watch(taints, p.keep))), indexOf(c.want.FirstUntoleratedFunc(taints, p.set, p.keep))
			if c.differ(got == want) {
				c.fail(question{"FirstUntoleratedFunc", p.set, p.name}.String(), taints, got, want)
			}
		}
	}
}

// watch returns keep with a check of its calls: at most one for each taint, in the
// order of the node, with a pointer into taints.
func (c *comparison) watch(taints []taint.Taint, keep func(*taint.Taint) bool) func(*taint.Taint) bool {
	if keep == nil {
		return nil
	}
	next := 0
	return func(x *taint.Taint) bool {
		for next < len(taints) && x != &taints[next] {
			next++
		}
		if next == len(taints) {
			c.fail("a call of keep that is out of order, repeated, or not with a taint of the node", c.before, x, "each taint at most once, in order")
		}
		next++
		return keep(x)
	}
}

// question is one that depends on effects and perhaps on a predicate.
type question struct {
	function string
	set      taint.EffectSet
	of       string // the predicate
}

func (q question) String() string { return q.function + " " + q.set.String() + q.of }

// held is what dst holds before a filter appends to it.
var held = taint.Taint{Key: "held", Effect: taint.NoSchedule}

// compareFilter asks a filter to append to what dst holds; and, if it is for all
// effects and without a predicate, to append without room, and to filter in
// place.
func (c *comparison) compareFilter(q question, taints []taint.Taint, filter func(m *Matcher, dst, taints []taint.Taint) []taint.Taint) {
	want := filter(&c.want, append(c.left[1][:0], held), taints)
	c.left[1] = want
	got := filter(&c.got, append(c.left[0][:0], held), taints)
	if c.differ(taint.Equal(got, want)) {
		c.fail(q.String()+", after "+held.String(), taints, got, want)
	}
	if q.set != taint.AllEffects || q.of != "" {
		return
	}
	got = filter(&c.got, nil, taints)
	if c.differ(taint.Equal(got, want[1:])) {
		c.fail(q.String()+", after nothing", taints, got, want[1:])
	}
	got = filter(&c.got, slices.Clip(append(got[:0], held)), taints)
	if c.differ(taint.Equal(got, want)) {
		c.fail(q.String()+", without room", taints, got, want)
	}
	c.left[0] = append(c.left[0][:0], taints...)
	got = filter(&c.got, c.left[0][:0], c.left[0])
	if c.differ(taint.Equal(got, want[1:])) {
		c.fail(q.String()+", in place", taints, got, want[1:])
	}
}

// differ counts an answer and reports whether it is wrong. What is wrong is put
// into words only then, because that would take most of the time.
func (c *comparison) differ(equal bool) bool {
	c.count++
	return !equal
}

func (c *comparison) fail(question string, taints []taint.Taint, got, want any) {
	c.Helper()
	c.Fatalf("%s\n\ttolerations %q\n\ttaints      %+q\n\tnow         %v\n\tgot  %v\n\twant %v",
		question, toleration.FormatList(c.tolerations), taints, c.now, got, want)
}

// index and delay are results of two values, so that they can be compared and
// printed as one.
type index struct {
	i  int
	ok bool
}

func indexOf(i int, ok bool) index { return index{i, ok} }

type delay struct {
	after   time.Duration
	evicted bool
}

func delayOf(after time.Duration, evicted bool) delay { return delay{after, evicted} }
