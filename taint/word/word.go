// Package word reads and writes the words of the text forms that packages taint
// and toleration share.
//
// A word is bare or quoted. A bare word has at least one byte and holds nothing
// but ASCII letters, digits, "-", "_", "." and "/", which is all that valid
// keys, values, operators and effects consist of. Every other string is written
// as a quoted Go string. Thus each string has exactly one text, and no
// separator, such as "=", ":" or ",", is part of a bare word:
//
//	dst = word.Append(dst, "gpu")        // gpu
//	dst = word.Append(dst, "a b")        // "a b"
//	w, rest, err := word.Cut("gpu:x")    // gpu, :x, nil
//
// [Meant] helps to say what is wrong with a word that is none of those that are known.
//
// All functions are pure and may be called concurrently.
package word

import (
	"fmt"
	"strconv"
	"strings"
)

// Append appends s to dst, quoted unless it is a bare word, and returns the
// extended slice. It does not allocate if dst has room.
func Append(dst []byte, s string) []byte {
	if s == "" || Bare(s) < len(s) {
		return strconv.AppendQuote(dst, s)
	}
	return append(dst, s...)
}

// Bare returns the length of the bare word at the start of s, in bytes, and 0
// if there is none. It does not allocate.
func Bare(s string) int {
	for i := range len(s) {
		c := s[i]
		if !('a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' ||
			c == '-' || c == '_' || c == '.' || c == '/') {
			return i
		}
	}
	return len(s)
}

// Cut reads the bare or quoted word at the start of text and returns it with
// the text that follows. Words quoted with backquotes are refused. A bare word
// shares the memory of text. If text does not begin with a word, Cut returns
// "", text and an error that repeats text.
func Cut(text string) (w, rest string, err error) {
	if strings.HasPrefix(text, `"`) {
		quoted, err := strconv.QuotedPrefix(text)
		if err != nil {
			return "", text, fmt.Errorf("found %q", text)
		}
		w, err = strconv.Unquote(quoted)
		return w, text[len(quoted):], err
	}
	n := Bare(text)
	if n == 0 {
		return "", text, fmt.Errorf("found %q", text)
	}
	return text[:n], text[n:], nil
}
