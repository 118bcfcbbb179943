package toleration

import "github.com/tolero-dev/tolero/taint"

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
	return identity{t.Key, t.Operator, t.Value, t.Effect}
}

// known finds tolerations of a list that match: a short list is searched, a long
// one goes into a hash table if there are many questions.
type known struct {
	list []Toleration
	set  map[identity]struct{}
}

func newKnown(questions int, tolerations []Toleration) known {
	k := known{list: tolerations}
	if min(questions, len(tolerations)) <= shortList {
		return k
	}
	k.set = make(map[identity]struct{}, len(tolerations))
	for i := range tolerations {
		k.set[tolerations[i].identity()] = struct{}{}
	}
	return k
}

func (k *known) has(t *Toleration) bool {
	if k.set == nil {
		return Exists(k.list, t)
	}
	_, found := k.set[t.identity()]
	return found
}
