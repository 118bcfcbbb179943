package flavorassigner

import (
	"testing"

	"github.com/go-logr/logr"
	v1 "k8s.io/api/core/v1"
	kueue "sigs.k8s.io/kueue/apis/kueue/v1beta2"
	"sigs.k8s.io/kueue/pkg/features"
)

// TestToleroDialect asks the vectors what the assignment of flavors asks about them: with
// the tolerations in the pod, and then in the flavor, which has to make no difference.
func TestToleroDialect(t *testing.T) {
	features.SetFeatureGateDuringTest(t, features.TopologyAwareScheduling, false)
	flavor := &kueue.ResourceFlavor{}
	a := &FlavorAssigner{resourceFlavors: map[kueue.ResourceFlavorReference]*kueue.ResourceFlavor{"f": flavor}}
	set := &kueue.PodSet{}
	fits := func(taints []v1.Taint, pod, own []v1.Toleration) bool {
		flavor.Spec.NodeTaints, flavor.Spec.Tolerations = taints, own
		set.Template.Spec.Tolerations = pod
		return len(a.checkFlavorForPodSetsBefore(logr.Discard(), "f", []int{0}, []*kueue.PodSet{set}, nil).reasons) == 0
	}
	toleroDialect(t, "kueue", 1, func(p *toleroPair) bool {
		ok := fits(p.taints, p.tolerations, nil)
		if fits(p.taints, nil, p.tolerations) != ok {
			t.Errorf("%+v: the pod's tolerations are not the flavor's", *p)
		}
		return ok
	})
}
