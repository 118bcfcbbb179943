package affinity

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/tolero-dev/tolero/taint"
)

// Template is what is known of the labels of nodes that are yet to be made. The zero Template is
// of nodes without labels. It is plain data.
type Template struct {
	Labels map[string]string `json:"labels,omitempty"` // that each of them has
	// Requirements are met by the labels that they name, as by those of a node. A key of Labels
	// needs none.
	Requirements []Requirement `json:"requirements,omitempty"`
	// Open are the other keys that a node may or may not have, with any value. One that ends in
	// "/" stands for all that begin with it, and an empty one for every key.
	Open []string `json:"open,omitempty"`
}

// mostWords bounds how many values of requirements [Required.MayMatch] goes through. Real pods have
// one or two terms, and one for each zone in each of their volumes.
const mostWords = 1_000_000

// MayMatch reports whether some node that the template allows is as required; see Matches. Of
// its name everything is possible, and labels that a does not ask for are not looked at. After a million steps, which only crafted input takes, the
// answer is true.
func (a *Required) MayMatch(t *Template) bool {
	alternatives := a.Volumes
	if a.Terms != nil {
		alternatives = append([][]Term{a.Terms}, a.Volumes...)
	}
	c := choice{a.NodeSelector, t, mostWords}
	return c.among(alternatives, nil)
}

// choice looks for terms that hold together.
type choice struct {
	selector map[string]string
	template *Template
	left     int // how many values it may still go through
}

// among reports whether one term of each list can hold beside those that are chosen.
func (c *choice) among(lists [][]Term, chosen []Requirement) bool {
	if !c.possible(chosen) {
		return false
	}
	if len(lists) == 0 {
		return true
	}
	for i := range lists[0] {
		t := &lists[0][i]
		if c.left--; c.left < 0 {
			return true
		}
		if len(t.Expressions)+len(t.Fields) > 0 && !slices.ContainsFunc(t.Fields, func(r Requirement) bool { return !r.matchesName("") }) &&
			c.among(lists[1:], append(chosen[:len(chosen):len(chosen)], t.Expressions...)) {
			return true
		}
	}
	return false
}

// possible reports whether a node can have all labels that are chosen. Labels do not depend on
// each other: each key is looked at alone.
func (c *choice) possible(chosen []Requirement) bool {
	asked := make(map[string][]Requirement)
	for key := range c.selector {
		asked[key] = nil
	}
	for _, r := range chosen {
		asked[r.Key] = append(asked[r.Key], r)
	}
	for key, requirements := range asked {
		if !c.hasValue(key, requirements) {
			return false
		}
	}
	return true
}

// hasValue reports whether the template allows the label with the key, or its absence, as it is
// asked for.
func (c *choice) hasValue(key string, asked []Requirement) bool {
	var given []Requirement
	fixed, isFixed := c.template.Labels[key]
	for _, r := range c.template.Requirements {
		if r.Key == key && !isFixed {
			given = append(given, r)
		}
	}
	both := append(slices.Clip(given), asked...)
	want, selected := c.selector[key]
	suits := func(labels map[string]string) bool {
		value, found := labels[key]
		return (!selected || found && value == want) && c.allMatch(both, labels)
	}
	switch {
	case isFixed:
		return suits(map[string]string{key: fixed})
	case suits(nil):
		return true
	case given == nil && !c.template.opens(key):
		return false
	}
	values := candidates(both)
	if selected {
		values = []string{want}
	}
	return slices.ContainsFunc(values, func(value string) bool {
		return taint.CheckValue(value) == nil && suits(map[string]string{key: value})
	})
}

// allMatch reports whether labels meet all of the requirements, or there were too many.
func (c *choice) allMatch(list []Requirement, labels map[string]string) bool {
	for i := range list {
		if c.left -= 1 + len(list[i].Values); c.left >= 0 && !list[i].matches(labels) {
			return false
		}
	}
	return true
}

func (t *Template) opens(key string) bool {
	return slices.ContainsFunc(t.Open, func(open string) bool {
		return open == "" || open == key || strings.HasSuffix(open, "/") && strings.HasPrefix(key, open)
	})
}

// candidates returns values of a label of which one meets the requirements, if any does: those of
// the shortest In, or else those that are named, one that is not, and integers next to the
// bounds, more of them than are named.
func candidates(list []Requirement) []string {
	shortest := -1
	values, bounds := []string{"other"}, []int64{}
	for i, r := range list {
		if r.Operator == "In" && (shortest < 0 || len(r.Values) < len(list[shortest].Values)) {
			shortest = i
		}
		values = append(values, r.Values...)
		if bound, err := strconv.ParseInt(strings.Join(r.Values, ","), 10, 64); err == nil {
			bounds = append(bounds, max(bound, -1)) // a label is never negative
		}
	}
	if shortest >= 0 {
		return list[shortest].Values
	}
	for i := range len(values) {
		values = append(values, "other"+strconv.Itoa(i))
		for _, bound := range bounds {
			step := int64(i) + 1
			values = append(values, strconv.FormatInt(bound-step, 10), strconv.FormatInt(bound+min(step, math.MaxInt64-bound), 10))
		}
	}
	return values
}
