package main

import (
	"context"
	"errors"
	"fmt"

	admissionregistration "k8s.io/api/admissionregistration/v1"
	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/plugin/cel"
	"k8s.io/apiserver/pkg/admission/plugin/policy/validating"
	"k8s.io/apiserver/pkg/admission/plugin/webhook/matchconditions"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/cel/environment"

	"github.com/tolero-dev/tolero/toleration"
)

// judge asks a policy about new pods with the code of the API server: its compiler, its
// environment, its cost limit.
type judge struct {
	validator validating.Validator
	params    runtime.Object
	selected  labels.Selector // the namespaces that the policy is about, or nil
}

// newJudge compiles a policy. What does not compile is an error with the expression's own.
func newJudge(c *candidate, params runtime.Object) (*judge, error) {
	compiler, err := cel.NewCompositedCompiler(environment.MustBaseEnvSet(environment.DefaultCompatibilityVersion()))
	if err != nil {
		return nil, err
	}
	declared := cel.OptionalVariableDeclarations{HasParams: params != nil, HasAuthorizer: true}
	var faults []error
	check := func(field string, i int, e cel.ExpressionAccessor) cel.ExpressionAccessor {
		if result := compiler.CompileCELExpression(e, declared, environment.NewExpressions); result.Error != nil {
			faults = append(faults, fmt.Errorf("%s[%d]: %s", field, i, result.Error.Detail))
		}
		return e
	}
	for i, v := range c.spec.Variables {
		result := compiler.CompileAndStoreVariable(&validating.Variable{Name: v.Name, Expression: v.Expression}, declared, environment.NewExpressions)
		if result.Error != nil {
			faults = append(faults, fmt.Errorf("variables[%d]: %s", i, result.Error.Detail))
		}
	}
	var conditions, validations []cel.ExpressionAccessor
	for i := range c.spec.MatchConditions {
		conditions = append(conditions, check("matchConditions", i, (*matchconditions.MatchCondition)(&c.spec.MatchConditions[i])))
	}
	for i, v := range c.spec.Validations {
		validations = append(validations, check("validations", i, &validating.ValidationCondition{Expression: v.Expression, Message: v.Message, Reason: v.Reason}))
	}
	if err := errors.Join(faults...); err != nil {
		return nil, err
	}
	fail := admissionregistration.Fail
	if c.spec.FailurePolicy != nil {
		fail = *c.spec.FailurePolicy
	}
	none := compiler.CompileCondition(nil, declared, environment.NewExpressions)
	return &judge{params: params, selected: c.namespaces, validator: validating.NewValidator(
		compiler.CompileCondition(validations, declared, environment.NewExpressions),
		matchconditions.NewMatcher(compiler.CompileCondition(conditions, declared, environment.NewExpressions), &fail, "policy", "validate", c.name),
		none, none, &fail, nil)}, nil
}

// refuses returns why the policy refuses a new pod in a namespace, or "".
func (j *judge) refuses(namespace string, list []toleration.Toleration) string {
	pod := &v1.Pod{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Pod"}}
	pod.Name, pod.Namespace = "pod", namespace
	pod.Spec.Containers = []v1.Container{{Name: "main", Image: "image"}}
	for i := range list {
		t := &list[i]
		pod.Spec.Tolerations = append(pod.Spec.Tolerations, v1.Toleration{
			Key: t.Key, Operator: v1.TolerationOperator(t.Operator), Value: t.Value, Effect: v1.TaintEffect(t.Effect), TolerationSeconds: t.TolerationSeconds,
		})
	}
	request := attributes(namespace, pod)
	versioned := &admission.VersionedAttributes{Attributes: request, VersionedKind: request.GetKind()}
	versioned.VersionedObject.Set(pod)
	space := &v1.Namespace{}
	space.Name = namespace
	space.Labels = map[string]string{v1.LabelMetadataName: namespace}
	if j.selected != nil && !j.selected.Matches(labels.Set(space.Labels)) {
		return ""
	}
	result := j.validator.Validate(context.Background(), request.GetResource(), versioned, j.params, space, celconfig.RuntimeCELCostBudget, nil)
	for _, d := range result.Decisions {
		if d.Action == validating.ActionDeny {
			return d.Message
		}
	}
	return ""
}

// attributes are those of a request that creates a pod.
func attributes(namespace string, pod runtime.Object) admission.Attributes {
	return admission.NewAttributesRecord(pod, nil, v1.SchemeGroupVersion.WithKind("Pod"), namespace, "pod", v1.SchemeGroupVersion.WithResource("pods"), "",
		admission.Create, &metav1.CreateOptions{}, false, &user.DefaultInfo{Name: "author"})
}
