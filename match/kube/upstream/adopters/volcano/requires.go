//go:build adopters

package volcano

// What the program in folder run rewrites, and puts into the packages of Volcano.
import (
	_ "github.com/tolero-dev/tolero/match/kube"
	_ "github.com/tolero-dev/tolero/match/matchtest/vectors"
	_ "k8s.io/kubernetes/pkg/scheduler/framework/plugins/tainttoleration"
	_ "volcano.sh/volcano/pkg/scheduler/plugins/nodeorder"
	_ "volcano.sh/volcano/pkg/scheduler/plugins/predicates"
)
