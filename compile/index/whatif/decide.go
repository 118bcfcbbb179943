package whatif

import (
	"slices"
	"time"

	"github.com/tolero-dev/tolero/compile/index"
	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// judge is what decides about pods. Nodes of the same pair come together, so the list of a class
// is looked at once for each pair.
type judge struct {
	override map[overrideKey]fate
	atOnce   []remembered            // by row of the taint: the verdict of an eviction at once
	counted  []toleration.Toleration // a buffer
}

// remembered is a fate on the nodes of a pair, which the round tells.
type remembered struct {
	round uint32
	fate  fate
}

// overrideKey is pods of a class that get the list of a step.
type overrideKey struct {
	pair  uint32
	class index.PodClass
	step  int32
}

// verdict is why and when the plan evicts a pod.
type verdict struct {
	taint taint.Taint
	after time.Duration
}

// stepFor returns the step that sets the list of an owner's pods, if one does.
func stepFor(overrides map[uint32]int32, owner uint32) (step int32, found bool) {
	if overrides != nil { // most plans have none, and this is asked for each pod
		step, found = overrides[owner]
	}
	return step, found
}

// judgeClass decides about a pod that keeps its list.
func (e *evaluation) judgeClass(k *kind, pair uint32) fate {
	f, decided := e.decideByRows(pair, k)
	if !decided {
		f = e.decideByList(pair, k.class)
	}
	if f >= 0 {
		e.gone = append(e.gone, k.class)
	}
	return f
}

// decideByRows compares what becomes of the pods of a class without the plan and with it, if
// the seconds of their tolerations make no difference. Mostly they make none.
func (e *evaluation) decideByRows(pair uint32, k *kind) (f fate, decided bool) {
	p := &e.pairs[pair]
	i, refused := e.firstUntolerated(p.rowsAfter, k.class)
	if len(p.rowsBefore) == 0 && refused {
		return e.now(pair, i), true
	}
	_, before := e.firstUntolerated(p.rowsBefore, k.class)
	switch {
	case refused && before: // rule E1
		return anyway, true
	case refused && (k.limit == unlimited || k.limit == notAtOnce && e.Policy != match.SinceAdded):
		return e.now(pair, i), true
	case k.limit == unlimited && before: // from here on the class tolerates all taints after the plan, or has seconds
		return spared, true
	case k.limit == unlimited:
		return stays, true
	}
	return 0, false
}

// decideByList looks at the list of a class, once for each pair.
func (e *evaluation) decideByList(pair uint32, class index.PodClass) fate {
	m := &e.memory[class]
	if round := e.round + pair; m.round != round {
		list := e.pods.classes.Tolerations(class)
		m.round, m.fate = round, e.decide(&e.pairs[pair], list, list)
	}
	return m.fate
}

// firstUntolerated returns the index of the first row that a class does not tolerate.
func (e *evaluation) firstUntolerated(rows []index.TaintRow, class index.PodClass) (i int, ok bool) {
	for i, row := range rows {
		if !e.tolerators.Tolerates(row, class) {
			return i, true
		}
	}
	return 0, false
}

// judgeOverride decides about a pod that gets the list of a step.
func (e *evaluation) judgeOverride(k *kind, pair uint32, step int32) fate {
	r := e.rollout(k.owner, k.class, step)
	r.Pods++
	if pair == 0 {
		return stays
	}
	key := overrideKey{pair, k.class, step}
	fate, known := e.override[key]
	if !known {
		fate = e.decide(&e.pairs[pair], r.Before, r.After)
		e.override[key] = fate
	}
	if fate >= 0 {
		r.Evicted++
	}
	return fate
}

// decide compares what becomes of a pod without the plan and with it.
func (e *evaluation) decide(p *pair, old, updated []toleration.Toleration) fate {
	e.steps += len(old) + len(updated)
	sooner, evicted := time.Duration(0), false
	if len(p.rowsBefore) > 0 {
		sooner, evicted = e.Policy.Delay(p.before, e.active(old), e.Now)
	}
	v := e.Policy.Decide(p.after, e.active(updated), e.Now)
	switch {
	case v.Eviction == match.Stay && evicted:
		return spared
	case v.Eviction == match.Stay:
		return stays
	case evicted && sooner <= v.After:
		return anyway
	}
	return e.verdict(p.after[v.EvictionTaint], v.After)
}

// verdict returns a fate that evicts. Nodes on which a step puts the taint at another time
// share it, unless times count.
func (e *evaluation) verdict(t taint.Taint, after time.Duration) fate {
	if e.Policy != match.SinceAdded {
		t.TimeAdded = nil
	}
	e.result.verdicts = append(e.result.verdicts, verdict{t, after})
	return fate(len(e.result.verdicts) - 1)
}

// active returns the tolerations that count: the list itself if all do, else a buffer, which is
// good until the next call.
func (e *evaluation) active(list []toleration.Toleration) []toleration.Toleration {
	if e.rules.Comparisons || !slices.ContainsFunc(list, isComparison) {
		return list
	}
	e.counted = e.rules.Active(e.counted[:0], list)
	return e.counted
}

func isComparison(t toleration.Toleration) bool { return t.Operator.Comparison() }

// now returns the verdict of an eviction at once because of the i-th of the NoExecute
// taints that the nodes of a pair have after the plan: the same for all pairs, except where the times
// of taints count.
func (e *evaluation) now(pair uint32, i int) fate {
	p := &e.pairs[pair]
	var round uint32
	if e.Policy == match.SinceAdded {
		round = pair
	}
	row := p.rowsAfter[i]
	if n := int(row) + 1; n > len(e.atOnce) {
		e.atOnce = append(e.atOnce, make([]remembered, n-len(e.atOnce))...)
	}
	m := &e.atOnce[row]
	if m.fate > 0 && m.round == round {
		return m.fate - 1
	}
	f := e.verdict(p.after[i], 0)
	m.round, m.fate = round, f+1
	return f
}
