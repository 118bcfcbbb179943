package toleration

import (
	"strconv"

	"github.com/tolero-dev/tolero/taint/word"
)

// AppendTo appends the text form of t to dst and returns the extended slice. If t is valid,
// [Parse] reads exactly t back from it. Otherwise words that no valid toleration has are
// quoted (see package word), and an operator without a sign of its own is written as "?", its
// name and a space, so that different tolerations have different texts. AppendTo does not
// allocate if dst has room.
func (t Toleration) AppendTo(dst []byte) []byte {
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

func (t Toleration) appendValue(dst []byte) []byte {
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

// String returns the text that [Toleration.AppendTo] writes.
func (t Toleration) String() string {
	return string(t.AppendTo(nil))
}

// AppendList appends tolerations to dst, separated by commas, each in the form of
// [Toleration.AppendTo], and returns the extended slice. [ParseList] reads a
// valid list back. It does not allocate if dst has room.
func AppendList(dst []byte, tolerations []Toleration) []byte {
	for i := range tolerations {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = tolerations[i].AppendTo(dst)
	}
	return dst
}

// FormatList returns the text that [AppendList] writes. It is empty for the
// empty list.
func FormatList(tolerations []Toleration) string {
	return string(AppendList(nil, tolerations))
}
