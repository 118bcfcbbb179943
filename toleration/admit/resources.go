package admit

import (
	"slices"
	"strings"

	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// Resources is what a container, or a pod as a whole, asks for and may use, with
// the field names of the Kubernetes API. The API server fills in requests that
// are missing beside limits; this package takes them as they stand.
//
// The zero Resources asks for nothing. A copy shares the maps, which nothing in
// this package writes to.
type Resources struct {
	Requests map[string]Quantity `json:"requests,omitempty"`
	Limits   map[string]Quantity `json:"limits,omitempty"`
}

// PodResources is the resources of a pod. The zero PodResources is one without
// containers. A copy shares the slices and maps, which nothing in this package
// writes to.
type PodResources struct {
	Pod            *Resources // of the pod as a whole, or nil
	InitContainers []Resources
	Containers     []Resources
}

// Extended returns the names of the extended resources that the containers and
// init containers request, whatever the quantity, each once and sorted (rule
// A4). Limits do not count, nor do the resources of the pod as a whole.
func (p *PodResources) Extended() []string {
	var names []string
	for _, containers := range [...][]Resources{p.Containers, p.InitContainers} {
		for i := range containers {
			for name := range containers[i].Requests {
				if IsExtendedResource(name) {
					names = append(names, name)
				}
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// IsExtendedResource reports whether Kubernetes takes the name for that of an
// extended resource: it has a "/", does not hold "kubernetes.io/", does not begin
// with "requests.", and is a qualified name that stays one with "requests." in
// front, as quotas write it (rule A4).
func IsExtendedResource(name string) bool {
	const quota = "requests."
	switch {
	case !strings.Contains(name, "/"), strings.Contains(name, "kubernetes.io/"), strings.HasPrefix(name, quota):
		return false
	}
	return taint.CheckKey(quota+name) == nil
}

// ExtendedResources appends tolerations to dst with those that the admission
// plugin ExtendedResourceToleration adds or updates, and returns the extended
// slice: for each resource, whose names [PodResources.Extended] gives, one with
// its name as the key, Exists and NoSchedule, in the order of the names (rule
// A4). dst must not overlap tolerations.
func ExtendedResources(dst, tolerations []toleration.Toleration, names []string) []toleration.Toleration {
	added := make([]toleration.Toleration, len(names))
	for i, name := range names {
		added[i] = exists(name, taint.NoSchedule)
	}
	return upsertAll(dst, tolerations, added)
}
