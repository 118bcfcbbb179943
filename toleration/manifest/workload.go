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

// controller is a workload of the input.
type controller struct {
	owner Owner
	owns  bool // an object of the input, as far as names tell
}

// findWorkloads finds the workload at the end of each pod's chain of owners, and the
// workloads that own others.
func (l *Loader) findWorkloads() {
	if !l.Controllers {
		return
	}
	controllers := make(map[controllerKey]*controller)
	for i := range l.pods {
		if p := &l.pods[i]; p.Kind != "Pod" {
			controllers[p.key()] = &controller{owner: p.Owner}
		}
	}
	for i := range l.pods {
		p := &l.pods[i]
		p.Workload = p.workload(controllers)
	}
	for i := range l.pods {
		if p := &l.pods[i]; p.Kind != "Pod" {
			p.owns = controllers[p.key()].owns
		}
	}
}

func (c *candidate) key() controllerKey { return controllerKey{Owner{c.Kind, c.Name}, c.Namespace} }

// workload follows the chain of owners, and notes that they own something.
func (c *candidate) workload(controllers map[controllerKey]*controller) Owner {
	at := c.Owner
	for range mostControllers {
		var next Owner
		made, known := controllers[controllerKey{at, c.Namespace}]
		if known {
			next = made.owner
			made.owns = at != Owner{} // a list that is no object has no kind and no name
		} else if at == c.Owner && at.Kind == "ReplicaSet" && c.hash != "" {
			if name, found := strings.CutSuffix(at.Name, "-"+c.hash); found && name != "" {
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
	if !l.Placement && !l.State && !slices.Contains(l.Labels, templateHash) {
		delete(o.labels, templateHash)
		if len(o.labels) == 0 {
			return nil
		}
	}
	return o.labels
}
