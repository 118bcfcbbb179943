//go:build adopters

package kruise

// What the program in folder run rewrites, and puts into the packages of OpenKruise.
import (
	_ "github.com/openkruise/kruise/pkg/controller/broadcastjob"
	_ "github.com/openkruise/kruise/pkg/controller/daemonset"
	_ "github.com/openkruise/kruise/pkg/controller/workloadspread"
	_ "github.com/tolero-dev/tolero/match/kube"
	_ "github.com/tolero-dev/tolero/match/matchtest/vectors"
)
