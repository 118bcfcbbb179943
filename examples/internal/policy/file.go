package policy

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v2"

	"github.com/tolero-dev/tolero/compile/gen/admission"
	"github.com/tolero-dev/tolero/examples/internal/command"
	"github.com/tolero-dev/tolero/toleration"
	"github.com/tolero-dev/tolero/toleration/admit"
	"github.com/tolero-dev/tolero/toleration/policy"
)

// entry is a policy of the file.
type entry struct {
	Name        string               `yaml:"name"`
	Namespaces  admission.Namespaces `yaml:"namespaces"`
	Warn        bool                 `yaml:"warn"`
	Allowed     *texts               `yaml:"allowed"` // nil allows everything
	Denied      texts                `yaml:"denied"`
	Defaults    texts                `yaml:"defaults"`
	NotReady    *int64               `yaml:"notReadySeconds"`
	Unreachable *int64               `yaml:"unreachableSeconds"`

	spec    policy.Spec
	checked *policy.Policy
}

// texts is tolerations in the form of messages.
type texts []toleration.Toleration

func (l *texts) UnmarshalYAML(unmarshal func(any) error) error {
	var list []string
	if err := unmarshal(&list); err != nil {
		return err
	}
	*l = texts{}
	for _, text := range list {
		t, err := toleration.Parse(text)
		if err != nil {
			return err
		}
		*l = append(*l, t)
	}
	return nil
}

// goType is what errors of YAML say of the types of a program.
var goType = regexp.MustCompile(` (into|in type) [][*.\w]+`)

// plain is an error of YAML on one line, without the types.
func plain(err error) error {
	if e := (*yaml.TypeError)(nil); errors.As(err, &e) {
		return errors.New(goType.ReplaceAllString(strings.Join(e.Errors, "; "), "") + " (tolero policy -h shows the form)")
	}
	return err
}

// read reads the file. Defaults that their own policy would refuse are an error.
func read(p *command.Program, name string) ([]entry, error) {
	text, err := p.ReadAll(name)
	if err != nil {
		return nil, err
	}
	var entries []entry
	if err := yaml.UnmarshalStrict([]byte(text), &entries); err != nil {
		return nil, fmt.Errorf("%s: %w", name, plain(err))
	}
	for i := range entries {
		e := &entries[i]
		e.spec = policy.Spec{Rules: p.Rules, Denied: e.Denied}
		if e.Allowed != nil {
			given := admit.DefaultSeconds{NotReady: e.NotReady, Unreachable: e.Unreachable}.Append(nil, nil)
			e.spec.Allowed = slices.Concat(*e.Allowed, admit.DefaultSeconds{}.Append(nil, nil), given)
		}
		if e.checked, err = policy.New(e.spec); err == nil {
			err = e.checked.Check(e.Defaults)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: policy %q: %w", name, e.Name, err)
		}
	}
	if len(entries) == 0 {
		return nil, fmt.Errorf("%s: no policies in it", name)
	}
	return entries, nil
}

// objects returns functions that make the YAML of what e asks for.
func (e *entry) objects(kyverno bool) (objects []func() ([]byte, error)) {
	limits := admission.Policy{Name: e.Name, Namespaces: e.Namespaces, Warn: e.Warn, Spec: e.spec}
	defaults := admission.Defaults{Name: e.Name, Namespaces: e.Namespaces, Rules: e.spec.Rules, Tolerations: e.Defaults, NotReady: e.NotReady, Unreachable: e.Unreachable}
	given := e.Defaults != nil || e.NotReady != nil || e.Unreachable != nil
	switch some := e.Allowed != nil || e.Denied != nil || !given; {
	case some && kyverno:
		objects = append(objects, limits.Kyverno)
	case some:
		objects = append(objects, limits.Validating)
	}
	if given {
		objects = append(objects, defaults.Mutating)
	}
	return objects
}

// namespaces are the labels of the namespaces of the input, which must be JSON for that.
type namespaces map[string]map[string]string

func (n namespaces) Faults() []error { return nil }

func (n namespaces) Read(_ string, r io.Reader) {
	type object struct {
		Kind     string
		Metadata struct {
			Name   string
			Labels map[string]string
		}
	}
	decoder := json.NewDecoder(r)
	for err := error(nil); err == nil; { // the loader says what is wrong
		var list struct {
			object
			Items []object
		}
		err = decoder.Decode(&list)
		for _, o := range append(list.Items, list.object) {
			if o.Kind == "Namespace" {
				n[o.Metadata.Name] = o.Metadata.Labels
			}
		}
	}
	io.Copy(io.Discard, r)
}

// selected reports whether a policy is for the pods of a namespace.
func (n namespaces) selected(e *entry, namespace string) (bool, error) {
	if names := e.Namespaces.Names; len(names) > 0 && !slices.Contains(names, namespace) || slices.Contains(e.Namespaces.Except, namespace) {
		return false, nil
	}
	labels, known := n[namespace]
	if !known && len(e.Namespaces.Labels) > 0 {
		return false, fmt.Errorf("policy %q selects namespaces by label, and namespace %q is not in the input; kubectl get namespaces,pods -A -o json has both", e.Name, namespace)
	}
	for key, value := range e.Namespaces.Labels {
		if have, found := labels[key]; !found || have != value {
			return false, nil
		}
	}
	return true, nil
}
