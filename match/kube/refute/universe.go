package main

import (
	"cmp"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strconv"
	"strings"

	celgo "github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/ast"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// universe is what pods are made of: the constants of a policy and of the intent, and what
// is next to them.
type universe struct {
	rules      toleration.Rules
	namespaces []string
	singles    []toleration.Toleration // all that are valid, the shortest first
	left       []string                // what is not in it of the policy, if anything
}

// How many constants of each kind are used: pods with two tolerations grow with the square of
// them. All those of the flags are, and then the policy's in the order in which they stand.
const (
	mostKeys, mostValues, mostSeconds, mostNamespaces = 8, 5, 4, 4
)

// constants are the literals of expressions, the words of parameters, and the namespaces that
// are selected.
type constants struct {
	words, namespaces []string
	numbers           []int64
}

// add takes the literals of an expression. One that cannot be parsed has none.
func (c *constants) add(env *celgo.Env, expression string) {
	parsed, issues := env.Parse(expression)
	if issues.Err() != nil {
		return
	}
	ast.PostOrderVisit(parsed.NativeRep().Expr(), ast.NewExprVisitor(func(e ast.Expr) {
		if e.Kind() != ast.LiteralKind {
			return
		}
		switch x := e.AsLiteral().Value().(type) {
		case string:
			c.words = append(c.words, x)
		case int64:
			c.numbers = append(c.numbers, x)
		}
	}))
}

// addParams takes the words of an object, which may stand in lists of lines or with commas.
func (c *constants) addParams(x any) {
	switch x := x.(type) {
	case string:
		c.words = append(c.words, strings.FieldsFunc(x, func(r rune) bool { return r == '\n' || r == ',' || r == ' ' })...)
	case []any:
		for _, item := range x {
			c.addParams(item)
		}
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(x)) {
			c.addParams(x[name])
		}
	}
}

// constantsOf returns those of a policy and its parameters.
func constantsOf(c *candidate, params any) (constants, error) {
	env, err := celgo.NewEnv(celgo.OptionalTypes())
	if err != nil {
		return constants{}, err
	}
	var found constants
	for _, v := range c.spec.Variables {
		found.add(env, v.Expression)
	}
	for _, m := range c.spec.MatchConditions {
		found.add(env, m.Expression)
	}
	for _, v := range c.spec.Validations {
		found.add(env, v.Expression)
	}
	found.addParams(params)
	if c.namespaces != nil {
		requirements, _ := c.namespaces.Requirements()
		for _, r := range requirements {
			found.namespaces = append(found.namespaces, r.ValuesUnsorted()...)
		}
	}
	return found, nil
}

// newUniverse makes the universe of constants and an intent.
func newUniverse(found constants, in *intent) *universe {
	keys, values, seconds := []string{"", "other"}, []string{"", "other"}, []int64{0, 300}
	for _, t := range slices.Concat(in.spec.Denied, in.spec.Allowed) {
		keys, values = append(keys, t.Key), append(values, t.Value)
		if n := t.TolerationSeconds; n != nil {
			seconds = append(seconds, *n, *n+1)
		}
	}
	var asKeys, asValues []string
	if in.spec.Rules.Comparisons {
		values = append(values, "1")
		for _, n := range found.numbers {
			asValues = append(asValues, strconv.FormatInt(n, 10))
		}
	}
	for _, word := range found.words {
		if len(validation.IsQualifiedName(word)) == 0 && !taint.Effect(word).Known() && !operator(word) {
			asKeys = append(asKeys, word)
		}
		if len(validation.IsValidLabelValue(word)) == 0 {
			asValues = append(asValues, word)
		}
		if len(validation.IsDNS1123Label(word)) == 0 {
			found.namespaces = append(found.namespaces, word)
		}
	}
	u := &universe{rules: in.spec.Rules}
	u.namespaces = limit(u, "namespaces", append(slices.Clone(in.exempt), "default"), found.namespaces, mostNamespaces)
	keys = limit(u, "keys", keys, asKeys, mostKeys)
	values = limit(u, "values", values, asValues, mostValues)
	seconds = limit(u, "seconds", seconds, found.numbers, mostSeconds)
	for _, key := range keys {
		u.addKey(key, values, seconds)
	}
	slices.SortStableFunc(u.singles, func(a, b toleration.Toleration) int { return cmp.Compare(weight(a), weight(b)) })
	return u
}

// limit returns the different items of the flags, and those of the policy up to a number of
// both. It notes how many it leaves out.
func limit[T comparable](u *universe, what string, flags, policy []T, most int) (kept []T) {
	var left []T
	for i, x := range slices.Concat(flags, policy) {
		switch {
		case slices.Contains(kept, x) || slices.Contains(left, x):
		case i < len(flags) || len(kept) < most:
			kept = append(kept, x)
		default:
			left = append(left, x)
		}
	}
	if len(left) > 0 {
		u.left = append(u.left, fmt.Sprintf("%d %s", len(left), what))
	}
	return kept
}

// addKey adds the valid tolerations for a key.
func (u *universe) addKey(key string, values []string, seconds []int64) {
	effects := []taint.Effect{"", taint.NoSchedule, taint.PreferNoSchedule, taint.NoExecute}
	for _, op := range []toleration.Operator{"", toleration.OpEqual, toleration.OpExists, toleration.OpGt, toleration.OpLt} {
		for _, value := range values {
			for _, effect := range effects {
				t := toleration.Toleration{Key: key, Operator: op, Value: value, Effect: effect}
				u.addValid(t)
				for _, n := range seconds {
					t.TolerationSeconds = &n
					u.addValid(t)
				}
			}
		}
	}
}

func (u *universe) addValid(t toleration.Toleration) {
	if u.rules.Validate([]toleration.Toleration{t}) == nil {
		u.singles = append(u.singles, t)
	}
}

// pods yields the lists of tolerations, the smallest first: none, one, and two without
// seconds, each in every namespace.
func (u *universe) pods() iter.Seq2[string, []toleration.Toleration] {
	return func(yield func(string, []toleration.Toleration) bool) {
		each := func(list ...toleration.Toleration) bool {
			for _, namespace := range u.namespaces {
				if !yield(namespace, list) {
					return false
				}
			}
			return true
		}
		if !each() {
			return
		}
		for _, t := range u.singles {
			if !each(t) {
				return
			}
		}
		for i, t := range u.singles {
			for _, other := range u.singles[:i] {
				if t.TolerationSeconds == nil && other.TolerationSeconds == nil && !(each(other, t) && each(t, other)) {
					return
				}
			}
		}
	}
}

// weight is how much a toleration says.
func weight(t toleration.Toleration) int {
	n := 0
	for _, field := range []string{t.Key, string(t.Operator), t.Value, string(t.Effect)} {
		if field != "" {
			n += 100 + len(field)
		}
	}
	if t.TolerationSeconds != nil {
		n += 100 + len(strconv.FormatInt(*t.TolerationSeconds, 10))
	}
	return n
}

func operator(word string) bool {
	return slices.Contains([]toleration.Operator{toleration.OpEqual, toleration.OpExists, toleration.OpGt, toleration.OpLt}, toleration.Operator(word))
}
