package page

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// briefLength is how many characters a label of a row or a column has at most.
const briefLength = 48

// brief joins as many words as a label has room for and says how many are missing.
func brief(words []string) string {
	if len(words) == 0 {
		return "(none)"
	}
	for n := min(len(words), briefLength); ; n-- { // a word has a character
		text, more := strings.Join(words[:n], ", "), ""
		if n < len(words) {
			more = fmt.Sprintf(", +%d more", len(words)-n)
		}
		if n > 1 && utf8.RuneCountInString(text)+len(more) > briefLength {
			continue
		}
		if runes := []rune(text); len(runes)+len(more) > briefLength {
			text = string(runes[:briefLength-len(more)-1]) + "…"
		}
		return text + more
	}
}

// withoutDomain returns a key without its prefix.
func withoutDomain(key string) string { return key[strings.LastIndexByte(key, '/')+1:] }

func (r *row) brief() string {
	words := make([]string, len(r.tolerations))
	for i, t := range r.tolerations {
		t.Key = withoutDomain(t.Key)
		words[i] = t.String()
	}
	return brief(words)
}

func (c *column) brief() string {
	words := make([]string, len(c.taints))
	for i, t := range c.taints {
		t.Key = withoutDomain(t.Key)
		words[i] = t.String()
	}
	return brief(words)
}
