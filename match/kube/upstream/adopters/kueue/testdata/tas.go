package tas

import (
	"testing"

	"github.com/go-logr/logr"
	v1 "k8s.io/api/core/v1"
	kueue "sigs.k8s.io/kueue/apis/kueue/v1beta2"
)

// TestToleroTurns asks what the controller of nodes asks about each taint of a node.
func TestToleroTurns(t *testing.T) {
	ask := func(check func(logr.Logger, *v1.Taint, []kueue.PodSet) taintToleration) func(*toleroPair) int {
		return func(p *toleroPair) (answers int) {
			var set [1]kueue.PodSet
			set[0].Template.Spec.Tolerations = p.tolerations
			for i := range p.taints {
				answers = 10*answers + int(check(logr.Discard(), &p.taints[i], set[:]))
			}
			return answers
		}
	}
	toleroTurns(t, "checkTaintTolerations", ask(checkTaintTolerationsBefore), ask(checkTaintTolerations))
}

// TestToleroDialect asks the vectors what the controller of nodes asks about them.
func TestToleroDialect(t *testing.T) {
	toleroDialect(t, "kueue-nodes", 1, func(p *toleroPair) bool {
		var set [1]kueue.PodSet
		set[0].Template.Spec.Tolerations = p.tolerations
		for i := range p.taints {
			x := &p.taints[i]
			hard := x.Effect == v1.TaintEffectNoSchedule || x.Effect == v1.TaintEffectNoExecute
			if hard && checkTaintTolerationsBefore(logr.Discard(), x, set[:]) == untoleratedTaint {
				return false
			}
		}
		return true
	})
}

// TestToleroFirstDifference shows a taint that is taken for tolerated forever because
// some toleration without seconds matches it, where the eviction controller takes the
// seconds of the first.
func TestToleroFirstDifference(t *testing.T) {
	seconds := int64(30)
	x := v1.Taint{Key: "a", Effect: v1.TaintEffectNoExecute}
	var set [1]kueue.PodSet
	set[0].Template.Spec.Tolerations = []v1.Toleration{
		{Key: "a", Operator: v1.TolerationOpExists, TolerationSeconds: &seconds},
		{Key: "a", Operator: v1.TolerationOpExists},
	}
	if got := checkTaintTolerationsBefore(logr.Discard(), &x, set[:]); got != toleratedPermanently {
		t.Errorf("%v: it does not differ any more", got)
	}
}
