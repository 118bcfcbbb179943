package index

import (
	"github.com/tolero-dev/tolero/compile/internal/bits"
	"github.com/tolero-dev/tolero/compile/internal/decimal"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// postings is the classes of pods by what they tolerate of hard taints. The zero postings
// is empty.
type postings struct {
	words  map[posting]*bits.Blocks[PodClass]
	bounds map[posting]map[PodClass]int64 // of the bounds of a pod class, the one that tolerates most
}

// posting is some values of a key, or of every key if that is empty, with a hard effect.
type posting struct {
	key, value string // the value with OneValue only
	kind       toleration.ValuesKind
	effect     taint.Effect
}

// hard are the effects that keep pods away.
var hard = [...]taint.Effect{taint.NoSchedule, taint.NoExecute}

// each calls visit with each posting of a list, and the bound of Gt and Lt.
func each(tolerations []toleration.Toleration, rules toleration.Rules, visit func(p posting, bound int64)) {
	for i := range tolerations {
		t := &tolerations[i]
		if !rules.Comparisons && t.Operator.Comparison() {
			continue
		}
		values := t.Values()
		for _, effect := range hard {
			if t.Effect == "" || t.Effect == effect {
				visit(posting{t.Key, values.Value, values.Kind, effect}, values.Bound)
			}
		}
	}
}

// add adds a pod class with its tolerations.
func (p *postings) add(class PodClass, tolerations []toleration.Toleration, rules toleration.Rules) {
	if p.words == nil {
		p.words, p.bounds = make(map[posting]*bits.Blocks[PodClass]), make(map[posting]map[PodClass]int64)
	}
	each(tolerations, rules, func(at posting, bound int64) {
		switch at.kind {
		case toleration.EveryValue, toleration.OneValue:
			if p.words[at] == nil {
				p.words[at] = new(bits.Blocks[PodClass])
			}
			p.words[at].Add(class)
		case toleration.IntegersAbove, toleration.IntegersBelow:
			if p.bounds[at] == nil {
				p.bounds[at] = make(map[PodClass]int64)
			}
			if old, ok := p.bounds[at][class]; ok {
				bound = wider(at.kind, old, bound)
			}
			p.bounds[at][class] = bound
		}
	})
}

// wider returns the bound of two that tolerates more.
func wider(kind toleration.ValuesKind, a, b int64) int64 {
	if kind == toleration.IntegersAbove {
		return min(a, b)
	}
	return max(a, b)
}

// remove removes a pod class that was added with the tolerations.
func (p *postings) remove(class PodClass, tolerations []toleration.Toleration, rules toleration.Rules) {
	each(tolerations, rules, func(at posting, _ int64) {
		if classes := p.words[at]; classes != nil {
			if classes.Remove(class); classes.Empty() {
				delete(p.words, at)
			}
		}
		if classes := p.bounds[at]; classes != nil {
			if delete(classes, class); len(classes) == 0 {
				delete(p.bounds, at)
			}
		}
	})
}

// tolerating adds to dst the pod classes that tolerate a hard taint.
func (p *postings) tolerating(dst *bits.Set[PodClass], t *taint.Taint) {
	integer, isInteger := decimal.Parse(t.Value)
	for _, key := range [...]string{t.Key, ""} {
		for _, at := range [...]posting{{key, "", toleration.EveryValue, t.Effect}, {key, t.Value, toleration.OneValue, t.Effect}} {
			if classes := p.words[at]; classes != nil {
				classes.AddTo(dst)
			}
		}
		for _, kind := range [...]toleration.ValuesKind{toleration.IntegersAbove, toleration.IntegersBelow} {
			if !isInteger || len(p.bounds) == 0 {
				break
			}
			for class, bound := range p.bounds[posting{key, "", kind, t.Effect}] {
				if integer != bound && wider(kind, integer, bound) == bound {
					dst.Add(class)
				}
			}
		}
		if t.Key == "" {
			break // it is the same
		}
	}
}
