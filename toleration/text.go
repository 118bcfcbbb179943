package toleration

import "strconv"

// The text form of a toleration, as [Toleration.String] writes it and [Parse]
// reads it:
//
//	toleration = key [ operator value ] [ ":" effect ] [ "@" seconds ]
//	key        = "*" | word
//	operator   = "=" | "==" | "<" | ">" | "?" word " "
//
// A key of "*" is the empty key. No operator is Exists; "=" is the operator
// left empty, "==" is Equal, "<" Lt, ">" Gt, and "?" with a name and a space
// stands for every other one. Words that hold anything but letters, digits and
// "-", "_", ".", "/" are quoted as Go strings. Thus
//
//	dedicated=gpu:NoSchedule                      key, value and effect
//	node.kubernetes.io/not-ready:NoExecute@300    Exists, for 300 seconds
//	*:NoSchedule                                  every NoSchedule taint
//	*                                             every taint
//	example.com/cores>16                          Gt 16, any effect

// AppendTo appends the text form of t to dst and returns the extended slice.
// [Parse] reads exactly t back from it, valid or not. AppendTo does not
// allocate if dst has room.
func (t *Toleration) AppendTo(dst []byte) []byte {
	if t.Key == "" {
		dst = append(dst, '*')
	} else {
		dst = appendWord(dst, t.Key)
	}
	dst = t.appendValue(dst)
	if t.Effect != "" {
		dst = append(dst, ':')
		dst = appendWord(dst, string(t.Effect))
	}
	if t.TolerationSeconds != nil {
		dst = append(dst, '@')
		dst = strconv.AppendInt(dst, *t.TolerationSeconds, 10)
	}
	return dst
}

func (t *Toleration) appendValue(dst []byte) []byte {
	switch {
	case t.Operator == Exists && t.Value == "":
		return dst
	case t.Operator == "":
		dst = append(dst, '=')
	case t.Operator == Equal:
		dst = append(dst, "=="...)
	case t.Operator == Lt:
		dst = append(dst, '<')
	case t.Operator == Gt:
		dst = append(dst, '>')
	default:
		dst = append(dst, '?')
		dst = appendWord(dst, string(t.Operator))
		dst = append(dst, ' ')
	}
	if t.Value == "" {
		return dst
	}
	return appendWord(dst, t.Value)
}

// String returns the text that [Toleration.AppendTo] writes.
func (t Toleration) String() string {
	return string(t.AppendTo(nil))
}

// appendWord appends s, quoted if it cannot stand bare.
func appendWord(dst []byte, s string) []byte {
	if s == "" || bareLength(s) < len(s) {
		return strconv.AppendQuote(dst, s)
	}
	return append(dst, s...)
}

// bareLength returns how many bytes at the start of s may stand unquoted.
func bareLength(s string) int {
	for i := range len(s) {
		c := s[i]
		if !('a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' ||
			c == '-' || c == '_' || c == '.' || c == '/') {
			return i
		}
	}
	return len(s)
}

// AppendList appends the text forms of tolerations to dst, separated by commas,
// and returns the extended slice; [ParseList] reads them back.
func AppendList(dst []byte, tolerations []Toleration) []byte {
	for i := range tolerations {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = tolerations[i].AppendTo(dst)
	}
	return dst
}

// FormatList returns the text that [AppendList] writes.
func FormatList(tolerations []Toleration) string {
	return string(AppendList(nil, tolerations))
}
