package kube_test

import (
	"testing"

	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/klog/v2"

	"github.com/tolero-dev/tolero/match/kube"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// Lists that lead through every branch: an untolerated taint, one that is
// tolerated by the last toleration, and comparisons of what is not a number.
var (
	someTaints = []v1.Taint{
		{Key: "a", Value: "x", Effect: v1.TaintEffectNoSchedule, TimeAdded: &metav1.Time{}},
		{Key: "b", Value: "7", Effect: v1.TaintEffectNoExecute},
		{Key: "c", Effect: v1.TaintEffectPreferNoSchedule},
	}
	someTolerations = []v1.Toleration{
		{Key: "a", Operator: "Gt", Value: "5"},
		{Key: "b", Operator: "Lt", Value: "five"},
		{Key: "b", Operator: "Gt", Value: "6", TolerationSeconds: new(int64)},
		{Key: "a", Operator: v1.TolerationOpExists, Effect: v1.TaintEffectNoSchedule},
	}
)

var someNode = &v1.Node{Spec: v1.NodeSpec{Taints: someTaints[1:], Unschedulable: true}}

func TestNoAllocations(t *testing.T) {
	if testing.CoverMode() != "" {
		t.Skip("counters change what the compiler inlines")
	}
	var (
		taints      = make([]taint.Taint, 0, len(someTaints)+1)
		v1Taints    = make([]v1.Taint, 0, len(someTaints))
		tolerations = make([]toleration.Toleration, 0, len(someTolerations))
		matcher     kube.Matcher
		v1s         = make([]v1.Toleration, 0, len(someTolerations))
	)
	for _, test := range []struct {
		name string
		call func()
	}{
		{"AppendTaints", func() { taints = kube.AppendTaints(taints[:0], someTaints) }},
		{"AppendV1Taints", func() { v1Taints = kube.AppendV1Taints(v1Taints[:0], taints) }},
		{"AppendTolerations", func() { tolerations = kube.AppendTolerations(tolerations[:0], someTolerations) }},
		{"AppendV1Tolerations", func() { v1s = kube.AppendV1Tolerations(v1s[:0], tolerations) }},
		{"ToleratesTaint", func() { kube.ToleratesTaint(&someTolerations[1], klog.Logger{}, &someTaints[1], true) }},
		{"TolerationsTolerateTaint", func() { kube.TolerationsTolerateTaint(klog.Logger{}, someTolerations, &someTaints[0], true) }},
		{"FindMatchingUntoleratedTaint", func() { kube.FindMatchingUntoleratedTaint(klog.Logger{}, someTaints, someTolerations, nil, true) }},
		{"Filter", func() { v1Taints = kube.Filter(v1Taints[:0], someTaints, nil, taint.AllEffects) }},
		{"FirstUntolerated", func() {
			kube.FirstUntolerated(someTaints, someTolerations, taint.AllEffects, toleration.Rules{Comparisons: true})
		}},
		{"CountUntolerated", func() {
			kube.CountUntolerated(someTaints, someTolerations, taint.AllEffects, toleration.Rules{Comparisons: true})
		}},
		{"FirstUntoleratedFunc", func() {
			kube.FirstUntoleratedFunc(someTaints, someTolerations, taint.AllEffects, func(x *v1.Taint) bool { return x.Key != "b" })
		}},
		{"ToleratesForever", func() { kube.ToleratesForever(someTolerations, &someTaints[1], toleration.Rules{Comparisons: true}) }},
		{"Matcher", func() {
			matcher.Compile(someTolerations)
			matcher.Add(someTolerations[:2])
			matcher.Tolerates(&someTaints[0])
			matcher.FirstUntolerated(someTaints, taint.AllEffects)
			matcher.Schedulable(someNode)
		}},
		{"TolerationLists", func() {
			lists := kube.TolerationLists{someTolerations[:2], nil, someTolerations[2:]}
			lists.FirstUntolerated(someTaints, taint.AllEffects, toleration.Rules{Comparisons: true})
			lists.Decide(someTaints, toleration.Rules{Comparisons: true})
		}},
		{"LifecycleNode", func() { kube.LifecycleNode(someNode) }},
		{"Decide", func() { kube.Decide(someTaints, someTolerations, toleration.Rules{Comparisons: true}) }},
		{"EvictionDelay", func() { kube.EvictionDelay(someTaints, someTolerations, toleration.Rules{Comparisons: true}) }},
		{"UpsertTaint", func() { v1Taints, _ = kube.UpsertTaint(v1Taints[:0], someTaints, someTaints[1]) }},
		{"RemoveTaint", func() { v1Taints, _ = kube.RemoveTaint(v1Taints[:0], someTaints, someTaints[1]) }},
		{"RemoveTaintKey", func() { v1Taints, _ = kube.RemoveTaintKey(v1Taints[:0], someTaints, "b") }},
		{"EqualTaints", func() { kube.EqualTaints(someTaints, someTaints) }},
		{"UpsertToleration", func() { v1s, _ = kube.UpsertToleration(v1s[:0], someTolerations, someTolerations[1]) }},
		{"RemoveToleration", func() { v1s, _ = kube.RemoveToleration(v1s[:0], someTolerations, someTolerations[1]) }},
		{"EqualTolerations", func() { kube.EqualTolerations(someTolerations, someTolerations) }},
		{"AppendV1Tolerations again", func() { v1s = kube.AppendV1Tolerations(v1s[:0], tolerations) }},
		{"AppendNodeTaints", func() { taints = kube.AppendNodeTaints(taints[:0], someNode) }},
		{"NodeTaints", func() { v1Taints = kube.NodeTaints(v1Taints[:0], someNode) }},
		{"FindMatchingUntoleratedTaint, filter", func() {
			kube.FindMatchingUntoleratedTaint(klog.Logger{}, someTaints, someTolerations, func(t *v1.Taint) bool { return t.Effect == v1.TaintEffectNoExecute }, false)
		}},
	} {
		if n := testing.AllocsPerRun(100, test.call); n != 0 {
			t.Errorf("%s allocates %v times a call", test.name, n)
		}
	}
	if len(v1Taints) != len(someTaints) || len(v1s) != len(someTolerations) {
		t.Errorf("the conversions made %d taints and %d tolerations", len(v1Taints), len(v1s))
	}
}
