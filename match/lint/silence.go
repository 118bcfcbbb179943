package lint

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/tolero-dev/tolero/match/internal/spelling"
)

// Silence says what not to report: findings that have the ID, are about the object, and
// have the key. What is empty is any. It is plain data. The zero Silence silences
// everything.
type Silence struct {
	ID ID `json:"id,omitempty"`
	// Object is the name of a node or pod as the fleet has it. A "*" at its end matches
	// whatever follows: "web-*" is every name that begins with "web-".
	Object string `json:"object,omitempty"`
	Key    string `json:"key,omitempty"`
	Reason string `json:"reason,omitempty"`
	Line   int    `json:"line,omitempty"` // in the text that it was read from, counted from 1
}

// String returns the line that [ParseSilences] reads, without the end of the line. If
// the reason is empty, which ParseSilences refuses, the line ends after the "#".
func (s Silence) String() string {
	words := []string{orAny(string(s.ID))}
	if s.Object != "" {
		words = append(words, quoteObject(s.Object))
	}
	if s.Key != "" {
		words = append(words, "key="+quoteWord(s.Key))
	}
	return strings.TrimRight(strings.Join(words, " ")+" # "+strings.Join(strings.Fields(s.Reason), " "), " ")
}

// orAny returns the word, quoted if it has to be, and "*" for the empty one.
func orAny(word string) string {
	if word == "" {
		return "*"
	}
	return quoteWord(word)
}

// quoteObject leaves single spaces within a name, as kind and name have them.
func quoteObject(name string) string {
	plain := true
	for word := range strings.SplitSeq(name, " ") {
		plain = plain && quoteWord(word) == word && !strings.HasPrefix(word, keyWord)
	}
	if plain {
		return name
	}
	return strconv.Quote(name)
}

// quoteWord quotes a word that would not be read as it is.
func quoteWord(word string) string {
	odd := func(r rune) bool {
		return unicode.IsSpace(r) || !unicode.IsPrint(r) || r == '"' || r == '#' || r == unicode.ReplacementChar
	}
	if word == "" || word == "*" || strings.ContainsFunc(word, odd) {
		return strconv.Quote(word)
	}
	return word
}

// keyWord is what the word with the key begins with.
const keyWord = "key="

// SilenceError is a line that ParseSilences cannot read. It is plain data, used by
// pointer as an error.
type SilenceError struct {
	Line    int    // counted from 1
	Value   string // what is wrong
	Problem string // why, in words
}

// Error returns one line with the number of the line, the value and the problem.
func (e *SilenceError) Error() string {
	return fmt.Sprintf("line %d: %q: %s", e.Line, e.Value, e.Problem)
}

// ParseSilences reads silences from a text such as
//
//	# ID             object               key              reason
//	untolerated                           key=dedicated    # for the batch team, from March
//	everything       Pod kube-system/*                     # agents of the platform
//	matches-no-node  Deployment ml/train  key=example.com/gpu # nodes come on demand
//	many-values      *                                     # one pool for each tenant
//
// A line has an ID or "*" for all IDs; the name of an object, which may contain spaces
// and end in "*", or "*" alone for all objects, which may be left out; "key=" and a key,
// which may be left out too; and a "#" with the reason, which is required. Objects and
// keys with other characters, or two spaces in a row, are quoted as Go strings. Empty
// lines and those with a comment alone are left out.
//
// What cannot be read is an error that wraps a [*SilenceError] for each such line, in
// their order, and there are no silences then. The time is proportional to the length
// of the text. The silences share its memory.
func ParseSilences(text string) ([]Silence, error) {
	var silences []Silence
	var faults []error
	number := 0
	for line := range strings.Lines(strings.TrimPrefix(text, "\ufeff")) {
		number++
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		s, fault := parseSilence(line)
		if fault != nil {
			fault.Line = number
			faults = append(faults, fault) // so that no silences are returned
		}
		s.Line = number
		silences = append(silences, s)
	}
	if faults != nil {
		return nil, errors.Join(faults...)
	}
	return silences, nil
}

