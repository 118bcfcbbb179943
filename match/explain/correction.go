package explain

import (
	"slices"
	"strconv"

	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// correction is a change for the taints of one key.
type correction struct {
	measure
	edits []changed
	added [2]bool // which of the taints get a toleration of their own
}

// changed is what becomes of a toleration.
type changed struct {
	index int
	form  toleration.Toleration
	measure
}

// correct returns the smallest correction for the one or two taints of k, with at most
// one edit for each. It takes the toleration with the index open, unless that is nowhere,
// for one without seconds.
func (c *corrector) correct(k *keyed, open int) correction {
	best := c.completed(k, nil, open)
	if best.fields == 0 {
		return best
	}
	try := func(edits ...changed) {
		if x := c.completed(k, edits, open); x.less(&best.measure) {
			best = x
		}
	}
	var single [2][2]changed // for each taint: the smallest edits of two tolerations
	var found [2]int
	for _, i := range k.pool {
		var least [2]*changed
		for _, e := range c.forms(k, i) {
			try(e)
			for n, x := range k.taints {
				if c.covers(&e.form, x) && (least[n] == nil || e.less(&least[n].measure)) && c.reached(k, n, []changed{e}, open) {
					least[n] = &e
				}
			}
		}
		for n, e := range least {
			if e != nil {
				keepTwo(&single[n], &found[n], *e)
			}
		}
	}
	for _, e := range single[0][:found[0]] {
		for _, f := range single[1][:found[1]] {
			if e.index != f.index {
				try(e, f)
			}
		}
	}
	return best
}

// keepTwo keeps the two smallest of what it is given, one after the other.
func keepTwo(list *[2]changed, n *int, e changed) {
	switch {
	case *n == 0:
		list[0], *n = e, 1
	case e.less(&list[0].measure):
		list[0], list[1], *n = e, list[0], 2
	case *n == 1 || e.less(&list[1].measure):
		list[1], *n = e, 2
	}
}

// completed returns the correction with the edits, and with an addition for each taint
// that they leave in the way.
func (c *corrector) completed(k *keyed, edits []changed, open int) correction {
	x := correction{edits: edits}
	for i := range edits {
		x.measure.add(&edits[i].measure)
	}
	for n := range k.taints {
		if !c.reached(k, n, edits, open) {
			x.added[n] = true
			x.fields += additionSize
		}
	}
	return x
}

// reached reports whether the n-th taint of k is out of the way of the goal after the
// edits, of which there are at most two.
func (c *corrector) reached(k *keyed, n int, edits []changed, open int) bool {
	x := k.taints[n]
	isEdited := func(i int) bool {
		return slices.ContainsFunc(edits, func(e changed) bool { return e.index == i })
	}
	first, form := k.anyKey[n], toleration.Toleration{}
	for _, i := range k.firsts[n] {
		if !isEdited(i) {
			first = min(first, i)
			break
		}
	}
	if first != nowhere {
		form = c.Tolerations[first]
	}
	for i := range edits {
		if e := &edits[i]; e.index < first && c.covers(&e.form, x) {
			first, form = e.index, e.form
		}
	}
	return first != nowhere && (!c.limited(x) || form.TolerationSeconds == nil || first == open)
}

// forms returns what the i-th toleration may become to tolerate a taint of k, each with at
// least one change.
func (c *corrector) forms(k *keyed, i int) []changed {
	old := &c.Tolerations[i]
	pairs, effects := c.pairs(k, old), c.effects(k, old)
	list := make([]changed, 0, 2*len(pairs)*len(effects))
	for _, pair := range pairs {
		for _, effect := range effects {
			form := *old
			form.Key, form.Operator, form.Value, form.Effect = k.key, pair.operator, pair.value, effect
			if !slices.ContainsFunc(k.taints, func(x *taint.Taint) bool { return c.covers(&form, x) }) {
				continue
			}
			if effect == taint.NoExecute || *old == form {
				list = appendForm(list, i, old, form)
			}
			form.TolerationSeconds = nil
			list = appendForm(list, i, old, form)
		}
	}
	return list
}

func appendForm(list []changed, i int, old *toleration.Toleration, form toleration.Toleration) []changed {
	e := changed{index: i, form: form, measure: measure{fieldsBetween(old, &form).Len(), 0, 1}}
	if e.fields == 0 {
		return list
	}
	if form.Effect == "" && old.Effect != "" {
		e.wider++
	}
	if o := operator(&form); o != operator(old) && o != toleration.OpEqual {
		e.wider++
	}
	return append(list, e)
}

// operand is an operator and its value.
type operand struct {
	operator toleration.Operator
	value    string
}

// pairs returns what the operator and the value of a toleration may become. The first
// pair is what it has.
func (c *corrector) pairs(k *keyed, old *toleration.Toleration) []operand {
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
		for _, x := range k.taints {
			add(equal, x.Value)
		}
	}
	if c.Rules.Comparisons && !c.HideValues {
		c.addComparisons(k, old, add)
	}
	add(toleration.OpExists, "")
	return list
}

// addComparisons adds what Gt and Lt can be compared with.
func (c *corrector) addComparisons(k *keyed, old *toleration.Toleration, add func(toleration.Operator, string)) {
	if isInteger(old.Value) {
		add(toleration.OpGt, old.Value)
		add(toleration.OpLt, old.Value)
	}
	for _, x := range k.taints {
		if !isInteger(x.Value) {
			continue
		}
		n, _ := strconv.ParseInt(x.Value, 10, 64)
		if n-1 < n { // the least integer has none below it
			add(toleration.OpGt, strconv.FormatInt(n-1, 10))
		}
		if n+1 > n {
			add(toleration.OpLt, strconv.FormatInt(n+1, 10))
		}
	}
}

// effects returns what the effect of a toleration may become. The first is what it has.
func (c *corrector) effects(k *keyed, old *toleration.Toleration) []taint.Effect {
	list := []taint.Effect{old.Effect}
	for _, x := range k.taints {
		if !slices.Contains(list, x.Effect) {
			list = append(list, x.Effect)
		}
	}
	if old.Effect != "" {
		list = append(list, "")
	}
	return list
}
