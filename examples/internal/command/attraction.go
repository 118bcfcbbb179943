package command

import (
	"github.com/tolero-dev/tolero/match/affinity"
	"github.com/tolero-dev/tolero/toleration/manifest"
)

// Affinity returns what the pods of p require of their nodes, that of their volumes included, and whether that is all
// of it. For a pod of a DaemonSet it returns what the template requires, because the
// controller replaces all terms of the template with the name of the pod's node
// (ReplaceDaemonSetPodNodeNameNodeAffinity in pkg/controller/daemon/util). If the DaemonSet
// is not in the input, only the node selector is known. The result shares memory with p.
func Affinity(p *manifest.Pod) (a affinity.Required, whole bool) {
	switch {
	case p.Template != nil:
		a = *p.Template
		a.Volumes = p.Affinity.Volumes
		return a, true
	case p.Kind == "Pod" && p.Owner.Kind == "DaemonSet":
		return affinity.Required{NodeSelector: p.Affinity.NodeSelector, Volumes: p.Affinity.Volumes}, false
	}
	return p.Affinity, true
}
