package kube_test

import (
	"fmt"

	v1 "k8s.io/api/core/v1"
	"k8s.io/klog/v2"

	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/match/kube"
)

// A program that called the helpers of k8s.io/component-helpers calls these.
func ExampleFindMatchingUntoleratedTaint() {
	node := v1.Node{Spec: v1.NodeSpec{Taints: []v1.Taint{
		{Key: "dedicated", Value: "gpu", Effect: v1.TaintEffectNoSchedule},
		{Key: v1.TaintNodeUnreachable, Effect: v1.TaintEffectNoExecute},
	}}}
	pod := v1.Pod{Spec: v1.PodSpec{Tolerations: []v1.Toleration{
		{Key: "dedicated", Operator: v1.TolerationOpExists},
	}}}
	evicting := func(t *v1.Taint) bool { return t.Effect == v1.TaintEffectNoExecute }
	taint, found := kube.FindMatchingUntoleratedTaint(klog.Logger{}, node.Spec.Taints, pod.Spec.Tolerations, evicting, false)
	fmt.Println(taint.ToString(), found)
	// Output: node.kubernetes.io/unreachable:NoExecute true
}

// To ask more than one question, convert the lists once.
func ExampleAppendTaints() {
	node := v1.Node{Spec: v1.NodeSpec{Taints: []v1.Taint{
		{Key: v1.TaintNodeNotReady, Effect: v1.TaintEffectNoSchedule},
		{Key: v1.TaintNodeNotReady, Effect: v1.TaintEffectNoExecute},
	}}}
	seconds := int64(300)
	pod := v1.Pod{Spec: v1.PodSpec{Tolerations: []v1.Toleration{
		{Key: v1.TaintNodeNotReady, Operator: v1.TolerationOpExists, Effect: v1.TaintEffectNoExecute, TolerationSeconds: &seconds},
	}}}
	taints := kube.AppendTaints(nil, node.Spec.Taints)
	tolerations := kube.AppendTolerations(nil, pod.Spec.Tolerations)
	fmt.Println(match.Decide(taints, tolerations))
	// Output: unschedulable, evict after 5m0s
}
