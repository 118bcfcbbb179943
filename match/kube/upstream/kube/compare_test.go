package kube

import (
	"slices"
	"testing"

	v1 "k8s.io/api/core/v1"
	upstream "k8s.io/component-helpers/scheduling/corev1"
	"k8s.io/klog/v2"

	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/match/kube"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// quiet is a logger that discards everything: upstream logs an error for each
// value that it cannot compare.
var quiet klog.Logger

// node is a taint list in both families of types.
type node struct {
	v1   []v1.Taint
	ours []taint.Taint
}

func newNode(taints []v1.Taint) node {
	return node{taints, kube.AppendTaints(nil, taints)}
}

// pod is a toleration list in both families of types.
type pod struct {
	v1   []v1.Toleration
	ours []toleration.Toleration
}

func newPod(tolerations []v1.Toleration) pod {
	return pod{tolerations, kube.AppendTolerations(nil, tolerations)}
}

// rulesOf returns the rules by which package match has to be asked: with the gate off
// none, as by default.
func rulesOf(gate bool) []toleration.Rules {
	if gate {
		return []toleration.Rules{{Comparisons: true}}
	}
	return nil
}

// filters are the questions about some effects, as upstream and as this module
// put them.
var filters = []struct {
	effects taint.EffectSet
	v1      func(*v1.Taint) bool
}{
	{taint.AllEffects, nil},
	{taint.Hard, func(t *v1.Taint) bool {
		return t.Effect == v1.TaintEffectNoSchedule || t.Effect == v1.TaintEffectNoExecute
	}},
	{taint.Soft, func(t *v1.Taint) bool { return t.Effect == v1.TaintEffectPreferNoSchedule }},
	{taint.Evicting, func(t *v1.Taint) bool { return t.Effect == v1.TaintEffectNoExecute }},
	{taint.OtherEffects, func(t *v1.Taint) bool { return !taint.Effect(t.Effect).Known() }},
	{0, func(*v1.Taint) bool { return false }},
}

// compare asks every question about the pod on the node, with the gate on and
// off, of upstream, of package match and of the helpers under the upstream
// names, and fails the test where answers differ. It returns how many answers
// it compared.
func compare(t testing.TB, n node, p pod) (comparisons int) {
	t.Helper()
	for _, gate := range [...]bool{true, false} {
		comparisons += compareTaints(t, n, p, gate)
		for i := range filters {
			comparisons += compareFirst(t, n, p, gate, i)
		}
	}
	return comparisons
}

// compareTaints compares what is answered taint by taint, and what follows from
// that: the taints left (rule F1) and the score (rule F4).
func compareTaints(t testing.TB, n node, p pod, gate bool) (comparisons int) {
	t.Helper()
	tolerations, rules := p.ours, rulesOf(gate)
	left := match.Filter(nil, n.ours, tolerations, taint.AllEffects, rules...)
	var wantLeft, wantScore int
	for i := range n.v1 {
		want := upstream.TolerationsTolerateTaint(quiet, p.v1, &n.v1[i], gate)
		if got := match.Tolerates(tolerations, &n.ours[i], rules...); got != want {
			fail(t, n, p, gate, "match.Tolerates of taint", i, got, want)
		}
		if got := kube.TolerationsTolerateTaint(quiet, p.v1, &n.v1[i], gate); got != want {
			fail(t, n, p, gate, "kube.TolerationsTolerateTaint of taint", i, got, want)
		}
		if _, got := match.FirstTolerating(tolerations, &n.ours[i], rules...); got != want {
			fail(t, n, p, gate, "match.FirstTolerating of taint", i, got, want)
		}
		if want {
			continue
		}
		if wantLeft >= len(left) || left[wantLeft] != n.ours[i] {
			fail(t, n, p, gate, "match.Filter up to taint", i, left, "it left over")
		}
		wantLeft++
		if n.v1[i].Effect == v1.TaintEffectPreferNoSchedule {
			wantScore++
		}
	}
	if len(left) != wantLeft {
		fail(t, n, p, gate, "match.Filter, length", 0, len(left), wantLeft)
	}
	if got := match.CountUntolerated(n.ours, tolerations, taint.Soft, rules...); got != int64(wantScore) {
		fail(t, n, p, gate, "match.CountUntolerated", 0, got, wantScore)
	}
	return 3*len(n.v1) + 2
}

// compareFirst compares the first untolerated taint under filters[i] (rules F2,
// F3).
func compareFirst(t testing.TB, n node, p pod, gate bool, i int) (comparisons int) {
	t.Helper()
	want, wantFound := upstream.FindMatchingUntoleratedTaint(quiet, n.v1, p.v1, filters[i].v1, gate)
	got, found := kube.FindMatchingUntoleratedTaint(quiet, n.v1, p.v1, filters[i].v1, gate)
	if got != want || found != wantFound {
		fail(t, n, p, gate, "kube.FindMatchingUntoleratedTaint with filter", i, got, want)
	}
	index, found := match.FirstUntolerated(n.ours, p.ours, filters[i].effects, rulesOf(gate)...)
	if found != wantFound || found && n.v1[index] != want {
		fail(t, n, p, gate, "match.FirstUntolerated with filter", i, index, want)
	}
	return 2
}

func fail(t testing.TB, n node, p pod, gate bool, question string, i int, got, want any) {
	t.Helper()
	t.Fatalf("gate %t: %s %d: got %v, want %v\ntaints %v\ntolerations %s",
		gate, question, i, got, want, n.ours, toleration.FormatList(p.ours))
}

// distinct returns a copy of taints in which each has a TimeAdded of its own, so
// that == tells them apart even where they are duplicates.
func distinct(taints []v1.Taint) []v1.Taint {
	times := make([]taint.Time, len(taints))
	taints = slices.Clone(taints)
	for i := range taints {
		t := kube.Taint(&taints[i])
		t.TimeAdded = &times[i]
		taints[i] = kube.V1Taint(&t)
	}
	return taints
}
