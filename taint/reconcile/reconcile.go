package reconcile

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// Taints returns what the owner of last and desired has to change on a node with the
// live taints. It takes expected linear time.
func Taints(live, last, desired []taint.Taint) Plan[taint.Taint] {
	m := merger[taint.Taint, taint.Taint]{
		live: live, last: last, desired: desired,
		identity: func(t *taint.Taint) taint.Taint { return taint.Taint{Key: t.Key, Effect: t.Effect} },
		same:     func(t, u *taint.Taint) bool { return t.Value == u.Value },
		refuses:  func(Op, *taint.Taint) (kind Kind, refused bool) { return },
	}
	return m.plan()
}

// Tolerations does the same for the tolerations of an object, in a default cluster or in one
// with the given rules.
// What the API server does not allow there is a conflict:
//
//   - Forbidden: pods that exist cannot lose a toleration, and the template of a
//     [RunningJob] cannot change. What cannot be removed stays in Applied.
//   - Refused: a default cluster refuses to add Gt or Lt to a live list that has neither (rule N5).
//
// Tolerations does not look at whether desired is valid otherwise: [UpdateAllowed] says so,
// of the result of Apply.
func Tolerations(object Object, live, last, desired []toleration.Toleration, rules ...toleration.Rules) Plan[toleration.Toleration] {
	compares := len(rules) > 0 && rules[0].Comparisons || slices.ContainsFunc(live, isComparison)
	m := merger[toleration.Toleration, toleration.Toleration]{
		live: live, last: last, desired: desired,
		identity: func(t *toleration.Toleration) toleration.Toleration {
			return toleration.Toleration{Key: t.Key, Operator: cmp.Or(t.Operator, toleration.OpEqual), Value: t.Value, Effect: t.Effect}
		},
		same: func(t, u *toleration.Toleration) bool { return t.Equal(u) },
		refuses: func(op Op, t *toleration.Toleration) (Kind, bool) {
			if !object.allows(op) {
				return Forbidden, true
			}
			return Refused, op == Add && !compares && isComparison(*t)
		},
	}
	return m.plan()
}

// merger makes a plan. K identifies an item of a list.
type merger[T fmt.Stringer, K comparable] struct {
	live, last, desired []T
	identity            func(*T) K
	same                func(t, u *T) bool                   // of two items with the same identity
	refuses             func(op Op, desired *T) (Kind, bool) // by the API server
}

func (m *merger[T, K]) plan() (p Plan[T]) {
	live, last, desired := m.index(m.live), m.index(m.last), m.index(m.desired)
	for i := range m.desired {
		if id := m.identity(&m.desired[i]); desired[id] == i {
			m.want(&p, at(m.live, live, id), at(m.last, last, id), &m.desired[i], live[id])
		}
	}
	for i := range m.last {
		id := m.identity(&m.last[i])
		if _, wanted := desired[id]; !wanted && last[id] == i {
			m.drop(&p, at(m.live, live, id), &m.last[i], live[id])
		}
	}
	return p
}

// index returns where in the list the first item of each identity is.
func (m *merger[T, K]) index(list []T) map[K]int {
	first := make(map[K]int, len(list))
	for i := range list {
		if id := m.identity(&list[i]); !has(first, id) {
			first[id] = i
		}
	}
	return first
}

func has[K comparable](first map[K]int, id K) bool {
	_, found := first[id]
	return found
}

// at returns the item of the list with that identity, or nil.
func at[T any, K comparable](list []T, first map[K]int, id K) *T {
	if i, found := first[id]; found {
		return &list[i]
	}
	return nil
}

// want plans for what is wanted. live, with its index, and last are nil if there is
// nothing.
func (m *merger[T, K]) want(p *Plan[T], live, last, desired *T, index int) {
	switch {
	case live == nil:
		m.change(p, Operation[T]{Add, -1, nil, clone(desired)}, last)
	case m.same(live, desired) && last != nil:
		p.Applied = append(p.Applied, *desired)
	case m.same(live, desired):
		conflict(p, Shared, live, last, desired)
	case last == nil:
		conflict(p, Taken, live, last, desired)
	case !m.same(live, last):
		conflict(p, Changed, live, last, desired)
	default:
		m.change(p, Operation[T]{Update, index, clone(live), clone(desired)}, last)
	}
}

// drop plans for what is no longer wanted.
func (m *merger[T, K]) drop(p *Plan[T], live, last *T, index int) {
	switch {
	case live == nil:
	case !m.same(live, last):
		conflict(p, Changed, live, last, nil)
	default:
		m.change(p, Operation[T]{Remove, index, clone(live), nil}, last)
	}
}

// change adds the change to the plan or, if it is not allowed, a conflict.
func (m *merger[T, K]) change(p *Plan[T], c Operation[T], last *T) {
	owned := c.New
	if kind, refused := m.refuses(c.Op, c.New); refused {
		conflict(p, kind, c.Old, last, c.New)
		owned = last
	} else {
		p.Changes = append(p.Changes, c)
	}
	if owned != nil {
		p.Applied = append(p.Applied, *owned)
	}
}

func conflict[T fmt.Stringer](p *Plan[T], kind Kind, live, last, desired *T) {
	p.Conflicts = append(p.Conflicts, Conflict[T]{kind, clone(live), clone(last), clone(desired)})
}

// clone returns a copy, so that plans do not share the lists.
func clone[T any](item *T) *T {
	if item == nil {
		return nil
	}
	own := *item
	return &own
}
