// Package notation reads the texts that taints and tolerations have (String), valid or not, for
// the proofs of this module: [taint.Parse] and [toleration.Parse] read valid ones only. The
// result may share the memory of the text.
package notation

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/taint/word"
	"github.com/tolero-dev/tolero/toleration"
)

// Taint reads one taint:
//
//	taint = word [ "=" [ word ] ] [ ":" [ word ] ]
//
// The words are key, value and effect, bare or quoted as Go strings (see package word); one
// that is left out is empty. The error repeats the text and gives the offset at which reading
// stopped.
func Taint(text string) (taint.Taint, error) { return one(text, "taint", (*scanner).taint) }

// Taints reads taints separated by commas, each as [Taint] does. The empty text gives a nil
// list, and so does an error.
func Taints(text string) ([]taint.Taint, error) { return list(text, "taints", (*scanner).taint) }

// Toleration reads one toleration:
//
//	toleration = key [ operator [ value ] ] [ ":" effect ] [ "@" seconds ]
//	key        = "*" | word
//	operator   = "=" | "==" | "<" | ">" | "?" word " "
//	value      = word
//	effect     = word
//	seconds    = a decimal integer without leading zeros
//
// A key of "*" is the empty key. No operator is Exists; "=" is the operator left empty, "==" is
// Equal, "<" is Lt, ">" is Gt, and "?" with a name and a space is every other one, or Exists
// with a value. The error is as for [Taint].
func Toleration(text string) (toleration.Toleration, error) {
	return one(text, "toleration", (*scanner).toleration)
}

// Tolerations reads tolerations separated by commas, as [Taints] does.
func Tolerations(text string) ([]toleration.Toleration, error) {
	return list(text, "tolerations", (*scanner).toleration)
}

func one[T any](text, what string, read func(*scanner) (T, error)) (T, error) {
	s := scanner{rest: text}
	x, err := read(&s)
	if err == nil && s.rest != "" {
		err = s.unexpected()
	}
	if err != nil {
		return *new(T), fmt.Errorf("%s %q: at offset %d: %w", what, text, len(text)-len(s.rest), err)
	}
	return x, nil
}

func list[T any](text, what string, read func(*scanner) (T, error)) (items []T, err error) {
	if text == "" {
		return nil, nil
	}
	s := scanner{rest: text}
	for {
		x, err := read(&s)
		if err == nil && s.rest != "" && s.rest[0] != ',' {
			err = s.unexpected()
		}
		if err != nil {
			return nil, fmt.Errorf("%s %q: at offset %d: %w", what, text, len(text)-len(s.rest), err)
		}
		items = append(items, x)
		if !s.skip(",") {
			return items, nil
		}
	}
}

// scanner reads from the front of rest.
type scanner struct {
	rest string
}

func (s *scanner) taint() (t taint.Taint, err error) {
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
		t.Effect = taint.Effect(effect)
	}
	return t, nil
}

// ends reports whether a separator or the end follows, and not a word.
func (s *scanner) ends() bool {
	return s.rest == "" || s.rest[0] == ':' || s.rest[0] == ','
}

func (s *scanner) toleration() (t toleration.Toleration, err error) {
	if !s.skip("*") {
		if t.Key, err = s.word("key"); err != nil {
			return t, err
		}
	}
	if err = s.condition(&t); err != nil {
		return t, err
	}
	if s.skip(":") {
		effect, err := s.word("effect")
		if err != nil {
			return t, err
		}
		t.Effect = taint.Effect(effect)
	}
	if s.skip("@") {
		t.TolerationSeconds, err = s.seconds()
	}
	return t, err
}

// condition reads an operator and its value, which may both be missing, into t.
func (s *scanner) condition(t *toleration.Toleration) (err error) {
	switch {
	case s.skip("=="):
		t.Operator = toleration.OpEqual
	case s.skip("="): // the empty operator
	case s.skip("<"):
		t.Operator = toleration.OpLt
	case s.skip(">"):
		t.Operator = toleration.OpGt
	case s.skip("?"):
		name, err := s.word("operator")
		if err != nil {
			return err
		}
		if !s.skip(" ") {
			return fmt.Errorf("want a space after the operator, found %q", s.rest)
		}
		t.Operator = toleration.Operator(name)
	default:
		t.Operator = toleration.OpExists
		return nil
	}
	if s.rest != "" && strings.IndexByte(":@,", s.rest[0]) < 0 {
		t.Value, err = s.word("value")
	}
	return err
}

// word reads a bare or quoted word.
func (s *scanner) word(what string) (w string, err error) {
	w, s.rest, err = word.Cut(s.rest)
	if err != nil {
		err = fmt.Errorf("want the %s, %w", what, err)
	}
	return w, err
}

func (s *scanner) seconds() (*int64, error) {
	end := strings.IndexByte(s.rest, ',')
	if end < 0 {
		end = len(s.rest)
	}
	n, err := strconv.ParseInt(s.rest[:end], 10, 64)
	switch {
	case errors.Is(err, strconv.ErrRange):
		return nil, fmt.Errorf("seconds %q do not fit in 64 bits", s.rest[:end])
	case err != nil || strconv.FormatInt(n, 10) != s.rest[:end]:
		return nil, fmt.Errorf("want seconds, found %q", s.rest[:end])
	}
	s.rest = s.rest[end:]
	return &n, nil
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
