package index

import (
	"cmp"
	"math"
	"slices"

	"github.com/tolero-dev/tolero/compile/internal/decimal"
	"github.com/tolero-dev/tolero/compile/internal/invariant"
	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// matcher is a toleration list in the words of a vocabulary: for each key and each
// pair the effects that are tolerated. Equal and redundant tolerations merge, so that
// what is asked later costs what is tolerated, however it was said.
type matcher struct {
	vocabulary *vocabulary
	list       []toleration.Toleration // those that count, in their order

	every taint.EffectSet // tolerated whatever the key and value
	keys  []mark          // by position: what is tolerated with every value
	pairs []mark          // by position, beside what is tolerated with every value
	epoch uint32
	// The positions that have a mark.
	keyList, pairList []uint32
	ranges            []keyRange // sorted by key, which have the mark ranged

	// What validation refuses: Equal, Gt and Lt without a key.
	anyValues []anyValue // sorted by hash
	anyRange  numbers
	other     bool // some have an unknown effect
	seconds   bool // some have seconds
	steps     int  // counted in tests with invariants
}

// mark is the epoch of a list and the effects that it tolerates.
type mark uint32

const (
	markBits      = 5
	ranged   mark = 1 << (markBits - 1) // there is a range for the key
)

// lastEpoch is the last epoch that fits into a mark.
const lastEpoch = 1<<(32-markBits) - 1

// keyRange is the numbers that are tolerated of a key.
type keyRange struct {
	key uint32
	numbers
}

// numbers is ranges by effect: what is above one bound or below the other.
type numbers struct {
	hasAbove, hasBelow taint.EffectSet
	above, below       [4]int64
}

// anyValue is a value that is tolerated with every key.
type anyValue struct {
	hash    uint32
	effects taint.EffectSet
	value   string
}

// compile fills m with those tolerations of a list that count under the rules (rule N4).
func (m *matcher) compile(v *vocabulary, tolerations []toleration.Toleration, rules toleration.Rules) {
	m.begin(v)
	for i := range tolerations {
		if t := &tolerations[i]; rules.Comparisons || !t.Operator.Comparison() {
			m.step(1)
			m.list = append(m.list, *t)
			m.add(t)
		}
	}
	if len(m.ranges) > 1 {
		m.mergeRanges()
	}
	if len(m.anyValues) > 1 {
		slices.SortFunc(m.anyValues, func(a, b anyValue) int { return cmp.Or(cmp.Compare(a.hash, b.hash), cmp.Compare(a.value, b.value)) })
	}
}

// begin makes m that of an empty list. It retains nothing of the last one.
func (m *matcher) begin(v *vocabulary) {
	clear(m.list)
	clear(m.anyValues)
	m.vocabulary, m.list, m.every = v, m.list[:0], 0
	m.keyList, m.pairList, m.ranges, m.anyValues = m.keyList[:0], m.pairList[:0], m.ranges[:0], m.anyValues[:0]
	m.anyRange, m.other, m.seconds, m.steps = numbers{}, false, false, 0
	if m.epoch++; m.epoch > lastEpoch {
		clear(m.keys[:cap(m.keys)])
		clear(m.pairs[:cap(m.pairs)])
		m.epoch = 1
	}
	m.keys, m.pairs = room(m.keys, v.keys.Len()), room(m.pairs, v.pairs.Len())
}

// room returns marks for n positions at least.
func room(marks []mark, n int) []mark {
	if n <= len(marks) {
		return marks
	}
	return append(marks, make([]mark, n-len(marks))...)
}

func (m *matcher) step(n int) {
	if invariant.Enabled {
		m.steps += n
	}
}

// add adds a toleration.
func (m *matcher) add(t *toleration.Toleration) {
	effects := taint.AllEffects
	if t.Effect != "" {
		if effects = t.Effect.Set(); effects == taint.OtherEffects {
			m.other = true // the list tells which
			return
		}
	}
	m.seconds = m.seconds || t.TolerationSeconds != nil
	if t.Key == "" {
		m.addAnyKey(t, effects)
		return
	}
	k := m.vocabulary.findKey(t.Key)
	if k == 0 {
		return // no node has it
	}
	switch t.Operator {
	case toleration.OpExists:
		m.keyList = m.mark(m.keyList, m.keys, k, mark(effects))
	case toleration.OpEqual, "":
		if p := m.vocabulary.findPair(k, t.Value); p != 0 {
			m.pairList = m.mark(m.pairList, m.pairs, p, mark(effects))
		}
		if effects&taint.OtherEffects != 0 {
			m.other = true // of a pair for each unknown effect
		}
	case toleration.OpGt, toleration.OpLt:
		r := keyRange{key: k}
		if r.add(t, effects) {
			m.ranges = append(m.ranges, r)
			m.keyList = m.mark(m.keyList, m.keys, k, ranged)
		}
	}
}

// mark adds to the mark of a position, and the position to the list of those that
// have one.
func (m *matcher) mark(list []uint32, marks []mark, position uint32, bits mark) []uint32 {
	if uint32(marks[position]>>markBits) != m.epoch {
		marks[position] = mark(m.epoch << markBits)
		list = append(list, position)
	}
	marks[position] |= bits
	return list
}

// of returns the mark of a position, without the epoch.
func (m *matcher) of(marks []mark, position uint32) mark {
	if k := marks[position]; uint32(k>>markBits) == m.epoch {
		return k & (1<<markBits - 1)
	}
	return 0
}

func (m *matcher) addAnyKey(t *toleration.Toleration, effects taint.EffectSet) {
	switch t.Operator {
	case toleration.OpExists:
		m.every |= effects
	case toleration.OpEqual, "":
		if m.vocabulary.pairs.Len() == 0 {
			return // no node has a taint, and there is no seed yet
		}
		m.anyValues = append(m.anyValues, anyValue{m.vocabulary.hasher.text(t.Value), effects, t.Value})
	case toleration.OpGt, toleration.OpLt:
		m.anyRange.add(t, effects)
	}
}

// add widens the ranges, and reports whether the value is a number (rule N2).
func (n *numbers) add(t *toleration.Toleration, effects taint.EffectSet) bool {
	bound, numeric := decimal.Parse(t.Value)
	if !numeric {
		return false
	}
	both := numbers{hasAbove: effects, above: [4]int64{bound, bound, bound, bound}}
	if t.Operator == toleration.OpLt {
		both = numbers{hasBelow: effects, below: both.above}
	}
	n.merge(&both)
	return true
}

// merge adds the ranges of others.
func (n *numbers) merge(o *numbers) {
	for e := range n.above {
		b := taint.EffectSet(1) << e
		if o.hasAbove&b != 0 && (n.hasAbove&b == 0 || o.above[e] < n.above[e]) {
			n.above[e] = o.above[e]
		}
		if o.hasBelow&b != 0 && (n.hasBelow&b == 0 || o.below[e] > n.below[e]) {
			n.below[e] = o.below[e]
		}
	}
	n.hasAbove |= o.hasAbove
	n.hasBelow |= o.hasBelow
}

// has reports whether a number is in the range of an effect.
func (n *numbers) has(e effect, number int64) bool {
	b := taint.EffectSet(1) << e
	return n.hasAbove&b != 0 && number > n.above[e] || n.hasBelow&b != 0 && number < n.below[e]
}

// mergeRanges sorts the ranges and makes one of those of a key.
func (m *matcher) mergeRanges() {
	slices.SortFunc(m.ranges, func(a, b keyRange) int { return cmp.Compare(a.key, b.key) })
	merged := m.ranges[:1]
	for i := range m.ranges[1:] {
		r := &m.ranges[1+i]
		if last := &merged[len(merged)-1]; last.key == r.key {
			last.merge(&r.numbers)
		} else {
			merged = append(merged, *r)
		}
	}
	m.ranges = merged
}

// rangeOf returns the range of a key that has the mark.
func (m *matcher) rangeOf(k uint32) *keyRange {
	i, _ := slices.BinarySearchFunc(m.ranges, k, func(r keyRange, k uint32) int { return cmp.Compare(r.key, k) })
	return &m.ranges[i]
}

// tolerates reports whether the list tolerates an element. Constant time, except for
// comparisons and for what validation refuses.
func (m *matcher) tolerates(e element) bool {
	m.step(1)
	effects := e.effects()
	if m.every&effects != 0 {
		return true
	}
	k := m.of(m.keys, e.key())
	return taint.EffectSet(k)&effects != 0 || taint.EffectSet(m.of(m.pairs, e.pair()))&effects != 0 ||
		(k&ranged != 0 || m.uncommon()) && m.toleratesRare(e, k&ranged != 0)
}

// uncommon reports whether there is something to ask beside the marks.
func (m *matcher) uncommon() bool {
	return m.other || len(m.anyValues) > 0 || m.anyRange.hasAbove|m.anyRange.hasBelow != 0
}

// toleratesRare is tolerates for what the marks do not tell.
func (m *matcher) toleratesRare(e element, hasRange bool) bool {
	p := m.vocabulary.pairs.At(e.pair())
	if p.other != nil {
		t := m.vocabulary.taint(e)
		return match.Tolerates(m.list, &t)
	}
	if p.numeric && (m.anyRange.has(e.effect(), p.number) || hasRange && m.rangeOf(p.key).has(e.effect(), p.number)) {
		return true
	}
	i, _ := slices.BinarySearchFunc(m.anyValues, p.valueHash(), func(a anyValue, hash uint32) int { return cmp.Compare(a.hash, hash) })
	for ; i < len(m.anyValues) && m.anyValues[i].hash == p.valueHash(); i++ {
		m.step(1)
		if a := &m.anyValues[i]; a.effects&e.effects() != 0 && a.value == p.value {
			return true
		}
	}
	return false
}

// appendTolerated appends to dst the hard elements with one of the effects that are
// tolerated, each once, except those that are tolerated whatever their key.
func (m *matcher) appendTolerated(dst []element, effects taint.EffectSet) []element {
	for _, k := range m.keyList {
		dst = m.appendKey(dst, k, effects)
	}
	for _, position := range m.pairList {
		p := m.vocabulary.pairs.At(position)
		left := taint.EffectSet(m.of(m.pairs, position)) & effects
		if k := m.of(m.keys, p.key); k != 0 {
			left = m.withoutKey(k, p, left)
		}
		dst = m.appendPair(dst, position, p, left)
	}
	return dst
}

// withoutKey takes those effects off that the mark of the key tolerates.
func (m *matcher) withoutKey(k mark, p *pair, effects taint.EffectSet) taint.EffectSet {
	effects &^= taint.EffectSet(k)
	if k&ranged != 0 && p.numeric {
		for _, e := range hard {
			if m.rangeOf(p.key).has(e, p.number) {
				effects &^= 1 << e
			}
		}
	}
	return effects
}

// appendPair appends the elements of a pair with some effects.
func (m *matcher) appendPair(dst []element, position uint32, p *pair, effects taint.EffectSet) []element {
	m.step(1)
	for _, e := range hard {
		if effects>>e&1 != 0 && p.uses[e] > 0 {
			dst = append(dst, elementOf(p.key, position, e))
		}
	}
	return dst
}

// appendKey appends the elements of a key that are tolerated whatever their value, or
// for their number.
func (m *matcher) appendKey(dst []element, k uint32, effects taint.EffectSet) []element {
	bits := m.of(m.keys, k)
	all := taint.EffectSet(bits) & effects & taint.Hard
	if all != 0 {
		for position := m.vocabulary.keys.At(k).first; position != 0; {
			p := m.vocabulary.pairs.At(position)
			dst = m.appendPair(dst, position, p, all)
			position = p.links[next]
		}
		dst = m.appendTree(dst, m.vocabulary.keys.At(k).root, all, math.MinInt64, math.MaxInt64)
	}
	if bits&ranged == 0 {
		return dst
	}
	r := m.rangeOf(k)
	for _, e := range hard {
		if (effects&^all)>>e&1 != 0 {
			dst = m.appendRange(dst, r, e)
		}
	}
	return dst
}

// appendRange appends the elements of a key with one effect whose number is in its range.
// Where the two parts of the range overlap, that is every number.
func (m *matcher) appendRange(dst []element, r *keyRange, e effect) []element {
	b, root := taint.EffectSet(1)<<e, m.vocabulary.keys.At(r.key).root
	above, below := r.hasAbove&b != 0, r.hasBelow&b != 0
	if above && below && r.above[e] < r.below[e] {
		return m.appendTree(dst, root, b, math.MinInt64, math.MaxInt64)
	}
	if above && r.above[e] < math.MaxInt64 {
		dst = m.appendTree(dst, root, b, r.above[e]+1, math.MaxInt64)
	}
	if below && r.below[e] > math.MinInt64 {
		dst = m.appendTree(dst, root, b, math.MinInt64, r.below[e]-1)
	}
	return dst
}

// appendTree appends the elements of a tree with some effects whose numbers are from one
// to another.
func (m *matcher) appendTree(dst []element, root uint32, effects taint.EffectSet, from, to int64) []element {
	for root != 0 {
		p := m.vocabulary.pairs.At(root)
		m.step(1)
		switch {
		case p.number < from:
			root = p.links[greater]
		case p.number > to:
			root = p.links[less]
		default:
			dst = m.appendTree(dst, p.links[less], effects, from, to)
			dst = m.appendPair(dst, root, p, effects)
			root = p.links[greater]
		}
	}
	return dst
}
