package toleration

import (
	"math"
	"slices"
)

// probes are values that stand for all values of taints with one key: words, the
// integers at which something changes, both in ascending order, and any one word
// that is not among them.
//
// If every toleration with an empty key is Exists, the probes of all keys together
// are linear in the length of the list. Otherwise there can be as many as keys times
// values.
type probes struct {
	words    []string
	integers []int64
}

// probe sets p to the probes for key in all of the given.
func (p *probes) probe(key string, all ...*firsts) {
	p.words, p.integers = p.words[:0], append(p.integers[:0], math.MinInt64, 0) // from 0 on integers can be valid
	for _, f := range all {
		p.add(&f.anyKey)
		p.add(f.row(key))
	}
	slices.Sort(p.words)
	slices.Sort(p.integers)
	p.words, p.integers = slices.Compact(p.words), slices.Compact(p.integers)
}

func (p *probes) add(r *row) {
	for i := range r.words {
		p.words = append(p.words, r.words[i].word)
	}
	for i := range r.parts {
		p.integers = append(p.integers, r.parts[i].lo)
	}
}

// newWord returns a valid word that is not in p.
func (p *probes) newWord() string {
	return newName("", "value-", func(word string) bool {
		_, found := slices.BinarySearch(p.words, word)
		return found
	})
}

// keysOf returns all keys that are named, in ascending order, after the empty
// one, which stands for those that are not.
func keysOf(all ...*firsts) []string {
	keys := []string{""}
	for _, f := range all {
		for i := range f.keys {
			keys = append(keys, f.keys[i].key)
		}
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}
