package command

import (
	"github.com/tolero-dev/tolero/toleration"
	"github.com/tolero-dev/tolero/toleration/admit"
	"github.com/tolero-dev/tolero/toleration/manifest"
)

// Tolerations returns the list as written, and for a DaemonSet what its pods get: the
// controller adds tolerations of nodes that are cordoned or in trouble (rule A2). The
// result may share memory with the pod.
func Tolerations(p *manifest.Pod) []toleration.Toleration {
	if p.Kind == "DaemonSet" {
		return admit.DaemonSet{HostNetwork: p.HostNetwork}.Append(nil, p.SpecTolerations)
	}
	return p.SpecTolerations
}
