package command

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
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
	for i, word := range strings.Split(Printable(shorten(text, 200)), " ") {
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

// Limited writes n lines, or limit of them if that is not 0, and how many more there are.
func (w *Writer) Limited(n, limit int, line func(i int) string) {
	shown := n
	if limit > 0 {
		shown = min(n, limit)
	}
	for i := range shown {
		w.Line(2, line(i))
	}
	if shown < n {
		w.Line(2, Thousands(n-shown)+" more; -limit 0 shows all.")
	}
}

// Copy writes a line to copy, however wide.
func (w *Writer) Copy(indent int, text string) {
	fmt.Fprintln(w.Out, strings.Repeat(" ", indent)+Printable(shorten(text, 400))) // no word of a valid taint is as long
}

// shorten takes the middle out of words that are longer than so many characters.
func shorten(text string, most int) string {
	if len(text) <= most {
		return text
	}
	words := strings.Split(text, " ")
	for i, word := range words {
		if n := len(word); n > most && utf8.RuneCountInString(word) > most {
			words[i] = strings.ToValidUTF8(word[:most/2], "") + "…" + strings.ToValidUTF8(word[n-most/2:], "")
		}
	}
	return strings.Join(words, " ")
}

// Printable returns text without control characters, which a terminal would obey.
// Names come from files that anybody may have written.
func Printable(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return unicode.ReplacementChar
	}, text)
}

// Plural returns a number with the word for what is counted.
func Plural[N int | int64](n N, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return Thousands(n) + " " + what + "s"
}

// Thousands returns n with commas between groups of three digits.
func Thousands[N int | int64](n N) string {
	digits := strconv.FormatInt(int64(n), 10)
	for i := len(digits) - 3; i > 0 && digits[i-1] != '-'; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

// Some returns the first few of many names; that of a kind, as in "Pod a", is said once.
func Some(names []string) string {
	const few = 5
	more := ""
	if len(names) > few {
		names, more = names[:few], fmt.Sprintf(" and %d more", len(names)-few)
	}
	if len(names) > 1 {
		kind, _, _ := strings.Cut(names[0], " ")
		kind += " "
		if !slices.ContainsFunc(names, func(name string) bool { return !strings.HasPrefix(name, kind) }) {
			return strings.TrimSpace(kind) + "s " + strings.ReplaceAll(strings.Join(names, ", ")[len(kind):], ", "+kind, ", ") + more
		}
	}
	return strings.Join(names, ", ") + more
}

// Duration returns a duration without the zeros that its String ends with: "5m"
// and not "5m0s".
func Duration(d time.Duration) string {
	text := d.String()
	if d%time.Minute == 0 && d != 0 {
		text = strings.TrimSuffix(text, "0s")
	}
	if d%time.Hour == 0 && d != 0 {
		text = strings.TrimSuffix(text, "0m")
	}
	return text
}
