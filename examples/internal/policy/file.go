package policy

import (
	"bytes"
	"cmp"
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
	Allowed     []string             `yaml:"allowed"` // nil allows everything
	Denied      []string             `yaml:"denied"`
	Defaults    []string             `yaml:"defaults"`
	NotReady    *int64               `yaml:"notReadySeconds"`
	Unreachable *int64               `yaml:"unreachableSeconds"`

	spec     policy.Spec
	defaults []toleration.Toleration
	checked  *policy.Policy
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
	entries, err := decode([]byte(text))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	for i := range entries {
		e := &entries[i]
		if slices.ContainsFunc(entries[:i], func(other entry) bool { return other.Name == e.Name }) {
			return nil, fmt.Errorf("%s: two policies have the name %q", name, e.Name)
		}
		if err = e.parse(p.Rules); err == nil {
			e.checked, err = policy.New(e.spec)
		}
		if err == nil {
			err = e.checked.Check(e.defaults)
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

// parse reads the tolerations, and allows what the API server and the policy itself add.
func (e *entry) parse(rules toleration.Rules) (err error) {
	e.spec.Rules = rules
	if e.spec.Allowed, err = tolerations("allowed", e.Allowed); err != nil {
		return err
	}
	if e.spec.Allowed != nil {
		added := admit.DefaultSeconds{NotReady: e.NotReady, Unreachable: e.Unreachable}.Append(nil, nil)
		for _, t := range (admit.DefaultSeconds{}).Append(added, nil) {
			if !slices.ContainsFunc(e.spec.Allowed, func(u toleration.Toleration) bool { return t.Equal(&u) }) {
				e.spec.Allowed = append(e.spec.Allowed, t)
			}
		}
	}
	if e.spec.Denied, err = tolerations("denied", e.Denied); err != nil {
		return err
	}
	e.defaults, err = tolerations("defaults", e.Defaults)
	return err
}

// tolerations reads those of a field. It is nil if the texts are.
func tolerations(field string, texts []string) (list []toleration.Toleration, err error) {
	if texts != nil {
		list = make([]toleration.Toleration, len(texts))
	}
	for i, text := range texts {
		if list[i], err = toleration.Parse(text); err != nil {
			return nil, fmt.Errorf("%s[%d]: %w", field, i, err)
		}
	}
	return list, nil
}

// decode reads the policies of all documents. A field without a value is an error: it could be
// read as one that is left out, and as one that is empty.
func decode(text []byte) (entries []entry, err error) {
	for strict, loose := yaml.NewDecoder(bytes.NewReader(text)), yaml.NewDecoder(bytes.NewReader(text)); ; {
		strict.SetStrict(true)
		var some []entry
		if err := strict.Decode(&some); errors.Is(err, io.EOF) {
			return entries, nil
		} else if err != nil {
			return nil, plain(err)
		}
		var tree any
		if err := loose.Decode(&tree); err != nil {
			return nil, err
		}
		if at := empty(tree, ""); at != "" {
			return nil, fmt.Errorf("%s: has no value", strings.TrimPrefix(at, "."))
		}
		entries = append(entries, some...)
	}
}

// empty returns where in a tree nothing is, or "".
func empty(tree any, at string) string {
	switch tree := tree.(type) {
	case nil:
		return cmp.Or(at, "the document")
	case []any:
		for i, item := range tree {
			if found := empty(item, fmt.Sprintf("%s[%d]", at, i)); found != "" {
				return found
			}
		}
	case map[any]any:
		var all []string
		for name, item := range tree {
			if found := empty(item, fmt.Sprintf("%s.%v", at, name)); found != "" {
				all = append(all, found)
			}
		}
		if len(all) > 0 {
			return slices.Min(all)
		}
	}
	return ""
}

// objects returns functions that make the YAML of what e asks for.
func (e *entry) objects(kyverno bool) (objects []func() ([]byte, error)) {
	limits := admission.Policy{Name: e.Name, Namespaces: e.Namespaces, Warn: e.Warn, Spec: e.spec}
	defaults := admission.Defaults{Name: e.Name, Namespaces: e.Namespaces, Rules: e.spec.Rules, Tolerations: e.defaults, NotReady: e.NotReady, Unreachable: e.Unreachable}
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
