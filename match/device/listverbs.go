package device

import "slices"

// item is what a list of taints or of tolerations holds. The verbs on lists are written
// once for both.
type item[T any] interface {
	*T
	Matches(*T) bool
	Equal(*T) bool
	identity() content
	content() content
	key() string
}

// content is what two equal items have in common. Their identity is what two items that
// match have in common, with nothing in the other fields.
type content struct {
	key, operator, value, effect string
	limited                      bool
	seconds                      int64
	nanoseconds                  int
}

func (t *Taint) key() string { return t.Key }

func (t *Taint) identity() content { return content{key: t.Key, effect: string(t.Effect)} }

func (t *Taint) content() content {
	c := t.identity()
	c.value = t.Value
	if t.added() {
		c.limited, c.seconds, c.nanoseconds = true, t.TimeAdded.Unix(), t.TimeAdded.Nanosecond()
	}
	return c
}

func (t *Toleration) key() string { return t.Key }

func (t *Toleration) identity() content {
	return content{key: t.Key, operator: string(t.Operator), value: t.Value, effect: string(t.Effect)}
}

func (t *Toleration) content() content {
	c := t.identity()
	if t.TolerationSeconds != nil {
		c.limited, c.seconds = true, *t.TolerationSeconds
	}
	return c
}

// shortList is the length up to which a list is searched rather than put into a hash
// table. The API allows 16 items; longer lists must not cost the square of their length.
const shortList = 16

func find[T any, P item[T]](list []T, x *T) (index int, found bool) {
	for i := range list {
		if P(&list[i]).Matches(x) {
			return i, true
		}
	}
	return 0, false
}

func keyExists[T any, P item[T]](list []T, key string) bool {
	for i := range list {
		if P(&list[i]).key() == key {
			return true
		}
	}
	return false
}

func equal[T any, P item[T]](a, b []T) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !P(&a[i]).Equal(&b[i]) {
			return false
		}
	}
	return true
}

func equalUnordered[T any, P item[T]](a, b []T) bool {
	if len(a) != len(b) {
		return false
	}
	if len(a) > shortList {
		return equalCounts[T, P](a, b)
	}
	var used [shortList]bool
	for i := range a {
		if !useOne[T, P](b, &used, &a[i]) {
			return false
		}
	}
	return true
}

// useOne takes an item that equals x and is not yet in use, and reports whether there is
// one.
func useOne[T any, P item[T]](list []T, used *[shortList]bool, x *T) bool {
	for i := range list {
		if !used[i] && P(&list[i]).Equal(x) {
			used[i] = true
			return true
		}
	}
	return false
}

// equalCounts is equalUnordered for long lists of the same length.
func equalCounts[T any, P item[T]](a, b []T) bool {
	counts := make(map[content]int, len(a))
	for i := range a {
		counts[P(&a[i]).content()]++
	}
	for i := range b {
		c := P(&b[i]).content()
		if counts[c]--; counts[c] < 0 {
			return false
		}
	}
	return true
}

// upsert puts x in the place of the first item that matches it, and leaves out the
// others.
func upsert[T any, P item[T]](dst, list []T, x T) (out []T, changed bool) {
	found := false
	for i := range list {
		old := list[i]
		switch {
		case !P(&old).Matches(&x):
			dst = append(dst, old)
		case found:
			changed = true
		default:
			found = true
			if P(&old).Equal(&x) {
				dst = append(dst, old)
			} else {
				changed, dst = true, append(dst, x)
			}
		}
	}
	if !found {
		return append(dst, x), true
	}
	return dst, changed
}

func remove[T any](dst, list []T, leaves func(*T) bool) (out []T, removed bool) {
	for i := range list {
		if leaves(&list[i]) {
			removed = true
			continue
		}
		dst = append(dst, list[i])
	}
	return dst, removed
}

func difference[T any, P item[T]](dst, a, b []T) []T {
	if min(len(a), len(b)) <= shortList {
		for i := range a {
			if _, found := find[T, P](b, &a[i]); !found {
				dst = append(dst, a[i])
			}
		}
		return dst
	}
	known := make(map[content]struct{}, len(b))
	for i := range b {
		known[P(&b[i]).identity()] = struct{}{}
	}
	for i := range a {
		if _, found := known[P(&a[i]).identity()]; !found {
			dst = append(dst, a[i])
		}
	}
	return dst
}

func clone[T any](list []T, deepen func(*T)) []T {
	copied := slices.Clone(list)
	for i := range copied {
		deepen(&copied[i])
	}
	return copied
}
