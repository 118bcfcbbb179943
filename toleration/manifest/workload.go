package manifest

import (
	"slices"
	"strings"
)

// templateHash is the label by which the Deployment controller tells the pods of its
// ReplicaSets apart (k8s.io/api/apps/v1, DefaultDeploymentUniqueLabelKey).
const templateHash = "pod-template-hash"

// mostControllers bounds how far owners of owners are followed. Real ones have two.
const mostControllers = 8

// controllerKey names a workload.
type controllerKey struct {
	Owner
	namespace string
}

// findWorkloads finds the workload at the end of each pod's chain of owners.
func (l *Loader) findWorkloads() {
	if !l.Controllers {
		return
	}
	owners := make(map[controllerKey]Owner)
	for i := range l.pods {
		if p := &l.pods[i]; p.Kind != "Pod" {
			owners[controllerKey{Owner{p.Kind, p.Name}, p.Namespace}] = p.Owner
		}
	}
	for i := range l.pods {
		p := &l.pods[i]
		p.Workload = p.workload(owners)
	}
}

// workload follows the chain of a pod's owners; owners has the owner of each workload.
func (c *candidate) workload(owners map[controllerKey]Owner) Owner {
	at := c.Owner
	for range mostControllers {
		next, known := owners[controllerKey{at, c.Namespace}]
		if !known && at == c.Owner && at.Kind == "ReplicaSet" && c.hash != "" {
			if name, made := strings.CutSuffix(at.Name, "-"+c.hash); made && name != "" {
				next = Owner{"Deployment", name}
			}
		}
		if next == (Owner{}) {
			return at
		}
		at = next
	}
	return at
}

// wantedLabels returns the labels of a node that the user of the Loader wants.
func (l *Loader) wantedLabels(o *object) map[string]string {
	if !l.Placement && !slices.Contains(l.Labels, templateHash) {
		delete(o.labels, templateHash)
		if len(o.labels) == 0 {
			return nil
		}
	}
	return o.labels
}
