package policy

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	celgo "github.com/google/cel-go/cel"
	"github.com/google/cel-go/checker"
	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apiserver/pkg/admission/plugin/cel"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	"k8s.io/apiserver/pkg/cel/environment"
	"k8s.io/apiserver/pkg/cel/library"

	tolero "github.com/tolero-dev/tolero/compile/gen/admission"
	"github.com/tolero-dev/tolero/toleration"
	"github.com/tolero-dev/tolero/toleration/policy"
)

// handWritten are expressions as people write them, for the same cost on the same pods.
var handWritten = []struct{ name, expression string }{
	{"kyverno/policies b9c4317, other-vpol/restrict-controlplane-scheduling", `!has(object.spec.tolerations) ||
		!object.spec.tolerations.exists(toleration, toleration.?key.orValue('') in ['node-role.kubernetes.io/master', 'node-role.kubernetes.io/control-plane'])`},
	{"one key for one value", `object.spec.tolerations.all(t, !has(t.key) || t.key != 'dedicated' || (has(t.value) && t.value == 'ml'))`},
	{"sixteen keys", `object.spec.tolerations.all(t, has(t.key) && t.key in [` + strings.Repeat(`'node.example/key', `, 15) + `'node.example/key'])`},
}

// many returns so many tolerations that are alike in little, so that no two share a test.
func many(n int) (list []toleration.Toleration) {
	effects := []string{"NoSchedule", "PreferNoSchedule", "NoExecute"}
	for i := range n {
		list = append(list, toleration.MustParse(fmt.Sprintf("team-%d.example.com/dedicated-node-pool=value-%d:%s", i, i, effects[i%3])))
		if i%3 == 2 {
			list[i].TolerationSeconds = seconds(int64(i))
		}
	}
	return list
}

// others are not among those.
func others(n int) []toleration.Toleration {
	list := many(n)
	for i := range list {
		list[i].Value = "other"
	}
	return list
}

// The worst that a pod can ask stays far below what the API server spends on one
// expression (1,000,000) and on a policy (10,000,000).
func TestPolicyCost(t *testing.T) {
	for _, allowed := range []int{1, 16} {
		s := install(t, &tolero.Policy{Name: "p", Spec: policy.Spec{Allowed: many(allowed), Denied: many(allowed)}})
		for _, n := range []int{1, 16, 100} {
			_, create := s.refuses(t, others(n))
			update := s.costOf(t, request{object: pod(spec(others(n))), old: pod(spec(many(n)))})
			t.Logf("%2d allowed, %2d denied, list of %3d: create %d, update of as many others %d, estimate at most %d", allowed, allowed, n, create, update, s.estimate(t, n))
			if estimate := s.estimate(t, n); max(create, update, estimate) > celconfig.PerCallLimit/2 {
				t.Errorf("%d allowed, list of %d: cost %d, %d, estimate %d", allowed, n, create, update, estimate)
			}
		}
	}
	for _, h := range handWritten {
		for _, n := range []int{1, 16, 100} {
			t.Logf("%s, list of %3d: %d", h.name, n, expressionCost(t, h.expression, others(n)))
		}
	}
}

// A policy is refused before the API server could be unable to evaluate it.
func TestPoliciesAreNotTooLarge(t *testing.T) {
	for name, list := range map[string]func(n int) []toleration.Toleration{
		"others": many,
		"keys": func(n int) []toleration.Toleration {
			list := many(n)
			for i := range list {
				list[i] = toleration.Toleration{Key: list[i].Key, Operator: toleration.OpExists}
			}
			return list
		},
		"short keys": func(n int) (list []toleration.Toleration) {
			for i := range n {
				list = append(list, toleration.Toleration{Key: strconv.FormatInt(int64(i), 36), Operator: toleration.OpExists})
			}
			return list
		},
		"values": func(n int) []toleration.Toleration {
			list := many(n)
			for i := range list {
				list[i] = toleration.Toleration{Key: "a", Value: list[i].Value}
			}
			return list
		},
		"numbers": func(n int) []toleration.Toleration {
			list := many(n)
			for i := range list {
				list[i].Operator, list[i].Value = toleration.OpGt, strconv.Itoa(i)
			}
			return list
		},
	} {
		largest := 0
		for n := 1; largest == 0 || n <= 2*largest; n = n*3/2 + 1 {
			for _, spec := range specs(toleration.Rules{Comparisons: true}, list(n)) {
				p := tolero.Policy{Name: "p", Spec: spec}
				if _, err := p.Validating(); err != nil {
					if n < 32 || !strings.Contains(err.Error(), "units of cost") {
						t.Errorf("%s, %d: %v", name, n, err)
					}
					continue
				}
				largest = n
				s := install(t, &p)
				s.policy.Spec.Variables = s.policy.Spec.Variables[3:]
				if estimate := s.estimate(t, 100); estimate > celconfig.PerCallLimit {
					t.Errorf("%s, %d: estimate %d", name, n, estimate)
				}
			}
		}
		t.Logf("%s: %d are not too many", name, largest)
	}
}

