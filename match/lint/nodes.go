package lint

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tolero-dev/tolero/match/internal/spelling"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// checkNodes looks at the taints. One that several lists have is looked at once.
func (c *checker) checkNodes() {
	first := make(map[taint.Taint]*sighting)
	var order []*sighting
	for i := range c.nodes {
		g := &c.nodes[i]
		c.checkTaintsValid(g)
		for j, x := range g.taints {
			x.TimeAdded = nil
			s := first[x]
			if s == nil {
				s = &sighting{group: g.group, index: j, taint: x}
				s.count = 0
				first[x] = s
				order = append(order, s)
			}
			s.count += g.count
		}
	}
	values := make(map[string][]*sighting)
	for _, s := range order {
		c.checkTaint(s)
		values[s.taint.Key] = append(values[s.taint.Key], s)
	}
	for _, key := range slices.Sorted(maps.Keys(values)) {
		c.checkValues(key, values[key])
	}
}

// sighting is a taint and the nodes that have it.
type sighting struct {
	group
	index int // in the list of the first
	taint taint.Taint
}

func (s *sighting) field() string { return fmt.Sprintf("taints[%d]", s.index) }

func (c *checker) checkTaintsValid(g *nodeGroup) {
	var invalid *taint.FieldErrors
	if errors.As(taint.Validate(g.taints), &invalid) {
		for _, fault := range invalid.Faults {
			c.add(InvalidTaint, &g.group, fault.Field, fmt.Sprintf("%q: %s", fault.Value, fault.Detail), effectFix(fault.Value, fault.Field))
		}
	}
}

// effectFix suggests an effect for one that is misspelled.
func effectFix(effect, field string) string {
	if !strings.HasSuffix(field, ".effect") {
		return ""
	}
	var known spelling.Keys
	for e := range taint.AllEffects.Known() {
		known.Add(string(e))
	}
	// What only the case is wrong in, the reason names.
	if near, found := known.Misspelled(effect); found && !strings.EqualFold(near, effect) {
		return "probably " + near
	}
	return ""
}

// checkTaint looks at one taint, wherever it is.
func (c *checker) checkTaint(s *sighting) {
	x := &s.taint
	if near, found := c.wellKnown.Misspelled(x.Key); found && !isWellKnown[x.Key] {
		c.add(LikelyMisspelled, &s.group, s.field()+".key", fmt.Sprintf("the key of %s looks like a well-known one", x), "probably "+near)
	}
	if len(c.pods) > 0 && taint.Hard.Has(x.Effect) && !isWellKnown[x.Key] && !c.tolerated.Contains(x) {
		c.add(Untolerated, &s.group, s.field(), fmt.Sprintf("no pod tolerates %s", x), "")
	}
	for _, at := range [...]place{{x.Key, x.Effect}, {x.Key, ""}, {"", x.Effect}, {"", ""}} {
		if by, compared := c.compared[at]; compared && !isInteger(x.Value) {
			c.add(NotANumber, &s.group, s.field()+".value",
				fmt.Sprintf("%s has %s, and the value of %s is not a canonical integer", by.pod, by.toleration, x), "")
			break
		}
	}
}

// checkValues looks at the taints with one key.
func (c *checker) checkValues(key string, sightings []*sighting) {
	values := make(map[string]bool)
	nodes := 0
	for _, s := range sightings {
		values[s.taint.Value] = true
		nodes += s.count
	}
	if len(values) >= c.options.Values {
		g := group{sightings[0].name, nodes}
		c.add(ManyValues, &g, sightings[0].field()+".value", fmt.Sprintf("the key %q has %d values", key, len(values)),
			"tolerate it with Exists, and keep times and names out of the values of taints")
	}
}

var (
	negative    = toleration.Toleration{Operator: toleration.OpLt, Value: "0"}
	nonNegative = toleration.Toleration{Operator: toleration.OpGt, Value: "-1"}
)

// isInteger reports whether Gt and Lt can compare value (rule N2).
func isInteger(value string) bool {
	x := taint.Taint{Value: value}
	return negative.Tolerates(&x) || nonNegative.Tolerates(&x)
}
