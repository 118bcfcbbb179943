package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"

	"github.com/tolero-dev/tolero/match/kube/admission/internal/plain"
	"github.com/tolero-dev/tolero/taint/word"
	"github.com/tolero-dev/tolero/toleration"
	"github.com/tolero-dev/tolero/toleration/admit"
	"github.com/tolero-dev/tolero/toleration/policy"
)

// rules count Gt and Lt whatever the cluster does: no pod slips through when it begins to.
var rules = toleration.Rules{Comparisons: true}

var dnsLabel = regexp.MustCompile(`^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$`)

// parsed is the policy of a file.
type parsed struct {
	policies policy.Policies
	defaults map[string][]toleration.Toleration
}

// parse reads a policy. Whatever could be taken for more than what was meant is an error.
func parse(data []byte) (*parsed, error) {
	if len(bytes.TrimSpace(data)) == 0 {
		return nil, errors.New("no policy in it")
	}
	document, err := object("the policy", data, "cluster", "namespaces", "defaults")
	if err != nil {
		return nil, err
	}
	p := &parsed{policy.Policies{Namespaces: map[string]*policy.Policy{}}, map[string][]toleration.Toleration{}}
	if data, ok := document["cluster"]; ok {
		if p.policies.Cluster, err = parsePolicy("cluster", data); err != nil {
			return nil, err
		}
	}
	err = byNamespace(document, "namespaces", func(place, name string, data []byte) (err error) {
		p.policies.Namespaces[name], err = parsePolicy(place, data)
		return err
	})
	if err != nil {
		return nil, err
	}
	return p, byNamespace(document, "defaults", p.parseDefaults)
}

// parsePolicy reads one policy. What every pod has by the time that it is judged is allowed.
func parsePolicy(place string, data []byte) (*policy.Policy, error) {
	fields, err := object(place, data, "allowed", "denied")
	if err != nil {
		return nil, err
	}
	spec := policy.Spec{Rules: rules}
	if data, ok := fields["allowed"]; ok {
		if spec.Allowed, err = parseList(place+".allowed", data); err != nil {
			return nil, err
		}
		spec.Allowed = append(spec.Allowed, admit.DefaultSeconds{}.Append(nil, nil)...)
	}
	if data, ok := fields["denied"]; ok {
		if spec.Denied, err = parseList(place+".denied", data); err != nil {
			return nil, err
		}
	}
	p, err := policy.New(spec)
	if err != nil {
		return nil, fmt.Errorf("%s.%w", place, err)
	}
	return p, nil
}

// parseDefaults reads what the pods of a namespace get. It is an error if they would be
// refused for it, by the API server or by the namespace's own policy.
func (p *parsed) parseDefaults(place, name string, data []byte) error {
	list, err := parseList(place, data)
	if err != nil {
		return err
	}
	if err = (toleration.Rules{}).Validate(list); err == nil {
		err = p.policies.Check(name, list)
	}
	if err != nil {
		return fmt.Errorf("%s.%w", place, err)
	}
	p.defaults[name] = list
	return nil
}

// byNamespace calls read for each namespace that a field of the document has, by name.
func byNamespace(document map[string]json.RawMessage, field string, read func(place, name string, data []byte) error) error {
	data, ok := document[field]
	if !ok {
		return nil
	}
	namespaces, err := object(field, data)
	if err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(namespaces)) {
		if !dnsLabel.MatchString(name) {
			return fmt.Errorf("%s: %q is not the name of a namespace: want at most 63 lower case letters, digits and \"-\"", field, name)
		}
		if err := read(field+"."+name, name, namespaces[name]); err != nil {
			return err
		}
	}
	return nil
}

// object returns the fields of an object, each of which is one of known, if there are any.
func object(place string, data []byte, known ...string) (map[string]json.RawMessage, error) {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(data, &fields); err != nil {
		return nil, plain.Error(place, err)
	}
	if fields == nil {
		return nil, fmt.Errorf("%s: want an object, got null", place)
	}
	names, err := word.Fields(data, nil) // repeated ones too
	if err != nil {
		return nil, plain.Error(place, err)
	}
	slices.Sort(names)
	for i, name := range names {
		if known != nil && !slices.Contains(known, name) {
			return nil, fmt.Errorf("%s: field %q is unknown", place, name)
		}
		if i > 0 && name == names[i-1] {
			return nil, fmt.Errorf("%s: field %q is repeated", place, name)
		}
	}
	return fields, nil
}

// parseList reads a list of tolerations.
func parseList(place string, data []byte) ([]toleration.Toleration, error) {
	var items []json.RawMessage
	if err := json.Unmarshal(data, &items); err != nil {
		return nil, plain.Error(place, err)
	}
	if items == nil {
		return nil, fmt.Errorf("%s: want a list, got null", place)
	}
	list, err := toleration.ParseListJSON(data)
	if err != nil {
		return nil, fmt.Errorf("%s.%w", place, err)
	}
	return list, nil
}
