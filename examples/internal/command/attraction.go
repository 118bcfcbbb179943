package command

import (
	"github.com/tolero-dev/tolero/toleration/manifest"
	"github.com/tolero-dev/tolero/toleration/policy"
)

// Attraction returns what the template of a DaemonSet requires of its nodes, which is
// nothing for other pods: package lint asks about DaemonSets alone. Of a pod whose
// DaemonSet is not in the input it is the node selector alone.
func Attraction(p *manifest.Pod) policy.Attraction {
	switch {
	case p.Kind == "DaemonSet":
		return p.Attraction
	case p.Template != nil:
		return *p.Template
	case p.Owner.Kind == "DaemonSet":
		return p.Attraction.OfTemplate()
	}
	return policy.Attraction{}
}
