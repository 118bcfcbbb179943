package vectors_test

import (
	"encoding/json"
	"testing"

	"github.com/tolero-dev/tolero/match/matchtest/vectors"
	"github.com/tolero-dev/tolero/match/matchtest/vectors/internal/canonical"
	"github.com/tolero-dev/tolero/match/matchtest/vectors/internal/without"
)

// lacking answers as the library does, but without a rule where it has a part.
func lacking(rule string) func(vectors.Question) (json.RawMessage, error) {
	return func(q vectors.Question) (json.RawMessage, error) {
		in, err := canonical.Read(q.Input)
		if err != nil {
			return nil, err
		}
		answer, concerned := without.Answer(rule, q.Ask, in)
		if !concerned {
			return library(q)
		}
		return canonical.Marshal(answer)
	}
}

// TestWithoutRule takes away each rule: cases of the rule have to fail then, also those
// of the small set alone.
func TestWithoutRule(t *testing.T) {
	small, err := vectors.LoadSmall("1.37")
	if err != nil {
		t.Fatal(err)
	}
	for _, set := range [][]vectors.Case{load(t), small} {
		rules := map[string][]vectors.Case{}
		for _, c := range set {
			for _, rule := range c.Rules {
				rules[rule] = append(rules[rule], c)
			}
		}
		for rule, cases := range rules {
			report := vectors.Run(cases, vectors.Options{}, lacking(rule))
			if report.Count(vectors.Wrong) == 0 {
				t.Errorf("without %s, none of its %d cases fails", rule, len(cases))
			}
			if n := report.Count(vectors.Crashed) + report.Count(vectors.Malformed); n > 0 {
				t.Errorf("without %s, %d cases fail otherwise", rule, n)
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
