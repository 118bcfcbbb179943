package admit

import (
	"slices"
	"strings"

	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// Resources is what a container, or a pod as a whole, requests and may use, with
// the field names of the Kubernetes API. The API server sets a missing request to
// the limit; this package takes requests and limits as they are.
//
// The zero Resources requests nothing. A copy shares the maps, which nothing in
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
// init containers request, in any quantity, zero and invalid ones included. Each
// name occurs once, and they are sorted (rule A4). Limits do not count, nor do
// the resources of the pod as a whole. It returns nil if there are none.
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

// IsExtendedResource reports whether Kubernetes takes name for the name of an
// extended resource: it contains "/" but not "kubernetes.io/", does not begin
// with "requests.", and is a qualified name, even with "requests." before it, as
// quotas write it (rule A4).
func IsExtendedResource(name string) bool {
	const quota = "requests."
	switch {
	case !strings.Contains(name, "/"), strings.Contains(name, "kubernetes.io/"), strings.HasPrefix(name, quota):
		return false
	}
	return taint.CheckKey(quota+name) == nil
}

// ExtendedResources is the admission plugin ExtendedResourceToleration: it lets
// a pod onto nodes that are tainted with the names of the resources that it
// requests. The zero ExtendedResources adds nothing. A copy shares the names,
// which nothing in this package writes to.
type ExtendedResources struct {
	// Names are the extended resources of the pod: [PodResources.Extended]
	// returns them as the plugin sees them. A name may occur twice.
	Names []string
}

// Append adds or updates one toleration for each name, with the name as its key,
// Exists and NoSchedule, in the order of the names (rule A4); see [Part]. The
// names are taken as they are, extended resources or not. Expected time is linear
// in the length of both lists.
func (e ExtendedResources) Append(dst, tolerations []toleration.Toleration) []toleration.Toleration {
	added := make([]toleration.Toleration, len(e.Names))
	for i, name := range e.Names {
		added[i] = exists(name, taint.NoSchedule)
	}
	return upsert(dst, tolerations, added)
}
