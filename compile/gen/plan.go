package gen

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// plan says which taints a list tolerates, in no order but that of the list,
// which makes the code readable. What others cover is left out.
type plan struct {
	anyKey []term
	groups []group
}

// group is what is tolerated of the taints that have one of some keys.
type group struct {
	keys  []string
	terms []term
}

// term is a test of the effect and the value of a taint.
type term struct {
	effects []taint.Effect // one of these; any if there is none
	values  values
}

// newPlan plans the code for a list.
func newPlan(tolerations []toleration.Toleration) plan {
	var anyKey cells
	var order []string
	byKey := make(map[string]*cells)
	for i := range tolerations {
		t := &tolerations[i]
		if t.Key == "" {
			anyKey.add(t)
			continue
		}
		c := byKey[t.Key]
		if c == nil {
			c = new(cells)
			byKey[t.Key] = c
			order = append(order, t.Key)
		}
		c.add(t)
	}
	p := plan{anyKey: anyKey.terms(nil)}
	for _, key := range order {
		if terms := byKey[key].terms(&anyKey); len(terms) > 0 {
			p.groups = append(p.groups, group{[]string{key}, terms})
		}
	}
	p.groups = merge(p.groups)
	return p
}

// cells are the values that are tolerated for each effect; the effect "" stands
// for all of them (rule M3).
type cells struct {
	effects []taint.Effect // in the order of the list
	values  []values       // for each of them
}

func (c *cells) add(t *toleration.Toleration) {
	i := slices.Index(c.effects, t.Effect)
	if i < 0 {
		i = len(c.effects)
		c.effects = append(c.effects, t.Effect)
		c.values = append(c.values, values{})
	}
	c.values[i].add(t)
}

// of returns the values for an effect, nothing if c is nil.
func (c *cells) of(e taint.Effect) *values {
	if c != nil {
		if i := slices.Index(c.effects, e); i >= 0 {
			return &c.values[i]
		}
	}
	return &values{}
}

// terms returns the tests that c asks for, without what is tolerated anyway:
// elsewhere, with any effect, or by another toleration for the same. Effects
// with the same values share a test.
func (c *cells) terms(elsewhere *cells) []term {
	var terms []term
	bySignature := make(map[string]int)
	for i, effect := range c.effects {
		others := []*values{elsewhere.of("")}
		if effect != "" {
			others = append(others, elsewhere.of(effect), c.of(""))
		}
		left := c.values[i].without(others...)
		if left.empty() {
			continue
		}
		t := term{values: left}
		if effect != "" {
			t.effects = []taint.Effect{effect}
		}
		signature := left.signature()
		if at, found := bySignature[signature]; found && effect != "" {
			terms[at].effects = append(terms[at].effects, effect)
			continue
		}
		if effect != "" {
			bySignature[signature] = len(terms)
		}
		terms = append(terms, t)
	}
	return terms
}

// merge puts keys with equal terms into one group.
func merge(groups []group) []group {
	var merged []group
	bySignature := make(map[string]int)
	for _, g := range groups {
		signature := signatureOf(g.terms)
		if at, found := bySignature[signature]; found {
			merged[at].keys = append(merged[at].keys, g.keys...)
			continue
		}
		bySignature[signature] = len(merged)
		merged = append(merged, g)
	}
	return merged
}

// signatureOf is the same for equal terms only.
func signatureOf(terms []term) string {
	var b strings.Builder
	for i := range terms {
		fmt.Fprintf(&b, "%q %s\n", terms[i].effects, terms[i].values.signature())
	}
	return b.String()
}

// signature is the same for equal values only.
func (v *values) signature() string {
	return fmt.Sprintf("%t %q %v %v", v.every, v.single, v.above, v.below)
}
