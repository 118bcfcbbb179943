// Package ordered has a list that is kept in the order of its keys, whatever the order
// in which they come.
//
// It is a skip list: every entry is linked to the next one, one in four also to the next
// of those, one in sixteen to the next of these, and so on. Slices that are kept sorted are
// smaller and faster while they are short, but an insertion moves what follows it: n
// entries take time n². Here n entries take n log n, whoever chooses the keys, because
// chance decides which entries get more links.
package ordered

import (
	"cmp"
	"math/bits"
	"math/rand/v2"
)

// levels is enough for 4^16 entries.
const levels = 16

// List is entries in the order of their keys, each of which it has once. The zero List is
// empty and ready. It must not be copied. Any number of goroutines may read it as long as
// none changes it. It retains keys and values.
type List[K cmp.Ordered, V any] struct {
	head Entry[K, V] // has no key: the links to the first entries
}

// Entry is a key and its value. Only the list changes it.
type Entry[K cmp.Ordered, V any] struct {
	Key   K
	Value V
	next  []*Entry[K, V] // by level
}

// First returns the entry with the least key, or nil.
func (l *List[K, V]) First() *Entry[K, V] { return l.head.Next() }

// Next returns the entry with the next key, or nil after the last one.
func (e *Entry[K, V]) Next() *Entry[K, V] {
	if len(e.next) == 0 {
		return nil
	}
	return e.next[0]
}

// Get returns the entry with the key, or nil. It does not allocate.
func (l *List[K, V]) Get(key K) *Entry[K, V] {
	var path [levels]*Entry[K, V]
	found, _ := l.seek(key, &path)
	return found
}

// Set gives a key its value, in the place of the one that it had, if any.
func (l *List[K, V]) Set(key K, value V) {
	var path [levels]*Entry[K, V]
	if found, _ := l.seek(key, &path); found != nil {
		found.Value = value
		return
	}
	e := &Entry[K, V]{Key: key, Value: value, next: make([]*Entry[K, V], height())}
	for level := range e.next {
		if level == len(l.head.next) {
			l.head.next = append(l.head.next, nil)
			path[level] = &l.head
		}
		before := path[level]
		e.next[level], before.next[level] = before.next[level], e
	}
}

// Delete takes out the entry with the key, if there is one.
func (l *List[K, V]) Delete(key K) {
	var path [levels]*Entry[K, V]
	found, _ := l.seek(key, &path)
	if found == nil {
		return
	}
	for level, next := range found.next {
		path[level].next[level] = next
	}
	top := len(l.head.next)
	for top > 0 && l.head.next[top-1] == nil {
		top--
	}
	l.head.next = l.head.next[:top]
}

// seek returns the entry with the key, or nil, and the entries before it by level. steps
// is how many links it looked at.
func (l *List[K, V]) seek(key K, path *[levels]*Entry[K, V]) (found *Entry[K, V], steps int) {
	at := &l.head
	for level := len(l.head.next) - 1; level >= 0; level-- {
		for steps++; at.next[level] != nil && at.next[level].Key < key; steps++ {
			at = at.next[level]
		}
		path[level] = at
	}
	if e := at.Next(); e != nil && e.Key == key {
		found = e
	}
	return found, steps
}

// height returns how many links an entry gets: one more with a chance of one in four.
func height() int {
	return bits.TrailingZeros32(rand.Uint32()|1<<(2*levels-2))/2 + 1
}
