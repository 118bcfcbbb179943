package command

import (
	"github.com/tolero-dev/tolero/toleration/manifest"
	"github.com/tolero-dev/tolero/toleration/policy"
)

// Attraction returns what the template of a DaemonSet requires of its nodes, which is
// nothing for other pods: package lint asks about DaemonSets alone.
func Attraction(p *manifest.Pod) policy.Attraction {
	switch {
	case p.Kind == "DaemonSet":
		return p.Attraction
	case p.Owner.Kind == "DaemonSet":
		return p.Attraction.OfTemplate()
	}
	return policy.Attraction{}
}
