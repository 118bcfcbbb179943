package pattern

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// Pattern says which taints are to be tolerated. It is plain data, with names for JSON; a
// copy shares its memory. The zero Pattern matches every taint.
type Pattern struct {
	// Key is the key. If it is empty, every key with KeyPrefix matches.
	Key       string `json:"key,omitempty"`
	KeyPrefix string `json:"keyPrefix,omitempty"`
	// Values are the values that match. If it is nil, every value does, and if it is
	// empty, none.
	Values []string `json:"values,omitzero"`
	// AtLeast and AtMost limit the value to canonical integers (rule N2) in this range,
	// both ends included. Nil is no limit at that end.
	AtLeast *int64 `json:"atLeast,omitempty"`
	AtMost  *int64 `json:"atMost,omitempty"`
	// Effect is the effect; empty is every one.
	Effect taint.Effect `json:"effect,omitempty"`
	// TolerationSeconds are given to each toleration. They need the effect NoExecute.
	TolerationSeconds *int64 `json:"tolerationSeconds,omitempty"`
}

// Matches reports whether the pattern says that x is tolerated.
func (p *Pattern) Matches(x *taint.Taint) bool {
	return p.matchesKey(x.Key) && p.matchesEffect(x.Effect) && p.matchesValue(x.Value)
}

func (p *Pattern) matchesEffect(effect taint.Effect) bool {
	return p.Effect == "" || p.Effect == effect
}

func (p *Pattern) matchesKey(key string) bool {
	if p.Key != "" {
		return key == p.Key
	}
	return strings.HasPrefix(key, p.KeyPrefix)
}

func (p *Pattern) matchesValue(value string) bool {
	if p.ranged() {
		n, ok := integer(value)
		return ok && (p.AtLeast == nil || n >= *p.AtLeast) && (p.AtMost == nil || n <= *p.AtMost)
	}
	return p.Values == nil || slices.Contains(p.Values, value)
}

func (p *Pattern) ranged() bool { return p.AtLeast != nil || p.AtMost != nil }

// integer reads a canonical integer: one that is written as it is printed.
func integer(value string) (n int64, ok bool) {
	n, err := strconv.ParseInt(value, 10, 64)
	return n, err == nil && strconv.FormatInt(n, 10) == value
}

// Validate returns nil if the pattern can be expanded, and else a [*taint.FieldErrors]:
// Key and KeyPrefix exclude each other, and so do Values and limits; AtLeast must not be
// greater than AtMost; the key must be a qualified name, values label values, the effect
// known, and seconds need NoExecute.
func (p *Pattern) Validate() error {
	var errs taint.FieldErrors
	if p.Key != "" {
		if err := taint.CheckKey(p.Key); err != nil {
			errs.Add("key", "invalid value", p.Key, err.Error())
		}
		if p.KeyPrefix != "" {
			errs.Add("keyPrefix", "invalid value", p.KeyPrefix, "must be empty when key is set")
		}
	}
	for i, value := range p.Values {
		if err := taint.CheckValue(value); err != nil {
			errs.Add(fmt.Sprintf("values[%d]", i), "invalid value", value, err.Error())
		}
	}
	if p.Values != nil && p.ranged() {
		errs.Add("values", "invalid value", strings.Join(p.Values, ","), "must not be set together with atLeast or atMost")
	}
	if p.AtLeast != nil && p.AtMost != nil && *p.AtLeast > *p.AtMost {
		errs.Add("atLeast", "invalid value", strconv.FormatInt(*p.AtLeast, 10), fmt.Sprintf("must not be greater than atMost, which is %d", *p.AtMost))
	}
	if p.Effect != "" && !p.Effect.Known() {
		errs.Add("effect", "unsupported value", string(p.Effect), "must be NoSchedule, PreferNoSchedule, NoExecute or empty")
	}
	if p.TolerationSeconds != nil && p.Effect != taint.NoExecute {
		errs.Add("effect", "invalid value", string(p.Effect), "must be NoExecute when tolerationSeconds is set")
	}
	return errs.Err()
}

// toleration returns one of the tolerations of p.
func (p *Pattern) toleration(key string, operator toleration.Operator, value string) toleration.Toleration {
	return toleration.Toleration{Key: key, Operator: operator, Value: value, Effect: p.Effect, TolerationSeconds: p.TolerationSeconds}
}
