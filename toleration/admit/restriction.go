package admit

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// Annotations of a namespace that hold the defaults and the whitelist of its
// pods; see [ParseAnnotation].
const (
	AnnotationDefaults  = "scheduler.alpha.kubernetes.io/defaultTolerations"
	AnnotationWhitelist = "scheduler.alpha.kubernetes.io/tolerationsWhitelist"
)

// ParseAnnotation reads the value of one of the annotations, a list in JSON. The
// empty value is an empty list, which is not the same as no annotation. The
// result is never nil unless there is an error.
func ParseAnnotation(value string) ([]toleration.Toleration, error) {
	list := []toleration.Toleration{}
	if value == "" {
		return list, nil
	}
	if err := json.Unmarshal([]byte(value), &list); err != nil {
		return nil, fmt.Errorf("tolerations %q: %w", value, err)
	}
	return append([]toleration.Toleration{}, list...), nil
}

// Restriction is what the admission plugin PodTolerationRestriction does to the
// pods of a namespace: it merges defaults into their tolerations and checks the
// outcome against a whitelist (rule A5).
//
// The zero Restriction adds only what the QoS class asks for and allows
// everything. A copy shares the lists, which nothing in this package writes to.
type Restriction struct {
	// Defaults and Whitelist are the namespace's own, nil if it has none. An
	// empty list that is not nil keeps the cluster's from being used.
	Defaults, Whitelist []toleration.Toleration
	// ClusterDefaults and ClusterWhitelist are the plugin's configuration.
	ClusterDefaults, ClusterWhitelist []toleration.Toleration
	// Exact has redundant and allowed tolerations found by
	// [toleration.Toleration.Covers], which is right for every operator. Else
	// the plugin's own test is used, [UpstreamIsSuperset], which errs in the
	// ways that are listed there.
	Exact bool
}

// Append appends to dst what the plugin makes of the tolerations of a pod of the
// given class, and returns the extended slice. A pod that is created gets the
// defaults; one that is updated does not. A pod that is not BestEffort gets a
// toleration of memory-pressure with NoSchedule in both cases (rule A3). If there
// is something to add, all are merged: those that others make redundant go.
//
// dst must not overlap tolerations.
func (r *Restriction) Append(dst, tolerations []toleration.Toleration, class QOSClass, update bool) []toleration.Toleration {
	var extra []toleration.Toleration
	if !update {
		extra = firstOf(r.Defaults, r.ClusterDefaults)
	}
	if class != BestEffort {
		extra = append(slices.Clip(extra), exists(taint.KeyMemoryPressure, taint.NoSchedule))
	}
	switch {
	case len(extra) == 0:
		return append(dst, tolerations...)
	case r.Exact:
		return toleration.Merge(dst, slices.Concat(tolerations, extra))
	}
	return UpstreamMerge(dst, tolerations, extra)
}

// Check returns nil if the whitelist allows every one of tolerations, or if it is
// empty. Else the error is a [*taint.FieldErrors] with each that it does not, in
// the order of the list.
func (r *Restriction) Check(tolerations []toleration.Toleration) error {
	whitelist := firstOf(r.Whitelist, r.ClusterWhitelist)
	if len(whitelist) == 0 {
		return nil
	}
	var errs taint.FieldErrors
	for i := range tolerations {
		if !r.allowed(whitelist, &tolerations[i]) {
			errs.Add(fmt.Sprintf("tolerations[%d]", i), taint.Forbidden, tolerations[i].String(),
				fmt.Sprintf("%q is not on the whitelist", tolerations[i]))
		}
	}
	return errs.Err()
}

func (r *Restriction) allowed(whitelist []toleration.Toleration, t *toleration.Toleration) bool {
	return slices.ContainsFunc(whitelist, func(w toleration.Toleration) bool {
		if r.Exact {
			return w.Covers(t)
		}
		return UpstreamIsSuperset(&w, t)
	})
}

// firstOf returns the namespace's list if it has one, and else the cluster's.
func firstOf(namespace, cluster []toleration.Toleration) []toleration.Toleration {
	if namespace != nil {
		return namespace
	}
	return cluster
}
