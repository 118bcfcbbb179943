package files

import (
	"bytes"
	"slices"
	"strings"
)

// Release is a minor release of Kubernetes with a folder of vectors.
type Release struct {
	Kubernetes string
	Confirmed  string   // the module that gave the same answers
	asks       []string // the kinds of questions that were confirmed; all if nil
	equalOnly  bool     // whether the operators Gt and Lt do not exist
}

// matching is the kinds that match/kube/upstream/minors asks the helpers of a release.
var matching = []string{"tolerates", "untolerated", "fits"}

// Releases are the releases with a folder, the newest first.
var Releases = []Release{
	{Kubernetes: Kubernetes, Confirmed: "k8s.io/kubernetes v1.37.1"},
	{Kubernetes: "1.36", Confirmed: "k8s.io/component-helpers v0.36.6", asks: matching},
	{Kubernetes: "1.35", Confirmed: "k8s.io/component-helpers v0.35.10", asks: matching},
	{Kubernetes: "1.34", Confirmed: "k8s.io/component-helpers v0.34.1", asks: matching, equalOnly: true},
}

// cases returns those of all that apply to the release, with its answers.
func (r *Release) cases(all []Case) (cases []Case) {
	for _, c := range all {
		if r.asks != nil && !slices.Contains(r.asks, c.Ask) {
			continue
		}
		if !r.equalOnly || c.withoutComparisons(r.Kubernetes) {
			cases = append(cases, c)
		}
	}
	return cases
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
