package index_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tolero-dev/tolero/compile"
	"github.com/tolero-dev/tolero/compile/index"
	"github.com/tolero-dev/tolero/match/matchtest"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
	"pgregory.net/rapid"
)

// describe says all that a Fit answers.
func describe(s *index.Snapshot, f *index.Fit) string {
	var text strings.Builder
	fmt.Fprintln(&text, f.Len(), f.AppendWords(nil), f.AppendReasons(nil, -1), f.ToleratesAll(taint.Hard))
	for id := range f.Nodes() {
		fmt.Fprint(&text, id.Number(), " ")
	}
	for i := range 12 {
		id, _ := s.ID(fmt.Sprint(i))
		class := s.Class(id)
		first, refused := f.FirstUntolerated(class, taint.AllEffects)
		after, evicted := f.EvictionDelay(class)
		fmt.Fprintln(&text, f.Has(id), f.HasClass(class), first, refused, f.CountUntolerated(class, taint.Soft), after, evicted)
	}
	return text.String()
}

// Fit answers for the list of a matcher, whatever vocabulary that was compiled for, and
// does not change the matcher.
func TestFitTakesAnyMatcher(t *testing.T) {
	for _, rules := range []toleration.Rules{{}, comparing} {
		t.Run(fmt.Sprint(rules), func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) { checkAnyMatcher(t, rules) })
		})
	}
}

func checkAnyMatcher(t *rapid.T, rules toleration.Rules) {
	lists := rapid.SliceOfN(matchtest.Taints(), 3, 12).Draw(t, "taints")
	ix := index.New(rules)
	old := ix.Snapshot()
	for i, list := range lists {
		ix.Set(fmt.Sprint(i), list)
	}
	middle := ix.Snapshot()
	fork := middle.Fork() // which grows apart
	fork.Set("0", rapid.SampledFrom(lists).Draw(t, "fork"))
	fork.Set("1", matchtest.Taints().Draw(t, "new in the fork"))
	ix.Delete("0") // and its taints are forgotten
	ix.Set("1", matchtest.Taints().Draw(t, "new"))
	s := ix.Snapshot()

	list := matchtest.Tolerations(lists[0]).Draw(t, "tolerations")
	var foreign compile.Vocabulary
	foreign.Append(nil, lists[len(lists)-1])
	var want, fit index.Fit
	s.FitList(&want, list)
	for name, compiled := range map[string]func(m *compile.Matcher){
		"this snapshot":          func(m *compile.Matcher) { s.Compile(m, list) },
		"an empty snapshot":      func(m *compile.Matcher) { old.Compile(m, list) },
		"an older snapshot":      func(m *compile.Matcher) { middle.Compile(m, list) },
		"a fork":                 func(m *compile.Matcher) { fork.Snapshot().Compile(m, list) },
		"another vocabulary":     func(m *compile.Matcher) { m.Compile(&foreign, list) },
		"a vocabulary that grew": func(m *compile.Matcher) { m.Compile(&foreign, list); foreign.Append(nil, lists[0]) },
	} {
		var m compile.Matcher
		compiled(&m)
		before := slices.Clone(m.Tolerations())
		s.Fit(&fit, &m)
		if got, want := describe(s, &fit), describe(s, &want); got != want {
			t.Fatalf("%s, pod %q:\n%s\nwant\n%s", name, toleration.FormatList(list), got, want)
		}
		if !slices.EqualFunc(before, m.Tolerations(), func(a, b toleration.Toleration) bool { return a.Equal(&b) }) {
			t.Fatalf("%s: the matcher was changed", name)
		}
	}
}

// A matcher that was never compiled has the empty list, and a Fit that was never filled
// answers for no node.
func TestFitOfTheZeroMatcher(t *testing.T) {
	var ix index.Index
	ix.Set("clean", nil)
	ix.Set("tainted", []taint.Taint{taint.MustParse("a=b:NoSchedule")})
	var fit index.Fit
	if fit.ToleratesAll(taint.Hard) || !fit.ToleratesAll(0) || fit.Len() != 0 {
		t.Error("the zero Fit answers for something")
	}
	ix.Snapshot().Fit(&fit, new(compile.Matcher))
	if fit.Len() != 1 || fit.ToleratesAll(taint.Hard) {
		t.Errorf("%d nodes fit", fit.Len())
	}
}

// One matcher may serve several Fits at a time, and what a Fit compiled itself before is
// neither kept nor mixed up with it.
func TestFitsShareAMatcher(t *testing.T) {
	ix := index.New(comparing)
	ix.Set("0", []taint.Taint{taint.MustParse("a=1:NoExecute")})
	s := ix.Snapshot()
	var m compile.Matcher
	s.Compile(&m, []toleration.Toleration{toleration.MustParse("a>0")})
	var fits [2]index.Fit
	s.FitList(&fits[0], []toleration.Toleration{toleration.MustParse("*")})
	for i := range fits {
		s.Fit(&fits[i], &m)
	}
	for i := range fits {
		if fits[i].Len() != 1 || fits[i].ToleratesAll(taint.Hard) {
			t.Errorf("Fit %d: %d nodes", i, fits[i].Len())
		}
	}
	if s.Compile(&m, m.Tolerations()); len(m.Tolerations()) != 1 || m.Tolerations()[0] != toleration.MustParse("a>0") {
		t.Errorf("compiled again, the matcher has %v", m.Tolerations())
	}
	if allocs := testing.AllocsPerRun(100, func() { s.Compile(&m, m.Tolerations()); s.Fit(&fits[0], &m) }); allocs != 0 {
		t.Errorf("%v allocations", allocs)
	}
}
