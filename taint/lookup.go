package taint

// shortList is the length up to which a list is searched rather than put into a
// hash table: that is faster and does not allocate. Longer lists are beyond what
// real nodes have, but no list must cost the square of its length.
const shortList = 16

// identity is what two taints that match have in common.
type identity struct {
	key    string
	effect Effect
}

func (t *Taint) identity() identity {
	return identity{t.Key, t.Effect}
}

// seen finds taints that match an earlier one of a list. Short lists are
// searched, long ones go into a hash table.
type seen map[identity]struct{}

// newSeen is for a list of n taints.
func newSeen(n int) seen {
	if n <= shortList {
		return nil
	}
	return make(seen, n)
}

// repeats reports whether t matches an earlier taint. It must be asked about
// each taint of the list in turn.
func (s seen) repeats(earlier []Taint, t *Taint) bool {
	if s == nil {
		_, found := Find(earlier, t)
		return found
	}
	id := t.identity()
	_, found := s[id]
	s[id] = struct{}{}
	return found
}

// known finds taints of a list by key and effect: a short list is searched, a
// long one goes into a hash table if there are many questions.
type known struct {
	list []Taint
	set  map[identity]struct{}
}

func newKnown(questions int, taints []Taint) known {
	k := known{list: taints}
	if min(questions, len(taints)) <= shortList {
		return k
	}
	k.set = make(map[identity]struct{}, len(taints))
	for i := range taints {
		k.set[taints[i].identity()] = struct{}{}
	}
	return k
}

func (k *known) has(t *Taint) bool {
	if k.set == nil {
		_, found := Find(k.list, t)
		return found
	}
	_, found := k.set[t.identity()]
	return found
}
