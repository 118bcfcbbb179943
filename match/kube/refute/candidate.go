package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	admissionregistration "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/util/yaml"
)

// candidate is a policy that somebody wrote: the part of it that decides about an object.
type candidate struct {
	name string
	spec admissionregistration.ValidatingAdmissionPolicySpec
}

// document is an object that may have policies: a ValidatingAdmissionPolicy, a
// ValidatingPolicy of Kyverno, whose spec has the same fields, or a ClusterPolicy or Policy
// of Kyverno with rules in CEL.
type document struct {
	Kind     string `json:"kind"`
	Metadata struct {
		Name string `json:"name"`
	} `json:"metadata"`
	Spec struct {
		admissionregistration.ValidatingAdmissionPolicySpec `json:",inline"`

		Rules []struct {
			Name          string                                 `json:"name"`
			Preconditions []admissionregistration.MatchCondition `json:"celPreconditions"`
			Validate      struct {
				CEL *struct {
					Expressions []admissionregistration.Validation `json:"expressions"`
					Variables   []admissionregistration.Variable   `json:"variables"`
				} `json:"cel"`
			} `json:"validate"`
		} `json:"rules"`
	} `json:"spec"`
}

// readCandidates reads the policies of YAML or JSON and skips other objects. It is an error
// if there are none.
func readCandidates(data []byte) ([]candidate, error) {
	decoder := yaml.NewYAMLOrJSONDecoder(bytes.NewReader(data), 4096)
	var candidates []candidate
	for i := 0; ; i++ {
		var d document
		if err := decoder.Decode(&d); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, fmt.Errorf("document %d: %w", i, err)
		}
		candidates = append(candidates, d.candidates()...)
	}
	if len(candidates) == 0 {
		return nil, errors.New("no ValidatingAdmissionPolicy, ValidatingPolicy, or ClusterPolicy with rules in CEL")
	}
	return candidates, nil
}

func (d *document) candidates() (all []candidate) {
	switch d.Kind {
	case "ValidatingAdmissionPolicy", "ValidatingPolicy", "NamespacedValidatingPolicy":
		all = append(all, candidate{d.Metadata.Name, d.Spec.ValidatingAdmissionPolicySpec})
	case "ClusterPolicy", "Policy":
		for i := range d.Spec.Rules {
			r := &d.Spec.Rules[i]
			if r.Validate.CEL == nil {
				continue
			}
			all = append(all, candidate{d.Metadata.Name + ", rule " + r.Name, admissionregistration.ValidatingAdmissionPolicySpec{
				MatchConditions: r.Preconditions, Validations: r.Validate.CEL.Expressions, Variables: r.Validate.CEL.Variables,
			}})
		}
	}
	return all
}
