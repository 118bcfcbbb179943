package compile_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/tolero-dev/tolero/compile"
	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/match/matchtest"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// asker is a compiled list for the proof kit, which interns each taint list that it is
// asked about and forgets it after.
type asker struct {
	compile.Matcher
	tolerations []toleration.Toleration
	vocabulary  *compile.Vocabulary
	rules       toleration.Rules
	recompile   bool          // for each taint list
	taints      []taint.Taint // of the last question
	ids         []compile.TaintID
}

// intern returns the IDs of taints, which are valid until it is called for others: a dozen
// questions in turn are about the same.
func (a *asker) intern(taints []taint.Taint) []compile.TaintID {
	if len(taints) > 0 && slices.Equal(taints, a.taints) {
		return a.ids
	}
	a.taints = append(a.taints[:0], taints...)
	a.vocabulary.Release(a.ids)
	a.ids = a.vocabulary.Append(a.ids[:0], taints)
	if a.recompile {
		a.Compile(a.vocabulary, a.tolerations, a.rules)
	}
	return a.ids
}

// matcher returns what the proof kit asks. Other policies than Kubernetes' own are not
// those of a Matcher.
func (a *asker) matcher() matchtest.Matcher {
	return matchtest.Matcher{
		Tolerates: func(t *taint.Taint) bool {
			return a.Tolerates(a.intern([]taint.Taint{*t})[0])
		},
		FirstTolerating: func(t *taint.Taint) (int, bool) {
			return a.FirstTolerating(a.intern([]taint.Taint{*t})[0])
		},
		Filter: func(dst, taints []taint.Taint, effects taint.EffectSet) []taint.Taint {
			ids := a.intern(taints)
			for _, id := range a.Filter(nil, ids, effects) {
				for ids[0] != id {
					ids, taints = ids[1:], taints[1:]
				}
				dst = append(dst, taints[0])
				ids, taints = ids[1:], taints[1:]
			}
			return dst
		},
		FirstUntolerated: func(taints []taint.Taint, effects taint.EffectSet) (int, bool) {
			return a.FirstUntolerated(a.intern(taints), effects)
		},
		Decide: func(taints []taint.Taint) match.Verdict { return a.Decide(a.intern(taints)) },
		CountUntolerated: func(taints []taint.Taint, effects taint.EffectSet) int64 {
			return a.CountUntolerated(a.intern(taints), effects)
		},
		EvictionDelay: func(taints []taint.Taint, p match.EvictionPolicy, now time.Time) (time.Duration, bool) {
			if p == match.MostLenient || p == match.SinceAdded {
				return p.Delay(taints, a.tolerations, now, a.rules)
			}
			return a.EvictionDelay(a.intern(taints))
		},
	}
}

// newMatchers are the ways in which a Matcher meets a vocabulary.
func newMatchers(rules toleration.Rules) map[string]matchtest.New {
	shared := new(compile.Vocabulary)
	asker := func(v *compile.Vocabulary, tolerations []toleration.Toleration) *asker {
		a := &asker{tolerations: tolerations, vocabulary: v, rules: rules}
		a.Compile(v, tolerations, rules)
		return a
	}
	return map[string]matchtest.New{
		"compiled for each node": func(tolerations []toleration.Toleration) matchtest.Matcher {
			a := asker(shared, tolerations)
			a.recompile = true
			return a.matcher()
		},
		"compiled before anything was interned": func(tolerations []toleration.Toleration) matchtest.Matcher {
			return asker(new(compile.Vocabulary), tolerations).matcher()
		},
		"compiled when other taints were interned": func(tolerations []toleration.Toleration) matchtest.Matcher {
			v := new(compile.Vocabulary)
			old := v.Append(nil, others)
			a := asker(v, tolerations)
			v.Release(old[1:]) // their places are free
			return a.matcher()
		},
	}
}

// others are taints with the words of the proof kit.
var others = []taint.Taint{
	{Key: "a", Value: "x", Effect: taint.NoSchedule}, {Key: "a", Value: "1", Effect: taint.NoExecute}, {Key: "b", Effect: taint.NoExecute},
	{Key: "aa", Value: "2", Effect: taint.PreferNoSchedule}, {Value: "true", Effect: taint.NoSchedule}, {Key: "a", Value: "x", Effect: "Other"},
}

// inTurn makes each matcher in one of the ways, at random but the same each time.
func inTurn(rules toleration.Rules) matchtest.New {
	var ways []matchtest.New
	makers := newMatchers(rules)
	for _, name := range slices.Sorted(maps.Keys(makers)) {
		ways = append(ways, makers[name])
	}
	random := rand.New(rand.NewPCG(1, 2))
	return func(tolerations []toleration.Toleration) matchtest.Matcher {
		return ways[random.IntN(len(ways))](tolerations)
	}
}

// The ways differ in what the vocabulary holds when a list is compiled, and not in
// how a compiled list answers. One search, whose lists are compiled in any of the
// ways, therefore proves what a search for each of them would: thousands of lists
// come to each way, and TestHistories mixes the ways further. TOLERO_LONG=1 searches
// for each.
func TestMatcherAgreesWithMatch(t *testing.T) {
	for _, rules := range []toleration.Rules{{}, comparisons} {
		makers := newMatchers(rules)
		if os.Getenv("TOLERO_LONG") == "" {
			makers = map[string]matchtest.New{"in turn": inTurn(rules)}
		}
		for name, newMatcher := range makers {
			t.Run(fmt.Sprintf("%s %+v", name, rules), func(t *testing.T) { matchtest.Run(t, newMatcher, rules) })
		}
	}
}

func FuzzMatcher(f *testing.F) {
	matchtest.Fuzz(f, newMatchers(comparisons)["compiled for each node"], comparisons)
}
