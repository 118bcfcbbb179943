package toleration

import (
	"encoding/binary"
	"slices"
)

// AppendSignature appends a signature of g to dst and returns the extended
// slice. Two Grants have equal signatures if and only if they are equal. A
// signature is the same on every machine and in every release. It takes n log n
// steps.
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
//
// If the list has too many crossings (see [Grants]), the signature starts with a byte
// 1 and the tolerations that count for some taint, in the order of the list: how many,
// and the seconds of each. For each key follows the number of the one that counts, and
// then the words and integers for which another one does.
func (g Grants) AppendSignature(dst []byte) []byte {
	if crowded(&g.firsts) {
		return g.appendRows(append(dst, 1))
	}
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

// appendRows appends what g was made of, as far as it counts.
func (g *Grants) appendRows(dst []byte) []byte {
	n := len(g.seconds)
	number := make([]uint64, n+1) // of the toleration at a position, from 1 on; 0 if it does not count
	var seconds []byte
	count := uint64(0)
	for position, counts := range g.firsts.counting(n) {
		if counts {
			count++
			number[position] = count
			seconds = binary.AppendUvarint(seconds, uint64(g.seconds[position]))
		}
	}
	dst = append(binary.AppendUvarint(dst, count), seconds...)
	appendFirst := func(dst []byte, first int) []byte { return binary.AppendUvarint(dst, number[min(first, n)]) }
	dst = g.firsts.anyKey.appendFirsts(dst, appendFirst)
	for i := range g.firsts.keys {
		dst = g.firsts.keys[i].appendFirsts(dst, appendFirst)
	}
	return dst
}

// appendFirsts appends the first matches of r, each as first appends it.
func (r *row) appendFirsts(dst []byte, first func(dst []byte, position int) []byte) []byte {
	dst = first(appendString(dst, r.key), r.rest)
	for i := range r.words {
		if w := &r.words[i]; w.first != r.rest {
			dst = first(appendString(append(dst, 1), w.word), w.first)
		}
	}
	dst = append(dst, 2)
	before := r.rest
	for i := range r.parts {
		if p := &r.parts[i]; p.first != before {
			dst = first(binary.BigEndian.AppendUint64(append(dst, 3), uint64(p.lo)), p.first)
			before = p.first
		}
	}
	return append(dst, 0)
}
