package admission

import (
	"fmt"
	"maps"
	"regexp"
	"slices"

	"github.com/tolero-dev/tolero/taint"
)

// Namespaces selects namespaces: those that pass every test. The zero Namespaces selects
// all. A copy shares the lists and the map.
type Namespaces struct {
	Names  []string          `json:"names,omitempty"`  // if there are any, only these
	Except []string          `json:"except,omitempty"` // not these
	Labels map[string]string `json:"labels,omitempty"` // with all these labels
}

// resources returns what a binding matches, or nil if it is for all namespaces.
func (n *Namespaces) resources() *matchResources {
	selector := labelSelector{MatchLabels: n.Labels}
	for _, test := range []struct {
		operator string
		names    []string
	}{{"In", n.Names}, {"NotIn", n.Except}} {
		if len(test.names) > 0 {
			selector.MatchExpressions = append(selector.MatchExpressions, requirement{"kubernetes.io/metadata.name", test.operator, test.names})
		}
	}
	if len(selector.MatchLabels) == 0 && len(selector.MatchExpressions) == 0 {
		return nil
	}
	return &matchResources{selector}
}

// check adds the faults of the names and labels, which are those of the API server.
func (n *Namespaces) check(errs *taint.FieldErrors) {
	for i, name := range n.Names {
		checkLabel(errs, fmt.Sprintf("namespaces.names[%d]", i), name)
	}
	for i, name := range n.Except {
		checkLabel(errs, fmt.Sprintf("namespaces.except[%d]", i), name)
	}
	for _, key := range slices.Sorted(maps.Keys(n.Labels)) {
		field := fmt.Sprintf("namespaces.labels[%s]", key)
		if err := taint.CheckKey(key); err != nil {
			errs.Add(field, "invalid value", key, err.Error())
		}
		if err := taint.CheckValue(n.Labels[key]); err != nil {
			errs.Add(field, "invalid value", n.Labels[key], err.Error())
		}
	}
}

var (
	dnsLabel     = regexp.MustCompile(`^[a-z0-9]([-a-z0-9]*[a-z0-9])?$`)
	dnsSubdomain = regexp.MustCompile(`^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$`)
)

func checkLabel(errs *taint.FieldErrors, field, name string) {
	if len(name) > 63 || !dnsLabel.MatchString(name) {
		errs.Add(field, "invalid value", name, `must be at most 63 lower case letters, digits and "-", with a letter or digit at both ends`)
	}
}

func checkName(errs *taint.FieldErrors, field, name string) {
	if len(name) > 253 || !dnsSubdomain.MatchString(name) {
		errs.Add(field, "invalid value", name, `must be at most 253 lower case letters, digits, "-" and ".", with a letter or digit at both ends of each part`)
	}
}
