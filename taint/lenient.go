package taint

import (
	"errors"
	"fmt"
	"strings"

	"github.com/tolero-dev/tolero/taint/word"
)

// ParseLenient reads one taint in the form that [Taint.String] writes, and does
// not validate it:
//
//	taint = word [ "=" [ word ] ] [ ":" [ word ] ]
//
// The words are key, value and effect, bare or quoted as Go strings (see package
// word); one that is left out is empty. So ParseLenient reads every taint
// back from its String, valid or not, without TimeAdded. Use it for logs, tests and tools that
// show what is wrong with a taint; use [Parse] for what users write.
//
// The error repeats the text and gives the offset at which reading stopped. The
// result may share the memory of text.
func ParseLenient(text string) (Taint, error) {
	s := scanner{rest: text}
	t, err := s.taint()
	if err == nil && s.rest != "" {
		err = s.unexpected()
	}
	if err != nil {
		return Taint{}, fmt.Errorf("taint %q: at offset %d: %w", text, len(text)-len(s.rest), err)
	}
	return t, nil
}

// ParseListLenient reads taints separated by commas, each in the form that
// [ParseLenient] reads, and does not validate them: duplicates are read like any
// others. The empty text gives a nil list. The result is nil if there is an
// error, and may share the memory of text.
func ParseListLenient(text string) ([]Taint, error) {
	if text == "" {
		return nil, nil
	}
	s := scanner{rest: text}
	var taints []Taint
	for {
		t, err := s.taint()
		if err == nil && s.rest != "" && s.rest[0] != ',' {
			err = s.unexpected()
		}
		if err != nil {
			return nil, fmt.Errorf("taints %q: at offset %d: %w", text, len(text)-len(s.rest), err)
		}
		taints = append(taints, t)
		if !s.skip(",") {
			return taints, nil
		}
	}
}

// scanner reads from the front of rest.
type scanner struct {
	rest string
}

func (s *scanner) taint() (t Taint, err error) {
	if t.Key, err = s.word("key"); err != nil {
		return t, err
	}
	if s.skip("=") && !s.ends() {
		if t.Value, err = s.word("value"); err != nil {
			return t, err
		}
	}
	if s.skip(":") && !s.ends() {
		effect, err := s.word("effect")
		if err != nil {
			return t, err
		}
		t.Effect = Effect(effect)
	}
	return t, nil
}

// ends reports whether a separator or the end follows, and not a word.
func (s *scanner) ends() bool {
	return s.rest == "" || s.rest[0] == ':' || s.rest[0] == ','
}

// word reads a bare or quoted word.
func (s *scanner) word(what string) (w string, err error) {
	w, s.rest, err = word.Cut(s.rest)
	if err != nil {
		err = fmt.Errorf("want the %s, %w", what, err)
	}
	return w, err
}

func (s *scanner) skip(prefix string) bool {
	rest, found := strings.CutPrefix(s.rest, prefix)
	s.rest = rest
	return found
}

// unexpected returns the error about a rest that cannot follow what was read.
func (s *scanner) unexpected() error {
	if s.rest[0] == ' ' {
		return errors.New("unexpected space")
	}
	return fmt.Errorf("unexpected %q", s.rest)
}
