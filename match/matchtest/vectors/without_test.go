package vectors_test

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"testing"

	"github.com/tolero-dev/tolero/match/matchtest/vectors"
	"github.com/tolero-dev/tolero/match/matchtest/vectors/internal/canonical"
	"github.com/tolero-dev/tolero/match/matchtest/vectors/internal/without"
)

// mistaken answers as the library does, but with a mistake where it has a part.
func mistaken(m without.Mistake) func(vectors.Question) (json.RawMessage, error) {
	return func(q vectors.Question) (json.RawMessage, error) {
		in, err := canonical.Read(q.Input)
		if err != nil {
			return nil, err
		}
		answer, concerned := m.Answer(q.Ask, in)
		if !concerned {
			return library(q)
		}
		return canonical.Marshal(answer)
	}
}

// concerned returns the cases of the kinds in which the mistake has a part.
func concerned(cases []vectors.Case, m without.Mistake) []vectors.Case {
	kinds := map[string]bool{}
	return slices.DeleteFunc(slices.Clone(cases), func(c vectors.Case) bool {
		if _, known := kinds[c.Ask]; !known {
			in, err := canonical.Read(c.Input)
			if err == nil {
				_, kinds[c.Ask] = m.Answer(c.Ask, in)
			}
		}
		return !kinds[c.Ask]
	})
}

// TestMistakes makes each mistake: cases have to fail then, also those of the small set
// alone, in every kind of question in which any case finds it. The report names the mistake,
// and blames its rule for every failure: for a mistake about seconds no other.
func TestMistakes(t *testing.T) {
	cases, err := vectors.LoadSmall("1.37")
	if err != nil {
		t.Fatal(err)
	}
	small := map[string]bool{}
	for _, c := range cases {
		small[c.ID] = true
	}
	all := load(t)
	for _, m := range without.Mistakes() {
		report := vectors.Run(concerned(all, m), vectors.Options{}, mistaken(m))
		finds, findsSmall := map[string]bool{}, map[string]bool{}
		for _, r := range report.Results {
			if !r.Outcome.Failed() {
				continue
			}
			if finds[r.Case.Ask] = true; small[r.ID] {
				findsSmall[r.Case.Ask] = true
			}
			if r.Outcome != vectors.Wrong || !slices.Contains(r.Mistakes, m.String()) {
				t.Errorf("%s: %s is %s, as if %v", m, r.ID, r.Outcome, r.Mistakes)
			}
		}
		if len(finds) == 0 || !maps.Equal(finds, findsSmall) {
			t.Errorf("%s: cases of %v fail, of the small set only %v", m, slices.Sorted(maps.Keys(finds)), slices.Sorted(maps.Keys(findsSmall)))
		}
		for _, rule := range report.Rules() {
			if failed := rule.Failed != nil; failed && m.Rule == "E2" && rule.Rule != "E2" || !failed && rule.Rule == m.Rule {
				t.Errorf("%s: %s has the failures %v", m, rule.Rule, rule.Failed)
			}
		}
	}
}

// TestInputIsKept: a question that was read may be answered with every mistake in turn.
func TestInputIsKept(t *testing.T) {
	for _, c := range load(t) {
		in, err := canonical.Read(c.Input)
		if err != nil {
			t.Fatal(err)
		}
		want, _ := canonical.Read(c.Input)
		for _, m := range without.Mistakes() {
			if m.Answer(c.Ask, in); !reflect.DeepEqual(in, want) {
				t.Fatalf("%s: %s changes the input", c.ID, m)
			}
		}
	}
}

// TestWithoutNothing: the matcher from which rules are taken away is right otherwise.
func TestWithoutNothing(t *testing.T) {
	asked := 0
	report := vectors.Run(load(t), vectors.Options{}, func(q vectors.Question) (json.RawMessage, error) {
		in, err := canonical.Read(q.Input)
		if err != nil {
			return nil, err
		}
		answer, ok := without.Whole(q.Ask, in)
		if !ok {
			return nil, vectors.ErrUnsupported
		}
		asked++
		return canonical.Marshal(answer)
	})
	for _, r := range report.Results {
		if r.Outcome.Failed() {
			t.Errorf("%s: %s, want %s", r.ID, r.Answer, r.Case.Answer)
		}
	}
	t.Logf("%d cases", asked)
}
