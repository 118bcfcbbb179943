package policy

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	celgo "github.com/google/cel-go/cel"
	admissionv1 "k8s.io/api/admissionregistration/v1"
	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/plugin/cel"
	"k8s.io/apiserver/pkg/admission/plugin/policy/validating"
	"k8s.io/apiserver/pkg/admission/plugin/webhook/matchconditions"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/cel/environment"
	"k8s.io/kubernetes/pkg/apis/admissionregistration"
	registrationv1 "k8s.io/kubernetes/pkg/apis/admissionregistration/v1"
	"k8s.io/kubernetes/pkg/apis/admissionregistration/validation"
	"pgregory.net/rapid"
	"sigs.k8s.io/yaml"

	tolero "github.com/tolero-dev/tolero/compile/gen/admission"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// server judges requests as the API server does with one policy installed.
type server struct {
	policy    *admissionv1.ValidatingAdmissionPolicy
	binding   *admissionv1.ValidatingAdmissionPolicyBinding
	validator validating.Validator
	refused   cel.ConditionEvaluator // the tolerations that break the policy
}

// install compiles what Validating returns, as the plugin of the API server does.
func install(t rapid.TB, p *tolero.Policy) *server {
	t.Helper()
	text, err := p.Validating()
	if err != nil {
		t.Fatal(err)
	}
	documents := bytes.Split(text, []byte("\n---\n"))
	if len(documents) != 2 {
		t.Fatalf("%d documents, want 2:\n%s", len(documents), text)
	}
	s := new(server)
	decode(t, documents[0], &s.policy)
	decode(t, documents[1], &s.binding)
	registrationv1.SetObjectDefaults_ValidatingAdmissionPolicy(s.policy)
	registrationv1.SetObjectDefaults_ValidatingAdmissionPolicyBinding(s.binding)
	s.compile(t)
	return s
}

// validate asks the API server's validation about the objects.
func (s *server) validate(t testing.TB) {
	t.Helper()
	var policy admissionregistration.ValidatingAdmissionPolicy
	var binding admissionregistration.ValidatingAdmissionPolicyBinding
	convert(t, registrationv1.Convert_v1_ValidatingAdmissionPolicy_To_admissionregistration_ValidatingAdmissionPolicy(s.policy, &policy, nil))
	convert(t, registrationv1.Convert_v1_ValidatingAdmissionPolicyBinding_To_admissionregistration_ValidatingAdmissionPolicyBinding(s.binding, &binding, nil))
	if faults := append(validation.ValidateValidatingAdmissionPolicy(&policy), validation.ValidateValidatingAdmissionPolicyBinding(&binding)...); len(faults) > 0 {
		t.Fatalf("the API server refuses the policy: %v", faults.ToAggregate())
	}
}

