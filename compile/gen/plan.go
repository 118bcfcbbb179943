package gen

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// plan says which taints are tolerated, and for how long: by the terms of their key, and
// where none of them holds, by those of any key. It is made from the minimal list of a
// [toleration.Meaning], so that lists with equal meanings have equal plans.
type plan struct {
	anyKey []term
	groups []group
}

// group is about the taints that have one of some keys.
type group struct {
	keys  []string
	terms []term
}

// term is a test of the effect and the value of a taint. The first one that holds counts.
type term struct {
	effects []taint.Effect // one of these; any if there is none
	// The value is any, or one of some, or an integer above or below a bound, if that is
	// not empty.
	every        bool
	single       []string
	above, below string
	after        time.Duration // what is tolerated is so for this time; negative: forever
}

// newPlan plans Tolerates for a valid list.
func newPlan(list []toleration.Toleration) plan {
	list = slices.Clone(list)
	for i := range list {
		list[i].TolerationSeconds = nil
	}
	m, _ := toleration.NewMeaning(list)
	return planOf(m.AppendTolerations(nil))
}

// newStayPlan plans for a valid list how long NoExecute taints are tolerated. No effect is
// tested.
func newStayPlan(m *toleration.Meaning) plan {
	list := m.Restrict(taint.Evicting).AppendTolerations(nil)
	for i := range list {
		list[i].Effect = ""
	}
	return planOf(list)
}

// planOf plans for a minimal list, in which that for any key is the last of an effect.
func planOf(list []toleration.Toleration) (p plan) {
	slices.SortStableFunc(list, compare)
	for i := range list {
		t := &list[i]
		if i == 0 || t.Key != list[i-1].Key {
			p.groups = append(p.groups, group{keys: []string{t.Key}})
		}
		p.groups[len(p.groups)-1].add(t)
	}
	for i := range p.groups { // effects with the same values are one term
		p.groups[i].terms = merge(p.groups[i].terms, func(t *term) (string, *[]taint.Effect) {
			values := *t
			values.effects = nil
			return fmt.Sprintf("%#v", values), &t.effects
		})
	}
	if len(p.groups) > 0 && p.groups[0].keys[0] == "" {
		p.anyKey, p.groups = p.groups[0].terms, p.groups[1:]
	}
	p.groups = merge(p.groups, func(g *group) (string, *[]string) { return fmt.Sprintf("%#v", g.terms), &g.keys })
	return p
}

// compare orders tolerations by key and effect. Single values come first, as none of a
// minimal list has another toleration before it that matches the value. The others keep
// their order.
func compare(t, u toleration.Toleration) int {
	single := func(t *toleration.Toleration) bool { return t.Values().Kind == toleration.OneValue }
	switch order := cmp.Or(strings.Compare(t.Key, u.Key), strings.Compare(string(t.Effect), string(u.Effect))); {
	case order != 0:
		return order
	case single(&t) && single(&u):
		return cmp.Or(cmp.Compare(after(&t), after(&u)), strings.Compare(t.Value, u.Value))
	case single(&t):
		return -1
	case single(&u):
		return 1
	}
	return 0
}

// add adds what t tolerates to the last term, if that is alike, or as a term of its own.
func (g *group) add(t *toleration.Toleration) {
	next := term{after: after(t)}
	if t.Effect != "" {
		next.effects = []taint.Effect{t.Effect}
	}
	last := len(g.terms) - 1
	if last >= 0 && slices.Equal(g.terms[last].effects, next.effects) && g.terms[last].after == next.after {
		next, g.terms = g.terms[last], g.terms[:last]
	}
	switch v := t.Values(); v.Kind {
	case toleration.EveryValue:
		next.every = true
	case toleration.OneValue:
		next.single = append(next.single, v.Value)
	case toleration.IntegersAbove:
		next.above = strconv.FormatInt(v.Bound, 10)
	case toleration.IntegersBelow:
		next.below = strconv.FormatInt(v.Bound, 10)
	}
	g.terms = append(g.terms, next)
}

// merge makes one of the items that differ in a list only, of which it joins the lists. parts
// returns text for the rest of an item, and the list.
func merge[T, L any](items []T, parts func(*T) (rest string, list *[]L)) (merged []T) {
	at := make(map[string]int)
	for _, item := range items {
		rest, list := parts(&item)
		if i, found := at[rest]; found {
			_, into := parts(&merged[i])
			*into = append(*into, *list...)
			continue
		}
		at[rest] = len(merged)
		merged = append(merged, item)
	}
	return merged
}

// limited reports whether some time is limited. If not, who tolerates a taint is all there
// is to know.
func (p *plan) limited() bool {
	limited := func(t term) bool { return t.after >= 0 }
	return slices.ContainsFunc(p.anyKey, limited) || slices.ContainsFunc(p.groups, func(g group) bool { return slices.ContainsFunc(g.terms, limited) })
}

// after returns how long t tolerates a taint; negative is forever.
func after(t *toleration.Toleration) time.Duration {
	switch s := t.TolerationSeconds; {
	case s == nil:
		return -1
	case *s > int64(match.MaxDelay/time.Second):
		return match.MaxDelay // E3: what would exceed it is cut to it
	default:
		return time.Duration(*s) * time.Second
	}
}
