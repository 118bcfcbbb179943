package manifest

import (
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/tolero-dev/tolero/taint"
)

// walker reads one Kubernetes object from a stream of JSON, value by value, and
// notes what does not fit as faults. Its methods read the next value, always all
// of it, and return an error only if the JSON itself is broken. Null stands for a
// missing value.
//
// It does not decode into structs with package json, because that would hold
// whole objects in memory, and ignores the case of field names.
type walker struct {
	dec    *json.Decoder
	path   []step // from the object down to the value that is read
	faults []*taint.FieldError

	misfits     int    // how many of the faults are values that do not decode
	consequence string // what becomes of a misfit, for its message

	placement, state bool // as in [Loader]
	loader           *Loader
}

func (l *Loader) walker(dec *json.Decoder) *walker {
	return &walker{dec: dec, placement: l.Placement, state: l.State, loader: l}
}

// step is a field of an object, or an element of a list if the name is empty.
type step struct {
	name  string
	index int
}

// object calls field for each field of an object; field has to read the value.
func (w *walker) object(field func(name string) error) error {
	found, err := w.open('{', "an object")
	if !found {
		return err
	}
	return w.fields(field)
}

// fields continues after the brace of an object. A field that occurs twice is a
// fault, reported once. Both are read, in order, so that the last one counts.
func (w *walker) fields(field func(name string) error) error {
	seen := make(map[string]int)
	for w.dec.More() {
		token, err := w.dec.Token()
		if err != nil {
			return err
		}
		name := token.(string) // the decoder allows nothing else here
		w.path = append(w.path, step{name: name})
		if seen[name]++; seen[name] == 2 {
			w.fault("duplicate value", name, "the field occurs more than once; the last one counts")
		}
		if err := field(name); err != nil {
			return err
		}
		w.path = w.path[:len(w.path)-1]
	}
	_, err := w.dec.Token() // the closing brace
	return err
}

// list calls element for each element of a list; element has to read it.
func (w *walker) list(element func(index int) error) error {
	found, err := w.open('[', "a list")
	if !found {
		return err
	}
	return w.elements(element)
}

// elements continues after the bracket of a list.
func (w *walker) elements(element func(index int) error) error {
	for i := 0; w.dec.More(); i++ {
		w.path = append(w.path, step{index: i})
		if err := element(i); err != nil {
			return err
		}
		w.path = w.path[:len(w.path)-1]
	}
	_, err := w.dec.Token() // the closing bracket
	return err
}

// open reads the opening delimiter and reports whether it is there.
func (w *walker) open(want json.Delim, words string) (bool, error) {
	token, err := w.dec.Token()
	if err != nil || token == want {
		return err == nil, err
	}
	return false, w.mismatch(words, token)
}

// text reads a string into dst. Null leaves dst as it is; a value of another type
// is a fault, and empties it.
func (w *walker) text(dst *string) error {
	token, err := w.dec.Token()
	if err != nil {
		return err
	}
	if s, ok := token.(string); ok {
		*dst = s
		return nil
	}
	if token != nil {
		*dst = ""
	}
	return w.mismatch("a string", token)
}

// flag reads a boolean into dst, as text reads a string.
func (w *walker) flag(dst *bool) error {
	token, err := w.dec.Token()
	if err != nil {
		return err
	}
	if b, ok := token.(bool); ok {
		*dst = b
		return nil
	}
	if token != nil {
		*dst = false
	}
	return w.mismatch("a boolean", token)
}

// integer reads an integer of at most so many bits and returns nil if there is
// none.
func (w *walker) integer(bits int) (*int64, error) {
	token, err := w.dec.Token()
	if err != nil {
		return nil, err
	}
	words := fmt.Sprintf("an integer that fits in %d bits", bits)
	if number, ok := token.(json.Number); ok {
		n, err := strconv.ParseInt(number.String(), 10, bits)
		if err == nil {
			return &n, nil
		}
		w.refuse(number.String(), "want "+words)
		return nil, nil
	}
	return nil, w.mismatch(words, token)
}

// mismatch notes that the value that begins with token is not of the wanted
// type, and reads the rest of it.
func (w *walker) mismatch(want string, token json.Token) error {
	if token == nil {
		return nil
	}
	value := ""
	if _, composite := token.(json.Delim); !composite {
		value = fmt.Sprint(token)
	}
	w.refuse(value, "want "+want+", found "+describe(token))
	return w.skipRest(token)
}

// skipRest reads on to the end of the value that begins with token.
func (w *walker) skipRest(token json.Token) error {
	depth := 0
	for {
		switch token {
		case json.Delim('{'), json.Delim('['):
			depth++
		case json.Delim('}'), json.Delim(']'):
			depth--
		}
		if depth == 0 {
			return nil
		}
		var err error
		if token, err = w.dec.Token(); err != nil {
			return err
		}
	}
}

// skip reads a value that nobody asks for.
func (w *walker) skip() error {
	var ignored skipper
	return w.dec.Decode(&ignored)
}

// skipper decodes from anything without keeping it.
type skipper struct{}

func (*skipper) UnmarshalJSON([]byte) error { return nil }

func describe(token json.Token) string {
	switch token := token.(type) {
	case json.Delim:
		if token == '{' {
			return "an object"
		}
		return "a list"
	case string:
		return "a string"
	case json.Number:
		return "a number"
	case bool:
		return "a boolean"
	}
	return "null"
}

// refuse notes that the value that is read does not decode.
func (w *walker) refuse(value, detail string) {
	w.misfits++
	w.fault("invalid value", value, detail+w.consequence)
}

// fault notes a fault of the value that is read.
func (w *walker) fault(problem, value, detail string) {
	w.faults = append(w.faults, &taint.FieldError{Field: w.where(), Problem: problem, Value: value, Detail: detail})
}

// where returns the path of the value that is read, as in
// "spec.tolerations[0].key".
func (w *walker) where() string {
	var text []byte
	for _, s := range w.path {
		switch {
		case s.name == "":
			text = append(text, '[')
			text = strconv.AppendInt(text, int64(s.index), 10)
			text = append(text, ']')
		case len(text) > 0:
			text = append(append(text, '.'), s.name...)
		default:
			text = append(text, s.name...)
		}
	}
	return string(text)
}
