package compile

import "github.com/tolero-dev/tolero/taint"

// TaintSet is the interned taints that a [Matcher] tolerates, as a table: for each pair
// of key and value a set of effects. It is for the inner loop of a program that asks
// about very many nodes, into which its methods are inlined.
//
// It is that of the taints in use when [Matcher.Set] gave it, and does not notice when
// others come. Use it while the taints of the vocabulary do not change, or else ask the
// Matcher, which notices.
//
// The zero TaintSet is empty. A TaintSet is small, and may be copied and used
// concurrently. It shares memory with its Matcher, and is valid until that is compiled
// again.
type TaintSet struct {
	anyKey taint.EffectSet   // what is tolerated under any key
	byPair []taint.EffectSet // what is tolerated of each pair, by position
}

// Set returns the interned taints that m tolerates as a set. If the taints of the
// vocabulary have changed since m was compiled, Set compiles it again.
//
// The first call after [Matcher.Compile], or after such a change, belongs to
// compiling: only one goroutine at a time may make it, and none may ask m meanwhile. It
// takes some nanoseconds for each value in use of the keys that are tolerated with
// Exists, Gt and Lt; without a key, which validation refuses, Gt, Lt and Equal look at
// every taint. It allocates as Compile does. Later
// calls take constant time.
func (m *Matcher) Set() TaintSet {
	if !m.filled || m.changed() {
		m.fill()
	}
	return TaintSet{m.anyKey, m.table}
}

// fill notes with each pair all that is tolerated of it. The table is its own, so that
// compiling again need not clear it.
func (m *Matcher) fill() {
	if m.vocabulary == nil {
		return
	}
	if m.changed() {
		m.compile(m.vocabulary)
	}
	for _, id := range m.spread {
		m.table[id.pair()] = 0
	}
	m.spread = m.AppendTolerated(m.spread[:0], (taint.Hard|taint.Soft)&^m.anyKey)
	m.table = grow(m.table, len(m.byPair))
	for _, id := range m.spread {
		m.table[id.pair()] |= id.Effects()
	}
	m.filled = true
}

// Has reports whether a taint is in the set. It is a load and a test of bits. A taint
// with an unknown effect is in the set only if all are, by a toleration that is just
// Exists.
func (s *TaintSet) Has(id TaintID) bool {
	pair := uint(id.pair())
	return id.Effects()&s.anyKey != 0 || pair < uint(len(s.byPair)) && id.Effects()&s.byPair[pair] != 0
}

// FirstUntolerated returns the index of the first ID whose taint has one of the given
// effects and is not in the set, and whether there is one (rules F2, F3). It takes about
// a nanosecond for each ID up to that.
//
// It knows nothing of unknown effects: ask the Matcher if effects has
// [taint.OtherEffects].
func (s *TaintSet) FirstUntolerated(ids []TaintID, effects taint.EffectSet) (index int, ok bool) {
	effects &^= s.anyKey
	for i, id := range ids {
		if asked, pair := id.Effects()&effects, uint(id.pair()); asked != 0 && (pair >= uint(len(s.byPair)) || asked&^s.byPair[pair] != 0) {
			return i, true
		}
	}
	return 0, false
}
