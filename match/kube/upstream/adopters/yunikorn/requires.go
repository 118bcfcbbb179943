//go:build adopters

package yunikorn

// What the program in folder run rewrites, and puts into a package of YuniKorn.
import (
	_ "github.com/apache/yunikorn-k8shim/pkg/plugin/predicates"
	_ "github.com/tolero-dev/tolero/match/kube"
	_ "github.com/tolero-dev/tolero/match/matchtest/vectors"
	_ "k8s.io/kubernetes/pkg/scheduler/framework/plugins/tainttoleration"
)
