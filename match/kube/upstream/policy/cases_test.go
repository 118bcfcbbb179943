package policy

import (
	"slices"
	"strings"
	"testing"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta/testrestmapper"
	"k8s.io/apimachinery/pkg/util/version"
	"k8s.io/apiserver/pkg/admission/plugin/cel"
	"k8s.io/apiserver/pkg/admission/plugin/policy/mutating/patch"
	"k8s.io/apiserver/pkg/admission/plugin/policy/validating"
	"k8s.io/apiserver/pkg/cel/environment"
	"k8s.io/apiserver/pkg/cel/openapi/resolver"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	_ "k8s.io/kubernetes/pkg/apis/apps/install"
	_ "k8s.io/kubernetes/pkg/apis/batch/install"
	_ "k8s.io/kubernetes/pkg/apis/core/install"
	"k8s.io/kubernetes/pkg/generated/openapi"

	tolero "github.com/tolero-dev/tolero/compile/gen/admission"
	"github.com/tolero-dev/tolero/toleration"
	"github.com/tolero-dev/tolero/toleration/admit"
	"github.com/tolero-dev/tolero/toleration/policy"
)

func parse(texts ...string) (list []toleration.Toleration) {
	for _, text := range texts {
		list = append(list, toleration.MustParse(text))
	}
	return list
}

var ml = tolero.Policy{
	Name:       "tolerations-ml",
	Namespaces: tolero.Namespaces{Names: []string{"ml", "ml-test"}, Except: []string{"kube-system"}, Labels: map[string]string{"team": "ml"}},
	Spec:       policy.Spec{Allowed: parse("gpu=a100:NoSchedule", "spot:NoExecute@300"), Denied: parse("gpu=a100:PreferNoSchedule")},
}

// The objects are what the API server accepts, and has no remark on, for every kind that they match.
func TestPoliciesAreValid(t *testing.T) {
	s := install(t, &ml)
	s.validate(t)
	checker := validating.TypeChecker{
		SchemaResolver: resolver.NewDefinitionsSchemaResolver(openapi.GetOpenAPIDefinitions, legacyscheme.Scheme),
		RestMapper:     testrestmapper.TestOnlyStaticRESTMapper(legacyscheme.Scheme),
	}
	for _, warning := range checker.Check(s.policy) {
		t.Errorf("%s: %s", warning.FieldRef, warning.Warning)
	}
	s.policy.Spec.Validations[0].Expression = "object.spec.nonsense == 1"
	if len(checker.Check(s.policy)) == 0 {
		t.Error("the check of types finds nothing wrong with a field that no kind has")
	}
}

// The oldest releases that have the objects know all functions in them. A release accepts in new
// policies what the one before it knew.
func TestPoliciesForTheOldestRelease(t *testing.T) {
	numbers := tolero.Policy{Name: "p", Spec: policy.Spec{Rules: toleration.Rules{Comparisons: true}, Allowed: parse("a>1"), Denied: parse("a=7")}}
	text, err := (&tolero.Defaults{Name: "p", Tolerations: parse("a"), NotReady: seconds(1)}).Mutating()
	if err != nil {
		t.Fatal(err)
	}
	var defaults admissionv1.MutatingAdmissionPolicy
	document, _, _ := strings.Cut(string(text), "\n---\n")
	decode(t, []byte(document), &defaults)
	for _, test := range []struct {
		minor     uint
		variables []admissionv1.Variable
		mutation  string
	}{
		{29, install(t, &ml).policy.Spec.Variables, ""},
		{29, install(t, &numbers).policy.Spec.Variables, ""},
		{35, defaults.Spec.Variables, defaults.Spec.Mutations[0].JSONPatch.Expression},
	} {
		compiler, err := cel.NewCompositedCompiler(environment.MustBaseEnvSet(version.MajorMinor(1, test.minor)))
		if err != nil {
			t.Fatal(err)
		}
		options := cel.OptionalVariableDeclarations{HasAuthorizer: true}
		for _, v := range test.variables {
			if result := compiler.CompileAndStoreVariable(&validating.Variable{Name: v.Name, Expression: v.Expression}, options, environment.NewExpressions); result.Error != nil {
				t.Errorf("1.%d: %v", test.minor, result.Error)
			}
		}
		if test.mutation != "" {
			options.HasPatchTypes = true
			for _, err := range compiler.CompileMutatingEvaluator(&patch.JSONPatchCondition{Expression: test.mutation}, options, environment.NewExpressions).CompilationErrors() {
				t.Errorf("1.%d: %v", test.minor, err)
			}
		}
	}
}

