package pattern

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// Generated is a toleration and where it comes from. It is plain data.
type Generated struct {
	Toleration toleration.Toleration `json:"toleration"`
	Pattern    int                   `json:"pattern"` // the index of the first pattern that gives it
	// Taint is the reason: a live taint that both the toleration and the pattern match. If
	// there is none, it is one with the same key that the pattern matches, or else one with
	// the same key and an effect of the pattern. Of several, it is the first by value and
	// effect.
	Taint taint.Taint `json:"taint"`
}

// String returns one line such as "a==1:NoSchedule, by patterns[0] for a=1:NoSchedule".
func (g Generated) String() string {
	return fmt.Sprintf("%s, by patterns[%d] for %s", g.Toleration, g.Pattern, g.Taint)
}

// Expansion is what patterns give over some taints. It is plain data. The zero Expansion
// is empty.
type Expansion struct {
	// Generated has each toleration once, in the order of the patterns and, for each of
	// them, of keys and values.
	Generated []Generated `json:"generated"`
}

// Tolerations returns the tolerations as a list of its own.
func (e *Expansion) Tolerations() []toleration.Toleration {
	var list []toleration.Toleration
	for i := range e.Generated {
		list = append(list, e.Generated[i].Toleration)
	}
	return list
}

// LimitError is the error for patterns that give more tolerations than they may.
type LimitError struct {
	Limit   int // how many there may be
	Pattern int // the index of the pattern that exceeded it
}

// Error returns one line.
func (e *LimitError) Error() string {
	return fmt.Sprintf("patterns[%d]: more than %d tolerations", e.Pattern, e.Limit)
}

// Expand expands the patterns over the live taints, for a default cluster
// or one with the given rules. If they
// give more than limit tolerations, the error is a [*LimitError]; if one is not valid, it
// is a [*taint.FieldErrors] with the faults of all under "patterns[i]". The Expansion is
// empty then. A limit of zero or less means no limit.
//
// Taints without a key, which are not valid, are left out: a toleration without a
// key would tolerate every key. The tolerations are valid if the other taints are.
func Expand(patterns []Pattern, live []taint.Taint, limit int, rules ...toleration.Rules) (Expansion, error) {
	if err := validate(patterns); err != nil {
		return Expansion{}, err
	}
	sorted := sortedOf(live)
	x := expander{limit: limit, known: make(map[toleration.Toleration]bool)}
	if len(rules) > 0 {
		x.rules = rules[0]
	}
	for i := range patterns {
		x.pattern, x.index = &patterns[i], i
		if !x.expand(sorted) {
			return Expansion{}, &LimitError{limit, i}
		}
	}
	return x.result, nil
}

func validate(patterns []Pattern) error {
	var all taint.FieldErrors
	for i := range patterns {
		var faults *taint.FieldErrors
		if errors.As(patterns[i].Validate(), &faults) {
			all.Faults = append(all.Faults, faults.Under(fmt.Sprintf("patterns[%d]", i)).Faults...)
		}
	}
	return all.Err()
}

// sortedOf returns the taints with a key in the order of their keys, values and effects,
// each of them once.
func sortedOf(live []taint.Taint) []taint.Taint {
	sorted := slices.DeleteFunc(slices.Clone(live), func(t taint.Taint) bool { return t.Key == "" })
	slices.SortFunc(sorted, func(t, u taint.Taint) int {
		return cmp.Or(strings.Compare(t.Key, u.Key), strings.Compare(t.Value, u.Value), strings.Compare(string(t.Effect), string(u.Effect)))
	})
	return slices.CompactFunc(sorted, func(t, u taint.Taint) bool { return t.Matches(&u) && t.Value == u.Value })
}

// expander expands one pattern after the other.
type expander struct {
	rules   toleration.Rules
	limit   int
	pattern *Pattern
	index   int
	known   map[toleration.Toleration]bool // without seconds
	result  Expansion
}

// expand expands the pattern, and reports whether the limit is kept.
func (x *expander) expand(live []taint.Taint) bool {
	for len(live) > 0 {
		n := slices.IndexFunc(live, func(t taint.Taint) bool { return t.Key != live[0].Key })
		if n < 0 {
			n = len(live)
		}
		if !x.key(live[:n]) {
			return false
		}
		live = live[n:]
	}
	return true
}

// key adds what the pattern gives for the live taints with one key.
func (x *expander) key(live []taint.Taint) bool {
	p := x.pattern
	first := slices.IndexFunc(live, func(t taint.Taint) bool { return p.matchesEffect(t.Effect) })
	if first < 0 || !p.matchesKey(live[0].Key) {
		return true
	}
	if p.Values != nil {
		return x.values(live, first)
	}
	if !p.ranged() {
		return x.add(p.toleration(live[0].Key, toleration.OpExists, ""), &live[first])
	}
	comparison, enough := p.comparison(live[0].Key, x.rules)
	for i := range live {
		t := &live[i]
		switch {
		case !p.matchesEffect(t.Effect) || !p.matchesValue(t.Value):
		case enough:
			return x.add(comparison, t)
		case !x.add(p.toleration(t.Key, toleration.OpEqual, t.Value), t):
			return false
		}
	}
	return !enough || x.add(comparison, &live[first])
}

// values adds what a pattern with a list of values gives for the live taints with one
// key. The first with its effect is live[first].
func (x *expander) values(live []taint.Taint, first int) bool {
	p := x.pattern
	matched := len(live)
	at := make([]int, len(p.Values))
	for i, value := range p.Values {
		at[i] = p.search(live, value)
		matched = min(matched, at[i])
	}
	if matched == len(live) {
		matched = first
	}
	for i, value := range p.Values {
		if at[i] == len(live) {
			at[i] = matched
		}
		if !x.add(p.toleration(live[0].Key, toleration.OpEqual, value), &live[at[i]]) {
			return false
		}
	}
	return true
}

// search returns the index of the first of the live taints, all with one key, that has
// the value and the effect of p. If there is none, it is len(live).
func (p *Pattern) search(live []taint.Taint, value string) int {
	i, _ := slices.BinarySearchFunc(live, p.Effect, func(t taint.Taint, effect taint.Effect) int {
		return cmp.Or(strings.Compare(t.Value, value), strings.Compare(string(t.Effect), string(effect)))
	})
	if i < len(live) && live[i].Value == value && p.matchesEffect(live[i].Effect) {
		return i
	}
	return len(live)
}

// comparison returns the toleration for the key that says the same as the limits of p,
// and whether there is one that the cluster counts.
func (p *Pattern) comparison(key string, r toleration.Rules) (t toleration.Toleration, ok bool) {
	switch {
	case !r.Comparisons || p.AtLeast != nil && p.AtMost != nil:
	case p.AtLeast != nil && *p.AtLeast > math.MinInt64:
		return p.toleration(key, toleration.OpGt, strconv.FormatInt(*p.AtLeast-1, 10)), true
	case p.AtMost != nil && *p.AtMost < math.MaxInt64:
		return p.toleration(key, toleration.OpLt, strconv.FormatInt(*p.AtMost+1, 10)), true
	}
	return t, false
}

// add adds a toleration unless it is known, and reports whether the limit is kept.
func (x *expander) add(t toleration.Toleration, because *taint.Taint) bool {
	id := t
	id.TolerationSeconds = nil
	if x.known[id] {
		return true
	}
	if x.limit > 0 && len(x.result.Generated) == x.limit {
		return false
	}
	x.known[id] = true
	x.result.Generated = append(x.result.Generated, Generated{t, x.index, *because})
	return true
}
