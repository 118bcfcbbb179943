package compile

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/tolero-dev/tolero/taint"
)

// String returns the program: a line for each key, value and bound that m tolerates of
// the vocabulary with which effects, and the tolerations that may be the first to match
// something if their seconds matter. The form is for people, and may change. If the
// vocabulary has grown since m was compiled, String may name keys that took the place of
// others.
func (m *Matcher) String() string {
	var lines program
	lines.add(m.anyKey, "*\tany value")
	for _, key := range m.keys {
		lines.add(m.byKey[key], "%s\tany value", m.vocabulary.keys.At(key).text)
	}
	if !m.spread { // else byPair says more than the list
		for _, pair := range m.pairs {
			p := m.vocabulary.pairs.At(pair)
			lines.add(m.byPair[pair], "%s\t= %q", m.vocabulary.keys.At(p.key).text, p.value)
		}
	}
	for value, effects := range m.anyValues {
		lines.add(effects, "*\t= %q", value)
	}
	for i := range m.bounds {
		lines.addBounds(m.vocabulary.keys.At(m.bounds[i].key).text, &m.bounds[i].bounds)
	}
	if m.vocabulary != nil {
		lines.addBounds("*", &m.anyBounds)
	}
	slices.Sort(lines)
	if m.limited {
		for i := range m.order {
			lines = append(lines, fmt.Sprintf("\tin order\t%v\n", m.tolerations[m.order[i].index]))
		}
	}
	return fmt.Sprintf("%d taints\n", m.births) + strings.Join(lines, "")
}

// program is the lines of a program.
type program []string

func (p *program) add(effects taint.EffectSet, format string, args ...any) {
	if effects != 0 {
		*p = append(*p, fmt.Sprintf("\t"+format+"\t%v\n", append(args, effects)...))
	}
}

func (p *program) addBounds(key string, b *bounds) {
	for e := range knownEffects {
		if b.above[e] != math.MaxInt64 {
			p.add(1<<e, "%s\t> %d", key, b.above[e])
		}
		if b.below[e] != math.MinInt64 {
			p.add(1<<e, "%s\t< %d", key, b.below[e])
		}
	}
}
