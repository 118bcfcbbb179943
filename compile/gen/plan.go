package gen

import (
	"fmt"
	"strings"

	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// plan says which taints a list tolerates: its [toleration.Set], in which nothing is
// redundant, ordered by key. So lists that tolerate the same have the same plan.
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

// newPlan plans the code for a set.
func newPlan(set toleration.Set) plan {
	var p plan
	list := set.AppendTolerations(nil) // sorted by key, then by effect
	for len(list) > 0 {
		n := prefix(list, func(t *toleration.Toleration) bool { return t.Key == list[0].Key })
		key, terms := list[0].Key, newTerms(list[:n])
		if list = list[n:]; key == "" {
			p.anyKey = terms
		} else {
			p.groups = append(p.groups, group{[]string{key}, terms})
		}
	}
	p.groups = merge(p.groups)
	return p
}

// prefix returns how many of the first tolerations are alike.
func prefix(list []toleration.Toleration, alike func(*toleration.Toleration) bool) (n int) {
	for n < len(list) && alike(&list[n]) {
		n++
	}
	return n
}

// newTerms returns the tests that the tolerations for a key ask for. Effects with the
// same values share a test.
func newTerms(list []toleration.Toleration) []term {
	var terms []term
	bySignature := make(map[string]int)
	for len(list) > 0 {
		effect := list[0].Effect
		n := prefix(list, func(t *toleration.Toleration) bool { return t.Effect == effect })
		var t term
		for i := range list[:n] {
			t.values.add(list[i].Values())
		}
		list = list[n:]
		if effect == "" { // any, which comes first
			terms = append(terms, t)
			continue
		}
		signature := t.values.signature()
		at, found := bySignature[signature]
		if !found {
			at = len(terms)
			bySignature[signature] = at
			terms = append(terms, t)
		}
		terms[at].effects = append(terms[at].effects, effect)
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
