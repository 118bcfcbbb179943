package toleration

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/tolero-dev/tolero/taint"
)

// Parse reads one toleration in the form that [Toleration.String] writes. It
// does not validate: every text of that form is accepted, so that invalid
// tolerations too can be written down. The error repeats the text and tells
// where in it reading stopped. The result may share the memory of text.
func Parse(text string) (Toleration, error) {
	p := parser{rest: text}
	t, err := p.toleration()
	if err == nil && p.rest != "" {
		err = fmt.Errorf("unexpected %q", p.rest)
	}
	if err != nil {
		return Toleration{}, fmt.Errorf("toleration %q: at offset %d: %w", text, len(text)-len(p.rest), err)
	}
	return t, nil
}

// MustParse is like [Parse] but panics if text is not a toleration. It is meant
// for tests and for tolerations written in the source.
func MustParse(text string) Toleration {
	t, err := Parse(text)
	if err != nil {
		panic(err)
	}
	return t
}

// ParseList reads tolerations separated by commas, each in the form that
// [Parse] reads. The empty text gives an empty list. The result is nil if there
// is an error, and may share the memory of text.
func ParseList(text string) ([]Toleration, error) {
	if text == "" {
		return nil, nil
	}
	p := parser{rest: text}
	var tolerations []Toleration
	for {
		t, err := p.toleration()
		if err == nil && p.rest != "" && p.rest[0] != ',' {
			err = fmt.Errorf("unexpected %q", p.rest)
		}
		if err != nil {
			return nil, fmt.Errorf("tolerations %q: at offset %d: %w", text, len(text)-len(p.rest), err)
		}
		tolerations = append(tolerations, t)
		if !p.skip(",") {
			return tolerations, nil
		}
	}
}

// parser reads from the front of rest.
type parser struct {
	rest string
}

func (p *parser) toleration() (t Toleration, err error) {
	if !p.skip("*") {
		if t.Key, err = p.word("key"); err != nil {
			return t, err
		}
	}
	if t.Operator, t.Value, err = p.condition(); err != nil {
		return t, err
	}
	if p.skip(":") {
		effect, err := p.word("effect")
		if err != nil {
			return t, err
		}
		t.Effect = taint.Effect(effect)
	}
	if p.skip("@") {
		t.TolerationSeconds, err = p.seconds()
	}
	return t, err
}

// condition reads an operator and its value, which may both be missing.
func (p *parser) condition() (operator Operator, value string, err error) {
	switch {
	case p.skip("=="):
		operator = Equal
	case p.skip("="):
		operator = ""
	case p.skip("<"):
		operator = Lt
	case p.skip(">"):
		operator = Gt
	case p.skip("?"):
		name, err := p.word("operator")
		if err != nil {
			return "", "", err
		}
		if !p.skip(" ") {
			return "", "", fmt.Errorf("want a space behind the operator, found %q", p.rest)
		}
		operator = Operator(name)
	default:
		return Exists, "", nil
	}
	if p.rest == "" || strings.IndexByte(":@,", p.rest[0]) >= 0 {
		return operator, "", nil
	}
	value, err = p.word("value")
	return operator, value, err
}

// word reads a bare or quoted word.
func (p *parser) word(what string) (string, error) {
	if quoted, err := strconv.QuotedPrefix(p.rest); err == nil && quoted[0] == '"' {
		word, err := strconv.Unquote(quoted)
		p.rest = p.rest[len(quoted):]
		return word, err
	}
	n := bareLength(p.rest)
	if n == 0 {
		return "", fmt.Errorf("want the %s, found %q", what, p.rest)
	}
	word := p.rest[:n]
	p.rest = p.rest[n:]
	return word, nil
}

func (p *parser) seconds() (*int64, error) {
	end := strings.IndexByte(p.rest, ',')
	if end < 0 {
		end = len(p.rest)
	}
	n, ok := parseInteger(p.rest[:end])
	if !ok {
		return nil, fmt.Errorf("want seconds, found %q", p.rest[:end])
	}
	p.rest = p.rest[end:]
	return &n, nil
}

func (p *parser) skip(prefix string) bool {
	rest, found := strings.CutPrefix(p.rest, prefix)
	p.rest = rest
	return found
}
