package found

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/tolero-dev/tolero/match/matchtest/vectors/internal/canonical"
	"github.com/tolero-dev/tolero/match/matchtest/vectors/internal/files"
	"github.com/tolero-dev/tolero/match/matchtest/vectors/internal/without"
)

// rules is all that can be taken away.
var rules = func() (all []string) {
	for _, chapter := range []struct {
		letter string
		last   int
	}{{"M", 6}, {"N", 5}, {"F", 8}, {"E", 6}, {"A", 8}, {"R", 7}, {"K", 4}, {"V", 4}, {"D", 13}} {
		for i := range chapter.last {
			all = append(all, fmt.Sprint(chapter.letter, i+1))
		}
	}
	return all
}()

// Rules returns the rules that matter to the answer: without any of them it is another.
func Rules(ask string, in *canonical.Input) (matter []string, answer []byte) {
	result, err := canonical.Answer(ask, in)
	if err != nil {
		panic(err)
	}
	answer = marshal(result.Answer)
	for _, rule := range rules {
		if other, concerned := without.Answer(rule, ask, in); concerned && string(marshal(other)) != string(answer) {
			matter = append(matter, rule)
		}
	}
	return matter, answer
}

func marshal(v any) []byte {
	text, err := canonical.Marshal(v)
	if err != nil {
		panic(err)
	}
	return text
}

// Signature returns what is special about a question as one text, and the question as a
// case. Of questions with the same signature, the shortest is enough. It returns false if no
// rule matters.
func Signature(ask string, in *canonical.Input) (signature string, c files.Case, ok bool) {
	parts, c := Parts(ask, in)
	return strings.Join(parts, " "), c, parts != nil
}

// Parts returns what is special about a question: the rules that matter, the answers without
// each of them, and who answers otherwise; and the question as a case. If no rule matters,
// there are no parts and no case.
func Parts(ask string, in *canonical.Input) (parts []string, c files.Case) {
	matter, answer := Rules(ask, in)
	if len(matter) == 0 {
		return nil, c
	}
	c, err := files.New(files.FoundID(ask, in), matter, ask, in)
	if err != nil {
		panic(err)
	}
	parts = []string{ask, shape(answer)}
	for _, rule := range matter {
		other, _ := without.Answer(rule, ask, in)
		parts = append(parts, rule+shape(marshal(other)))
	}
	for _, a := range c.Alternatives {
		parts = append(parts, a.Dialects...)
		parts = append(parts, shape(marshal(a.Answer)))
	}
	return parts, c
}

// shape is an answer without names and numbers that do not matter much.
func shape(answer []byte) string {
	var v any
	if err := json.Unmarshal(answer, &v); err != nil {
		panic(err)
	}
	return shapeOf(v)
}

func shapeOf(v any) string {
	switch v := v.(type) {
	case []any:
		var parts []string
		for _, item := range v {
			parts = append(parts, shapeOf(item))
		}
		slices.Sort(parts)
		return fmt.Sprint(len(v), slices.Compact(parts))
	case map[string]any:
		var parts []string
		for name, item := range v {
			if name == "field" {
				text := item.(string)
				item = text[strings.LastIndexByte(text, '.')+1:]
			}
			parts = append(parts, name+"="+shapeOf(item))
		}
		slices.Sort(parts)
		return fmt.Sprint(parts)
	case string:
		if strings.HasPrefix(v, "FieldValue") || strings.Contains("schedulable avoid unschedulable stay evict after now key value effect operator tolerationSeconds", v) {
			return v
		}
		return "text"
	case float64:
		if v > 0 {
			return "+"
		}
		return fmt.Sprint(v)
	}
	return fmt.Sprint(v)
}
