package command

import (
	"slices"
	"strings"

	"github.com/tolero-dev/tolero/compile/index/whatif"
	"github.com/tolero-dev/tolero/toleration"
	"github.com/tolero-dev/tolero/toleration/admit"
	"github.com/tolero-dev/tolero/toleration/manifest"
)

// Tolerations returns the list as written, and for a DaemonSet what its pods get: the
// controller adds tolerations of nodes that are cordoned or in trouble (rule A2). Pods of
// a cluster have them already. The result may share memory with the pod.
func Tolerations(p *manifest.Pod) []toleration.Toleration {
	if p.Kind == "DaemonSet" {
		return admit.DaemonSet{HostNetwork: p.HostNetwork}.Append(nil, p.SpecTolerations)
	}
	return p.SpecTolerations
}

// DaemonSets are those that pods belong to, by the name that [Owner] returns.
type DaemonSets map[string]admit.DaemonSet

// Add adds the DaemonSet that the pod is or belongs to, if there is one.
func (d DaemonSets) Add(p *manifest.Pod) {
	if owner := Owner(p); strings.HasPrefix(owner, "DaemonSet ") {
		d[owner] = admit.DaemonSet{HostNetwork: p.HostNetwork}
	}
}

// Admitted returns the plan with the lists that pods get: to those of DaemonSets the
// controller adds its tolerations. written turns steps of the result, as stages have
// them, back into those of the plan, for people to read.
func (d DaemonSets) Admitted(plan whatif.Plan) (admitted whatif.Plan, written func(whatif.Plan) whatif.Plan) {
	lists := make(map[rollout][]toleration.Toleration) // as written
	admitted.Steps = slices.Clone(plan.Steps)
	for i := range admitted.Steps {
		s := &admitted.Steps[i]
		if of, found := d[s.Owner]; found && s.Verb == whatif.SetTolerations {
			s.Tolerations = of.Append(nil, s.Tolerations)
			lists[rolloutOf(s)] = plan.Steps[i].Tolerations
		}
	}
	return admitted, func(stage whatif.Plan) whatif.Plan {
		steps := slices.Clone(stage.Steps)
		for i := range steps {
			if list, found := lists[rolloutOf(&steps[i])]; found {
				steps[i].Tolerations = list
			}
		}
		return whatif.Plan{Steps: steps}
	}
}

// rollout is an owner and the list that its pods get, as text.
type rollout struct{ owner, tolerations string }

func rolloutOf(s *whatif.Step) rollout { return rollout{s.Owner, toleration.FormatList(s.Tolerations)} }
