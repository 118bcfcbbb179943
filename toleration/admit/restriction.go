package admit

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// The annotations of a namespace that hold the defaults and the whitelist for its
// pods; see [ParseAnnotation].
const (
	AnnotationDefaults  = "scheduler.alpha.kubernetes.io/defaultTolerations"
	AnnotationWhitelist = "scheduler.alpha.kubernetes.io/tolerationsWhitelist"
)

// ParseAnnotation reads the value of one of the annotations, a list in JSON. As for the
// plugin, the case of field names does not count. The empty value and null are an empty
// list, which differs from no annotation: the result is nil only if there is an error. It
// does not validate.
func ParseAnnotation(value string) ([]toleration.Toleration, error) {
	list := []toleration.Toleration{}
	if value == "" {
		return list, nil
	}
	type anyCase toleration.Toleration // without UnmarshalJSON, for which the case counts
	var items []anyCase
	if err := json.Unmarshal([]byte(value), &items); err != nil {
		return nil, fmt.Errorf("tolerations %q: %w", value, err)
	}
	for _, t := range items {
		list = append(list, toleration.Toleration(t))
	}
	return list, nil
}

// Restriction is the admission plugin PodTolerationRestriction for one pod. It
// merges the defaults of the pod's namespace into its tolerations, adds one
// toleration by its QoS class, and checks the outcome against a whitelist (rules
// A3 and A5).
//
// The zero Restriction adds nothing and allows everything. A copy shares the
// lists, which nothing in this package writes to.
type Restriction struct {
	// Defaults and Whitelist are those of the namespace, nil if it has none. An
	// empty list that is not nil keeps the cluster's from being used.
	Defaults, Whitelist []toleration.Toleration
	// ClusterDefaults and ClusterWhitelist are the plugin's configuration.
	ClusterDefaults, ClusterWhitelist []toleration.Toleration

	// Class is the class of the pod: that in its status or, in a new pod, that
	// of [PodResources.QOS]. A pod of any class except BestEffort gets a
	// toleration for memory-pressure with NoSchedule. If Class is empty, it does
	// not.
	Class QOSClass
	// Update says that the pod exists already and is updated. It does not get
	// the defaults then.
	Update bool

	// Exact finds redundant tolerations by [toleration.Minimize] and those that are
	// not allowed by [toleration.Meaning.Allows], which are right for every operator.
	// Without it the plugin's own tests decide, [UpstreamMerge] and
	// [UpstreamIsSuperset], which err in the ways that are listed there.
	Exact bool
	// Rules are those of the cluster, for Exact: what does not count there stays in the
	// list and is allowed, and in a whitelist it allows nothing (rule N4).
	Rules toleration.Rules
}

// Append adds the defaults, unless the pod is updated, and then the toleration
// that the class asks for; see [Part]. If it adds something, it merges all: a
// toleration that others make redundant goes. With Exact, the merged list has the
// same meaning ([toleration.Meaning]) as all of them, and if those that count are not valid,
// it is all.
//
// With n as the length of all, Append takes n log n steps.
func (r Restriction) Append(dst, tolerations []toleration.Toleration) []toleration.Toleration {
	var extra []toleration.Toleration
	if !r.Update {
		extra = firstOf(r.Defaults, r.ClusterDefaults)
	}
	if r.Class != BestEffort && r.Class != "" {
		extra = append(slices.Clip(extra), exists(taint.KeyMemoryPressure, taint.NoSchedule))
	}
	switch {
	case len(extra) == 0:
		return append(dst, tolerations...)
	case r.Exact:
		return r.minimize(dst, slices.Concat(tolerations, extra))
	}
	return UpstreamMerge(dst, tolerations, extra)
}

// minimize appends a list without what is redundant among the tolerations that count.
func (r Restriction) minimize(dst, list []toleration.Toleration) []toleration.Toleration {
	redundant, _, _, err := toleration.Redundant(r.Rules.Active(nil, list))
	if err != nil {
		return append(dst, list...)
	}
	counted := 0
	for i := range list {
		if r.counts(&list[i]) {
			if counted++; redundant[counted-1] {
				continue
			}
		}
		dst = append(dst, list[i])
	}
	return dst
}

// counts reports whether a toleration counts in the cluster.
func (r Restriction) counts(t *toleration.Toleration) bool {
	return r.Rules.Comparisons || !t.Operator.Comparison()
}

// Check returns nil if the whitelist is empty or allows all of tolerations, which
// are those that Append returns. Otherwise the error is a *[taint.FieldErrors]
// with one fault for each toleration that is not allowed, under "tolerations[i]", in
// the order of the list.
//
// With Exact, a toleration is allowed if the whitelist as a whole tolerates each taint
// that it tolerates and, if that is a NoExecute taint, for as long; see
// [toleration.Meaning.Allows]. The fault names one of the taints that the whitelist
// tolerates for the least time, if a valid taint is among these. A toleration that counts
// and is not valid is not allowed. A whitelist that is not valid, as far as it counts, is an
// error with the faults of [toleration.NewMeaning] under "whitelist". Without Exact, a single
// entry of the whitelist has to cover it by the plugin's own test.
//
// With n as the sum of the lengths of both lists, Check takes n log n steps.
func (r Restriction) Check(tolerations []toleration.Toleration) error {
	whitelist := firstOf(r.Whitelist, r.ClusterWhitelist)
	if len(whitelist) == 0 {
		return nil
	}
	var errs taint.FieldErrors
	if r.Exact {
		m, err := toleration.NewLenientMeaning(r.Rules.Active(nil, whitelist))
		if err != nil {
			return under("whitelist", err)
		}
		for i := range tolerations {
			if x, ok := m.Allows(&tolerations[i]); !ok && r.counts(&tolerations[i]) {
				refuse(&errs, i, &tolerations[i], shownBy(&x))
			}
		}
		return errs.Err()
	}
	supersets := newSupersets(whitelist)
	for i := range tolerations {
		if !supersets.of(&tolerations[i]) {
			refuse(&errs, i, &tolerations[i], "")
		}
	}
	return errs.Err()
}

// under puts the faults of a list under a field.
func under(field string, err error) error {
	var faults *taint.FieldErrors
	if errors.As(err, &faults) {
		return faults.Under(field)
	}
	return err
}

func refuse(errs *taint.FieldErrors, i int, t *toleration.Toleration, why string) {
	text := t.String()
	errs.Add(fmt.Sprintf("tolerations[%d]", i), "forbidden", text, fmt.Sprintf("%q is not on the whitelist%s", text, why))
}

// shownBy returns the end of a message that names a taint that the whitelist does not
// tolerate, or not for as long, and nothing if the taint is not valid. Only a toleration
// that is not valid has none.
func shownBy(x *taint.Taint) string {
	switch {
	case *x == taint.Taint{}:
		return ": it is not valid"
	case taint.Validate([]taint.Taint{*x}) != nil:
		return ""
	}
	if x.Effect == taint.NoExecute {
		return fmt.Sprintf(", which does not tolerate %q, or not for as long", x)
	}
	return fmt.Sprintf(", which does not tolerate %q", x)
}

// firstOf returns the namespace's list if it has one, and else the cluster's.
func firstOf(namespace, cluster []toleration.Toleration) []toleration.Toleration {
	if namespace != nil {
		return namespace
	}
	return cluster
}
