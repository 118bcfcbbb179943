package upstream

import (
	"context"
	"testing"

	apps "k8s.io/api/apps/v1"
	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/kubernetes/pkg/controller/daemon"
	daemonutil "k8s.io/kubernetes/pkg/controller/daemon/util"
	"k8s.io/kubernetes/pkg/kubelet/lifecycle"
	kubelettypes "k8s.io/kubernetes/pkg/kubelet/types"
	"k8s.io/kubernetes/pkg/scheduler/framework"
	"pgregory.net/rapid"

	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/match/kube"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// placementUniverse is lists of taints and of tolerations among which every
// effect is tolerated and not tolerated, alone and beside others.
func placementUniverse() (nodes [][]taint.Taint, pods [][]toleration.Toleration) {
	nodes = listsUpTo(3, append(allTaints([]string{"a"}, []string{"5"}, effectWords[1:5]),
		mustTaints("b:NoSchedule", "b:NoExecute", taint.KeyNotReady+":NoExecute", taint.KeyUnschedulable+":NoSchedule")...))
	pods = listsUpTo(2, mustTolerations("a,a:NoSchedule,a==5:NoExecute,a>4,a?In 5,b,*:NoSchedule,*:NoExecute,*"))
	return nodes, pods
}

// TestF6Kubelet holds KubeletAdmits against the kubelet's admission of pods that
// came from the API server and of static ones.
func TestF6Kubelet(t *testing.T) {
	nodes, pods := placementUniverse()
	withGate(t, func(t *testing.T, rules ...toleration.Rules) {
		for _, taints := range nodes {
			for _, tolerations := range pods {
				compareKubelet(t, taints, tolerations, rules...)
			}
		}
		t.Logf("%d answers compared", 2*len(nodes)*len(pods))
		rapid.Check(t, func(t *rapid.T) {
			tolerations := tolerationLists.Draw(t, "tolerations")
			compareKubelet(t, taintLists.Draw(t, "taints"), tolerations, rules...)
		})
	})
}

func compareKubelet(t rapid.TB, taints []taint.Taint, tolerations []toleration.Toleration, rules ...toleration.Rules) {
	for _, static := range [...]bool{true, false} {
		want := kubeletAdmits(taints, tolerations, static)
		if !want.Admit && want.Reason != "TaintToleration" {
			t.Fatalf("the pod of the test is refused for another reason: %v", want)
		}
		if got := static || match.KubeletAdmits(taints, tolerations, rules...); got != want.Admit {
			t.Fatalf("KubeletAdmits(%q, %q) = %t, static %t, want %v", taints, tolerations, got, static, want)
		}
	}
}

func kubeletAdmits(taints []taint.Taint, tolerations []toleration.Toleration, static bool) lifecycle.PodAdmitResult {
	node, pod := newNode(taints), newPod(0, tolerations)
	node.Status.Allocatable = v1.ResourceList{v1.ResourcePods: resource.MustParse("10")}
	pod.Annotations = map[string]string{kubelettypes.ConfigSourceAnnotationKey: kubelettypes.ApiserverSource}
	if static {
		pod.Annotations[kubelettypes.ConfigSourceAnnotationKey] = kubelettypes.FileSource
	}
	handler := lifecycle.NewPredicateAdmitHandler(
		func(context.Context, bool) (*v1.Node, error) { return node, nil },
		lifecycle.NewAdmissionFailureHandlerStub(),
		func(*framework.NodeInfo, *lifecycle.PodAdmitAttributes) error { return nil })
	return handler.Admit(quietly(), &lifecycle.PodAdmitAttributes{Pod: pod})
}

// TestF8DaemonSet holds DaemonSetPlacement against the DaemonSet controller. It
// is asked with the tolerations that the controller gives the pods (rule A2).
func TestF8DaemonSet(t *testing.T) {
	nodes, pods := placementUniverse()
	withGate(t, func(t *testing.T, rules ...toleration.Rules) {
		for _, taints := range nodes {
			for _, tolerations := range pods {
				compareDaemonSet(t, taints, tolerations, rules)
			}
		}
		t.Logf("%d answers compared", 2*len(nodes)*len(pods))
		rapid.Check(t, func(t *rapid.T) {
			compareDaemonSet(t, taintLists.Draw(t, "taints"), tolerationLists.Draw(t, "tolerations"), rules)
		})
	})
}

func compareDaemonSet(t rapid.TB, taints []taint.Taint, tolerations []toleration.Toleration, rules []toleration.Rules) {
	set := &apps.DaemonSet{Spec: apps.DaemonSetSpec{Template: v1.PodTemplateSpec{
		Spec: v1.PodSpec{Tolerations: kube.AppendV1Tolerations(nil, tolerations)}}}}
	wantRun, wantKeep := daemon.NodeShouldRunDaemonPod(quiet, newNode(taints), set)
	daemonutil.AddOrUpdateDaemonPodTolerations(&set.Spec.Template.Spec)
	list := kube.AppendTolerations(nil, set.Spec.Template.Spec.Tolerations)
	if run, keep := match.DaemonSetPlacement(taints, list, rules...); run != wantRun || keep != wantKeep {
		t.Fatalf("DaemonSetPlacement(%q, %q) = %t, %t, want %t, %t", taints, list, run, keep, wantRun, wantKeep)
	}
}
