package compile

import (
	"fmt"
	"math"
	"strings"

	"github.com/tolero-dev/tolero/taint"
)

// String returns the program: a line for the engine, one for each test that a
// taint can pass, and one for each toleration whose seconds count. The form is
// for people, and may change.
func (m *Matcher) String() string {
	var p printer
	fmt.Fprintln(&p, m.engine())
	p.group("*", &m.anyKey)
	for i := range m.keys.groups {
		p.group(m.keys.groups[i].key, &m.keys.groups[i])
	}
	for i := range m.odd {
		fmt.Fprintf(&p, "\todd\t%s\n", m.odd[i])
	}
	for i := range m.evicting {
		fmt.Fprintf(&p, "\tevicting\t%s\n", m.evicting[i])
	}
	return p.String()
}

// engine names the way in which taints are answered.
func (m *Matcher) engine() string {
	switch {
	case m.anyKey.every == taint.AllEffects:
		return "everything"
	case len(m.keys.groups) == 0 && !m.uncommon && m.anyKey.every == 0:
		return "nothing"
	case m.keys.slots == nil:
		return "scan"
	case m.keys.hash == probeHash:
		return "probe hash"
	}
	return "strong hash"
}

type printer struct{ strings.Builder }

func (p *printer) group(key string, g *group) {
	if g.every != 0 {
		fmt.Fprintf(p, "\t%s\tany value\t%s\n", key, g.every)
	}
	if g.some != 0 {
		fmt.Fprintf(p, "\t%s\t= %q\t%s\n", key, g.value, g.some)
	}
	if g.rest == nil {
		return
	}
	for _, v := range g.rest.values {
		fmt.Fprintf(p, "\t%s\t= %q\t%s\n", key, v.value, v.effects)
	}
	if g.rest.numbers != nil {
		p.numbers(key, g.rest.numbers)
	}
}

func (p *printer) numbers(key string, n *numbers) {
	for i := range effects {
		set := taint.EffectSet(1) << i
		if n.above[i] != math.MaxInt64 {
			fmt.Fprintf(p, "\t%s\t> %d\t%s\n", key, n.above[i], set)
		}
		if n.below[i] != math.MinInt64 {
			fmt.Fprintf(p, "\t%s\t< %d\t%s\n", key, n.below[i], set)
		}
	}
}
