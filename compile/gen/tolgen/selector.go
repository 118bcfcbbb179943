package main

import (
	"fmt"
	"strings"

	"github.com/tolero-dev/tolero/toleration/manifest"
)

// selector says which objects are meant: those of a kind, and if they are not
// empty, of a namespace and with a name.
type selector struct {
	text                  string
	kind, namespace, name string
}

func parseSelector(text string) (selector, error) {
	s := selector{text: text}
	parts := strings.Split(text, "/")
	s.kind = parts[0]
	switch len(parts) {
	case 1:
	case 2:
		s.name = parts[1]
	case 3:
		s.namespace, s.name = parts[1], parts[2]
	default:
		return s, fmt.Errorf("%q has more parts than KIND/NAMESPACE/NAME", text)
	}
	for _, part := range parts {
		if part == "" {
			return s, fmt.Errorf("%q has an empty part", text)
		}
	}
	return s, nil
}

// selects reports whether an object is meant.
func (s *selector) selects(o *manifest.Object) bool {
	return s.kind == o.Kind && (s.name == "" || s.name == o.Name) && (s.namespace == "" || s.namespace == o.Namespace)
}

// selectors is a flag that may stand several times.
type selectors []selector

func (l *selectors) Set(text string) error {
	s, err := parseSelector(text)
	*l = append(*l, s)
	return err
}

func (l *selectors) String() string { return strings.Join(l.all(), ",") }

func (l *selectors) all() []string {
	var texts []string
	for _, s := range *l {
		texts = append(texts, s.text)
	}
	return texts
}

// selects reports whether an object is meant: by any of the selectors, or if
// there is none.
func (l selectors) selects(o *manifest.Object) bool {
	for i := range l {
		if l[i].selects(o) {
			return true
		}
	}
	return len(l) == 0
}

// rename gives a list a name. Without a selector it is meant for the only list.
type rename struct {
	selector
	identifier string
	only       bool
}

// renames is a flag that may stand several times.
type renames []rename

func (l *renames) Set(text string) error {
	which, identifier, found := strings.Cut(text, "=")
	if !found {
		*l = append(*l, rename{selector: selector{text: text}, identifier: text, only: true})
		return nil
	}
	s, err := parseSelector(which)
	s.text = text
	*l = append(*l, rename{selector: s, identifier: identifier})
	return err
}

func (l *renames) String() string { return strings.Join(l.all(), ",") }

func (l *renames) all() []string {
	var texts []string
	for _, r := range *l {
		texts = append(texts, r.text)
	}
	return texts
}