// Nothing that does not touch the tolerations is refused for the length of the list.
func TestLongListsAreUpdated(t *testing.T) {
	s := install(t, &ml)
	list := others(5000)
	if got := s.judge(request{object: pod(spec(list)), old: pod(spec(list))}); got != "" {
		t.Error(got)
	}
	if got := s.judge(request{object: pod(spec(list))}); got == "" {
		t.Error("a new pod with as many tolerations is admitted")
	}
}

func (s *server) costOf(t testing.TB, r request) int64 {
	t.Helper()
	request := cel.CreateAdmissionRequest(r.attributes().Attributes, metav1.GroupVersionResource{}, metav1.GroupVersionKind{})
	_, left, err := s.refused.ForInput(context.Background(), r.attributes(), request, cel.OptionalVariableBindings{}, &v1.Namespace{}, celconfig.RuntimeCELCostBudget)
	if err != nil {
		t.Fatal(err)
	}
	return celconfig.RuntimeCELCostBudget - left
}

func expressionCost(t testing.TB, expression string, list []toleration.Toleration) int64 {
	t.Helper()
	compiler, err := cel.NewCompositedCompiler(environment.MustBaseEnvSet(environment.DefaultCompatibilityVersion()))
	if err != nil {
		t.Fatal(err)
	}
	s := server{refused: compiler.CompileCondition([]cel.ExpressionAccessor{listVariable{expression}}, cel.OptionalVariableDeclarations{HasAuthorizer: true}, environment.StoredExpressions)}
	return s.costOf(t, request{object: pod(spec(list))})
}

// estimate asks the API server's estimator for the most that the variables of the policy can cost, for
// lists of so many and strings of 317 bytes, which is the longest key.
func (s *server) estimate(t testing.TB, n int) (cost int64) {
	t.Helper()
	tolerations := celgo.ListType(celgo.MapType(celgo.StringType, celgo.StringType))
	env, err := environment.MustBaseEnvSet(environment.DefaultCompatibilityVersion()).Env(environment.StoredExpressions)
	if err == nil {
		env, err = env.Extend(celgo.Variable("object", celgo.DynType), celgo.Variable("oldObject", celgo.DynType), celgo.Variable("request", celgo.DynType),
			celgo.Variable("before", tolerations), celgo.Variable("added", tolerations), celgo.Variable("tolerations", tolerations))
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range s.policy.Spec.Variables {
		ast, issues := env.Compile(strings.ReplaceAll(v.Expression, "variables.", ""))
		if issues != nil {
			t.Fatal(issues)
		}
		sizes := sizes(n)
		estimated, err := env.EstimateCost(ast, &library.CostEstimator{SizeEstimator: sizes})
		if err != nil {
			t.Fatal(err)
		}
		cost += int64(min(estimated.Max, math.MaxInt32))
	}
	return cost
}

// sizes bounds what the estimator cannot know.
type sizes uint64

func (s sizes) EstimateSize(node checker.AstNode) *checker.SizeEstimate {
	if node.Type().Kind() == celgo.StringKind {
		return &checker.SizeEstimate{Max: 317}
	}
	return &checker.SizeEstimate{Max: uint64(s)}
}

func (s sizes) EstimateCallCost(string, string, *checker.AstNode, []checker.AstNode) *checker.CallEstimate {
	return nil
}
