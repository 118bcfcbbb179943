package vectors

import (
	"bytes"
	"encoding/json"
	"io"
	"math/big"
)

// Equal reports whether two answers are the same: whether they are the same JSON value,
// where neither the order of an object's members nor the way in which a number is
// written matters, and where a member of an object that is null or an empty text is as
// good as none. What is not JSON equals nothing.
func Equal(a, b json.RawMessage) bool {
	x, okX := decode(a)
	y, okY := decode(b)
	return okX && okY && equal(x, y)
}

// decode reads one JSON value, and nothing after it.
func decode(text []byte) (v any, ok bool) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	if decoder.Decode(&v) != nil {
		return nil, false
	}
	_, err := decoder.Token()
	return v, err == io.EOF
}

func equal(a, b any) bool {
	switch a := a.(type) {
	case map[string]any:
		b, ok := b.(map[string]any)
		return ok && covers(a, b) && covers(b, a)
	case []any:
		b, ok := b.([]any)
		if !ok || len(a) != len(b) {
			return false
		}
		for i := range a {
			if !equal(a[i], b[i]) {
				return false
			}
		}
		return true
	case json.Number:
		b, ok := b.(json.Number)
		return ok && sameNumber(a, b)
	}
	return a == b
}

// covers reports whether b has the members of a, except empty ones.
func covers(a, b map[string]any) bool {
	for name, value := range a {
		empty := value == nil || value == ""
		if other, ok := b[name]; !empty && (!ok || !equal(value, other)) {
			return false
		}
	}
	return true
}

// sameNumber compares the values. Numbers with long exponents are compared as texts:
// no answer has one, and big ones would take long.
func sameNumber(a, b json.Number) bool {
	if a == b {
		return true
	}
	const longest = 40
	x, y := new(big.Rat), new(big.Rat)
	if len(a) > longest || len(b) > longest || hasExponent(a) || hasExponent(b) {
		return false
	}
	_, okX := x.SetString(string(a))
	_, okY := y.SetString(string(b))
	return okX && okY && x.Cmp(y) == 0
}

func hasExponent(n json.Number) bool { return bytes.ContainsAny([]byte(n), "eE") }
