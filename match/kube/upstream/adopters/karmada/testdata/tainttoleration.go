package tainttoleration

import (
	"testing"

	v1 "k8s.io/api/core/v1"

	clusterv1alpha1 "github.com/karmada-io/karmada/pkg/apis/cluster/v1alpha1"
	policyv1alpha1 "github.com/karmada-io/karmada/pkg/apis/policy/v1alpha1"
	workv1alpha2 "github.com/karmada-io/karmada/pkg/apis/work/v1alpha2"
	"github.com/karmada-io/karmada/pkg/scheduler/framework"
)

// toleroFilter is how the plugin asks about a cluster.
type toleroFilter func(spec *workv1alpha2.ResourceBindingSpec, cluster *clusterv1alpha1.Cluster) *framework.Result

func toleroFilters() (before, after toleroFilter) {
	p := &TaintToleration{}
	return func(spec *workv1alpha2.ResourceBindingSpec, cluster *clusterv1alpha1.Cluster) *framework.Result {
			return p.FilterBefore(nil, spec, nil, cluster)
		}, func(spec *workv1alpha2.ResourceBindingSpec, cluster *clusterv1alpha1.Cluster) *framework.Result {
			return p.Filter(nil, spec, nil, cluster)
		}
}

// toleroAsk asks a filter about a pair. The answer is the text of the refusal.
func toleroAsk(filter toleroFilter) func(*toleroPair) string {
	spec := &workv1alpha2.ResourceBindingSpec{Placement: &policyv1alpha1.Placement{}}
	cluster := &clusterv1alpha1.Cluster{}
	return func(p *toleroPair) string {
		spec.Placement.ClusterTolerations = p.tolerations
		cluster.Spec.Taints = p.taints
		if r := filter(spec, cluster); !r.IsSuccess() {
			return r.Reasons()[0]
		}
		return ""
	}
}

// TestToleroTurns asks the scheduler's question about each pair, before and after.
func TestToleroTurns(t *testing.T) {
	before, after := toleroFilters()
	toleroTurns(t, "TaintToleration.Filter", toleroAsk(before), toleroAsk(after))
}

// TestToleroDialect asks the vectors, as the taints of a cluster.
func TestToleroDialect(t *testing.T) {
	before, _ := toleroFilters()
	ask := toleroAsk(before)
	toleroDialect(t, "karmada", 1, func(p *toleroPair) bool { return ask(p) == "" })
}

// TestToleroChosenDifference shows that the taints of a cluster that was chosen before do
// not keep a resource out.
func TestToleroChosenDifference(t *testing.T) {
	before, _ := toleroFilters()
	cluster := &clusterv1alpha1.Cluster{}
	cluster.Name = "c"
	cluster.Spec.Taints = []v1.Taint{{Key: "a", Effect: v1.TaintEffectNoSchedule}}
	spec := &workv1alpha2.ResourceBindingSpec{Placement: &policyv1alpha1.Placement{}}
	if before(spec, cluster).IsSuccess() {
		t.Error("a new cluster is chosen")
	}
	spec.Clusters = []workv1alpha2.TargetCluster{{Name: "c"}}
	if !before(spec, cluster).IsSuccess() {
		t.Error("it does not differ any more")
	}
}
