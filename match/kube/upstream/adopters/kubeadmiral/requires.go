//go:build adopters

package kubeadmiral

// What the program in folder run rewrites, and puts into the packages of KubeAdmiral.
import (
	_ "github.com/kubewharf/kubeadmiral/pkg/controllers/scheduler/framework"
	_ "github.com/kubewharf/kubeadmiral/pkg/controllers/scheduler/framework/plugins/preferencebinpack"
	_ "github.com/kubewharf/kubeadmiral/pkg/controllers/scheduler/framework/plugins/rsp"
	_ "github.com/kubewharf/kubeadmiral/pkg/controllers/scheduler/framework/plugins/tainttoleration"
	_ "github.com/tolero-dev/tolero/match/kube"
	_ "github.com/tolero-dev/tolero/match/matchtest/vectors"
)
