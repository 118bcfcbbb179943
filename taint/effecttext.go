package taint

import (
	"fmt"
	"strings"
)

// The names of [OtherEffects] and of the empty set in texts.
const (
	otherName = "other"
	noneName  = "none"
)

// AppendTo appends the effects of s to dst, separated by "|", unknown ones as
// "other", and "none" for the empty set, and returns the extended slice.
// [ParseEffectSet] reads s back. It does not allocate if dst has room.
func (s EffectSet) AppendTo(dst []byte) []byte {
	start := len(dst)
	add := func(name string) {
		if len(dst) > start {
			dst = append(dst, '|')
		}
		dst = append(dst, name...)
	}
	for e := range s.Known() {
		add(string(e))
	}
	if s&OtherEffects != 0 {
		add(otherName)
	}
	if len(dst) == start {
		add(noneName)
	}
	return dst
}

// String returns the text that [EffectSet.AppendTo] writes, such as
// "NoSchedule|NoExecute" for [Hard].
func (s EffectSet) String() string {
	return string(s.AppendTo(nil))
}

// ParseEffectSet reads a set of effects in the form that [EffectSet.String]
// writes:
//
//	set    = "none" | effect { "|" effect }
//	effect = "NoSchedule" | "PreferNoSchedule" | "NoExecute" | "other"
//
// Effects may be in any order and may be repeated. The error repeats the text
// and names the first word at fault; the result is then the empty set.
func ParseEffectSet(text string) (EffectSet, error) {
	if text == noneName {
		return 0, nil
	}
	var s EffectSet
	for name := range strings.SplitSeq(text, "|") {
		effect := Effect(name).Set()
		if effect == OtherEffects && name != otherName {
			return 0, fmt.Errorf("effects %q: %q is none of NoSchedule, PreferNoSchedule, NoExecute and other, separated by \"|\", or none alone", text, name)
		}
		s |= effect
	}
	return s, nil
}

// MarshalText returns the text of [EffectSet.AppendTo]. It never fails.
func (s EffectSet) MarshalText() ([]byte, error) {
	return s.AppendTo(nil), nil
}

// UnmarshalText sets s to the set that [ParseEffectSet] reads. An error leaves
// s as it was.
func (s *EffectSet) UnmarshalText(text []byte) error {
	set, err := ParseEffectSet(string(text))
	if err == nil {
		*s = set
	}
	return err
}
