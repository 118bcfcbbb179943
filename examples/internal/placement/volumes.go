package placement

import (
	"slices"

	"github.com/tolero-dev/tolero/examples/internal/command"
	"github.com/tolero-dev/tolero/match/affinity"
	"github.com/tolero-dev/tolero/toleration/manifest"
)

// Volumes knows the PersistentVolumeClaims of a cluster, and where their volumes are.
type Volumes struct {
	Claims map[string]*manifest.Claim // by namespace/name
	where  map[string]affinity.Required
}

// NewVolumes returns the claims and volumes of a cluster.
func NewVolumes(c *manifest.Cluster) *Volumes {
	v := &Volumes{Claims: make(map[string]*manifest.Claim), where: make(map[string]affinity.Required)}
	for i := range c.Volumes {
		v.where[c.Volumes[i].Name] = c.Volumes[i].Affinity
	}
	for i := range c.Claims {
		v.Claims[c.Claims[i].Namespace+"/"+c.Claims[i].Name] = &c.Claims[i]
	}
	return v
}

// Required returns what a pod requires of its node, that of the volumes that it uses included,
// and whether that is all: see [command.Affinity].
func (v *Volumes) Required(p *manifest.Pod) (a affinity.Required, whole bool) {
	a, whole = command.Affinity(p)
	if p.State == nil {
		return a, whole
	}
	for _, name := range p.State.Claims {
		if claim := v.Claims[p.Namespace+"/"+name]; claim != nil {
			a = and(a, v.where[claim.VolumeName])
		}
	}
	return a, whole
}

// and returns a Required that holds where both hold. Terms are ORed and their parts ANDed.
func and(a, b affinity.Required) affinity.Required {
	switch {
	case b.Terms == nil:
		return a
	case a.Terms == nil:
		return affinity.Required{NodeSelector: a.NodeSelector, Terms: b.Terms}
	}
	both := affinity.Required{NodeSelector: a.NodeSelector, Terms: []affinity.Term{}}
	for _, x := range a.Terms {
		for _, y := range b.Terms {
			if len(x.Expressions)+len(x.Fields) > 0 && len(y.Expressions)+len(y.Fields) > 0 { // an empty term holds nowhere
				both.Terms = append(both.Terms, affinity.Term{Expressions: slices.Concat(x.Expressions, y.Expressions), Fields: slices.Concat(x.Fields, y.Fields)})
			}
		}
	}
	return both
}
