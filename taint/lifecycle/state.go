package lifecycle

import "fmt"

// State is the state of a zone. The zero State is [Initial]. It is a plain
// value.
type State uint8

// The states (rule C4).
const (
	Initial           State = iota // not looked at yet
	Normal                         // enough nodes are ready
	PartialDisruption              // many nodes are not
	FullDisruption                 // no node is
)

// String returns the name that Kubernetes has for s in its logs.
func (s State) String() string {
	switch s {
	case Initial:
		return "Initial"
	case Normal:
		return "Normal"
	case PartialDisruption:
		return "PartialDisruption"
	case FullDisruption:
		return "FullDisruption"
	}
	return fmt.Sprintf("State(%d)", uint8(s))
}

// Labels of nodes that the node controller looks at.
const (
	// LabelExcludeDisruption, with any value, keeps a node from being counted
	// for the state of its zone.
	LabelExcludeDisruption = "node.kubernetes.io/exclude-disruption"

	labelZone       = "topology.kubernetes.io/zone"
	labelRegion     = "topology.kubernetes.io/region"
	labelZoneBeta   = "failure-domain.beta.kubernetes.io/zone"
	labelRegionBeta = "failure-domain.beta.kubernetes.io/region"
)

// ZoneKey returns the name by which Kubernetes tells the zone of a node with
// the given labels from others: the region and the zone with ":\x00:" between,
// and "" for a node that has neither. The beta labels go before the others if
// they are there, even if they are empty.
func ZoneKey(labels map[string]string) string {
	region, zone := either(labels, labelRegionBeta, labelRegion), either(labels, labelZoneBeta, labelZone)
	if region == "" && zone == "" {
		return ""
	}
	return region + ":\x00:" + zone
}

func either(labels map[string]string, first, second string) string {
	if value, ok := labels[first]; ok {
		return value
	}
	return labels[second]
}
