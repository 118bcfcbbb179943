package files

import (
	"bytes"
	"slices"
	"strings"
)

// Release is a minor release of Kubernetes with a folder of vectors.
type Release struct {
	Kubernetes string
	confirmed  string   // the module that gave the same answers; none if only helpers did
	helpers    string   // the module that gave the same answers to the kinds matching
	without    []string // what the folder does not have: names of files, kinds or cases
	equalOnly  bool     // whether the operators Gt and Lt do not exist
}

// matching is the kinds that match/kube/upstream/minors asks the helpers of a release.
var matching = []string{"tolerates", "untolerated", "fits"}

// Releases are the releases with a folder, the newest first. README says why what is
// missing in one is missing.
var Releases = []Release{
	{Kubernetes: Kubernetes, confirmed: "k8s.io/kubernetes v1.37.1"},
	{Kubernetes: "1.36", confirmed: "k8s.io/kubernetes v1.36.3", helpers: "k8s.io/component-helpers v0.36.6",
		without: []string{"nodeLifecycle/a-lease-that-cannot-be-read", "deviceTaints/no-selector"}},
	{Kubernetes: "1.35", confirmed: "k8s.io/kubernetes v1.35.4", helpers: "k8s.io/component-helpers v0.35.10",
		without: []string{"nodeLifecycle/a-lease-that-cannot-be-read", "deviceTaints/no-selector", "deviceTaintRuleUpdate/another-effect"}},
	{Kubernetes: "1.34", helpers: "k8s.io/component-helpers v0.34.1", equalOnly: true},
}

// cases returns those of all that apply to the release, with its answers.
func (r *Release) cases(all []Case) (cases []Case) {
	for _, c := range all {
		if r.has(&c) && (!r.equalOnly || c.withoutComparisons(r.Kubernetes)) {
			cases = append(cases, c)
		}
	}
	return cases
}

// has reports whether the folder of the release has the case. Those of older releases
// have what was found only of the kinds matching and in the small set: more of it
// would make the folders large.
func (r *Release) has(c *Case) bool {
	switch {
	case slices.Contains(matching, c.Ask) || r.Kubernetes == Kubernetes:
		return true
	case r.confirmed == "" || c.About == "" && c.Kills == nil:
		return false
	}
	return !slices.Contains(r.without, group(c.Ask)) && !slices.Contains(r.without, c.Ask) && !slices.Contains(r.without, c.ID)
}

// Confirmed names the modules that gave the answers of a file.
func (r *Release) Confirmed(cases []Case) string {
	var modules []string
	if r.confirmed != "" {
		modules = append(modules, r.confirmed)
	}
	if r.helpers != "" && slices.ContainsFunc(cases, func(c Case) bool { return slices.Contains(matching, c.Ask) }) {
		modules = append(modules, r.helpers)
	}
	return strings.Join(modules, ", ")
}

// withoutComparisons makes c a case for a release without Gt and Lt, where tolerations
// with these match nothing. It reports whether there is such a case: not if c has the
// feature gate on. What other projects do with the operators does not belong to the release.
func (c *Case) withoutComparisons(kubernetes string) bool {
	if bytes.Contains(c.Input, []byte(`"TaintTolerationComparisonOperators":true`)) {
		return false
	}
	c.Reason = strings.ReplaceAll(c.Reason, "counts only with the feature gate", "is not known to Kubernetes "+kubernetes)
	if bytes.Contains(c.Input, []byte(`"operator":"Gt"`)) || bytes.Contains(c.Input, []byte(`"operator":"Lt"`)) {
		c.Alternatives = nil
	}
	return true
}
