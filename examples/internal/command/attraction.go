package command

import (
	"github.com/tolero-dev/tolero/toleration/manifest"
	"github.com/tolero-dev/tolero/toleration/policy"
)

// Attraction returns what the template of a DaemonSet requires of its nodes, and nothing
// for other pods: package lint asks about DaemonSets alone. For a pod whose DaemonSet is
// not in the input it returns the node selector alone, because the DaemonSet controller
// replaces all terms of the template with the name of the pod's node
// (ReplaceDaemonSetPodNodeNameNodeAffinity in pkg/controller/daemon/util). The result
// shares memory with p.
func Attraction(p *manifest.Pod) policy.Attraction {
	switch {
	case p.Kind == "DaemonSet":
		return p.Attraction
	case p.Template != nil:
		return *p.Template
	case p.Owner.Kind == "DaemonSet":
		return policy.Attraction{NodeSelector: p.Attraction.NodeSelector}
	}
	return policy.Attraction{}
}