func convert(t rapid.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func decode(t rapid.TB, text []byte, into any) {
	t.Helper()
	if err := yaml.UnmarshalStrict(text, into); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
}

// compile does what the plugin ValidatingAdmissionPolicy does with a policy.
func (s *server) compile(t rapid.TB) {
	t.Helper()
	p := s.policy
	compiler, err := cel.NewCompositedCompiler(environment.MustBaseEnvSet(environment.DefaultCompatibilityVersion()))
	if err != nil {
		t.Fatal(err)
	}
	all := cel.OptionalVariableDeclarations{HasAuthorizer: true}
	var variables []cel.NamedExpressionAccessor
	for _, v := range p.Spec.Variables {
		variables = append(variables, &validating.Variable{Name: v.Name, Expression: v.Expression})
	}
	compiler.CompileAndStoreVariables(variables, all, environment.StoredExpressions)
	var conditions, validations, messages []cel.ExpressionAccessor
	for i := range p.Spec.MatchConditions {
		conditions = append(conditions, (*matchconditions.MatchCondition)(&p.Spec.MatchConditions[i]))
	}
	for _, v := range p.Spec.Validations {
		validations = append(validations, &validating.ValidationCondition{Expression: v.Expression, Message: v.Message, Reason: v.Reason})
		messages = append(messages, &validating.MessageExpressionCondition{MessageExpression: v.MessageExpression})
	}
	matcher := matchconditions.NewMatcher(compiler.CompileCondition(conditions, all, environment.StoredExpressions), p.Spec.FailurePolicy, "policy", "validate", p.Name)
	var refused []cel.ExpressionAccessor
	for _, v := range p.Spec.Variables {
		if v.Name == "refused" || v.Name == "denied" {
			refused = append(refused, listVariable{"variables." + v.Name})
		}
	}
	s.refused = compiler.CompileCondition(refused, all, environment.StoredExpressions)
	s.validator = validating.NewValidator(
		compiler.CompileCondition(validations, all, environment.StoredExpressions), matcher,
		compiler.CompileCondition(nil, all, environment.StoredExpressions),
		compiler.CompileCondition(messages, cel.OptionalVariableDeclarations{}, environment.StoredExpressions),
		p.Spec.FailurePolicy, nil)
}

// request is a request to create an object, or to update it if old is there.
type request struct {
	object, old runtime.Object
	user        string
}

// attributes are those of the request as plugins see them.
func (r *request) attributes() *admission.VersionedAttributes {
	gvk := r.object.GetObjectKind().GroupVersionKind()
	operation := admission.Create
	if r.old != nil {
		operation = admission.Update
	}
	attributes := admission.NewAttributesRecord(r.object, r.old, gvk, "ns", "name", r.resource(), "", operation, nil, false, &user.DefaultInfo{Name: r.user})
	versioned := &admission.VersionedAttributes{Attributes: attributes, VersionedKind: gvk}
	versioned.VersionedObject.Set(r.object)
	if r.old != nil {
		versioned.VersionedOldObject.Set(r.old)
	}
	return versioned
}

func (r *request) resource() schema.GroupVersionResource {
	gvk := r.object.GetObjectKind().GroupVersionKind()
	return schema.GroupVersionResource{Group: gvk.Group, Version: gvk.Version, Resource: strings.ToLower(gvk.Kind) + "s"}
}

// judge returns the message with which the policy refuses a request, or "".
func (s *server) judge(r request) string {
	result := s.validator.Validate(context.Background(), r.resource(), r.attributes(), nil, &v1.Namespace{}, celconfig.RuntimeCELCostBudget, nil)
	for _, d := range result.Decisions {
		switch {
		case d.Evaluation == validating.EvalError:
			return "error: " + d.Message
		case d.Action == validating.ActionDeny:
			return string(d.Reason) + ": " + d.Message
		}
	}
	return ""
}

// listVariable is a variable of a policy.
type listVariable struct{ expression string }

func (l listVariable) GetExpression() string      { return l.expression }
func (l listVariable) ReturnTypes() []*celgo.Type { return []*celgo.Type{celgo.AnyType} }

// refuses returns which tolerations of a new pod with all of them break the policy, and the cost of finding out.
func (s *server) refuses(t rapid.TB, tolerations []toleration.Toleration) (refused []toleration.Toleration, cost int64) {
	t.Helper()
	r := request{object: pod(spec(tolerations))}
	request := cel.CreateAdmissionRequest(r.attributes(), metav1.GroupVersionResource{}, metav1.GroupVersionKind{})
	results, left, err := s.refused.ForInput(context.Background(), r.attributes(), request, cel.OptionalVariableBindings{}, nil, celconfig.RuntimeCELCostBudget)
	if err != nil {
		t.Fatal(err)
	}
	for _, result := range results {
		if result.Error != nil {
			t.Fatal(result.Error)
		}
		maps, err := result.EvalResult.ConvertToNative(reflect.TypeFor[[]map[string]string]())
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range maps.([]map[string]string) {
			refused = append(refused, fromMap(t, m))
		}
	}
	return refused, celconfig.RuntimeCELCostBudget - left
}

func fromMap(t rapid.TB, m map[string]string) toleration.Toleration {
	r := toleration.Toleration{Key: m["key"], Operator: toleration.Operator(m["operator"]), Value: m["value"], Effect: taint.Effect(m["effect"])}
	if m["seconds"] != "" {
		n, err := strconv.ParseInt(m["seconds"], 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		r.TolerationSeconds = &n
	}
	return r
}

// kinds make the objects that a policy is for.
var kinds = map[string]func(v1.PodSpec) runtime.Object{
	"Pod": pod,
	"ReplicationController": func(s v1.PodSpec) runtime.Object {
		return &v1.ReplicationController{TypeMeta: kind("v1", "ReplicationController"), Spec: v1.ReplicationControllerSpec{Template: &v1.PodTemplateSpec{Spec: s}}}
	},
	"Deployment": func(s v1.PodSpec) runtime.Object {
		return &appsv1.Deployment{TypeMeta: kind("apps/v1", "Deployment"), Spec: appsv1.DeploymentSpec{Template: v1.PodTemplateSpec{Spec: s}}}
	},
	"DaemonSet": func(s v1.PodSpec) runtime.Object {
		return &appsv1.DaemonSet{TypeMeta: kind("apps/v1", "DaemonSet"), Spec: appsv1.DaemonSetSpec{Template: v1.PodTemplateSpec{Spec: s}}}
	},
	"StatefulSet": func(s v1.PodSpec) runtime.Object {
		return &appsv1.StatefulSet{TypeMeta: kind("apps/v1", "StatefulSet"), Spec: appsv1.StatefulSetSpec{Template: v1.PodTemplateSpec{Spec: s}}}
	},
	"ReplicaSet": func(s v1.PodSpec) runtime.Object {
		return &appsv1.ReplicaSet{TypeMeta: kind("apps/v1", "ReplicaSet"), Spec: appsv1.ReplicaSetSpec{Template: v1.PodTemplateSpec{Spec: s}}}
	},
	"Job": func(s v1.PodSpec) runtime.Object {
		return &batchv1.Job{TypeMeta: kind("batch/v1", "Job"), Spec: batchv1.JobSpec{Template: v1.PodTemplateSpec{Spec: s}}}
	},
	"CronJob": func(s v1.PodSpec) runtime.Object {
		return &batchv1.CronJob{TypeMeta: kind("batch/v1", "CronJob"), Spec: batchv1.CronJobSpec{JobTemplate: batchv1.JobTemplateSpec{Spec: batchv1.JobSpec{Template: v1.PodTemplateSpec{Spec: s}}}}}
	},
}

// names are those of the kinds, sorted.
var names = slices.Sorted(maps.Keys(kinds))

func kind(version, name string) metav1.TypeMeta {
	return metav1.TypeMeta{APIVersion: version, Kind: name}
}

func pod(s v1.PodSpec) runtime.Object { return &v1.Pod{TypeMeta: kind("v1", "Pod"), Spec: s} }

// spec returns a pod with the tolerations, in Kubernetes' own type.
func spec(list []toleration.Toleration) (s v1.PodSpec) {
	for i := range list {
		s.Tolerations = append(s.Tolerations, kubernetes(&list[i]))
	}
	return s
}

func kubernetes(t *toleration.Toleration) v1.Toleration {
	return v1.Toleration{Key: t.Key, Operator: v1.TolerationOperator(t.Operator), Value: t.Value, Effect: v1.TaintEffect(t.Effect), TolerationSeconds: t.TolerationSeconds}
}

// text is for messages of tests.
func text(list any) string {
	b, err := json.Marshal(list)
	if err != nil {
		return fmt.Sprint(err)
	}
	return string(b)
}
