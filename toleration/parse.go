package toleration

import (
	"errors"
	"fmt"
	"strings"

	"github.com/tolero-dev/tolero/taint"
)

// Parse reads and validates one toleration:
//
//	toleration = key [ operator [ value ] ] [ ":" effect ] [ "@" seconds ]
//	key        = "*" | a qualified name, see [taint.CheckKey]
//	operator   = "=" | "==" | "<" | ">"
//	value      = a label value, see [taint.CheckValue], or an integer
//	effect     = "NoSchedule" | "PreferNoSchedule" | "NoExecute"
//	seconds    = a decimal integer without leading zeros
//
// A key of "*" is the empty key, which matches every key. No operator is Exists;
// "=" is the operator left empty, which means Equal, "==" is Equal, "<" is Lt
// and ">" is Gt. Thus
//
//	dedicated=gpu:NoSchedule                      key, value and effect
//	node.kubernetes.io/not-ready:NoExecute@300    Exists, for 300 seconds
//	*:NoSchedule                                  every NoSchedule taint
//	*                                             every taint
//	example.com/cores>16                          Gt 16, any effect
//
// What some cluster accepts is valid here, Gt and Lt included; [Rules.Validate]
// says whether a given cluster accepts it. Parse reads every valid toleration back
// from its String.
//
// The error repeats the text and names each field at fault; see [taint.FieldErrors]. The
// result shares the memory of text.
func Parse(text string) (Toleration, error) {
	t, err := parse(text)
	if err == nil {
		err = t.faults()
	}
	if err != nil {
		return Toleration{}, fmt.Errorf("toleration %q: %w", text, err)
	}
	return t, nil
}

// parse takes a text apart without judging the parts.
func parse(text string) (t Toleration, err error) {
	rest, seconds, timed := strings.Cut(text, "@")
	rest, effect, hasEffect := strings.Cut(rest, ":")
	t = Toleration{Key: rest, Operator: OpExists, Effect: taint.Effect(effect)}
	if i := strings.IndexAny(rest, "=<>"); i >= 0 {
		t.Key, t.Value = rest[:i], rest[i+1:]
		switch value, double := strings.CutPrefix(t.Value, "="); {
		case rest[i] == '<':
			t.Operator = OpLt
		case rest[i] == '>':
			t.Operator = OpGt
		case double:
			t.Operator, t.Value = OpEqual, value
		default:
			t.Operator = ""
		}
	}
	switch {
	case t.Key == "":
		return t, errors.New("the key is missing; * is every key")
	case t.Key == "*":
		t.Key = ""
	}
	if hasEffect && effect == "" {
		return t, errors.New(`":" must be followed by an effect`)
	}
	if timed {
		n, ok := parseInteger(seconds)
		if !ok {
			return t, fmt.Errorf("seconds %q: %s", seconds, needsInteger)
		}
		t.TolerationSeconds = &n
	}
	return t, nil
}

// MustParse is like [Parse] but panics if text is not a valid toleration. It is
// meant for tests and for tolerations written in the source.
func MustParse(text string) Toleration {
	t, err := Parse(text)
	if err != nil {
		panic(err)
	}
	return t
}

// ParseList reads and validates tolerations separated by commas, each in the
// form that [Parse] reads. Duplicates are valid. The empty text gives a nil list.
//
// The error is about the first toleration at fault: it gives its index and its offset in
// text, and repeats it. The result is then nil. The result shares the memory of text.
func ParseList(text string) ([]Toleration, error) {
	if text == "" {
		return nil, nil
	}
	tolerations := make([]Toleration, 0, strings.Count(text, ",")+1)
	offset := 0
	for item := range strings.SplitSeq(text, ",") {
		t, err := Parse(item)
		if err != nil {
			return nil, fmt.Errorf("tolerations[%d], at offset %d: %w", len(tolerations), offset, err)
		}
		tolerations = append(tolerations, t)
		offset += len(item) + len(",")
	}
	return tolerations, nil
}

// MustParseList is like [ParseList] but panics if text is not a valid list.
func MustParseList(text string) []Toleration {
	list, err := ParseList(text)
	if err != nil {
		panic(err)
	}
	return list
}
