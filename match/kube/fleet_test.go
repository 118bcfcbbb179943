package kube_test

import (
	"fmt"
	"testing"

	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/tolero-dev/tolero/compile/index"
	"github.com/tolero-dev/tolero/match/kube"
	"github.com/tolero-dev/tolero/toleration"
)

// Fit does not allocate for up to 16 tolerations in the steady state.
func TestFitAllocates(t *testing.T) {
	if testing.CoverMode() != "" {
		t.Skip("counters change what the compiler inlines")
	}
	var nodes []*v1.Node
	var tolerations []v1.Toleration
	for i := range 17 {
		key := fmt.Sprint("key-", i)
		node := &v1.Node{ObjectMeta: metav1.ObjectMeta{Name: key}}
		node.Spec.Taints = []v1.Taint{{Key: key, Effect: v1.TaintEffectNoSchedule}}
		nodes = append(nodes, node)
		tolerations = append(tolerations, v1.Toleration{Key: key, Operator: v1.TolerationOpExists, TolerationSeconds: new(int64)})
	}
	ix := index.New(toleration.Rules{})
	kube.Load(ix, nodes)
	s := ix.Snapshot()
	var fit index.Fit
	kube.Fit(s, &fit, tolerations)
	for _, n := range []int{0, 1, 3, 16} {
		if allocs := testing.AllocsPerRun(10, func() { kube.Fit(s, &fit, tolerations[:n]) }); allocs != 0 || fit.Len() != n {
			t.Errorf("%d tolerations: %v allocations, %d nodes", n, allocs, fit.Len())
		}
	}
}
