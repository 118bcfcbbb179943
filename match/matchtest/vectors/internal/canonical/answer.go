// Package canonical answers the questions of the vectors with this library: package
// match and those beside it. It gives the answers that the vectors have, the reasons
// for them, and where projects differ the other answers.
package canonical

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
)

// Result is an answer, the reason for it, and what others answer.
type Result struct {
	Answer       any
	Reason       string
	Alternatives []Alternative
}

// Alternative is the answer of the projects of some dialects.
type Alternative struct {
	Dialects []string `json:"dialects"`
	Answer   any      `json:"answer"`
	Reason   string   `json:"reason"`
}

// kinds has a function for each kind of question.
var kinds = map[string]func(*Input) Result{}

// Kinds returns the kinds of questions, in alphabetical order.
func Kinds() []string { return slices.Sorted(maps.Keys(kinds)) }

// Answer answers a question of a kind. What the kind does not need is ignored.
func Answer(ask string, in *Input) (Result, error) {
	answer := kinds[ask]
	if answer == nil {
		return Result{}, fmt.Errorf("no kind of question: %q", ask)
	}
	return answer(in), nil
}

// Read reads an input. Every field has to be known.
func Read(text []byte) (*Input, error) {
	in := new(Input)
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(in); err != nil {
		return nil, err
	}
	return in, nil
}

// AnswerJSON answers a question as a program does that is tested with the vectors.
func AnswerJSON(ask string, input []byte) ([]byte, error) {
	in, err := Read(input)
	if err != nil {
		return nil, err
	}
	result, err := Answer(ask, in)
	if err != nil {
		return nil, err
	}
	return Marshal(result.Answer)
}

// Marshal returns the JSON of v on one line, with <, > and & as they are.
func Marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}
