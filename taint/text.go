package taint

import (
	"errors"
	"fmt"
	"strings"

	"github.com/tolero-dev/tolero/taint/word"
)

// appendTo appends the text of t to dst.
func (t *Taint) appendTo(dst []byte) []byte {
	dst = word.Append(dst, t.Key)
	if t.Value != "" {
		dst = append(dst, '=')
		dst = word.Append(dst, t.Value)
	}
	if t.Value == "" && t.Effect == "" {
		return dst
	}
	dst = append(dst, ':')
	if t.Effect == "" {
		return dst
	}
	return word.Append(dst, string(t.Effect))
}

// String returns t in kubectl's form key=value:Effect. An empty value is left out
// together with its "=", and an empty effect with its ":" if the value is empty too:
// "key", "key=value:", "key:Effect". A word that no valid taint has is quoted (see
// package word), so that different taints have different texts. TimeAdded is not written.
func (t Taint) String() string {
	return string(t.appendTo(nil))
}

// Parse reads and validates one taint, as kubectl and kubelet do:
//
//	taint  = key [ "=" [ value ] ] ":" effect
//	key    = a qualified name, see [CheckKey]
//	value  = a label value, see [CheckValue]
//	effect = "NoSchedule" | "PreferNoSchedule" | "NoExecute"
//
// Thus "dedicated=gpu:NoSchedule", "dedicated=:NoSchedule" and
// "dedicated:NoSchedule" (rules K1, K2). Parse reads every valid taint back from its
// String, without TimeAdded.
//
// The error repeats the text and names each field at fault; see [FieldErrors].
// The result shares the memory of text.
func Parse(text string) (Taint, error) {
	t, err := parseSpec(text)
	if err == nil {
		err = t.faults()
	}
	if err != nil {
		return Taint{}, fmt.Errorf("taint %q: %w", text, err)
	}
	return t, nil
}

// MustParse is like [Parse] but panics if text is not a valid taint. It is meant
// for tests and for taints written in the source.
func MustParse(text string) Taint {
	t, err := Parse(text)
	if err != nil {
		panic(err)
	}
	return t
}

// parseSpec takes a taint spec apart without judging the parts. A spec that is
// no more than a key has no effect.
func parseSpec(text string) (Taint, error) {
	pair, effect, hasEffect := strings.Cut(text, ":")
	key, value, hasValue := strings.Cut(pair, "=")
	switch {
	case hasValue && !hasEffect:
		return Taint{}, errors.New(`a value must be followed by ":" and an effect`)
	case strings.Contains(effect, ":"):
		return Taint{}, errors.New(`more than one ":"`)
	case strings.Contains(value, "="):
		return Taint{}, errors.New(`more than one "="`)
	}
	return Taint{Key: key, Value: value, Effect: Effect(effect)}, nil
}

// ParseList reads taints separated by commas, each in the form that [Parse]
// reads, and validates them as a node's list: no two may share key and effect.
// This is what kubelet's --register-with-taints takes (rule A7). The empty text
// gives a nil list.
//
// The error is about the first taint at fault: it gives its index and its offset in
// text, and repeats it. The result is then nil. The result shares the memory of text.
//
// Kubelet silently drops items that end in "-", because it shares its parser
// with kubectl; here they are an error like any other malformed taint.
func ParseList(text string) ([]Taint, error) {
	if text == "" {
		return nil, nil
	}
	taints := make([]Taint, 0, strings.Count(text, ",")+1)
	seen := newSeen(cap(taints))
	offset := 0
	for item := range strings.SplitSeq(text, ",") {
		t, err := Parse(item)
		if err == nil && seen.repeats(taints, &t) {
			err = fmt.Errorf("taint %q: another one in the list has the same key and effect", item)
		}
		if err != nil {
			return nil, fmt.Errorf("taints[%d], at offset %d: %w", len(taints), offset, err)
		}
		taints = append(taints, t)
		offset += len(item) + len(",")
	}
	return taints, nil
}

// MustParseList is like [ParseList] but panics if text is not a valid list.
func MustParseList(text string) []Taint {
	list, err := ParseList(text)
	if err != nil {
		panic(err)
	}
	return list
}

// AppendList appends the texts of the taints ([Taint.String]) to dst, separated by commas,
// and returns the extended slice. [ParseList] reads a valid list back.
func AppendList(dst []byte, taints []Taint) []byte {
	for i := range taints {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = taints[i].appendTo(dst)
	}
	return dst
}

// FormatList returns the text that [AppendList] writes. It is empty for the
// empty list.
func FormatList(taints []Taint) string {
	return string(AppendList(nil, taints))
}
