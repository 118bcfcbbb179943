package toleration

import (
	"slices"

	"github.com/tolero-dev/tolero/taint"
)

// shortList is the length up to which a list is searched rather than put into a
// hash table: that is faster and does not allocate. Longer lists are beyond what
// real pods have, but no list must cost the square of its length.
const shortList = 16

// written is a toleration as it is written, without its seconds: an empty operator is
// not Equal.
type written struct {
	key      string
	operator Operator
	value    string
	effect   taint.Effect
}

func (t *Toleration) written() written {
	return written{t.Key, t.Operator, t.Value, t.Effect}
}

// known finds tolerations of a list as they are written: a short list is searched, a long
// one goes into a hash table if there are many questions.
type known struct {
	list []Toleration
	set  map[written]struct{}
}

func newKnown(questions int, tolerations []Toleration) known {
	k := known{list: tolerations}
	if min(questions, len(tolerations)) <= shortList {
		return k
	}
	k.set = make(map[written]struct{}, len(tolerations))
	for i := range tolerations {
		k.set[tolerations[i].written()] = struct{}{}
	}
	return k
}

func (k *known) has(t *Toleration) bool {
	w := t.written()
	if k.set == nil {
		return slices.ContainsFunc(k.list, func(u Toleration) bool { return u.written() == w })
	}
	_, found := k.set[w]
	return found
}
