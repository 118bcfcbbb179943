package admission

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
	"github.com/tolero-dev/tolero/toleration/admit"
)

// Defaults is what new pods in some namespaces get without asking. The zero Defaults is not
// valid, because it has no name. It is plain data; a copy shares its lists and numbers.
type Defaults struct {
	// Name is that of the policy and its binding: a DNS subdomain name.
	Name       string     `json:"name"`
	Namespaces Namespaces `json:"namespaces,omitzero"`
	// Rules are those of the cluster, which refuses tolerations that are not valid by them.
	Rules toleration.Rules `json:"-"`
	// Tolerations come after those of the pod, each unless the pod has one that is the same but for
	// its seconds (rule A6). So what the pod says counts, where both match (rule E2).
	Tolerations []toleration.Toleration `json:"tolerations,omitempty"`
	// NotReady and Unreachable are seconds in place of those that the API server has given to a
	// pod that says nothing of these taints (rule A1). Nil leaves those. A pod that asks for
	// exactly the same cannot be told from one that says nothing, and gets them too.
	NotReady    *int64 `json:"notReadySeconds,omitempty"`
	Unreachable *int64 `json:"unreachableSeconds,omitempty"`
	// Cluster is what the API server gives: by default, 300 seconds each.
	Cluster admit.DefaultSeconds `json:"-"`
}

// maxExact is the greatest integer up to which patches are exact: the API server
// computes their numbers as floating point.
const maxExact int64 = 1 << 53

// Mutating returns the YAML of a MutatingAdmissionPolicy and a
// MutatingAdmissionPolicyBinding, both with the name of d: of admissionregistration.k8s.io/v1 and
// thus Kubernetes 1.36. They change pods when these are created, and no templates.
//
// The error is a [*taint.FieldErrors] with what the API server would refuse, in the
// policy or in every pod, and with seconds that a patch cannot hold.
func (d *Defaults) Mutating() ([]byte, error) {
	if err := d.validate(); err != nil {
		return nil, err
	}
	spec := mutatingSpec{
		FailurePolicy:      "Fail",
		MatchConstraints:   matchConstraints{ResourceRules: []resourceRule{{[]string{""}, []string{"v1"}, []string{"CREATE"}, []string{"pods"}}}},
		ReinvocationPolicy: "Never",
		Variables:          []namedExpression{{"tolerations", "object.spec.?tolerations.orValue([])"}},
		Mutations:          []mutation{{"JSONPatch", jsonPatch{d.patches()}}},
	}
	return documents(
		object{registration, "MutatingAdmissionPolicy", metadata{d.Name}, spec},
		object{registration, "MutatingAdmissionPolicyBinding", metadata{d.Name}, binding{PolicyName: d.Name, MatchResources: d.Namespaces.resources()}},
	)
}

func (d *Defaults) validate() error {
	var errs taint.FieldErrors
	checkName(&errs, "name", d.Name)
	d.Namespaces.check(&errs)
	if len(d.Tolerations) == 0 && d.NotReady == nil && d.Unreachable == nil {
		errs.Add("tolerations", "required value", "", "must have a toleration, unless notReadySeconds or unreachableSeconds is set")
	}
	if err := errs.Err(); err != nil {
		return err
	}
	if err := d.Rules.Validate(d.Tolerations); err != nil {
		return err
	}
	for i, t := range d.Tolerations {
		checkSeconds(&errs, fmt.Sprintf("tolerations[%d].tolerationSeconds", i), t.TolerationSeconds)
	}
	checkSeconds(&errs, "notReadySeconds", d.NotReady)
	checkSeconds(&errs, "unreachableSeconds", d.Unreachable)
	return errs.Err()
}

func checkSeconds(errs *taint.FieldErrors, field string, seconds *int64) {
	if seconds != nil && (*seconds > maxExact || *seconds < -maxExact) {
		errs.Add(field, "invalid value", fmt.Sprint(*seconds), fmt.Sprintf("must be between %d and %d", -maxExact, maxExact))
	}
}

// patches returns an expression for a list of patches. They name positions in the list that
// the pod has, so what is added at its end comes last.
func (d *Defaults) patches() string {
	var parts []string
	given := d.Cluster.Append(nil, nil)
	for i, seconds := range []*int64{d.NotReady, d.Unreachable} {
		if seconds != nil {
			parts = append(parts, fmt.Sprintf(`variables.tolerations.transformList(i, t, %s && t.?tolerationSeconds == optional.of(%d),
  JSONPatch{op: 'replace', path: '/spec/tolerations/' + string(i) + '/tolerationSeconds', value: %d})`,
				same(&given[i]), *given[i].TolerationSeconds, *seconds))
		}
	}
	if len(d.Tolerations) > 0 {
		parts = append(parts, "(has(object.spec.tolerations) ? [] : [JSONPatch{op: 'add', path: '/spec/tolerations', value: []}])")
	}
	for i := range d.Tolerations {
		t := &d.Tolerations[i]
		if !slices.ContainsFunc(d.Tolerations[:i], func(x toleration.Toleration) bool { return x.Matches(t) }) {
			parts = append(parts, fmt.Sprintf(`(variables.tolerations.exists(t, %s) ? [] :
  [JSONPatch{op: 'add', path: '/spec/tolerations/-', value: %s}])`, same(t), literal(t)))
		}
	}
	return strings.Join(parts, " +\n")
}

// same returns a test that the toleration t of a pod equals this one, apart from the seconds.
func same(t *toleration.Toleration) string {
	operator := isEqual
	if t.Operator != toleration.OpEqual && t.Operator != "" {
		operator = "t.operator == " + quote(string(t.Operator))
	}
	return fmt.Sprintf("t.?key.orValue('') == %s && %s && t.?value.orValue('') == %s && t.?effect.orValue('') == %s",
		quote(t.Key), strings.Replace(operator, "t.operator", "t.?operator.orValue('')", 1), quote(t.Value), quote(string(t.Effect)))
}

// literal returns a toleration as a CEL value. Its fields have several types, which CEL allows with dyn.
func literal(t *toleration.Toleration) string {
	var fields []string
	for _, f := range [...]struct{ name, value string }{{"key", t.Key}, {"operator", string(t.Operator)}, {"value", t.Value}, {"effect", string(t.Effect)}} {
		if f.value != "" {
			fields = append(fields, "'"+f.name+"': dyn("+quote(f.value)+")")
		}
	}
	if t.TolerationSeconds != nil {
		fields = append(fields, fmt.Sprintf("'tolerationSeconds': dyn(%d)", *t.TolerationSeconds))
	}
	return "{" + strings.Join(fields, ", ") + "}"
}
