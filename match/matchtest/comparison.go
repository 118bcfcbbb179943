package matchtest

import (
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
	tolerations []toleration.Toleration
	got, want   Matcher
	now         time.Time
	left        [2][]taint.Taint // buffers for Filter
	count       int              // of the answers compared
}

func newComparison(f failer) *comparison {
	return &comparison{failer: f, now: Epoch}
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
func (c *comparison) setTolerations(new New, tolerations []toleration.Toleration) {
	c.tolerations = tolerations
	c.got, c.want = new(tolerations), Canonical(tolerations)
}

// questionSets are the effect sets that FirstUntolerated is asked for.
var questionSets = [...]taint.EffectSet{0, taint.Hard, taint.Soft, taint.Evicting, taint.OtherEffects, taint.AllEffects}

// policies includes one that does not exist, which acts as FirstMatch.
var policies = [...]match.EvictionPolicy{match.FirstMatch, match.MostLenient, match.SinceAdded, match.SinceAdded + 1}

// compare asks everything that there is to ask about a node with the given
// taints.
func (c *comparison) compare(taints []taint.Taint) {
	c.Helper()
	for i := range taints {
		c.compareOne(&taints[i])
	}
	if c.got.Filter != nil {
		c.left[0] = c.got.Filter(c.left[0][:0], taints)
		c.left[1] = c.want.Filter(c.left[1][:0], taints)
		c.check(taint.Equal(c.left[0], c.left[1]), "Filter", taints, c.left[0], c.left[1])
	}
	if c.got.FirstUntolerated != nil {
		for _, set := range questionSets {
			got, want := indexOf(c.got.FirstUntolerated(taints, set)), indexOf(c.want.FirstUntolerated(taints, set))
			c.check(got == want, "FirstUntolerated "+set.String(), taints, got, want)
		}
	}
	if c.got.Decide != nil {
		got, want := c.got.Decide(taints), c.want.Decide(taints)
		c.check(got == want, "Decide", taints, got, want)
	}
	if c.got.Score != nil {
		got, want := c.got.Score(taints), c.want.Score(taints)
		c.check(got == want, "Score", taints, got, want)
	}
	if c.got.EvictionDelay != nil {
		for _, p := range policies {
			got, want := delayOf(c.got.EvictionDelay(taints, p, c.now)), delayOf(c.want.EvictionDelay(taints, p, c.now))
			c.check(got == want, "EvictionDelay "+p.String(), taints, got, want)
		}
	}
}

func (c *comparison) compareOne(x *taint.Taint) {
	c.Helper()
	if c.got.Tolerates != nil {
		got, want := c.got.Tolerates(x), c.want.Tolerates(x)
		c.check(got == want, "Tolerates", []taint.Taint{*x}, got, want)
	}
	if c.got.FirstTolerating != nil {
		got, want := indexOf(c.got.FirstTolerating(x)), indexOf(c.want.FirstTolerating(x))
		c.check(got == want, "FirstTolerating", []taint.Taint{*x}, got, want)
	}
}

// check is called for every answer. Formatting is left to fail, because it
// would take most of the time.
func (c *comparison) check(equal bool, question string, taints []taint.Taint, got, want any) {
	c.count++
	if !equal {
		c.Helper()
		c.Fatalf("%s\n\ttolerations %q\n\ttaints      %+q\n\tnow         %v\n\tgot  %v\n\twant %v",
			question, toleration.FormatList(c.tolerations), taints, c.now, got, want)
	}
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
