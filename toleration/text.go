package toleration

import (
	"strconv"

	"github.com/tolero-dev/tolero/taint/word"
)

// appendTo appends the text of t to dst.
func (t *Toleration) appendTo(dst []byte) []byte {
	if t.Key == "" {
		dst = append(dst, '*')
	} else {
		dst = word.Append(dst, t.Key)
	}
	dst = t.appendValue(dst)
	if t.Effect != "" {
		dst = append(dst, ':')
		dst = word.Append(dst, string(t.Effect))
	}
	if t.TolerationSeconds != nil {
		dst = append(dst, '@')
		dst = strconv.AppendInt(dst, *t.TolerationSeconds, 10)
	}
	return dst
}

func (t *Toleration) appendValue(dst []byte) []byte {
	switch {
	case t.Operator == OpExists && t.Value == "":
		return dst
	case t.Operator == "":
		dst = append(dst, '=')
	case t.Operator == OpEqual:
		dst = append(dst, "=="...)
	case t.Operator == OpLt:
		dst = append(dst, '<')
	case t.Operator == OpGt:
		dst = append(dst, '>')
	default:
		dst = append(dst, '?')
		dst = word.Append(dst, string(t.Operator))
		dst = append(dst, ' ')
	}
	if t.Value == "" {
		return dst
	}
	return word.Append(dst, t.Value)
}

// String returns the text of t. If t is valid, [Parse] reads exactly t back from it. Otherwise
// words that no valid toleration has are quoted (see package word), and an operator without a
// sign of its own is written as "?", its name and a space, so that different tolerations have
// different texts.
func (t Toleration) String() string {
	return string(t.appendTo(nil))
}

// AppendList appends the texts of the tolerations ([Toleration.String]) to dst, separated by
// commas, and returns the extended slice. [ParseList] reads a valid list back.
func AppendList(dst []byte, tolerations []Toleration) []byte {
	for i := range tolerations {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = tolerations[i].appendTo(dst)
	}
	return dst
}

// FormatList returns the text that [AppendList] writes. It is empty for the
// empty list.
func FormatList(tolerations []Toleration) string {
	return string(AppendList(nil, tolerations))
}
