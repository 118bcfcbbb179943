package kube

import (
	v1 "k8s.io/api/core/v1"

	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// FirstUntoleratedFunc is [FirstUntolerated] for programs that leave some taints out, such
// as those that a node loses while it starts: it considers only taints for which keep
// returns true, and all if keep is nil.
//
//	i, found := kube.FirstUntoleratedFunc(node.Spec.Taints, pod.Spec.Tolerations, taint.Hard, //		func(x *v1.Taint) bool { return !strings.HasPrefix(x.Key, "startup-taint.cluster-autoscaler.kubernetes.io/") })
//
// keep is called at most once for each taint that has one of the effects, in the order of
// the node, with a pointer into taints that it must neither write through nor retain.
func FirstUntoleratedFunc(taints []v1.Taint, tolerations []v1.Toleration, effects taint.EffectSet, keep func(*v1.Taint) bool, rules ...toleration.Rules) (index int, found bool) {
	for i := range taints {
		x := &taints[i]
		if effects.Has(taint.Effect(x.Effect)) && (keep == nil || keep(x)) && firstTolerating(tolerations, x, counted(rules)) == nil {
			return i, true
		}
	}
	return 0, false
}

// ToleratesForever reports whether the list tolerates the taint without a limit of
// time: a pod that runs on a node with no other taint stays there (rule E2). For a
// NoExecute taint the first toleration that matches is the one that counts, and it has
// no seconds. Other effects evict nobody, so for them seconds do not matter. Otherwise
// it is like [FirstUntolerated].
func ToleratesForever(tolerations []v1.Toleration, x *v1.Taint, rules ...toleration.Rules) bool {
	t := firstTolerating(tolerations, x, counted(rules))
	return t != nil && (t.TolerationSeconds == nil || x.Effect != v1.TaintEffectNoExecute)
}
