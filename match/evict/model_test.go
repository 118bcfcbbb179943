package evict_test

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/match/evict"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// model is the queue in its plainest form: it keeps what it was told pod by pod,
// and at every step looks at every pod again. Nothing is shared between pods, and
// there is no order in which they are due.
type model struct {
	policy match.EvictionPolicy
	rules  toleration.Rules
	now    time.Time
	nodes  map[string]*modelNode
	pods   map[string]*modelPod
}

type modelNode struct {
	known   bool
	taints  []taint.Taint // NoExecute only
	noticed []time.Time
	changed bool // by this step
}

type modelPod struct {
	node        string
	tolerations []toleration.Toleration
	counting    []toleration.Toleration // of them, by the rules
	came        time.Time               // onto the node
	eviction    *eviction               // that is scheduled, if any
	changed     bool                    // by this step
}

type eviction struct {
	due, decided time.Time
	taint        taint.Taint
	toleration   *toleration.Toleration
}

func newModel(policy match.EvictionPolicy, rules toleration.Rules) *model {
	return &model{policy: policy, rules: rules, nodes: map[string]*modelNode{}, pods: map[string]*modelPod{}}
}

// far is where the clock of the queue ends.
func (m *model) far(start time.Time) time.Time { return start.Add(1<<63 - 2) }

// advance sets the clock and returns what is due.
func (m *model) advance(start, now time.Time) (due []evict.Decision[string]) {
	if now.Sub(start) > m.far(start).Sub(start) {
		now = m.far(start)
	}
	if m.now.Before(start) {
		m.now = start
	}
	if now.After(m.now) {
		m.now = now
	}
	for name, p := range m.pods {
		if p.eviction != nil && !p.eviction.due.After(m.now) {
			due = append(due, p.decision(name, evict.TimeUp))
			p.eviction = nil
		}
	}
	return due
}

// decide looks at every pod after a change.
func (m *model) decide(start time.Time, gone evict.Reason) (decisions []evict.Decision[string]) {
	for name, p := range m.pods {
		n := m.nodes[p.node]
		if n == nil {
			n = &modelNode{}
		}
		if !p.changed && !n.changed {
			continue
		}
		if d, told := m.reconsider(start, p, n, gone); told {
			d.Pod, d.Node = name, p.node
			decisions = append(decisions, d)
		}
	}
	for _, n := range m.nodes {
		n.changed = false
	}
	for _, p := range m.pods {
		p.changed = false
	}
	return decisions
}

func (m *model) reconsider(start time.Time, p *modelPod, n *modelNode, gone evict.Reason) (d evict.Decision[string], told bool) {
	kubernetes := m.policy != match.MostLenient && m.policy != match.SinceAdded
	if kubernetes && len(n.taints) == 0 && (p.changed || !n.known) {
		return d, false
	}
	old := p.eviction
	if i, untolerated := match.FirstUntolerated(n.taints, p.counting, taint.AllEffects, toleration.Rules{Comparisons: true}); untolerated {
		p.eviction = &eviction{due: m.now, taint: n.taints[i]}
		d, p.eviction = p.decision("", evict.Untolerated), nil
		return d, true
	}
	next := m.earliest(start, p, n, kubernetes)
	switch {
	case next == nil && old == nil:
		return d, false
	case next == nil:
		d, p.eviction = p.decision("", evict.NoLimit), nil
		if len(n.taints) == 0 {
			d.Reason = gone
		}
		return d, true
	case kubernetes && old != nil && old.decided.Before(m.now): // E5
		return d, false
	}
	p.eviction = next
	if !next.due.After(m.now) {
		d, p.eviction = p.decision("", evict.TimeUp), nil
		return d, true
	}
	return d, false
}

// earliest returns the eviction that the taints amount to, each by itself, when
// all are tolerated.
func (m *model) earliest(start time.Time, p *modelPod, n *modelNode, kubernetes bool) (first *eviction) {
	for i, t := range n.taints {
		from := m.now
		if !kubernetes {
			if from = n.noticed[i]; p.came.After(from) {
				from = p.came
			}
		}
		var used *toleration.Toleration
		for j := range p.counting {
			switch u := &p.counting[j]; {
			case !u.Tolerates(&t, toleration.Rules{Comparisons: true}) || used != nil && m.policy != match.MostLenient:
			case used == nil || used.TolerationSeconds != nil && (u.TolerationSeconds == nil || *u.TolerationSeconds > *used.TolerationSeconds):
				used = u
			}
		}
		if used.TolerationSeconds == nil {
			continue
		}
		e := &eviction{due: m.deadline(start, from, &t, *used.TolerationSeconds), decided: m.now, taint: t, toleration: used}
		if first == nil || e.due.Before(first.due) {
			first = e
		}
	}
	return first
}

