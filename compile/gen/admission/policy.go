package admission

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
	"github.com/tolero-dev/tolero/toleration/admit"
	"github.com/tolero-dev/tolero/toleration/policy"
)

// Policy is a toleration policy for some namespaces. The zero Policy is not valid, because
// it has no name. It is plain data; a copy shares its lists.
type Policy struct {
	// Name is that of the policy and its binding: a DNS subdomain name.
	Name       string     `json:"name"`
	Namespaces Namespaces `json:"namespaces,omitzero"`
	// Warn says that a violation is a warning to the user and an entry in the audit log, and
	// the object is admitted all the same: to try a policy before it is enforced.
	Warn bool `json:"warn,omitzero"`
	// Spec is what pods may tolerate. What it leaves open makes no policy: either Allowed or
	// Denied must be set.
	Spec policy.Spec `json:"spec"`
}

// Validating returns the YAML of a ValidatingAdmissionPolicy and a
// ValidatingAdmissionPolicyBinding, both with the name of p.
//
// The error is a [*taint.FieldErrors] with the fields that are at fault: a name that the API
// server would refuse, lists that are not valid by the rules, a policy that allows
// everything, or one that is too large to be evaluated within the limits of the API server.
func (p *Policy) Validating() ([]byte, error) {
	spec, err := p.compile()
	if err != nil {
		return nil, err
	}
	spec.MatchConstraints = matchConstraints{ResourceRules: workloads}
	bound := binding{PolicyName: p.Name, ValidationActions: p.actions(), MatchResources: p.Namespaces.resources()}
	return documents(
		object{registration, "ValidatingAdmissionPolicy", metadata{p.Name}, spec},
		object{registration, "ValidatingAdmissionPolicyBinding", metadata{p.Name}, bound},
	)
}

// Kyverno returns the YAML of a ValidatingPolicy of policies.kyverno.io/v1: the same expressions in
// another frame, which Kyverno evaluates, not the API server; tests do not run Kyverno. It does not look at objects that exist already, because
// the policy is about requests. Errors are as with Validating.
func (p *Policy) Kyverno() ([]byte, error) {
	spec, err := p.compile()
	if err != nil {
		return nil, err
	}
	spec.MatchConstraints = matchConstraints{ResourceRules: workloads}
	if selected := p.Namespaces.resources(); selected != nil {
		spec.MatchConstraints.NamespaceSelector = &selected.NamespaceSelector
	}
	spec.ValidationActions, spec.Evaluation = p.actions(), new(evaluation)
	return documents(object{"policies.kyverno.io/v1", "ValidatingPolicy", metadata{p.Name}, spec})
}

func (p *Policy) actions() []string {
	if p.Warn {
		return []string{"Warn", "Audit"}
	}
	return []string{"Deny"}
}

// compile returns what all kinds of validating policies have in common.
func (p *Policy) compile() (*policySpec, error) {
	var errs taint.FieldErrors
	checkName(&errs, "name", p.Name)
	p.Namespaces.check(&errs)
	if p.Spec.Allowed == nil && len(p.Spec.Denied) == 0 {
		errs.Add("spec", "required value", "", "must have allowed or denied: it allows everything")
	}
	rules := p.Spec.Rules // by which all must count: without a toleration, the policy would be another one
	for i, list := range [][]toleration.Toleration{p.Spec.Allowed, p.Spec.Denied} {
		if invalid := (*taint.FieldErrors)(nil); errors.As(rules.Validate(list), &invalid) {
			errs.Faults = append(errs.Faults, invalid.Under([]string{"spec.allowed", "spec.denied"}[i]).Faults...)
		}
	}
	if err := errs.Err(); err != nil {
		return nil, err
	}
	spec := &policySpec{
		FailurePolicy:   "Fail",
		MatchConditions: []namedExpression{{"tolerations-change", changed}},
		Variables:       judged(rules.Comparisons),
	}
	if p.Spec.Allowed != nil {
		spec.require("refused", "!("+covered(p.Spec.Allowed, rules.Comparisons)+")", "allowed", "is not allowed, or not for so long; allowed: ", p.Spec.Allowed)
	}
	if denied := p.Spec.Denied; len(denied) > 0 {
		spec.require("denied", overlaps(denied, rules.Comparisons), "denied", "is denied; denied: ", denied)
	}
	return spec, spec.checkSize()
}