func TestPoliciesJudgeRequests(t *testing.T) {
	s := install(t, &ml)
	ok, bad := parse("gpu=a100:NoSchedule")[0], parse("gpu:NoSchedule")[0]
	daemons := admit.DaemonSet{HostNetwork: true}.Append(nil, nil)
	const controller = "system:serviceaccount:kube-system:daemon-set-controller"
	for _, test := range []struct {
		name     string
		new, old []toleration.Toleration
		update   bool
		user     string
		refused  bool
	}{
		{name: "nothing"},
		{name: "allowed", new: []toleration.Toleration{ok}},
		{name: "not allowed", new: []toleration.Toleration{ok, bad}, refused: true},
		{name: "everything", new: parse("*"), refused: true},
		{name: "any key", new: parse("*:NoSchedule"), refused: true},
		{name: "any effect", new: parse("gpu=a100"), refused: true},
		{name: "for long", new: parse("spot:NoExecute@301"), refused: true},
		{name: "forever", new: parse("spot:NoExecute"), refused: true},
		{name: "for less", new: parse("spot=x:NoExecute@300")},
		{name: "an old one stays", new: []toleration.Toleration{bad}, old: []toleration.Toleration{bad}, update: true},
		{name: "an old one goes", old: []toleration.Toleration{bad}, update: true},
		{name: "one of the old ones goes", new: parse("a"), old: parse("a", "b"), update: true},
		{name: "one comes", new: []toleration.Toleration{bad, ok}, old: []toleration.Toleration{ok}, update: true, refused: true},
		{name: "old ones change places", new: parse("b", "a"), old: parse("a", "b"), update: true},
		{name: "seconds grow", new: parse("spot:NoExecute@900"), old: parse("spot:NoExecute@600"), update: true, refused: true},
		{name: "an allowed one comes beside an old one", new: []toleration.Toleration{bad, ok}, old: []toleration.Toleration{bad}, update: true},
		{name: "what the DaemonSet controller adds", new: slices.Concat(daemons, []toleration.Toleration{ok}), user: controller},
		{name: "what it does not add", new: slices.Concat(daemons, []toleration.Toleration{bad}), user: controller, refused: true},
		{name: "what a user adds like it", new: daemons, user: "system:serviceaccount:ml:default", refused: true},
	} {
		for _, name := range names {
			r := request{object: kinds[name](spec(test.new)), user: test.user}
			if test.update {
				r.old = kinds[name](spec(test.old))
			}
			if got := s.judge(r); (got != "") != test.refused || strings.HasPrefix(got, "error") {
				t.Errorf("%s, %s: %q, want refused %v", test.name, name, got, test.refused)
			}
		}
	}
}

// Kinds whose template is a pointer may have none.
func TestPoliciesTakeObjectsWithoutTemplates(t *testing.T) {
	s := install(t, &ml)
	none := &v1.ReplicationController{TypeMeta: kind("v1", "ReplicationController")}
	for _, r := range []request{{object: none}, {object: none, old: kinds["ReplicationController"](spec(parse("a")))}, {object: kinds["ReplicationController"](spec(nil)), old: none}} {
		if got := s.judge(r); got != "" {
			t.Error(got)
		}
	}
}

func TestPolicyMessages(t *testing.T) {
	s := install(t, &ml)
	for text, want := range map[string]string{
		"gpu:NoSchedule": `Forbidden: toleration with key "gpu", operator "Exists", value "", effect "NoSchedule", seconds "" is not allowed, or not for so long; allowed: gpu=a100:NoSchedule, spot:NoExecute@300`,
		"*:NoExecute@7":  `Forbidden: toleration with key "", operator "Exists", value "", effect "NoExecute", seconds "7" is not allowed, or not for so long; allowed: gpu=a100:NoSchedule, spot:NoExecute@300`,
	} {
		if got := s.judge(request{object: pod(spec(parse(text)))}); got != want {
			t.Errorf("%s:\n got %s\nwant %s", text, got, want)
		}
	}
	s = install(t, &tolero.Policy{Name: "p", Spec: policy.Spec{Denied: ml.Spec.Denied}})
	want := `Forbidden: toleration with key "gpu", operator "Equal", value "a100", effect "", seconds "" is denied; denied: gpu=a100:PreferNoSchedule`
	if got := s.judge(request{object: pod(spec(parse("gpu=a100")))}); got != want {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
}

// In a cluster without the feature gate, policy.Check ignores Gt and Lt, and the policies take them for
// Exists, so that nothing is let through when the gate is turned on.
func TestN5Difference(t *testing.T) {
	above := toleration.Toleration{Key: "gpu", Operator: toleration.OpGt, Value: "1", Effect: "NoSchedule"}
	p, err := policy.New(ml.Spec)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Check([]toleration.Toleration{above}); err != nil {
		t.Errorf("policy.Check: %v", err)
	}
	old := request{object: pod(spec([]toleration.Toleration{above})), old: pod(spec(parse("a")))}
	if got := install(t, &ml).judge(old); !strings.HasPrefix(got, "Forbidden: toleration with key \"gpu\", operator \"Gt\"") {
		t.Errorf("API server: %q", got)
	}
}
