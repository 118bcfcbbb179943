package command

import (
	"github.com/tolero-dev/tolero/toleration/manifest"
	"github.com/tolero-dev/tolero/toleration/policy"
)

// Attraction returns what the pods of p require of their nodes, and whether that is all
// of it. A pod of a DaemonSet stands for the DaemonSet, whose template is asked: the
// controller replaces all terms of the template with the name of the pod's node
// (ReplaceDaemonSetPodNodeNameNodeAffinity in pkg/controller/daemon/util). If the DaemonSet
// is not in the input, the node selector is all that is known. The result shares memory
// with p.
func Attraction(p *manifest.Pod) (a policy.Attraction, whole bool) {
	switch {
	case p.Template != nil:
		return *p.Template, true
	case p.Kind == "Pod" && p.Owner.Kind == "DaemonSet":
		return policy.Attraction{NodeSelector: p.Attraction.NodeSelector}, false
	}
	return p.Attraction, true
}
