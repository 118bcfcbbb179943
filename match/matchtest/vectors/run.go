package vectors

import (
	"encoding/json"
	"errors"
	"fmt"
)

// ErrUnsupported is the error of a function that does not answer a kind of question.
var ErrUnsupported = errors.New("kind of question not supported")

// Outcome says what became of a question. The zero Outcome is [Right].
type Outcome uint8

// The outcomes. All except Right and Unsupported are failures.
const (
	Right       Outcome = iota
	Unsupported         // the program says that it does not answer such questions
	Wrong               // another answer
	Malformed           // a line that is no answer to the question
	Silent              // no answer: the output ended, though the program did not fail
	TimedOut            // no answer in time
	Crashed             // the program ended with an error, or a function panicked
)

// String returns the outcome in a word, such as "timed out", and for any other value
// its number.
func (o Outcome) String() string {
	if words := [...]string{"right", "unsupported", "wrong", "malformed", "silent", "timed out", "crashed"}; int(o) < len(words) {
		return words[o]
	}
	return fmt.Sprintf("Outcome(%d)", uint8(o))
}

// MarshalText returns the text of String.
func (o Outcome) MarshalText() ([]byte, error) { return []byte(o.String()), nil }

// Failed reports whether the outcome is a failure.
func (o Outcome) Failed() bool { return o > Unsupported }

// broken reports whether the program that did this cannot be asked further.
func (o Outcome) broken() bool { return o >= Malformed }

// Result is what became of one case. It is plain data.
type Result struct {
	Case    *Case   `json:"-"`
	ID      string  `json:"id"`
	Outcome Outcome `json:"outcome"`
	// Answer is what the program said, if it is an answer.
	Answer json.RawMessage `json:"answer,omitempty"`
	// Dialects are those that give this answer, if it is wrong and theirs.
	Dialects []string `json:"dialects,omitempty"`
	// Mistakes explain a wrong answer, such as "E2: zero seconds are for ever" or "without
	// M3": with one of them a program gives this answer, and the right ones that this one
	// gave to questions of the kind. There may be several, or none that is known.
	Mistakes []string `json:"mistakes,omitempty"`
	rules    []string // of Mistakes
	// Detail is the reason for an outcome that is neither right nor wrong.
	Detail string `json:"detail,omitempty"`
}

// Options change what is asked and expected. The zero Options asks for Kubernetes'
// answers where they are as they should be.
type Options struct {
	// Dialect is the name of a project, such as "kubernetes" or "karpenter": where it is
	// known to differ, its answer is the right one. Every other answer is wrong then.
	Dialect string
}

// Run asks a function every question, and compares the answers. An error that is
// [ErrUnsupported] leaves the question out; any other error and a panic are failures.
// Run keeps the cases.
func Run(cases []Case, o Options, answer func(Question) (json.RawMessage, error)) *Report {
	report := new(Report)
	for i := range cases {
		c := &cases[i]
		got, err := protected(answer, c.Question())
		r := Result{Case: c, ID: c.ID}
		switch {
		case errors.Is(err, ErrUnsupported):
			r.Outcome = Unsupported
		case err != nil:
			r.Outcome, r.Detail = Crashed, err.Error()
		default:
			r.judge(o, got)
		}
		report.Results = append(report.Results, r)
	}
	report.blame()
	return report
}

// protected turns a panic into an error.
func protected(answer func(Question) (json.RawMessage, error), q Question) (got json.RawMessage, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("panic: %v", cause)
		}
	}()
	return answer(q)
}

// judge compares an answer with the one that is expected.
func (r *Result) judge(o Options, got json.RawMessage) {
	if !json.Valid(got) {
		r.Outcome, r.Detail = Malformed, fmt.Sprintf("the answer is no JSON value: %s", excerpt(got))
		return
	}
	r.Answer = got
	if Equal(got, r.Case.Expected(o.Dialect)) {
		return
	}
	r.Outcome = Wrong // and no alternative, if it is right elsewhere
	for _, a := range r.Case.Alternatives {
		if Equal(got, a.Answer) {
			r.Dialects = a.Dialects
		}
	}
}

// excerpt returns the beginning of what a program printed, quoted.
func excerpt(text []byte) string {
	const most = 200
	if len(text) > most {
		return fmt.Sprintf("%q...", text[:most])
	}
	return fmt.Sprintf("%q", text)
}
