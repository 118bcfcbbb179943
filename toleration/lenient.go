package toleration

import (
	"errors"
	"fmt"
	"strings"

	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/taint/word"
)

// ParseLenient reads one toleration in the form that [Toleration.String] writes,
// and does not validate it:
//
//	toleration = key [ operator [ value ] ] [ ":" effect ] [ "@" seconds ]
//	key        = "*" | word
//	operator   = "=" | "==" | "<" | ">" | "?" word " "
//	value      = word
//	effect     = word
//	seconds    = a decimal integer without leading zeros
//
// A key of "*" is the empty key. No operator is Exists; "=" is the operator left
// empty, "==" is Equal, "<" is Lt, ">" is Gt, and "?" with a name and a space is
// every other one, or Exists with a value. Words are bare or quoted as Go strings
// (see package word). So ParseLenient reads every toleration back from its
// String, valid or not. Use it for logs, tests and tools that show what is wrong with a
// toleration; use [Parse] for what users write.
//
// The error repeats the text and gives the offset at which reading stopped. The
// result may share the memory of text.
func ParseLenient(text string) (Toleration, error) {
	t, offset, err := parseLenient(text)
	if err != nil {
		return Toleration{}, fmt.Errorf("toleration %q: at offset %d: %w", text, offset, err)
	}
	return t, nil
}

// parseLenient returns where in text reading stopped, beside the error.
func parseLenient(text string) (t Toleration, offset int, err error) {
	s := scanner{rest: text}
	t, err = s.toleration()
	if err == nil && s.rest != "" {
		err = s.unexpected()
	}
	return t, len(text) - len(s.rest), err
}

// ParseListLenient reads tolerations separated by commas, each in the form that
// [ParseLenient] reads, and does not validate them. The empty text gives a nil
// list. The result is nil if there is an error, and may share the memory of
// text.
func ParseListLenient(text string) ([]Toleration, error) {
	if text == "" {
		return nil, nil
	}
	s := scanner{rest: text}
	var tolerations []Toleration
	for {
		t, err := s.toleration()
		if err == nil && s.rest != "" && s.rest[0] != ',' {
			err = s.unexpected()
		}
		if err != nil {
			return nil, fmt.Errorf("tolerations %q: at offset %d: %w", text, len(text)-len(s.rest), err)
		}
		tolerations = append(tolerations, t)
		if !s.skip(",") {
			return tolerations, nil
		}
	}
}

// scanner reads from the front of rest.
type scanner struct {
	rest string
}

func (s *scanner) toleration() (t Toleration, err error) {
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
func (s *scanner) condition(t *Toleration) (err error) {
	switch {
	case s.skip("=="):
		t.Operator = OpEqual
	case s.skip("="): // the empty operator
	case s.skip("<"):
		t.Operator = OpLt
	case s.skip(">"):
		t.Operator = OpGt
	case s.skip("?"):
		name, err := s.word("operator")
		if err != nil {
			return err
		}
		if !s.skip(" ") {
			return fmt.Errorf("want a space after the operator, found %q", s.rest)
		}
		t.Operator = Operator(name)
	default:
		t.Operator = OpExists
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
	n, ok := parseInteger(s.rest[:end])
	if digits := strings.TrimPrefix(s.rest[:end], "-"); !ok && overflows(digits) {
		return nil, fmt.Errorf("seconds %q do not fit in 64 bits", s.rest[:end])
	}
	if !ok {
		return nil, fmt.Errorf("want seconds, found %q", s.rest[:end])
	}
	s.rest = s.rest[end:]
	return &n, nil
}

// overflows reports whether digits, of a number that parseInteger refuses, are
// refused only because there are too many or they are too high.
func overflows(digits string) bool {
	return digits != "" && digits[0] != '0' && strings.Trim(digits, "0123456789") == ""
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
