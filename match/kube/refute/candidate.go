package main

import (
	"bytes"
	gojson "encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	admissionregistration "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/json"
)

// candidate is a policy that somebody wrote: the part of it that decides about an object.
type candidate struct {
	name       string
	spec       admissionregistration.ValidatingAdmissionPolicySpec
	namespaces labels.Selector // by the name alone; nil if all are selected
	elsewhere  bool            // whether the policy is not about new pods
	unseen     []string        // fields that may decide and are not looked at
}

// document is an object that may have policies.
type document struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata"`

	Status any `json:"status"`
}

// native is a ValidatingAdmissionPolicy, or a ValidatingPolicy of Kyverno, whose spec has the
// same fields and more.
type native struct {
	document `json:",inline"`

	Spec admissionregistration.ValidatingAdmissionPolicySpec `json:"spec"`
}

// clusterPolicy is a ClusterPolicy or Policy of Kyverno with rules in CEL.
type clusterPolicy struct {
	document `json:",inline"`

	Spec struct {
		Rules []struct {
			Name          string                                 `json:"name"`
			Match         kyvernoMatch                           `json:"match"`
			Preconditions []admissionregistration.MatchCondition `json:"celPreconditions"`
			Validate      struct {
				CEL *struct {
					Expressions []admissionregistration.Validation `json:"expressions"`
					Variables   []admissionregistration.Variable   `json:"variables"`
					ParamKind   *admissionregistration.ParamKind   `json:"paramKind"`
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
	bindings := map[string][]string{}
	for i := 0; ; i++ {
		var raw gojson.RawMessage
		err := decoder.Decode(&raw)
		if errors.Is(err, io.EOF) {
			break
		}
		var found []candidate
		if err == nil {
			found, err = candidatesOf(raw, bindings)
		}
		if fault := (*gojson.UnmarshalTypeError)(nil); errors.As(err, &fault) {
			return nil, fmt.Errorf("document %d: %s: %s does not fit", i, fault.Field, fault.Value)
		} else if err != nil {
			return nil, fmt.Errorf("document %d: %w", i, err)
		}
		candidates = append(candidates, found...)
	}
	for i := range candidates {
		candidates[i].unseen = append(candidates[i].unseen, bindings[candidates[i].name]...)
	}
	if len(candidates) == 0 {
		return nil, errors.New("no ValidatingAdmissionPolicy, ValidatingPolicy, or ClusterPolicy with rules in CEL")
	}
	return candidates, nil
}

// candidatesOf reads one object. It adds a binding to those of its policy.
func candidatesOf(raw []byte, bindings map[string][]string) ([]candidate, error) {
	var head struct {
		Kind string `json:"kind"`
	}
	if err := gojson.Unmarshal(raw, &head); err != nil {
		return nil, err
	}
	switch head.Kind {
	case "ValidatingAdmissionPolicyBinding":
		var b admissionregistration.ValidatingAdmissionPolicyBinding
		err := json.UnmarshalCaseSensitivePreserveInts(raw, &b)
		bindings[b.Spec.PolicyName] = append(bindings[b.Spec.PolicyName], b.Kind+" "+b.Name)
		return nil, err
	case "ValidatingAdmissionPolicy", "ValidatingPolicy", "NamespacedValidatingPolicy":
		var d native
		unseen, err := strictly(raw, &d, head.Kind)
		c := candidate{name: d.Name, spec: d.Spec, unseen: unseen}
		if err == nil {
			err = c.constrain(d.Spec.MatchConstraints)
		}
		return []candidate{c}, err
	case "ClusterPolicy", "Policy":
		var d clusterPolicy
		unseen, err := strictly(raw, &d, head.Kind)
		return d.candidates(unseen), err
	}
	return nil, nil
}

// strictly reads a policy and returns the fields that are not looked at.
func strictly(raw []byte, into any, kind string) ([]string, error) {
	faults, err := json.UnmarshalStrict(raw, into)
	if err != nil {
		return nil, err
	}
	return unknown(kind, faults)
}

// candidates are the rules in CEL, each with the fields not looked at that are of it or of all.
func (d *clusterPolicy) candidates(unseen []string) (all []candidate) {
	for i := range d.Spec.Rules {
		r := &d.Spec.Rules[i]
		if r.Validate.CEL == nil {
			continue
		}
		all = append(all, candidate{
			name: d.Name + ", rule " + r.Name,
			spec: admissionregistration.ValidatingAdmissionPolicySpec{
				ParamKind: r.Validate.CEL.ParamKind, MatchConditions: r.Preconditions,
				Validations: r.Validate.CEL.Expressions, Variables: r.Validate.CEL.Variables,
			},
			elsewhere: !r.Match.pods(),
			unseen: slices.DeleteFunc(slices.Clone(unseen), func(field string) bool {
				return strings.HasPrefix(field, "spec.rules[") && !strings.HasPrefix(field, fmt.Sprintf("spec.rules[%d].", i))
			}),
		})
	}
	return all
}
