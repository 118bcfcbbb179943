package toleration

import "github.com/tolero-dev/tolero/taint"

// Set is exactly the set of taints that a list of tolerations tolerates. Two lists
// have equal sets if and only if they tolerate the same taints, valid or not: their
// order, length and wording make no difference. So a Set is the normal form of a
// list. It leaves out the seconds (rule M6); see [Grants] for those.
//
// An empty effect tolerates unknown effects too. So a toleration of each known
// effect gives another set than one with an empty effect; [Set.Restrict] leaves out
// the effects that do not matter.
//
// The zero Set is empty. A Set does not change; a copy shares its memory, and
// concurrent use is safe. It retains the strings of the tolerations that it was
// made of and nothing else. Compare sets with [Set.Equal].
//
// A set takes memory proportional to the number n of its tolerations. Unless
// documented otherwise, a method takes n log n steps if they are valid, and at
// most n to the power of 1.5, times log n, if they are not. For two sets, n is the
// sum.
type Set struct {
	cells []cell // by key and effect, none of them empty
}

// NewSet returns the set of the taints that at least one of tolerations tolerates
// ([Toleration.Tolerates]). Gt and Lt count like any other operator; for a default
// cluster pass the list of [Rules.Active]. Tolerations that match nothing add
// nothing. Duplicates and invalid tolerations are allowed. The set of an empty or
// nil list is empty.
func NewSet(tolerations []Toleration) Set {
	s, _ := newSet(entriesOf(tolerations))
	return s
}

// Contains reports whether x is in s, that is, whether the list tolerates it. x
// need not be valid. Contains takes log n steps and does not allocate.
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
// It takes constant time. A set that is not empty may hold only invalid taints;
// [Set.Example] returns a valid one if there is any.
func (s Set) Empty() bool {
	return len(s.cells) == 0
}

// Everything reports whether s holds every taint whose effect is in effects, for
// all keys and values. It is true if effects is empty. It takes log n steps and
// does not allocate. To learn whether the taints are also tolerated forever, ask
// [Grants.Forever].
func (s Set) Everything(effects taint.EffectSet) bool {
	for e := range effects.Known() {
		if l := s.at("", e); !l.every() {
			return false
		}
	}
	l := s.at("", "")
	return effects&taint.OtherEffects == 0 || l.every()
}

// Restrict returns the taints of s that have one of the known effects in effects.
// It drops the taints with unknown effects, even if effects has
// [taint.OtherEffects]: no toleration stands for all unknown effects and only them.
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

// Union returns the taints that are in s or in other: the set of both lists
// together.
func (s Set) Union(other Set) Set {
	union, _ := newSet(append(s.entries(), other.entries()...))
	return union
}
