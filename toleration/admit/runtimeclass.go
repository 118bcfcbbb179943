package admit

import "github.com/tolero-dev/tolero/toleration"

// RuntimeClass is the admission plugin of that name as a source of tolerations: it adds
// those of the pod's runtime class. The zero RuntimeClass, a class without a field
// scheduling, adds nothing. A copy shares the list, which nothing in this package writes
// to.
type RuntimeClass struct {
	// Tolerations are those of scheduling.tolerations.
	Tolerations []toleration.Toleration
	// Scheduling says that the class has the field scheduling. If it has and Tolerations
	// is empty, the tolerations of the pod are merged among themselves all the same.
	Scheduling bool
}

// Append appends to dst what the plugin makes of the tolerations of the pod and those of
// the class, by [UpstreamMerge], defects included (rules A5, R7); see [Part].
func (c RuntimeClass) Append(dst, tolerations []toleration.Toleration) []toleration.Toleration {
	if !c.Scheduling && len(c.Tolerations) == 0 {
		return append(dst, tolerations...)
	}
	return UpstreamMerge(dst, tolerations, c.Tolerations)
}
