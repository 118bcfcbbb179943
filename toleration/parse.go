package toleration

import (
	"errors"
	"fmt"
	"strings"
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
// The error repeats the text and gives the offset at which reading stopped, or names
// each field at fault; see [taint.FieldErrors]. The result shares the memory of text.
// [ParseLenient] does not validate.
func Parse(text string) (Toleration, error) {
	t, offset, err := parse(text)
	switch {
	case err == nil:
		return t, nil
	case offset < 0:
		return Toleration{}, fmt.Errorf("toleration %q: %w", text, err)
	}
	return Toleration{}, fmt.Errorf("toleration %q: at offset %d: %w", text, offset, err)
}

var errQuotes = errors.New("a valid toleration has no quotes")

// parse returns where in text reading stopped, beside the error, and -1 if it did not.
func parse(text string) (t Toleration, offset int, err error) {
	if i := strings.IndexByte(text, '"'); i >= 0 {
		return t, i, errQuotes
	}
	if t, offset, err = parseLenient(text); err != nil {
		return t, offset, err
	}
	return t, -1, t.faults()
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
// The error is about the first toleration at fault: it gives its index, the offset in
// text where reading stopped or else that of the toleration, and repeats it. The
// result is then nil. The result shares the memory of text.
func ParseList(text string) ([]Toleration, error) {
	if text == "" {
		return nil, nil
	}
	tolerations := make([]Toleration, 0, strings.Count(text, ",")+1)
	start := 0
	for item := range strings.SplitSeq(text, ",") {
		t, offset, err := parse(item)
		if err != nil {
			return nil, fmt.Errorf("tolerations[%d], at offset %d: toleration %q: %w", len(tolerations), start+max(0, offset), item, err)
		}
		tolerations = append(tolerations, t)
		start += len(item) + len(",")
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
