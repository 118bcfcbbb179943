package command

import (
	"strings"

	"github.com/tolero-dev/tolero/match/dialect"
	"github.com/tolero-dev/tolero/match/lint"
	"github.com/tolero-dev/tolero/taint"
)

// Passing says what to do about a taint that comes and goes with the state of the nodes that
// have it, in words that follow the taint: to tolerate it is wrong. It says nothing of others.
func Passing(t *taint.Taint, nodes []string) string {
	kubernetes := dialect.Kubernetes()
	switch {
	case len(nodes) == 0 || !lint.Passes(t.Key):
		return ""
	case t.Key == taint.KeyUnschedulable:
		return "is a cordon, which somebody set: kubectl uncordon " + strings.ReplaceAll(Some(nodes), ",", "")
	case t.Key == taint.KeyOutOfService:
		return "was set by somebody: kubectl taint nodes " + nodes[0] + " " + t.Key + "- once the node is back"
	case t.Key == taint.KeyToBeDeleted, t.Key == "karpenter.sh/disrupted", strings.Contains(t.Key, "termination"):
		return "means that the node is being removed: wait for another one"
	case t.Key == taint.KeyDeletionCandidate:
		return "means that the cluster autoscaler may remove the node"
	case kubernetes.Class(t) == dialect.Status:
		return "goes away with the state of the node: kubectl describe node " + nodes[0]
	}
	return "goes away once the node has started: wait"
}
