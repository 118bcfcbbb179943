package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tolero-dev/tolero/toleration/manifest"
)

// selector says which objects are meant: those of a kind, of a namespace and with a
// name, where these are not empty.
type selector struct{ kind, namespace, name string }

func parseSelector(text string) (s selector, err error) {
	parts := strings.Split(text, "/")
	if len(parts) > 3 || slices.Contains(parts, "") {
		return s, fmt.Errorf("%q is not KIND, KIND/NAME or KIND/NAMESPACE/NAME", text)
	}
	s.kind = parts[0]
	if len(parts) == 3 {
		s.namespace = parts[1]
	}
	if len(parts) > 1 {
		s.name = parts[len(parts)-1]
	}
	return s, nil
}

// selects reports whether an object is meant.
func (s *selector) selects(o *manifest.Object) bool {
	return (s.kind == "" || s.kind == o.Kind) && (s.name == "" || s.name == o.Name) && (s.namespace == "" || s.namespace == o.Namespace)
}

// rename gives a list a name.
type rename struct {
	selector
	text, identifier string
}

func (o *options) addOnly(text string) error {
	s, err := parseSelector(text)
	o.only = append(o.only, s)
	return err
}

func (o *options) addName(text string) (err error) {
	r := rename{text: text, identifier: text}
	if which, identifier, found := strings.Cut(text, "="); found {
		r.identifier = identifier
		r.selector, err = parseSelector(which)
	}
	o.names = append(o.names, r)
	return err
}

// selects reports whether code for an object is asked for.
func (o *options) selects(object *manifest.Object) bool {
	return len(o.only) == 0 || slices.ContainsFunc(o.only, func(s selector) bool { return s.selects(object) })
}
