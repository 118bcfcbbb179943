package vectors

import (
	"encoding/json"
	"slices"

	"github.com/tolero-dev/tolero/match/matchtest/vectors/internal/canonical"
	"github.com/tolero-dev/tolero/match/matchtest/vectors/internal/without"
)

// blame says of each wrong answer which mistakes explain it: a program that makes one of
// them gives this answer, and all the right ones that this program gave to questions of the
// kind. So an answer about seconds is not blamed on the keys, which mattered to it too.
func (r *Report) blame() {
	by := map[string][]*Result{}
	for i := range r.Results {
		if result := &r.Results[i]; result.Outcome == Wrong {
			by[result.Case.Ask] = nil
		}
	}
	for i := range r.Results {
		result := &r.Results[i]
		if _, wrong := by[result.Case.Ask]; wrong && (result.Outcome == Wrong || result.Outcome == Right) {
			by[result.Case.Ask] = append(by[result.Case.Ask], result)
		}
	}
	for _, results := range by {
		for _, m := range without.Mistakes() {
			for _, result := range explained(m, results) {
				result.Mistakes = append(result.Mistakes, m.String())
				if !slices.Contains(result.rules, m.Rule) {
					result.rules = append(result.rules, m.Rule)
				}
			}
		}
	}
}

// explained returns those of the wrong answers that the mistake explains. Answers are to
// questions of one kind.
func explained(m without.Mistake, answers []*Result) (wrong []*Result) {
	mistaken := func(q Question) (json.RawMessage, error) {
		in, err := canonical.Read(q.Input)
		if err != nil {
			return nil, err
		}
		answer, concerned := m.Answer(q.Ask, in)
		if !concerned {
			return nil, ErrUnsupported
		}
		return canonical.Marshal(answer)
	}
	for _, r := range answers {
		text, err := protected(mistaken, r.Case.Question()) // the case may be anybody's
		same := err == nil && Equal(text, r.Answer)
		switch {
		case r.Outcome == Wrong && same:
			wrong = append(wrong, r)
		case r.Outcome == Right && !same:
			return nil
		}
	}
	return wrong
}

// about returns the rules that a result is about: those of the mistakes that explain it, or
// else those of its case.
func (r *Result) about() []string {
	if r.rules == nil {
		return r.Case.Rules
	}
	return r.rules
}
