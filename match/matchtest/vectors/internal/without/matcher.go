// Package without answers the questions of the vectors as a program does that lacks one
// rule: each rule of SEMANTICS.md is a mistake that a vector of that rule has to find.
package without

import (
	"cmp"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/match/matchtest/vectors/internal/canonical"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// matcher is a matcher of its own that can make a mistake.
type matcher struct {
	mistake string // a rule that it lacks, or the text of a mistake
	gate    bool
}

// lacks reports whether the matcher is without the rule, or makes the mistake.
func (m matcher) lacks(mistake string) bool { return m.mistake == mistake }

func (m matcher) tolerates(t *toleration.Toleration, x *taint.Taint) bool {
	return m.effect(t, x) && m.key(t, x) && m.values(t, x) && m.times(t, x)
}

// effect is rules M1, M3 and M5.
func (m matcher) effect(t *toleration.Toleration, x *taint.Taint) bool {
	switch {
	case m.lacks("M1") || m.lacks(effectOnly) && t.Key == "" && t.Operator == toleration.OpExists:
		return true
	case m.lacks(emptyNoExecute) && t.Effect == "":
		return x.Effect != taint.NoExecute
	case t.Effect == "" && !m.lacks("M3"):
		return true
	case m.lacks("M5") && !x.Effect.Known():
		return false
	}
	return t.Effect == x.Effect
}

// key is rules M1, M3 and M4.
func (m matcher) key(t *toleration.Toleration, x *taint.Taint) bool {
	switch {
	case m.lacks("M1") || m.lacks(keyOnly) && t.Effect == "":
		return true
	case m.lacks(keyAnyCase) && t.Key != "":
		return strings.EqualFold(t.Key, x.Key)
	case m.lacks(keyPrefix):
		return strings.HasPrefix(x.Key, t.Key)
	case t.Key != "" || m.lacks("M3"):
		return t.Key == x.Key
	case m.lacks("M4"):
		return t.Operator == toleration.OpExists
	}
	return true
}

// values is rules M2, N1 and N4.
func (m matcher) values(t *toleration.Toleration, x *taint.Taint) bool {
	switch op := m.operator(t); {
	case m.lacks("M2"):
		return true
	case op == toleration.OpGt || op == toleration.OpLt:
		if m.lacks("N1") || !m.gate && !m.lacks("N4") && !m.lacks("N5") {
			return false
		}
		order, ok := m.compare(x.Value, t.Value)
		if m.lacks(exchanged) {
			order = -order
		}
		return ok && (op == toleration.OpGt && order > 0 || op == toleration.OpLt && order < 0 || order == 0 && m.lacks(orEqual))
	case op == toleration.OpEqual:
		return t.Value == x.Value || m.lacks(emptyIsAny) && t.Value == ""
	default:
		return op == toleration.OpExists && (!m.lacks(existsCompares) || t.Value == "" || t.Value == x.Value)
	}
}

// operator is rule M2: one that is not there is Equal.
func (m matcher) operator(t *toleration.Toleration) toleration.Operator {
	switch op := t.Operator; {
	case op == "" && m.lacks(noneIsExists):
		return toleration.OpExists
	case op == "":
		return toleration.OpEqual
	case slices.Contains([]toleration.Operator{toleration.OpEqual, toleration.OpExists, toleration.OpGt, toleration.OpLt}, op):
		return op
	case m.lacks(operatorAnyCase):
		return toleration.Operator(strings.ToUpper(string(op[:1])) + strings.ToLower(string(op[1:])))
	case m.lacks(unknownIsEqual):
		return toleration.OpEqual
	case m.lacks(unknownIsExists):
		return toleration.OpExists
	default:
		return op
	}
}

// compare is rule N1: values that are not numbers have no order.
func (m matcher) compare(x, t string) (order int, ok bool) {
	switch {
	case m.lacks(asText):
		return strings.Compare(x, t), true
	case m.lacks(asFloat):
		a, errA := strconv.ParseFloat(x, 64)
		b, errB := strconv.ParseFloat(t, 64)
		return cmp.Compare(a, b), errA == nil && errB == nil
	}
	a, okA := m.number(x)
	b, okB := m.number(t)
	if !okA || !okB {
		return 0, false
	}
	return a.Cmp(b), true
}

// number is rules N2 and N3.
func (m matcher) number(text string) (*big.Int, bool) {
	n, ok := new(big.Int).SetString(strings.TrimSpace(text), 0)
	if !ok || m.lacks("N3") && n.Sign() < 0 {
		return nil, false
	}
	return n, m.lacks("N2") || n.IsInt64() && n.String() == text
}

// times is rule M6.
func (m matcher) times(t *toleration.Toleration, x *taint.Taint) bool {
	return !m.lacks("M6") || (t.TolerationSeconds == nil || *t.TolerationSeconds > 0) && x.TimeAdded.IsZero()
}

// first is the first toleration of a list that tolerates x, or nil. Without F1 only the
// first one is looked at.
func (m matcher) first(list []toleration.Toleration, x *taint.Taint) *toleration.Toleration {
	for i := range list {
		if m.tolerates(&list[i], x) {
			return &list[i]
		}
		if m.lacks("F1") {
			break
		}
	}
	return nil
}

// untolerated is the indexes of the taints with one of the effects, or of all.
func (m matcher) untolerated(taints []taint.Taint, list []toleration.Toleration, effects ...taint.Effect) []int {
	indexes := []int{}
	for i := range m.seen(taints) {
		if (effects == nil || slices.Contains(effects, taints[i].Effect)) && m.first(list, &taints[i]) == nil {
			indexes = append(indexes, i)
		}
	}
	if m.lacks("F3") {
		slices.Reverse(indexes)
	}
	return indexes
}

// seen is the taints that are looked at.
func (m matcher) seen(taints []taint.Taint) []taint.Taint {
	if m.lacks(onlyFirst) {
		return taints[:min(1, len(taints))]
	}
	return taints
}

// hard is the effects that keep a pod out.
func (m matcher) hard() []taint.Effect {
	if m.lacks("F2") {
		return []taint.Effect{taint.NoSchedule, taint.NoExecute, taint.PreferNoSchedule}
	}
	return []taint.Effect{taint.NoSchedule, taint.NoExecute}
}

func (m matcher) fits(taints []taint.Taint, list []toleration.Toleration) any {
	if left := m.untolerated(taints, list, m.hard()...); len(left) > 0 {
		return canonical.Fits{Taint: &left[0]}
	}
	return canonical.Fits{Fits: true}
}

func (m matcher) verdict(taints []taint.Taint, list []toleration.Toleration) any {
	v := canonical.Verdict{Scheduling: "schedulable", Eviction: "stay"}
	if left := m.untolerated(taints, list, taint.PreferNoSchedule); len(left) > 0 {
		v.Scheduling, v.SchedulingTaint = "avoid", &left[0]
	}
	if left := m.untolerated(taints, list, m.hard()...); len(left) > 0 {
		v.Scheduling, v.SchedulingTaint = "unschedulable", &left[0]
	}
	evicting := []taint.Effect{taint.NoExecute}
	if m.lacks("E1") || m.lacks("F5") {
		evicting = append(evicting, taint.NoSchedule)
	}
	if left := m.untolerated(taints, list, evicting...); len(left) > 0 {
		v.Eviction, v.EvictionTaint = "evict now", &left[0]
		return v
	}
	m.timed(taints, list, &v)
	return v
}

// timed is rules E2 and E3.
func (m matcher) timed(taints []taint.Taint, list []toleration.Toleration, v *canonical.Verdict) {
	found := false
	var least time.Duration
	for i := range m.seen(taints) {
		if taints[i].Effect != taint.NoExecute {
			continue
		}
		seconds := m.seconds(list, &taints[i])
		if seconds == nil {
			continue
		}
		d := time.Duration(max(0, *seconds)) * time.Second // overflows without E3
		if !m.lacks("E3") && *seconds > int64(match.MaxDelay/time.Second) {
			d = match.MaxDelay
		}
		if !found || d < least || m.lacks("F3") && d == least || m.lacks(mostOfTaints) && d > least {
			found, least = true, d
			v.EvictionTaint = &i
		}
	}
	switch {
	case !found || least < 0:
		v.EvictionTaint = nil
	case least == 0:
		v.Eviction = "evict now"
	default:
		v.Eviction, v.Milliseconds = "evict after", least.Milliseconds()
	}
}

// seconds is those of the toleration that counts: the first one or, without E2, the one
// with the most. Nil is for ever.
func (m matcher) seconds(list []toleration.Toleration, x *taint.Taint) *int64 {
	list = slices.DeleteFunc(slices.Clone(list), func(t toleration.Toleration) bool { return !m.tolerates(&t, x) })
	switch {
	case m.lacks("E2"):
		slices.SortStableFunc(list, func(a, b toleration.Toleration) int { return bySeconds(b, a) })
	case timed[m.mistake] != nil:
		timed[m.mistake](list)
	}
	return list[0].TolerationSeconds
}

// scores is rule F4.
func (m matcher) scores(nodes []canonical.Node, list []toleration.Toleration) any {
	counts := []int64{}
	most := int64(0)
	for i := range nodes {
		effects := []taint.Effect{taint.PreferNoSchedule}
		if m.lacks(alsoHard) {
			effects = append(effects, taint.NoSchedule)
		}
		n := int64(len(m.untolerated(nodes[i].Spec.Taints, list, effects...)))
		counts, most = append(counts, n), max(most, n)
	}
	for i := range counts {
		switch {
		case m.lacks("F4"):
			counts[i] = 100 - counts[i]
		case most == 0:
			counts[i] = 100
		case m.lacks(roundedDown):
			counts[i] = 100 * (most - counts[i]) / most
		default:
			counts[i] = 100 - 100*counts[i]/most
		}
	}
	return counts
}
