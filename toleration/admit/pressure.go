package admit

import (
	"slices"

	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// Pressure is what the kubelet's eviction manager knows when it is asked to admit a pod
// (rule R1). The zero Pressure is a node without pressure. It is a plain value that
// retains the list.
type Pressure struct {
	// Memory says that the node is short of memory, and Other that the manager has found
	// another condition, such as being short of disk or of process IDs.
	Memory, Other bool
	// Critical says that the pod is static, the mirror of one, or has a priority of
	// 2,000,000,000 or more.
	Critical bool
	// BestEffort says that the pod is of that class (rule A3).
	BestEffort bool
	// Tolerations are those of the pod.
	Tolerations []toleration.Toleration
}

// Admits reports whether the kubelet admits the pod, as far as pressure is concerned.
// Under memory pressure alone, tolerating node.kubernetes.io/memory-pressure:NoSchedule
// admits a pod; no toleration helps under any other. The node's taints play no part: the
// manager goes by its own observations, which are ahead of the taints.
func (p Pressure) Admits() bool {
	switch {
	case !p.Memory && !p.Other, p.Critical:
		return true
	case p.Other:
		return false
	}
	return !p.BestEffort || slices.ContainsFunc(p.Tolerations, func(t toleration.Toleration) bool { return t.Tolerates(&memoryPressure) })
}

// memoryPressure is only read.
var memoryPressure = taint.Taint{Key: taint.KeyMemoryPressure, Effect: taint.NoSchedule}
