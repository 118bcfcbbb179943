package toleration

import (
	"encoding/binary"
	"math"
	"slices"
	"strconv"

	"github.com/tolero-dev/tolero/taint"
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

// Equal reports whether g and other give the same eviction delay for every list of
// taints. With n as the sum of the lengths, it takes n log n steps for valid lists;
// [Grants] says what it takes for invalid ones.
func (g Grants) Equal(other Grants) bool {
	_, found := g.difference(&other, false)
	return !found
}

// Difference returns a taint for which g and other give different eviction
// delays, and whether there is one. It is a valid taint if any such taint is
// valid. It takes as long as [Grants.Equal].
func (g Grants) Difference(other Grants) (witness taint.Taint, found bool) {
	if witness, found = g.difference(&other, true); !found {
		witness, found = g.difference(&other, false)
	}
	return witness, found
}

func (g *Grants) difference(other *Grants, valid bool) (witness taint.Taint, found bool) {
	var p probes
	keys := keysOf(&g.firsts, &other.firsts)
	for _, key := range keys {
		if valid && key != "" && taint.CheckKey(key) != nil {
			continue
		}
		p.probe(key, &g.firsts, &other.firsts)
		value, found := g.differ(other, key, &p, valid)
		if !found {
			continue
		}
		if key == "" {
			key = newName("key", "key-", func(key string) bool {
				_, found := slices.BinarySearch(keys, key)
				return found
			})
		}
		return taint.Taint{Key: key, Value: value, Effect: taint.NoExecute}, true
	}
	return taint.Taint{}, false
}

// differ returns a value for which the two differ with taints of a key.
func (g *Grants) differ(other *Grants, key string, p *probes, valid bool) (value string, found bool) {
	if value = p.newWord(); g.level(key, value) != other.level(key, value) {
		return value, true
	}
	for _, value = range p.words {
		if g.level(key, value) != other.level(key, value) && (!valid || taint.CheckValue(value) == nil) {
			return value, true
		}
	}
	for _, n := range p.integers {
		if value = strconv.FormatInt(n, 10); g.level(key, value) != other.level(key, value) && (!valid || n >= 0) {
			return value, true
		}
	}
	return "", false
}

// Forever reports whether no taint evicts the pod: whether every NoExecute taint is
// tolerated without a limit. It takes as long as [Grants.Equal].
func (g Grants) Forever() bool {
	_, found := g.difference(&always, false)
	return !found
}

var always = NewGrants([]Toleration{{Operator: OpExists}})

// AppendIndexes appends to dst the indexes of the tolerations, in the list that
// g was made of, that are the ones that count for some taint, in ascending
// order, and returns the extended slice. All others can be dropped from the list
// together, and g stays the same. It takes as long as [Grants.Equal].
func (g Grants) AppendIndexes(dst []int) []int {
	start := len(dst)
	for position, counts := range g.firsts.counting(len(g.seconds)) {
		if counts {
			dst = append(dst, g.order[position])
		}
	}
	slices.Sort(dst[start:])
	return dst
}

// counting returns, for each of n positions, whether the toleration there is the
// first match for some taint.
func (f *firsts) counting(n int) []bool {
	counts := make([]bool, n+1) // the last is for no toleration
	mark := func(first int) { counts[min(first, n)] = true }
	var p probes
	for _, key := range keysOf(f) {
		p.probe(key, f)
		mark(f.firstOfRest(key))
		for _, w := range p.words {
			mark(f.firstOfWord(key, w))
		}
		for _, i := range p.integers {
			mark(f.firstOfInteger(key, i))
		}
	}
	return counts[:n]
}

// AppendSignature appends a signature of g to dst and returns the extended
// slice. Two Grants have equal signatures if and only if they are equal. A
// signature is the same on every machine and in every release. It takes as long
// as [Grants.Equal].
//
// It has a record with an empty key for all keys that no toleration names, and then
// one for each key that has other seconds for some value, in ascending order. In a
// record are the following. Numbers, except as noted, are unsigned variable-length
// integers of [encoding/binary].
//
//   - the length of the key, and the key;
//   - the seconds for values that are neither integers nor in the record;
//   - the number of values that are no integers and have other seconds, and for each
//     of them, in ascending order, its length, the value and its seconds;
//   - the number of integers at which the seconds change, and for each of them, in
//     ascending order, its eight bytes, highest first, and the seconds from there on.
//     Before the first, the seconds are those for other values.
//
// Seconds that evict at once are 0; those beyond the longest [time.Duration]
// are 9223372037; no limit is 9223372036854775807.
func (g Grants) AppendSignature(dst []byte) []byte {
	var p probes
	for _, key := range keysOf(&g.firsts) {
		p.probe(key, &g.firsts)
		if key == "" || g.differsFromOthers(key, &p) {
			dst = g.appendRecord(dst, key, &p)
		}
	}
	return dst
}

// Signature returns what [Grants.AppendSignature] appends as a string, for use as
// a map key.
func (g Grants) Signature() string {
	return string(g.AppendSignature(nil))
}

// differsFromOthers reports whether key and a key that is not named differ for
// some value.
func (g *Grants) differsFromOthers(key string, p *probes) bool {
	f := &g.firsts
	if g.levelOf(f.firstOfRest(key)) != g.levelOf(f.firstOfRest("")) {
		return true
	}
	for _, w := range p.words {
		if g.levelOf(f.firstOfWord(key, w)) != g.levelOf(f.firstOfWord("", w)) {
			return true
		}
	}
	for _, n := range p.integers {
		if g.levelOf(f.firstOfInteger(key, n)) != g.levelOf(f.firstOfInteger("", n)) {
			return true
		}
	}
	return false
}

func (g *Grants) appendRecord(dst []byte, key string, p *probes) []byte {
	f := &g.firsts
	rest := g.levelOf(f.firstOfRest(key))
	dst = appendString(dst, key)
	dst = binary.AppendUvarint(dst, uint64(rest))
	words := slices.DeleteFunc(p.words, func(w string) bool { return g.levelOf(f.firstOfWord(key, w)) == rest })
	dst = binary.AppendUvarint(dst, uint64(len(words)))
	for _, w := range words {
		dst = appendString(dst, w)
		dst = binary.AppendUvarint(dst, uint64(g.levelOf(f.firstOfWord(key, w))))
	}
	before := rest
	changes := slices.DeleteFunc(p.integers, func(n int64) bool {
		last := before
		before = g.levelOf(f.firstOfInteger(key, n))
		return before == last
	})
	dst = binary.AppendUvarint(dst, uint64(len(changes)))
	for _, n := range changes {
		dst = binary.BigEndian.AppendUint64(dst, uint64(n))
		dst = binary.AppendUvarint(dst, uint64(g.levelOf(f.firstOfInteger(key, n))))
	}
	return dst
}

func appendString(dst []byte, s string) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(s)))
	return append(dst, s...)
}
