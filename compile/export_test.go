package compile

import (
	"hash/maphash"
	"math"

	"github.com/tolero-dev/tolero/compile/internal/invariant"
	"github.com/tolero-dev/tolero/compile/internal/probe"
	"github.com/tolero-dev/tolero/taint"
)

// WeakHashes are hash functions under which much or all collides.
var WeakHashes = map[string]func(maphash.Seed, string) uint32{
	"constant": func(maphash.Seed, string) uint32 { return 0 },
	"four bit": func(seed maphash.Seed, text string) uint32 { return uint32(maphash.String(seed, text)) % 16 },
}

// WithHash calls f with all strings hashed by the given function. A vocabulary must not
// outlive it.
func WithHash(h func(maphash.Seed, string) uint32, f func()) {
	old := hash
	defer func() { hash = old }()
	hash = h
	f()
}

// Inspect returns what is wrong with v.
func (v *Vocabulary) Inspect() error { return v.inspect() }

// Room returns how many positions v has.
func (v *Vocabulary) Room() int { return v.keys.Len() + v.pairs.Len() }

// Size returns how much there is in m that a question may have to look at.
func (m *Matcher) Size() int {
	return len(m.keys) + len(m.pairs) + len(m.bounds) + len(m.anyValues) + len(m.order)
}

// Steps returns how many keys and pairs AppendTolerated looks at.
func (m *Matcher) Steps(effects taint.EffectSet) int {
	w := walk{m: m, effects: effects, left: math.MaxInt}
	w.run()
	return math.MaxInt - w.left
}

// CountsSteps reports whether the program was built to count steps.
const CountsSteps = invariant.Enabled

// Cells returns how many cells of hash tables f looks at.
func Cells(f func()) int {
	probe.Counting, probe.Looked = true, 0
	defer func() { probe.Counting = false }()
	f()
	return probe.Looked
}

// Secret returns the secret of v.
func (v *Vocabulary) Secret() [2]uint64 { return v.secret }

// PairHash returns the hash of a pair.
func (v *Vocabulary) PairHash(key uint32, value string) uint32 { return v.pairHash(key, value, "") }
