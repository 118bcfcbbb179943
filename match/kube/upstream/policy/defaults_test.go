package policy

import (
	"bytes"
	"context"
	"math"
	"slices"
	"testing"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	v1 "k8s.io/api/core/v1"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/plugin/cel"
	"k8s.io/apiserver/pkg/admission/plugin/policy/mutating/patch"
	"k8s.io/apiserver/pkg/admission/plugin/policy/validating"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	"k8s.io/apiserver/pkg/cel/environment"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	"k8s.io/kubernetes/pkg/apis/admissionregistration"
	registrationv1 "k8s.io/kubernetes/pkg/apis/admissionregistration/v1"
	"k8s.io/kubernetes/pkg/apis/admissionregistration/validation"
	"pgregory.net/rapid"

	tolero "github.com/tolero-dev/tolero/compile/gen/admission"
	"github.com/tolero-dev/tolero/toleration"
	"github.com/tolero-dev/tolero/toleration/admit"
)

// mutator is the policy of Defaults as the plugin of the API server has it.
type mutator struct {
	patch.Patcher
	compiler *cel.CompositedCompiler
}

// patcher compiles what Mutating returns.
func patcher(t rapid.TB, d *tolero.Defaults) mutator {
	t.Helper()
	text, err := d.Mutating()
	if err != nil {
		t.Fatal(err)
	}
	documents := bytes.Split(text, []byte("\n---\n"))
	var policy *admissionv1.MutatingAdmissionPolicy
	var binding *admissionv1.MutatingAdmissionPolicyBinding
	decode(t, documents[0], &policy)
	decode(t, documents[1], &binding)
	validateMutating(t, policy, binding)

	compiler, err := cel.NewCompositedCompiler(environment.MustBaseEnvSet(environment.DefaultCompatibilityVersion()))
	if err != nil {
		t.Fatal(err)
	}
	options := cel.OptionalVariableDeclarations{HasAuthorizer: true}
	var variables []cel.NamedExpressionAccessor
	for _, v := range policy.Spec.Variables {
		variables = append(variables, &validating.Variable{Name: v.Name, Expression: v.Expression})
	}
	compiler.CompileAndStoreVariables(variables, options, environment.StoredExpressions)
	options.HasPatchTypes = true
	expression := &patch.JSONPatchCondition{Expression: policy.Spec.Mutations[0].JSONPatch.Expression}
	return mutator{patch.NewJSONPatcher(compiler.CompileMutatingEvaluator(expression, options, environment.StoredExpressions)), compiler}
}

// validateMutating asks the API server's validation about the objects.
func validateMutating(t rapid.TB, policy *admissionv1.MutatingAdmissionPolicy, binding *admissionv1.MutatingAdmissionPolicyBinding) {
	t.Helper()
	registrationv1.SetObjectDefaults_MutatingAdmissionPolicy(policy)
	registrationv1.SetObjectDefaults_MutatingAdmissionPolicyBinding(binding)
	var p admissionregistration.MutatingAdmissionPolicy
	var b admissionregistration.MutatingAdmissionPolicyBinding
	convert(t, registrationv1.Convert_v1_MutatingAdmissionPolicy_To_admissionregistration_MutatingAdmissionPolicy(policy, &p, nil))
	convert(t, registrationv1.Convert_v1_MutatingAdmissionPolicyBinding_To_admissionregistration_MutatingAdmissionPolicyBinding(binding, &b, nil))
	if faults := append(validation.ValidateMutatingAdmissionPolicy(&p), validation.ValidateMutatingAdmissionPolicyBinding(&b)...); len(faults) > 0 {
		t.Fatalf("the API server refuses the policy: %v", faults.ToAggregate())
	}
}

