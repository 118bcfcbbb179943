package kube

import (
	v1 "k8s.io/api/core/v1"

	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// Matcher is the tolerations of one pod, compiled for questions about many nodes:
//
//	var m kube.Matcher // kept for the next pod
//	m.Compile(pod.Spec.Tolerations)
//	for _, node := range nodes {
//		if m.Schedulable(node) {
//
// It needs no table of taints, unlike compile.Matcher, which is faster where a program
// keeps the interned taints of its nodes, and no state of a fleet, unlike the index.
//
// The zero Matcher tolerates nothing. A copy shares memory that the next Compile of
// either overwrites. All methods except Compile and Add may be called concurrently. It
// retains the lists until the next Compile; they must not change until then.
type Matcher struct {
	rules   toleration.Rules
	all     taint.EffectSet // the known effects whose taints are all tolerated
	anyKey  uint32          // the first entry without a key, plus one
	heads   [256]uint32     // by hash of the key: the first entry, plus one
	entries []entry
}

// entry is a toleration that may match. The next one has a key with the same hash.
type entry struct {
	t    *v1.Toleration
	next uint32 // plus one; zero ends the list
}

// Compile makes m the tolerations of a list. It takes time proportional to the number of
// tolerations, and does not allocate once m has compiled as many.
func (m *Matcher) Compile(tolerations []v1.Toleration, rules ...toleration.Rules) {
	clear(m.entries)
	*m = Matcher{rules: counted(rules), entries: m.entries[:0]}
	m.Add(tolerations)
}

// Add adds the tolerations of another list, under the same rules: those of the flavor of
// node that is to be added, for example.
func (m *Matcher) Add(tolerations []v1.Toleration) {
	for i := range tolerations {
		m.add(&tolerations[i])
	}
}

// add puts a toleration in front of those of its hash: order does not matter, because
// only whether some toleration matches is asked.
func (m *Matcher) add(t *v1.Toleration) {
	if t.Key == "" && t.Operator == v1.TolerationOpExists { // M3
		switch e := taint.Effect(t.Effect); {
		case e == "":
			m.all = taint.AllEffects
			return
		case e.Known():
			m.all |= e.Set()
			return
		}
	}
	head := &m.anyKey
	if t.Key != "" {
		head = &m.heads[hash(t.Key)]
	}
	m.entries = append(m.entries, entry{t, *head})
	*head = uint32(len(m.entries))
}

// hash is cheap: keys differ in their lengths and ends more than in their beginnings.
// Keys that collide, by chance or on purpose, cost what a plain loop over them does.
func hash(key string) uint8 {
	if key == "" {
		return 0
	}
	return uint8(len(key))*31 + key[len(key)-1]
}

// Tolerates reports whether some toleration tolerates x (rules M1 to M6, N1 to N4). It
// takes time proportional to the number of tolerations with the same hash of the key,
// which is at most all of them.
func (m *Matcher) Tolerates(x *v1.Taint) bool {
	return m.all.Has(taint.Effect(x.Effect)) || m.some(m.heads[hash(x.Key)], x) || m.some(m.anyKey, x)
}

func (m *Matcher) some(first uint32, x *v1.Taint) bool {
	for at := first; at != 0; at = m.entries[at-1].next {
		if t := m.entries[at-1].t; sameLengths(t, x) && tolerated(t, x, m.rules) {
			return true
		}
	}
	return false
}

// FirstUntolerated returns what [FirstUntolerated] does for the tolerations of m.
func (m *Matcher) FirstUntolerated(taints []v1.Taint, effects taint.EffectSet) (index int, found bool) {
	effects &^= m.all
	for i := range taints {
		if x := &taints[i]; effects.Has(taint.Effect(x.Effect)) && !m.some(m.heads[hash(x.Key)], x) && !m.some(m.anyKey, x) {
			return i, true
		}
	}
	return 0, false
}

// Schedulable reports whether the pod may be scheduled to the node as far as its taints
// and its cordon are concerned (rules F2, F7).
func (m *Matcher) Schedulable(node *v1.Node) bool {
	if node.Spec.Unschedulable && !m.Tolerates(&unschedulable) {
		return false
	}
	_, found := m.FirstUntolerated(node.Spec.Taints, taint.Hard)
	return !found
}

// unschedulable is only read.
var unschedulable = v1.Taint{Key: taint.KeyUnschedulable, Effect: v1.TaintEffectNoSchedule}
