//go:build adopters

package kai

// What the program in folder run rewrites, and puts into the packages of KAI.
import (
	_ "github.com/NVIDIA/KAI-scheduler/pkg/scheduler/api/pod_info"
	_ "github.com/NVIDIA/KAI-scheduler/pkg/scheduler/k8s_internal/plugins"
	_ "github.com/NVIDIA/KAI-scheduler/pkg/scheduler/plugins/predicates"
	_ "github.com/tolero-dev/tolero/match/kube"
	_ "github.com/tolero-dev/tolero/match/matchtest/vectors"
	_ "k8s.io/kubernetes/pkg/scheduler/framework/plugins/tainttoleration"
)
