package taint_test

import (
	"testing"

	"github.com/tolero-dev/tolero/taint"
)

func TestKeySelector(t *testing.T) {
	for _, c := range []struct {
		selector taint.KeySelector
		key      string
		want     bool
	}{
		{taint.KeySelector{}, "a", false},
		{taint.KeySelector{}, "", false},
		{taint.KeySelector{Keys: []string{"a", "b"}}, "b", true},
		{taint.KeySelector{Keys: []string{"a", "b"}}, "ab", false},
		{taint.KeySelector{Keys: []string{"a"}}, "A", false},
		{taint.KeySelector{Keys: []string{""}}, "", true},
		{taint.KeySelector{Keys: []string{""}}, "a", false},
		{taint.KeySelector{Prefixes: []string{"x.io/", "y.io/"}}, "y.io/a", true},
		{taint.KeySelector{Prefixes: []string{"x.io/"}}, "x.io/", true},
		{taint.KeySelector{Prefixes: []string{"x.io/"}}, "x.io", false},
		{taint.KeySelector{Prefixes: []string{"x.io/"}}, "ax.io/", false},
		{taint.KeySelector{Prefixes: []string{""}}, "anything", true},
		{taint.KeySelector{Keys: []string{"a"}, Prefixes: []string{"b"}}, "bc", true},
		{taint.KeySelector{Keys: []string{"a"}, Prefixes: []string{"b"}}, "ab", false},
	} {
		for _, effect := range effects {
			if got := c.selector.Selects(&taint.Taint{Key: c.key, Value: "a", Effect: effect}); got != c.want {
				t.Errorf("%+v selects %q: %v", c.selector, c.key, got)
			}
		}
	}
}

// A KeySelector is a value, like a Change.
func TestKeySelectorOfLiteral(t *testing.T) {
	if !(taint.KeySelector{Keys: []string{"a"}}).Selects(&taint.Taint{Key: "a"}) {
		t.Error("not selected")
	}
}
