package vectors

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/tolero-dev/tolero/match/matchtest/vectors/internal/canonical"
	"github.com/tolero-dev/tolero/match/matchtest/vectors/internal/without"
)

// blame says of each wrong answer which mistakes explain it: a program that makes one of
// them gives this answer, and all the right ones that this program gave to questions of the
// kind. So an answer about seconds is not blamed on the keys, which mattered to it too.
func (r *Report) blame() {
	by := map[string][]*answered{}
	for i := range r.Results {
		if result := &r.Results[i]; result.Outcome == Wrong {
			by[result.Case.Ask] = nil
		}
	}
	for i := range r.Results {
		result := &r.Results[i]
		if _, wrong := by[result.Case.Ask]; wrong && (result.Outcome == Wrong || result.Outcome == Right) {
			by[result.Case.Ask] = append(by[result.Case.Ask], &answered{Result: result})
		}
	}
	for _, answers := range by {
		for _, m := range without.Mistakes() {
			for _, result := range explained(m, answers) {
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
func explained(m without.Mistake, answers []*answered) (wrong []*Result) {
	for _, a := range answers {
		switch same := a.same(m); {
		case a.Outcome == Wrong && same:
			wrong = append(wrong, a.Result)
		case a.Outcome == Right && !same:
			return nil
		}
	}
	return wrong
}

// answered is a question with its answer. The question is read once for all mistakes.
type answered struct {
	*Result
	in *canonical.Input
}

// same reports whether a program that makes the mistake gives this answer.
func (a *answered) same(m without.Mistake) bool {
	text, err := protected(func(q Question) (_ json.RawMessage, err error) { // the case may be anybody's
		if a.in == nil {
			if a.in, err = canonical.Read(q.Input); err != nil {
				return nil, err
			}
		}
		answer, concerned := m.Answer(q.Ask, a.in)
		if !concerned {
			return nil, ErrUnsupported
		}
		return canonical.Marshal(answer)
	}, a.Case.Question())
	return err == nil && (bytes.Equal(text, a.Answer) || Equal(text, a.Answer))
}

// about returns the rules that a result is about: those of the mistakes that explain it, or
// else those of its case.
func (r *Result) about() []string {
	if r.rules == nil {
		return r.Case.Rules
	}
	return r.rules
}
