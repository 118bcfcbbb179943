package broadcastjob

import (
	"testing"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/klog/v2"
)

// TestToleroTurns asks whether a job's pod fits a node, and why not, for each pair, before and
// after. Each node has room; one without taints is unschedulable, so that each of the two calls
// decides.
func TestToleroTurns(t *testing.T) {
	klog.SetLogger(klog.Logger{}) // each refusal is logged
	t.Cleanup(klog.ClearLogger)
	room := v1.NodeStatus{Allocatable: v1.ResourceList{v1.ResourcePods: resource.MustParse("110")}}
	ask := func(fits func(*v1.Pod, *v1.Node) (bool, error)) func(*toleroPair) string {
		return func(p *toleroPair) string {
			node := &v1.Node{Spec: v1.NodeSpec{Taints: p.taints, Unschedulable: len(p.taints) == 0}, Status: room}
			if ok, err := fits(&v1.Pod{Spec: v1.PodSpec{Tolerations: p.tolerations}}, node); !ok {
				return err.Error()
			}
			return ""
		}
	}
	toleroTurns(t, "checkNodeFitness", ask(checkNodeFitnessBefore), ask(checkNodeFitness))
}
