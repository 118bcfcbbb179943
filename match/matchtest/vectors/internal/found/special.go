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

func marshal(v any) []byte {
	text, err := canonical.Marshal(v)
	if err != nil {
		panic(err)
	}
	return text
}

// Signature returns what is special about a question as one text, and the question as a
// case. Of questions with the same signature, the shortest is enough. It returns false if no
// mistake matters.
func Signature(ask string, in *canonical.Input) (signature string, c files.Case, ok bool) {
	parts, c := Parts(ask, in)
	return strings.Join(parts, " "), c, parts != nil
}

// Parts returns what is special about a question: the mistakes that matter, the answers with
// each of them, and who answers otherwise; and the question as a case. If no mistake matters,
// there are no parts and no case.
func Parts(ask string, in *canonical.Input) (parts []string, c files.Case) {
	result, err := canonical.Answer(ask, in)
	if err != nil {
		panic(err)
	}
	answer := marshal(result.Answer)
	matter, err := without.Matter(ask, in, answer)
	if err != nil {
		panic(err)
	}
	if len(matter) == 0 {
		return nil, c
	}
	c, err = files.New(files.FoundID(ask, in), without.Rules(matter), ask, in)
	if err != nil {
		panic(err)
	}
	parts = []string{ask, shape(answer)}
	for _, m := range matter {
		other, _ := m.Answer(ask, in)
		parts = append(parts, m.String()+shape(marshal(other)))
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