// deadline returns when so many seconds for a taint are over.
func (m *model) deadline(start, from time.Time, t *taint.Taint, seconds int64) time.Time {
	origin := from
	if m.policy == match.SinceAdded && t.TimeAdded != nil && !t.TimeAdded.IsZero() && t.TimeAdded.Before(from) {
		origin = t.TimeAdded.Time
	}
	if seconds <= 0 {
		return from
	}
	due := origin.Add(1<<63 - 1) // E3
	if seconds <= 1<<63/1_000_000_000 {
		due = origin.Add(time.Duration(seconds) * time.Second)
	}
	if due.After(m.far(start)) {
		due = m.far(start)
	}
	if due.Before(from) {
		due = from
	}
	return due
}

func (p *modelPod) decision(name string, reason evict.Reason) evict.Decision[string] {
	t := p.eviction.taint
	t.TimeAdded = nil
	return evict.Decision[string]{Pod: name, Node: p.node, Reason: reason, Due: p.eviction.due, Taint: t, Toleration: p.eviction.toleration}
}

// setNode tells the model of a node, and returns whether that changes anything.
func (m *model) setNode(name string, taints []taint.Taint) {
	if name == "" {
		return
	}
	n := m.nodes[name]
	if n == nil {
		n = &modelNode{}
		m.nodes[name] = n
	}
	next := modelNode{known: true}
	for _, t := range taints {
		if t.Effect != taint.NoExecute {
			continue
		}
		at := m.now
		if i := slices.IndexFunc(n.taints, func(old taint.Taint) bool { return old.Equal(&t) }); i >= 0 {
			at = n.noticed[i]
		}
		next.taints, next.noticed = append(next.taints, t), append(next.noticed, at)
	}
	next.changed = !n.known || !taint.Equal(n.taints, next.taints)
	*n = next
}

func (m *model) deleteNode(name string) {
	if n := m.nodes[name]; n != nil && n.known {
		*n = modelNode{changed: true}
	}
}

func (m *model) setPod(name, node string, tolerations []toleration.Toleration) {
	p := m.pods[name]
	if p == nil {
		p = &modelPod{node: node, came: m.now, changed: true}
		m.pods[name] = p
	}
	if p.node != node {
		p.node, p.came, p.changed = node, m.now, true
	}
	if !slices.EqualFunc(p.tolerations, tolerations, func(a, b toleration.Toleration) bool { return a.Equal(&b) }) {
		p.tolerations, p.changed = tolerations, true
	}
	p.counting = slices.DeleteFunc(slices.Clone(p.tolerations), func(t toleration.Toleration) bool {
		return !m.rules.Comparisons && (t.Operator == "Gt" || t.Operator == "Lt") // N4, N5
	})
}

func (m *model) deletePod(name string) (decisions []evict.Decision[string]) {
	if p := m.pods[name]; p != nil && p.eviction != nil {
		decisions = append(decisions, p.decision(name, evict.PodGone))
	}
	delete(m.pods, name)
	return decisions
}

// text writes a decision so that equal ones have equal texts. Whether the taint has a time is
// enough: it must have none, and fmt prints a nil time by way of a panic, which takes most of the test.
func text(d evict.Decision[string]) string {
	tolerated := "-"
	if d.Toleration != nil {
		tolerated = d.Toleration.String()
	}
	return fmt.Sprintf("%s on %q: %v, due %d.%09d, %v %t, %s", d.Pod, d.Node, d.Reason, d.Due.Unix(), d.Due.Nanosecond(), d.Taint, d.Taint.TimeAdded == nil, tolerated)
}

// texts returns the texts of decisions, those that are of a moment in order.
func texts(decisions []evict.Decision[string]) []string {
	sorted := slices.SortedStableFunc(slices.Values(decisions), func(a, b evict.Decision[string]) int { return cmp.Compare(text(a), text(b)) })
	list := make([]string, len(sorted))
	for i, d := range sorted {
		list[i] = text(d)
	}
	return list
}

// scheduled returns the evictions that are scheduled.
func (m *model) scheduled() (decisions []evict.Decision[string]) {
	for _, name := range slices.Sorted(maps.Keys(m.pods)) {
		if p := m.pods[name]; p.eviction != nil {
			decisions = append(decisions, p.decision(name, evict.TimeUp))
		}
	}
	return decisions
}
