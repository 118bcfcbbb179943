package matrix

import (
	"fmt"
	"iter"
	"strings"
)

// align returns cells beside each other, right-aligned.
func align(cells []string, widths []int) string {
	var b strings.Builder
	for i, cell := range cells {
		if i > 0 {
			b.WriteString("  ")
		}
		fmt.Fprintf(&b, "%*s", widths[i], cell)
	}
	return b.String()
}

// fit joins as many words as there is room for and says how many are missing.
// If there are any there is always one, which may be cut off.
func fit(words []string, room int) string {
	for n := len(words); ; n-- {
		text, more := strings.Join(words[:n], ", "), ""
		if n < len(words) {
			more = fmt.Sprintf(", +%d more", len(words)-n)
		}
		if length(text)+len(more) <= room {
			return text + more
		}
		if n <= 1 {
			return shorten(text, max(1, room-len(more))) + more
		}
	}
}

// wrap returns lines with as many of the items as there is room for, and the
// separator after all except the last. A line has at least one item.
func wrap(items []string, separator string, room int) iter.Seq[string] {
	return func(yield func(string) bool) {
		for n := 0; len(items) > 0; items = items[n:] {
			line := items[0]
			for n = 1; n < len(items) && length(line)+length(items[n])+2*len(separator)-1 <= room; n++ {
				line += separator + items[n]
			}
			if n < len(items) {
				line += strings.TrimRight(separator, " ")
			}
			if !yield(line) {
				return
			}
		}
	}
}

// shorten cuts text off so that it is at most width characters long; a width of
// zero is no limit.
func shorten(text string, width int) string {
	if width == 0 || length(text) <= width {
		return text
	}
	return string([]rune(text)[:width-1]) + "…"
}