// patched returns the tolerations of a new pod after the policy.
func patched(t rapid.TB, p mutator, list []toleration.Toleration) []v1.Toleration {
	t.Helper()
	r := request{object: pod(spec(list))}
	object, err := p.Patch(p.compiler.CreateContext(context.Background()), patch.Request{
		MatchedResource:     r.resource(),
		VersionedAttributes: r.attributes(),
		ObjectInterfaces:    admission.NewObjectInterfacesFromScheme(legacyscheme.Scheme),
		Namespace:           &v1.Namespace{},
	}, celconfig.RuntimeCELCostBudget)
	if err != nil {
		t.Fatalf("%s: %v", text(list), err)
	}
	return object.(*v1.Pod).Spec.Tolerations
}

// expected says in Go what the policy of d does.
func expected(d *tolero.Defaults, list []toleration.Toleration) []v1.Toleration {
	list = slices.Clone(list)
	for i, given := range d.Cluster.Append(nil, nil) {
		for j := range list {
			seconds := []*int64{d.NotReady, d.Unreachable}[i]
			if seconds != nil && toleration.Equal(list[j:j+1], []toleration.Toleration{given}) {
				list[j].TolerationSeconds = seconds
			}
		}
	}
	for _, x := range d.Tolerations {
		if !slices.ContainsFunc(list, func(t toleration.Toleration) bool { return t.Matches(&x) }) {
			list = append(list, x)
		}
	}
	return spec(list).Tolerations
}

func TestDefaultsByChance(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rules := toleration.Rules{Comparisons: true}
		d := tolero.Defaults{Name: "p", Rules: rules, NotReady: seconds(rapid.Int64Range(-3, 400).Draw(t, "not ready"))}
		for _, x := range lists(rules, 4).Draw(t, "defaults") {
			if x.TolerationSeconds == nil || *x.TolerationSeconds < 1<<53 {
				d.Tolerations = append(d.Tolerations, x)
			}
		}
		if rapid.Bool().Draw(t, "cluster") {
			d.Cluster = admit.DefaultSeconds{NotReady: seconds(7), Unreachable: seconds(8)}
			d.Unreachable = seconds(9)
		}
		p := patcher(t, &d)
		for range 5 {
			list := lists(rules, 6).Draw(t, "list")
			if rapid.Bool().Draw(t, "given") {
				list = d.Cluster.Append(nil, list)
			}
			got, want := patched(t, p, list), expected(&d, list)
			if !slices.EqualFunc(got, want, func(a, b v1.Toleration) bool { return text(a) == text(b) }) {
				t.Fatalf("%s\ndefaults %s\n got %v\nwant %v", text(list), text(d.Tolerations), got, want)
			}
		}
	})
}

// What the policy makes of what the API server has added is what the API server would have added.
func TestA1Shorter(t *testing.T) {
	short := admit.DefaultSeconds{NotReady: seconds(30), Unreachable: seconds(0)}
	p := patcher(t, &tolero.Defaults{Name: "p", NotReady: short.NotReady, Unreachable: short.Unreachable})
	for _, list := range [][]toleration.Toleration{
		nil, parse("a"), parse("*"), parse("*:NoExecute"), parse("node.kubernetes.io/not-ready:NoExecute@60"), parse("node.kubernetes.io/not-ready:NoSchedule"),
		parse("node.kubernetes.io/unreachable", "b"), {{Key: "b", Operator: "Exists", Effect: "NoExecute", TolerationSeconds: seconds(math.MaxInt64)}},
	} {
		got := patched(t, p, admit.DefaultSeconds{}.Append(nil, list))
		if want := spec(short.Append(nil, list)).Tolerations; text(got) != text(want) {
			t.Errorf("%s\n got %v\nwant %v", text(list), got, want)
		}
	}
}

// A pod that asks for the seconds of the cluster cannot be told from one that asks for nothing.
func TestA1ShorterDifference(t *testing.T) {
	p := patcher(t, &tolero.Defaults{Name: "p", NotReady: seconds(30)})
	asked := parse("node.kubernetes.io/not-ready:NoExecute@300")
	if got := patched(t, p, asked); *got[0].TolerationSeconds != 30 {
		t.Errorf("%v", got)
	}
}
