package command

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"
)

// Writer writes lines that are no wider than Width, except for words that are.
type Writer struct {
	Out   *bytes.Buffer
	Width int // 0 is no limit
}

// Line writes text, indented by so many columns, and what does not fit in further
// lines, which are indented by more.
func (w *Writer) Line(indent int, text string) {
	start := strings.Repeat(" ", indent)
	line := start
	for i, word := range strings.Split(Printable(text), " ") {
		switch {
		case i == 0:
			line += word
		case w.Width > 0 && utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > w.Width:
			fmt.Fprintln(w.Out, strings.TrimRight(line, " "))
			line = start + "    " + word
		default:
			line += " " + word
		}
	}
	fmt.Fprintln(w.Out, strings.TrimRight(line, " "))
}
