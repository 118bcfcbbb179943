package upstream

import (
	core "k8s.io/kubernetes/pkg/apis/core"

	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// coreToleration returns t as the type that the API server works with inside.
func coreToleration(t *toleration.Toleration) core.Toleration {
	return core.Toleration{
		Key: t.Key, Operator: core.TolerationOperator(t.Operator), Value: t.Value,
		Effect: core.TaintEffect(t.Effect), TolerationSeconds: t.TolerationSeconds,
	}
}

func coreTolerations(tolerations []toleration.Toleration) []core.Toleration {
	list := make([]core.Toleration, len(tolerations))
	for i := range tolerations {
		list[i] = coreToleration(&tolerations[i])
	}
	return list
}

func coreTaints(taints []taint.Taint) []core.Taint {
	list := make([]core.Taint, len(taints))
	for i, t := range taints {
		list[i] = core.Taint{Key: t.Key, Value: t.Value, Effect: core.TaintEffect(t.Effect)}
	}
	return list
}
