package compile

import (
	"slices"

	"github.com/tolero-dev/tolero/compile/internal/decimal"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// builder gathers tolerations into groups.
type builder struct {
	anyKey group
	groups []group
	byKey  map[string]int // positions in groups, once there are many
	odd    []toleration.Toleration
}

// add takes t in. What matches nothing is dropped (rules M2, N2).
func (b *builder) add(t *toleration.Toleration) {
	set := taint.AllEffects
	if t.Effect != "" {
		set = t.Effect.Set()
	}
	if set == taint.OtherEffects { // one unknown effect, which the set cannot name
		b.odd = append(b.odd, *t)
		return
	}
	switch t.Operator {
	case toleration.OpExists:
		b.group(t.Key).every |= set
	case toleration.OpEqual, "":
		b.group(t.Key).add(t.Value, set)
	case toleration.OpGt, toleration.OpLt:
		bound, ok := decimal.Parse(t.Value)
		if !ok {
			return
		}
		b.group(t.Key).more().addNumbers(t.Operator, bound, set)
	}
}

// group returns the group of key, made if need be. It is valid until the next
// call.
func (b *builder) group(key string) *group {
	if key == "" {
		return &b.anyKey
	}
	if i, found := b.find(key); found {
		return &b.groups[i]
	}
	b.groups = append(b.groups, group{key: key})
	if b.byKey != nil {
		b.byKey[key] = len(b.groups) - 1
	} else if len(b.groups) > manyGroups {
		b.byKey = make(map[string]int, 2*len(b.groups))
		for i := range b.groups {
			b.byKey[b.groups[i].key] = i
		}
	}
	return &b.groups[len(b.groups)-1]
}

// manyGroups is how many groups are scanned for a key before a map is made.
const manyGroups = 16

func (b *builder) find(key string) (position int, found bool) {
	if b.byKey != nil {
		position, found = b.byKey[key]
		return position, found
	}
	for i := range b.groups {
		if b.groups[i].key == key {
			return i, true
		}
	}
	return 0, false
}

// finish puts the groups into m, without what is redundant.
func (b *builder) finish(m *Matcher) {
	b.anyKey.seal(0)
	for i := range b.groups {
		b.groups[i].seal(b.anyKey.every)
	}
	m.anyKey = b.anyKey
	m.keys = newTable(slices.DeleteFunc(b.groups, func(g group) bool { return g.empty() }))
	if b.anyKey.every&taint.OtherEffects == 0 {
		m.odd = b.odd
	}
	m.uncommon = len(m.odd) > 0 || m.anyKey.some != 0 || m.anyKey.rest != nil
}

// firstForSome returns the tolerations that can be the ones whose seconds count
// for some NoExecute taint, in the order of the list, under every policy: those
// that no earlier one covers with as many seconds (rule E2). It returns nil if
// no seconds are set at all.
func firstForSome(tolerations []toleration.Toleration) []toleration.Toleration {
	var evicting []toleration.Toleration
	limited := false
	for i := range tolerations {
		t := &tolerations[i]
		if t.Effect != "" && t.Effect != taint.NoExecute || coveredByOne(evicting, t) {
			continue
		}
		evicting = append(evicting, *t)
		limited = limited || t.TolerationSeconds != nil
	}
	if !limited {
		return nil
	}
	return evicting
}

// manyCovers is how many tolerations a list may have for its redundant ones to
// be looked for, which takes time by the square of the length.
const manyCovers = 64

func coveredByOne(list []toleration.Toleration, t *toleration.Toleration) bool {
	if len(list) > manyCovers {
		return false
	}
	for i := range list {
		if list[i].Covers(t) {
			return true
		}
	}
	return false
}
