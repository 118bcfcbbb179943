package explain

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// measure is how large a change is. Fields come first.
type measure struct{ fields, wider, edits int }

func (m *measure) add(n *measure) {
	m.fields, m.wider, m.edits = m.fields+n.fields, m.wider+n.wider, m.edits+n.edits
}

// compare returns a negative number if m is smaller than n, and zero if they are equal.
func (m *measure) compare(n *measure) int {
	return cmp.Or(cmp.Compare(m.fields, n.fields), cmp.Compare(m.wider, n.wider), cmp.Compare(m.edits, n.edits))
}

func (m *measure) less(n *measure) bool { return m.compare(n) < 0 }

// operand is an operator and its value.
type operand struct {
	operator toleration.Operator
	value    string
}

// forms returns what the i-th toleration may become to tolerate a target of k, each once and
// with at least one change.
func (c *corrector) forms(k *keyed, i int) []changed {
	old := &c.Tolerations[i]
	var list []changed
	add := func(form toleration.Toleration) {
		if n := changes(old, &form); n > 0 {
			list = append(list, changed{i, form, measure{n, wider(old, &form), 1}})
		}
	}
	effects := c.effects(k, old)
	for _, o := range c.operands(k, old) {
		for _, effect := range effects {
			form := *old
			form.Key, form.Operator, form.Value, form.Effect = k.key, o.operator, o.value, effect
			if !slices.ContainsFunc(k.targets, func(x target) bool { return c.covers(&form, x.Taint) }) {
				continue
			}
			if effect == taint.NoExecute && old.TolerationSeconds != nil {
				add(form)
			}
			form.TolerationSeconds = nil
			add(form)
		}
	}
	return list
}

// wider returns how many fields of t are wider than those of old.
func wider(old, t *toleration.Toleration) (n int) {
	if t.Effect == "" && old.Effect != "" {
		n++
	}
	switch operator(t) {
	case operator(old), toleration.OpEqual:
		return n
	}
	return n + 1
}

// operands returns what the operator and the value of a toleration may become, each once.
// The first is what it has.
func (c *corrector) operands(k *keyed, old *toleration.Toleration) []operand {
	list := []operand{{old.Operator, old.Value}}
	add := func(o toleration.Operator, value string) {
		if p := (operand{o, value}); !slices.Contains(list, p) {
			list = append(list, p)
		}
	}
	equal := toleration.OpEqual
	if old.Operator == "" {
		equal = "" // says the same
	}
	add(equal, old.Value)
	if !c.HideValues {
		for _, x := range k.targets {
			add(equal, x.Value)
		}
		if c.Rules.Comparisons {
			addComparisons(k, old, add)
		}
	}
	add(toleration.OpExists, "")
	return list
}

// addComparisons adds the bounds that Gt and Lt can get. One next to the least or the
// greatest integer can wrap around; no target then meets it.
func addComparisons(k *keyed, old *toleration.Toleration, add func(toleration.Operator, string)) {
	add(toleration.OpGt, old.Value)
	add(toleration.OpLt, old.Value)
	for _, x := range k.targets {
		if !isInteger(x.Value) {
			continue
		}
		n, _ := strconv.ParseInt(x.Value, 10, 64)
		add(toleration.OpGt, strconv.FormatInt(n-1, 10))
		add(toleration.OpLt, strconv.FormatInt(n+1, 10))
	}
}

// effects returns what the effect of a toleration may become, each once. The first is what
// it has.
func (c *corrector) effects(k *keyed, old *toleration.Toleration) []taint.Effect {
	list := []taint.Effect{old.Effect}
	for _, x := range k.targets {
		if x.Effect != old.Effect {
			list = append(list, x.Effect)
		}
	}
	if old.Effect != "" {
		list = append(list, "")
	}
	return list
}
