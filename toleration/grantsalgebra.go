package toleration

import (
	"slices"
	"strconv"

	"github.com/tolero-dev/tolero/taint"
)

// maxCrossings is up to how many pairs of a key and an any-key value Grants looks
// at. Only invalid lists have any: in a valid one, tolerations with an empty key are
// Exists.
const maxCrossings = 1 << 16

// crowded reports whether so many crossings are among the given that only their
// wording is compared.
func crowded(all ...*firsts) bool {
	values, keys := 0, 0
	for _, f := range all {
		values += len(f.anyKey.words) + len(f.anyKey.parts)
		keys += len(f.keys)
	}
	return keys > 0 && values > maxCrossings/keys
}

// Equal reports whether g and other give the same eviction delay for every list of
// taints. With n as the sum of the lengths, it takes n log n steps. See [Grants] for
// what it says of very long invalid lists.
func (g Grants) Equal(other Grants) bool {
	if crowded(&g.firsts, &other.firsts) {
		return g.Signature() == other.Signature()
	}
	_, found := g.find(&other, false, func(a, b int64) bool { return a != b })
	return !found
}

// Covers reports whether g never evicts a pod earlier than other does: for no list
// of taints is its eviction delay shorter. Every Grants covers itself; two that
// cover each other are equal. If g does not cover other, other.Minus(g) has a taint
// that shows it. It takes as long as [Grants.Equal].
func (g Grants) Covers(other Grants) bool {
	if crowded(&g.firsts, &other.firsts) {
		return g.Equal(other)
	}
	_, found := other.find(&g, false, longer)
	return !found
}

// Minus returns a taint for which g lets the pod stay longer than other does, and
// whether there is one. It is a valid taint if any such taint is valid. Among those,
// the choice is not specified. It takes as long as [Grants.Equal].
func (g Grants) Minus(other Grants) (witness taint.Taint, found bool) {
	if witness, found = g.find(&other, true, longer); !found {
		witness, found = g.find(&other, false, longer)
	}
	return witness, found
}

func longer(a, b int64) bool { return a > b }

// find returns a taint for which the seconds of g and of other are as asked, a valid
// one if so asked. If there are too many crossings, it looks at the first of them.
func (g *Grants) find(other *Grants, valid bool, asked func(a, b int64) bool) (witness taint.Taint, found bool) {
	var p probes
	crossings := maxCrossings
	keys := keysOf(&g.firsts, &other.firsts)
	for _, key := range keys {
		if valid && key != "" && taint.CheckKey(key) != nil {
			continue
		}
		p.probe(key, &g.firsts, &other.firsts)
		value, found := p.find(valid, func(value string) bool { return asked(g.level(key, value), other.level(key, value)) })
		if found {
			return taint.Taint{Key: keyFor(key, keys), Value: value, Effect: taint.NoExecute}, true
		}
		if crossings -= len(p.words) + len(p.integers); crossings < 0 && crowded(&g.firsts, &other.firsts) {
			break
		}
	}
	return taint.Taint{}, false
}

// keyFor returns key or, if it is empty, a valid one that is not among keys.
func keyFor(key string, keys []string) string {
	if key != "" {
		return key
	}
	return newName("key", "key-", func(key string) bool {
		_, found := slices.BinarySearch(keys, key)
		return found
	})
}

// find returns a value that is as asked, a valid one if so asked.
func (p *probes) find(valid bool, asked func(value string) bool) (value string, found bool) {
	if value = p.newWord(); asked(value) {
		return value, true
	}
	for _, value = range p.words {
		if (!valid || taint.CheckValue(value) == nil) && asked(value) {
			return value, true
		}
	}
	for _, n := range p.integers {
		if value = strconv.FormatInt(n, 10); (!valid || n >= 0) && asked(value) {
			return value, true
		}
	}
	return "", false
}

// Forever reports whether no taint evicts the pod: whether every NoExecute taint is
// tolerated without a limit. It takes n log n steps.
func (g Grants) Forever() bool {
	if g.firsts.anyKey.rest >= len(g.seconds) { // so the zero Grants, too
		return false
	}
	for position, counts := range g.firsts.counting(len(g.seconds)) {
		if counts && g.seconds[position] != forever {
			return false
		}
	}
	return true
}

// AppendIndexes appends to dst the indexes of the tolerations, in the list that
// g was made of, that are the ones that count for some taint, in ascending
// order, and returns the extended slice. All others can be dropped from the list
// together, and g stays the same. It takes n log n steps.
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