// require adds a validation that no toleration t is one for which the expression holds.
func (s *policySpec) require(variable, expression, field, why string, list []toleration.Toleration) {
	s.fields = append(s.fields, field)
	s.Variables = append(s.Variables, namedExpression{variable, "variables.tolerations.filter(t,\n" + expression + ")"})
	var message strings.Builder
	before := "toleration with "
	for _, field := range []string{"key", "operator", "value", "effect", "seconds"} {
		fmt.Fprintf(&message, "%s + variables.%s[0].%s +\n", quote(before+field+" \""), variable, field)
		before = "\", "
	}
	s.Validations = append(s.Validations, validation{
		Expression:        "size(variables." + variable + ") == 0",
		Message:           "a toleration " + why + names(list),
		MessageExpression: message.String() + quote("\" "+why+names(list)),
		Reason:            "Forbidden",
	})
}

// maxNames is the length of the list in a message. The API server drops messages
// of more than 5 KiB, and people read less.
const maxNames = 1000

// names returns the text of a list for a message, shortened.
func names(list []toleration.Toleration) string {
	var b strings.Builder
	for i, t := range list {
		text := t.String()
		if b.Len()+len(text) > maxNames {
			fmt.Fprintf(&b, " and %d more", len(list)-i)
			break
		}
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(text)
	}
	return cmp.Or(b.String(), "nothing")
}

// judged returns the variables that hold the tolerations to be judged: those of the object,
// without those that it had before or that the DaemonSet controller has added. All are maps
// of strings, because literals may not mix types, and have every field.
func judged(comparisons bool) []namedExpression {
	fields := `.map(t, {
  'key': string(t.?key.orValue('')),
  'operator': string(t.?operator.orValue('Equal')),
  'value': string(t.?value.orValue('')),
  'effect': string(t.?effect.orValue('')),
  'seconds': string(t.?tolerationSeconds.orValue(''))})`
	vars := []namedExpression{
		{"before", "oldObject == null ? [] : " + tolerationsOf("oldObject") + fields},
		{"added", added()},
		{"tolerations", tolerationsOf("object") + fields + ".filter(t, !(t in variables.before) && !(t in variables.added))"},
	}
	if comparisons {
		vars[2].Expression += integers
	}
	return vars
}

// integers adds the integer that the value is (rule N2), or the empty string. A number of 19 digits may not
// fit in 64 bits.
const integers = `.map(t, {
  'key': t.key, 'operator': t.operator, 'value': t.value, 'effect': t.effect, 'seconds': t.seconds,
  'integer': t.value.matches('^(0|-?[1-9][0-9]{0,18})$') && (size(t.value) < 19 || t.value <= '9223372036854775807') ? t.value : ''})`

// changed is whether the list of tolerations is new. It comes first so that objects with a
// very long list can be updated otherwise.
var changed = "oldObject == null || " + tolerationsOf("object") + " != " + tolerationsOf("oldObject")

// tolerationsOf returns an expression for the list in a pod or a template. Without dyn, the API server
// would warn that a pod has no template, and a Deployment no field tolerations.
func tolerationsOf(root string) string {
	return fmt.Sprintf(`(%[1]s.kind == 'Pod' ? dyn(%[1]s).?spec.?tolerations :
 %[1]s.kind == 'CronJob' ? dyn(%[1]s).?spec.?jobTemplate.?spec.?template.?spec.?tolerations :
 dyn(%[1]s).?spec.?template.?spec.?tolerations).orValue([])`, root)
}

// added returns an expression for what the DaemonSet controller adds, if it makes the
// request (rule A2). It has its own account only if kube-controller-manager runs with
// --use-service-account-credentials.
func added() string {
	var b strings.Builder
	b.WriteString("request.?userInfo.?username.orValue('') in ['system:serviceaccount:kube-system:daemon-set-controller', 'system:kube-controller-manager'] ? [")
	for i, t := range (admit.DaemonSet{HostNetwork: true}).Append(nil, nil) {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, "\n  {'key': %s, 'operator': %s, 'value': '', 'effect': %s, 'seconds': ''}", quote(t.Key), quote(string(t.Operator)), quote(string(t.Effect)))
	}
	return b.String() + "] : []"
}
