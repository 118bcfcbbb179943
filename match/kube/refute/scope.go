package main

import (
	"errors"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	admissionregistration "k8s.io/api/admissionregistration/v1"
	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apiserver/pkg/admission/plugin/webhook/predicates/rules"
	"sigs.k8s.io/json"
)

var (
	// wholes are fields whose whole content is known, of every kind of policy.
	wholes = regexp.MustCompile(`(validations|variables|matchConditions|expressions|celPreconditions)\[|matchConstraints\.`)
	// harmless are fields of Kyverno that do not decide about a new pod.
	harmless = []string{
		"auditAnnotations", "autogen", "background", "emitWarning", "generate", "message", "reportProperties",
		"schemaValidation", "skipBackgroundRequests", "webhookTimeoutSeconds",
	}
)

// unknown sorts the fields of a policy that this program does not know: those of Kyverno that
// matter are not looked at, and others are an error.
func unknown(kind string, faults []error) (unseen []string, err error) {
	for _, fault := range faults {
		var field json.FieldError
		switch {
		case !errors.As(fault, &field) || strings.HasPrefix(kind, "ValidatingAdmissionPolicy") ||
			!strings.HasPrefix(fault.Error(), `unknown field "spec.`) || wholes.MatchString(field.FieldPath()):
			return nil, fault
		case !slices.Contains(harmless, strings.TrimPrefix(path.Ext(field.FieldPath()), ".")):
			unseen = append(unseen, field.FieldPath())
		}
	}
	return unseen, nil
}

// constrain takes what selects the objects that a policy is about.
func (c *candidate) constrain(m *admissionregistration.MatchResources) error {
	if m == nil {
		return nil
	}
	request := attributes("default", nil)
	matches := func(field string, all []admissionregistration.NamedRuleWithOperations) (some, always bool) {
		for i, r := range all {
			if !(&rules.Matcher{Rule: r.RuleWithOperations, Attr: request}).Matches() {
				continue
			}
			some, always = true, always || len(r.ResourceNames) == 0
			if len(r.ResourceNames) > 0 {
				c.unseen = append(c.unseen, fmt.Sprintf("spec.matchConstraints.%s[%d].resourceNames", field, i))
			}
		}
		return some, always
	}
	some, _ := matches("resourceRules", m.ResourceRules)
	_, excluded := matches("excludeResourceRules", m.ExcludeResourceRules)
	c.elsewhere = len(m.ResourceRules) > 0 && !some || excluded
	if m.NamespaceSelector != nil {
		selector, err := metav1.LabelSelectorAsSelector(m.NamespaceSelector)
		if err != nil {
			return fmt.Errorf("spec.matchConstraints.namespaceSelector: %w", err)
		}
		requirements, _ := selector.Requirements()
		if slices.ContainsFunc(requirements, func(r labels.Requirement) bool { return r.Key() != v1.LabelMetadataName }) {
			c.unseen = append(c.unseen, "spec.matchConstraints.namespaceSelector")
		} else {
			c.namespaces = selector
		}
	}
	if s := m.ObjectSelector; s != nil && len(s.MatchLabels)+len(s.MatchExpressions) > 0 {
		c.unseen = append(c.unseen, "spec.matchConstraints.objectSelector")
	}
	return nil
}

// kyvernoMatch is what a rule of Kyverno is about, as far as it is looked at: kinds.
type kyvernoMatch struct {
	kyvernoFilter `json:",inline"`

	Any []kyvernoFilter `json:"any"`
	All []kyvernoFilter `json:"all"`
}

type kyvernoFilter struct {
	Resources struct {
		Kinds []string `json:"kinds"`
	} `json:"resources"`
}

// pods is whether pods are among the kinds, or there are none. A kind may have its group and
// version before it, and wildcards.
func (m *kyvernoMatch) pods() bool {
	var kinds []string
	for _, f := range slices.Concat([]kyvernoFilter{m.kyvernoFilter}, m.Any, m.All) {
		kinds = append(kinds, f.Resources.Kinds...)
	}
	return len(kinds) == 0 || slices.ContainsFunc(kinds, func(kind string) bool {
		matched, err := path.Match(path.Base(kind), "Pod")
		return matched || err != nil
	})
}