// parseSilence reads a line. A fault has no line yet.
func parseSilence(line string) (Silence, *SilenceError) {
	words, reason, fault := splitLine(line)
	if fault != nil {
		return Silence{}, fault
	}
	s := Silence{Reason: reason}
	switch {
	case words[0].key:
		return Silence{}, &SilenceError{Value: keyWord + words[0].text, Problem: "the ID comes first; * is all of them"}
	case words[0].text != "*" || words[0].quoted:
		s.ID = ID(words[0].text)
		if !slices.Contains(IDs(), s.ID) {
			return Silence{}, &SilenceError{Value: words[0].text, Problem: "unknown ID; " + probableID(words[0].text)}
		}
	}
	words = words[1:]
	if n := len(words); n > 0 && words[n-1].key {
		s.Key = words[n-1].text
		words = words[:n-1]
		if s.Key == "" {
			return Silence{}, &SilenceError{Value: keyWord, Problem: "must be followed by a key, or be left out for all keys"}
		}
	}
	return s.withObject(words)
}

// withObject adds the object, the words of which are given.
func (s Silence) withObject(words []lineWord) (Silence, *SilenceError) {
	var names []string
	for _, w := range words {
		switch {
		case w.key:
			return Silence{}, &SilenceError{Value: keyWord + w.text, Problem: "must be the last word before the reason, and the only key"}
		case w.quoted && len(words) > 1:
			return Silence{}, &SilenceError{Value: w.text, Problem: "an object that is quoted must be quoted as a whole"}
		case w.text == "":
			return Silence{}, &SilenceError{Value: "", Problem: "the name of an object must not be empty; * is all of them"}
		}
		names = append(names, w.text)
	}
	s.Object = strings.Join(names, " ")
	if i := strings.IndexByte(s.Object, '*'); i >= 0 && i < len(s.Object)-1 {
		return Silence{}, &SilenceError{Value: s.Object, Problem: `"*" must be at the end of the name`}
	}
	if s.Object == "*" {
		s.Object = ""
	}
	return s, nil
}

// probableID says which ID may be meant, or which there are.
func probableID(word string) string {
	var known spelling.Keys
	var names []string
	for _, id := range IDs() {
		known.Add(string(id))
		names = append(names, string(id))
	}
	if near, found := known.Nearest(word); found {
		return "probably " + near
	}
	return "there are " + strings.Join(names, ", ") + ", and * for all"
}

// lineWord is a word of a line, or its key.
type lineWord struct {
	text        string
	quoted, key bool
}

// splitLine returns the words before the reason and the reason. The line does not begin
// with the reason, so there is a word.
func splitLine(line string) (words []lineWord, reason string, fault *SilenceError) {
	rest := line
	for !strings.HasPrefix(rest, "#") {
		if rest == "" {
			return words, reason, &SilenceError{Value: line, Problem: `there must be a reason, after a "#"`}
		}
		var w lineWord
		if w, rest, fault = nextWord(rest); fault != nil {
			return words, reason, fault
		}
		words = append(words, w)
		rest = strings.TrimLeftFunc(rest, unicode.IsSpace)
	}
	if reason = strings.TrimSpace(rest[1:]); reason == "" {
		return words, reason, &SilenceError{Value: line, Problem: `there must be a reason, after the "#"`}
	}
	return words, reason, nil
}

// nextWord cuts off the first word of a text that begins with one.
func nextWord(text string) (w lineWord, rest string, fault *SilenceError) {
	rest, w.key = strings.CutPrefix(text, keyWord)
	if strings.HasPrefix(rest, `"`) {
		quoted, err := strconv.QuotedPrefix(rest)
		if err != nil {
			return w, rest, &SilenceError{Value: rest, Problem: "the quote does not end, or it is no Go string"}
		}
		w.quoted = true
		w.text, _ = strconv.Unquote(quoted)
		return w, rest[len(quoted):], nil
	}
	end := strings.IndexFunc(rest, unicode.IsSpace)
	if end < 0 {
		end = len(rest)
	}
	w.text = rest[:end]
	return w, rest[end:], nil
}
