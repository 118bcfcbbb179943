package toleration

import (
	"slices"

	"github.com/tolero-dev/tolero/taint"
)

// shortList is the length up to which a list is searched rather than put into a
// hash table: that is faster and does not allocate. Longer lists are beyond what
// real pods have, but no list must cost the square of its length.
const shortList = 16

// identity is what two tolerations that match have in common.
type identity struct {
	key      string
	operator Operator
	value    string
	effect   taint.Effect
}

func (t *Toleration) identity() identity {
	return identity{t.Key, t.Operator.meant(), t.Value, t.Effect}
}

// known finds tolerations of a list that match: a short list is searched, a long
// one goes into a hash table if there are many questions.
type known struct {
	written bool // an empty operator is not Equal
	list    []Toleration
	set     map[identity]struct{}
}

func newKnown(questions int, tolerations []Toleration, written bool) known {
	k := known{written: written, list: tolerations}
	if min(questions, len(tolerations)) <= shortList {
		return k
	}
	k.set = make(map[identity]struct{}, len(tolerations))
	for i := range tolerations {
		k.set[k.identity(&tolerations[i])] = struct{}{}
	}
	return k
}

func (k *known) identity(t *Toleration) identity {
	id := t.identity()
	if k.written {
		id.operator = t.Operator
	}
	return id
}

func (k *known) has(t *Toleration) bool {
	id := k.identity(t)
	if k.set == nil {
		return slices.ContainsFunc(k.list, func(u Toleration) bool { return k.identity(&u) == id })
	}
	_, found := k.set[id]
	return found
}
