package tainttoleration

import (
	"context"
	"encoding/json"
	"reflect"
	"testing"

	v1 "k8s.io/api/core/v1"

	clusterv1alpha1 "github.com/karmada-io/karmada/pkg/apis/cluster/v1alpha1"
	policyv1alpha1 "github.com/karmada-io/karmada/pkg/apis/policy/v1alpha1"
	"github.com/karmada-io/karmada/pkg/scheduler/framework"
)

// toleroFilter is how the plugin asks about a cluster, for one binding.
type toleroFilter func(cluster *clusterv1alpha1.Cluster) *framework.Result

// toleroBind returns a filter for a binding whose specification is given as JSON, and the
// placement in it. S and B are Karmada's types of a binding's specification and status.
func toleroBind[S, B any](filter func(context.Context, *S, *B, *clusterv1alpha1.Cluster) *framework.Result, text string) (toleroFilter, *policyv1alpha1.Placement) {
	spec := new(S)
	if err := json.Unmarshal([]byte(text), spec); err != nil {
		panic(err)
	}
	placement := reflect.ValueOf(spec).Elem().FieldByName("Placement").Interface().(*policyv1alpha1.Placement)
	return func(cluster *clusterv1alpha1.Cluster) *framework.Result { return filter(nil, spec, nil, cluster) }, placement
}

// toleroAsk asks a filter about a pair. The answer is the text of the refusal.
func toleroAsk(filter toleroFilter, placement *policyv1alpha1.Placement) func(*toleroPair) string {
	cluster := &clusterv1alpha1.Cluster{}
	return func(p *toleroPair) string {
		placement.ClusterTolerations = p.tolerations
		cluster.Spec.Taints = p.taints
		if r := filter(cluster); !r.IsSuccess() {
			return r.Reasons()[0]
		}
		return ""
	}
}

// TestToleroTurns asks the scheduler's question about each pair, before and after.
func TestToleroTurns(t *testing.T) {
	p := &TaintToleration{}
	before, after := toleroAsk(toleroBind(p.FilterBefore, `{"placement":{}}`)), toleroAsk(toleroBind(p.Filter, `{"placement":{}}`))
	toleroTurns(t, "TaintToleration.Filter", before, after)
}

// TestToleroDialect asks the vectors, as the taints of a cluster.
func TestToleroDialect(t *testing.T) {
	ask := toleroAsk(toleroBind((&TaintToleration{}).FilterBefore, `{"placement":{}}`))
	toleroDialect(t, "karmada", 1, func(p *toleroPair) bool { return ask(p) == "" })
}

// TestToleroChosenDifference shows that the taints of a cluster that was chosen before do
// not keep a resource out.
func TestToleroChosenDifference(t *testing.T) {
	cluster := &clusterv1alpha1.Cluster{}
	cluster.Name = "c"
	cluster.Spec.Taints = []v1.Taint{{Key: "a", Effect: v1.TaintEffectNoSchedule}}
	p := &TaintToleration{}
	if fresh, _ := toleroBind(p.FilterBefore, `{"placement":{}}`); fresh(cluster).IsSuccess() {
		t.Error("a new cluster is chosen")
	}
	if chosen, _ := toleroBind(p.FilterBefore, `{"placement":{},"clusters":[{"name":"c"}]}`); !chosen(cluster).IsSuccess() {
		t.Error("it does not differ any more")
	}
}
