package scheduler

import (
	"context"
	"slices"

	v1 "k8s.io/api/core/v1"
	fwk "k8s.io/kube-scheduler/framework"

	"github.com/tolero-dev/tolero/match/kube"
	"github.com/tolero-dev/tolero/toleration"
)

// SignPod returns what the plugin's answers for a pod depend on: the tolerations,
// as sorted texts without repetitions. Pods get the same signature although their
// lists differ in what makes no difference to scheduling: the order, the seconds,
// whether Equal is written out, the value beside Exists, operators that match
// nothing. The scheduler may place such pods one after the other with one look at
// the nodes.
func (pl *Plugin) SignPod(_ context.Context, pod *v1.Pod) ([]fwk.SignFragment, *fwk.Status) {
	return []fwk.SignFragment{{Key: fwk.TolerationsSignerName, Value: pl.canonical(pod.Spec.Tolerations)}}, nil
}

// canonical returns the texts of the tolerations that can match, in ascending
// order.
func (pl *Plugin) canonical(tolerations []v1.Toleration) []string {
	texts, text := make([]string, 0, len(tolerations)), make([]byte, 0, 128)
	for i := range tolerations {
		t := kube.Toleration(&tolerations[i])
		if !pl.matches(t.Operator) {
			continue
		}
		t.TolerationSeconds = nil // rule M6
		switch t.Operator {
		case toleration.OpExists:
			t.Value = ""
		case toleration.OpEqual:
			t.Operator = ""
		}
		text = t.AppendTo(text[:0])
		texts = append(texts, string(text))
	}
	slices.Sort(texts)
	return slices.Compact(texts)
}

// matches reports whether tolerations with an operator match anything (rules M2, N4).
func (pl *Plugin) matches(operator toleration.Operator) bool {
	switch operator {
	case "", toleration.OpEqual, toleration.OpExists:
		return true
	case toleration.OpGt, toleration.OpLt:
		return pl.comparisons
	}
	return false
}
