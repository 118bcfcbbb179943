package lint

import (
	"cmp"
	"fmt"

	"github.com/tolero-dev/tolero/match/lint"
	"github.com/tolero-dev/tolero/toleration/manifest"
)

// poolsOf returns the pools that make nodes, with the taints that the node readiness controller
// gives to these. A NodeClaim is as its NodePool, and a ResourceFlavor makes none.
func poolsOf(c *manifest.Cluster) (pools []lint.Pool) {
	for i := range c.Pools {
		p := &c.Pools[i]
		if p.Kind == "NodeClaim" || p.Kind == "ResourceFlavor" {
			continue
		}
		of := lint.Pool{Name: p.ID(), Taints: p.Taints, Startup: p.StartupTaints, Labels: p.Labels, OnDemand: p.OnDemand}
		for j := range c.Readiness {
			if r := &c.Readiness[j]; !r.DryRun && r.Selector.MayMatch(&p.Labels) {
				of.Startup = append(of.Startup[:len(of.Startup):len(of.Startup)], r.Taint)
			}
		}
		pools = append(pools, of)
	}
	return pools
}

// startupTaints returns the startup taints that wait for a pod, by the name of its workload.
func startupTaints(p *manifest.Pod) []string {
	kind, name := p.Kind, p.Name
	if owner := cmp.Or(p.Workload, p.Owner); owner != (manifest.Owner{}) && owner.Kind != "Node" {
		kind, name = owner.Kind, owner.Name
	}
	return lint.StartupTaints(kind, p.Namespace, name)
}

// poolField returns the path of a field such as "startupTaints[0]" in a pool. Those beyond the
// pool's own come from readiness rules.
func poolField(p *manifest.Pool, field string) string {
	i := -1
	if fmt.Sscanf(field, "startupTaints[%d]", &i); i >= len(p.StartupTaints) {
		return "with the taint of a NodeReadinessRule"
	}
	return "spec.template.spec." + field
}
