package toleration

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/tolero-dev/tolero/taint"
)

// firsts says which toleration of a list is the first that matches a taint, for
// the taints with one effect. Its memory is linear in the length of the list.
type firsts struct {
	anyKey row
	keys   []row // by key
}

// none is the position of no toleration. It is after all others.
const none = math.MaxInt

// row has the tolerations for one key. Positions are those in the list.
type row struct {
	key   string
	rest  int         // the first with Exists, or none
	words []firstWord // by word
	parts []firstPart // of all integers in ascending order; nil if none has an integer
}

type firstWord struct {
	word  string
	first int
}

// placed is the toleration at a position.
type placed struct {
	key      string
	values   valueSet
	position int
}

// newFirsts returns the first matches for taints with the given effect; the empty
// effect is any that no toleration names. order has the indexes of the list in the
// order that counts, and positions are positions in it.
func newFirsts(tolerations []Toleration, order []int, effect taint.Effect) firsts {
	list := placedFor(tolerations, order, effect)
	slices.SortFunc(list, comparePlaced)
	f := firsts{anyKey: row{rest: none}}
	for len(list) > 0 {
		n := 1
		for n < len(list) && list[n].key == list[0].key {
			n++
		}
		if r := newRow(list[:n]); r.key == "" {
			f.anyKey = r
		} else {
			f.keys = append(f.keys, r)
		}
		list = list[n:]
	}
	return f
}

// placedFor returns the tolerations that can match taints with the effect.
func placedFor(tolerations []Toleration, order []int, effect taint.Effect) []placed {
	var list []placed
	for position, i := range order {
		t := &tolerations[i]
		if t.Effect != "" && t.Effect != effect {
			continue
		}
		if values := t.values(); values.kind != noValue {
			list = append(list, placed{t.Key, values, position})
		}
	}
	return list
}

// comparePlaced orders tolerations by key, and then as newRow needs them.
func comparePlaced(a, b placed) int {
	return cmp.Or(
		strings.Compare(a.key, b.key),
		cmp.Compare(a.values.kind, b.values.kind),
		strings.Compare(a.values.word, b.values.word),
		cmp.Compare(a.position, b.position),
	)
}

// newRow makes a row of a sorted list for one key.
func newRow(list []placed) row {
	r := row{key: list[0].key, rest: none}
	if list[0].values.kind == everyValue {
		r.rest = list[0].position
	}
	var numbers []placed
	for i := range list {
		switch p := &list[i]; p.values.kind {
		case integers:
			numbers = append(numbers, *p)
		case oneWord:
			if n := len(r.words); n == 0 || r.words[n-1].word != p.values.word {
				r.words = append(r.words, firstWord{p.values.word, min(p.position, r.rest)})
			}
		}
	}
	if len(numbers) > 0 {
		r.parts = newParts(numbers, r.rest)
	}
	return r
}

// row returns the row for key, or one without tolerations.
func (f *firsts) row(key string) *row {
	i, found := slices.BinarySearchFunc(f.keys, key, func(r row, key string) int { return strings.Compare(r.key, key) })
	if !found {
		return &noRow
	}
	return &f.keys[i]
}

var noRow = row{rest: none}

// first returns the position of the first toleration that matches a taint with
// key and value, or none.
func (f *firsts) first(key, value string) int {
	if n, ok := parseInteger(value); ok {
		return f.firstOfInteger(key, n)
	}
	return f.firstOfWord(key, value)
}

func (f *firsts) firstOfWord(key, word string) int {
	return min(f.anyKey.firstOfWord(word), f.row(key).firstOfWord(word))
}

func (f *firsts) firstOfInteger(key string, n int64) int {
	return min(f.anyKey.firstOfInteger(n), f.row(key).firstOfInteger(n))
}

// firstOfRest is the first for values that no toleration names and that are no
// integers.
func (f *firsts) firstOfRest(key string) int {
	return min(f.anyKey.rest, f.row(key).rest)
}

func (r *row) firstOfWord(word string) int {
	i, found := slices.BinarySearchFunc(r.words, word, func(w firstWord, word string) int { return strings.Compare(w.word, word) })
	if !found {
		return r.rest
	}
	return r.words[i].first
}

func (r *row) firstOfInteger(n int64) int {
	if len(r.parts) == 0 {
		return r.rest
	}
	return r.parts[partOf(r.parts, n)].first
}
