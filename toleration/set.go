package toleration

import "github.com/tolero-dev/tolero/taint"

// Set is exactly the set of taints that a list of tolerations tolerates: every
// taint there can be, valid or not, is in it or not. Two lists have equal sets
// if and only if they tolerate the same taints, whatever their order, their
// length and their wording; so a Set is the normal form of a list. Seconds are
// no part of it (rule M6): see [Grants] for these.
//
// Keys and effects are strings without end, of which a list names only some: two
// sets differ as well if they differ only for keys or effects that neither list
// names, such as the unknown effects that an empty effect tolerates. Use
// [Set.Restrict] to leave out other effects.
//
// The zero Set is empty. A Set does not change; a copy shares its memory, and
// concurrent use is safe. It retains the strings of the tolerations that it was
// made of and nothing else of them. Sets are compared by [Set.Equal].
//
// A set of n tolerations takes memory in proportion to n. Unless documented
// otherwise, a method takes n log n steps, for two sets with n as the sum, if
// the tolerations are valid, or else at most n to the power of 1.5, times log n.
type Set struct {
	cells []cell // by key and effect, none of them empty
}

// NewSet returns the set of the taints that tolerations tolerate: those for
// which [Toleration.Tolerates] is true of at least one. Gt and Lt count as any
// other operator. What matches nothing, as an unknown operator does, adds
// nothing. Duplicates and invalid tolerations do no harm; of no tolerations, nil or
// empty, the set is empty.
func NewSet(tolerations []Toleration) Set {
	s, _ := newSet(entriesOf(tolerations))
	return s
}

// Contains reports whether x is in s, that is, whether it is tolerated. Its
// TimeAdded plays no part. Contains takes log n steps and does not allocate.
func (s Set) Contains(x *taint.Taint) bool {
	l := s.at(x.Key, x.Effect)
	if l.every() {
		return true
	}
	if n, ok := parseInteger(x.Value); ok {
		_, found := l.find(n)
		return found
	}
	return l.word(x.Value)
}

// Empty reports whether s holds no taint, so that its tolerations match nothing.
// It takes constant time. A set that is not empty may hold only invalid taints:
// [Set.Example] tells.
func (s Set) Empty() bool {
	return len(s.cells) == 0
}

// Everything reports whether s holds every taint, of whatever key and value,
// whose effect is one of effects. It is true of no effects. It takes log n
// steps and does not allocate.
func (s Set) Everything(effects taint.EffectSet) bool {
	for e := range effects.Known() {
		if l := s.at("", e); !l.every() {
			return false
		}
	}
	l := s.at("", "")
	return effects&taint.OtherEffects == 0 || l.every()
}

// Restrict returns the taints of s whose effect is known and one of effects.
// [taint.OtherEffects] adds nothing: unless s is to keep all effects, no list of
// tolerations means "every unknown effect".
func (s Set) Restrict(effects taint.EffectSet) Set {
	var entries []entry
	for _, e := range s.entries() {
		switch {
		case e.effect == "":
			for e.effect = range effects.Known() {
				entries = append(entries, e)
			}
		case e.effect.Known() && effects.Has(e.effect):
			entries = append(entries, e)
		}
	}
	restricted, _ := newSet(entries)
	return restricted
}

// Union returns the taints that are in s or other or both: those that the
// tolerations of the two together tolerate.
func (s Set) Union(other Set) Set {
	union, _ := newSet(append(s.entries(), other.entries()...))
	return union
}
