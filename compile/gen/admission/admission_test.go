package admission_test

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/tolero-dev/tolero/compile/gen/admission"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
	"github.com/tolero-dev/tolero/toleration/admit"
	"github.com/tolero-dev/tolero/toleration/policy"
)

var update = flag.Bool("update", false, "write the golden files")

func parse(texts ...string) (list []toleration.Toleration) {
	for _, text := range texts {
		list = append(list, toleration.MustParse(text))
	}
	return list
}

// golden compares text with a file, or writes the file.
func golden(t *testing.T, name string, text []byte, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	file := "testdata/" + name
	if *update {
		if err := os.WriteFile(file, text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if string(text) != string(want) {
		t.Errorf("%s differs; go test -update writes it:\n%s", file, text)
	}
}

func TestValidatingIsGolden(t *testing.T) {
	for name, p := range map[string]admission.Policy{
		"ml.yaml": {
			Name:       "tolerations-ml",
			Namespaces: admission.Namespaces{Labels: map[string]string{"team": "ml"}},
			Spec: policy.Spec{Allowed: admit.DefaultSeconds{}.Append(nil, parse(
				"gpu=a100:NoSchedule", "gpu=a100:NoExecute", "gpu=h100:NoSchedule", "gpu=h100:NoExecute", "spot", "dedicated:NoSchedule"))},
		},
		"controlplane.yaml": {
			Name:       "tolerations",
			Namespaces: admission.Namespaces{Except: []string{"kube-system"}},
			Spec:       policy.Spec{Denied: parse("node-role.kubernetes.io/control-plane", "node-role.kubernetes.io/master")},
		},
		"numbers.yaml": {
			Name:       "numbers",
			Namespaces: admission.Namespaces{Names: []string{"a"}},
			Warn:       true,
			Spec: policy.Spec{
				Rules:   toleration.Rules{Comparisons: true},
				Allowed: parse("cost<100:NoSchedule", "cost=100:NoSchedule", "cost>500:NoSchedule"),
				Denied:  parse("cost=77"),
			},
		},
	} {
		text, err := p.Validating()
		golden(t, name, text, err)
	}
}

func seconds(n int64) *int64 { return &n }

func TestMutatingIsGolden(t *testing.T) {
	d := admission.Defaults{
		Name:        "defaults-ml",
		Namespaces:  admission.Namespaces{Names: []string{"ml"}},
		Tolerations: append(parse("gpu=a100:NoSchedule", "spot:NoExecute@300"), toleration.Toleration{Key: "gpu", Value: "a100", Effect: "NoSchedule", Operator: "Equal"}),
		NotReady:    seconds(30),
	}
	text, err := d.Mutating()
	golden(t, "defaults.yaml", text, err)
}

func TestMutatingNamesWhatIsWrong(t *testing.T) {
	for want, d := range map[string]admission.Defaults{
		`name: invalid value ""`:                                    {Tolerations: parse("a")},
		`tolerations: required value`:                               {Name: "p"},
		`namespaces.names[0]: invalid value ""`:                     {Name: "p", Tolerations: parse("a"), Namespaces: admission.Namespaces{Names: []string{""}}},
		`tolerations[1].key: invalid value "a b"`:                   {Name: "p", Tolerations: append(parse("a"), toleration.Toleration{Key: "a b"})},
		`tolerations[0].operator: unsupported value "Gt"`:           {Name: "p", Tolerations: parse("a>1")},
		`tolerations[0].tolerationSeconds: invalid value "9007199`:  {Name: "p", Tolerations: parse("a:NoExecute@9007199254740993")},
		`notReadySeconds: invalid value "-9007199254740993": must `: {Name: "p", NotReady: seconds(-1<<53 - 1)},
		`unreachableSeconds: invalid value "9007199254740993": mus`: {Name: "p", Unreachable: seconds(1<<53 + 1)},
	} {
		text, err := d.Mutating()
		if err == nil || !strings.Contains(err.Error(), want) || text != nil {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// Kyverno gets the same expressions.
func TestKyvernoIsTheSame(t *testing.T) {
	p := admission.Policy{Name: "p", Spec: policy.Spec{Allowed: parse("a"), Denied: parse("b")}, Namespaces: admission.Namespaces{Names: []string{"ml"}}}
	text, err := p.Kyverno()
	golden(t, "kyverno.yaml", text, err)
	same, err := p.Validating()
	if err != nil {
		t.Fatal(err)
	}
	between := func(text []byte) string {
		_, after, _ := strings.Cut(string(text), "  matchConditions:\n")
		expressions, _, found := strings.Cut(after, "    reason: Forbidden\n  - expression: size(variables.denied) == 0\n")
		if !found {
			t.Fatalf("%s", text)
		}
		return expressions
	}
	if a, b := between(text), between(same); a != b {
		t.Errorf("the expressions differ:\n%s\n%s", a, b)
	}
	p.Name = ""
	if text, err := p.Kyverno(); err == nil || text != nil {
		t.Errorf("%s, %v", text, err)
	}
}

func TestValidatingNamesWhatIsWrong(t *testing.T) {
	var many []toleration.Toleration
	for i := range 1000 {
		many = append(many, toleration.Toleration{Key: fmt.Sprintf("team-%d.example.com/dedicated", i), Value: fmt.Sprint(i)})
	}
	spec := policy.Spec{Denied: parse("a")}
	for want, p := range map[string]admission.Policy{
		`name: invalid value ""`:                                          {Spec: spec},
		`name: invalid value "a_b"`:                                       {Name: "a_b", Spec: spec},
		`name: invalid value "` + strings.Repeat("a", 254):                {Name: strings.Repeat("a", 254), Spec: spec},
		"spec: required value":                                            {Name: "p"},
		`spec: required value: must`:                                      {Name: "p", Spec: policy.Spec{Denied: []toleration.Toleration{}}},
		`namespaces.names[1]: invalid value "A"`:                          {Name: "p", Spec: spec, Namespaces: admission.Namespaces{Names: []string{"a", "A"}}},
		`namespaces.except[0]: invalid value "a.b"`:                       {Name: "p", Spec: spec, Namespaces: admission.Namespaces{Except: []string{"a.b"}}},
		`namespaces.labels[a b]: invalid value "a b"`:                     {Name: "p", Spec: spec, Namespaces: admission.Namespaces{Labels: map[string]string{"a b": ""}}},
		`namespaces.labels[a]: invalid value "'"`:                         {Name: "p", Spec: spec, Namespaces: admission.Namespaces{Labels: map[string]string{"a": "'"}}},
		`spec.allowed.tolerations[0].key: invalid value "'"`:              {Name: "p", Spec: policy.Spec{Allowed: []toleration.Toleration{{Key: "'", Operator: "Exists"}}}},
		`spec.denied.tolerations[1].operator: unsupported value "exists"`: {Name: "p", Spec: policy.Spec{Denied: []toleration.Toleration{spec.Denied[0], {Key: "a", Operator: "exists"}}}},
		"spec.allowed: too long":                                          {Name: "p", Spec: policy.Spec{Allowed: many}},
		"spec.denied: too long":                                           {Name: "p", Spec: policy.Spec{Denied: many}},
	} {
		text, err := p.Validating()
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
		if text != nil {
			t.Errorf("%s: a policy beside the error:\n%s", want, text)
		}
	}
}

// What does not count in a default cluster is an error: without it, the policy would be another one.
func TestN4ComparisonsAreAnError(t *testing.T) {
	for want, spec := range map[string]policy.Spec{
		`spec.allowed.tolerations[1].operator: unsupported value "Lt": must be Exists`: {Allowed: append(parse("a"), parse("cost<100:NoSchedule")...)},
		`spec.denied.tolerations[0].operator: unsupported value "Gt": must be Exists`:  {Denied: parse("gpu>5")},
	} {
		if text, err := (&admission.Policy{Name: "p", Spec: spec}).Validating(); err == nil || !strings.HasPrefix(err.Error(), want) || text != nil {
			t.Errorf("%v, want %s\n%s", err, want, text)
		}
		spec.Rules.Comparisons = true
		if _, err := (&admission.Policy{Name: "p", Spec: spec}).Validating(); err != nil {
			t.Error(err)
		}
	}
}

// The strings of a policy are valid names, so that only what people read must be quoted.
func TestNamesAreShortened(t *testing.T) {
	var list []toleration.Toleration
	for i := range 60 {
		list = append(list, toleration.Toleration{Key: fmt.Sprintf("%060d", i), Operator: toleration.OpExists, Effect: taint.NoSchedule})
	}
	p := admission.Policy{Name: "p", Spec: policy.Spec{Denied: list}}
	text, err := p.Validating()
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(strings.Join(strings.Fields(string(text)), " "), "NoSchedule and 47 more") {
		t.Errorf("%s", text)
	}
}

func ExamplePolicy_Validating() {
	p := admission.Policy{
		Name:       "tolerations-ml",
		Namespaces: admission.Namespaces{Labels: map[string]string{"team": "ml"}},
		Spec:       policy.Spec{Allowed: parse("gpu=a100:NoSchedule", "spot:NoExecute@300")},
	}
	yaml, err := p.Validating()
	if err != nil {
		fmt.Println(err)
		return
	}
	_, after, _ := strings.Cut(string(yaml), "name: refused\n    expression: |-\n")
	tests, _, _ := strings.Cut(after, "\n  validations:")
	fmt.Println(tests)
	// Output:
	// variables.tolerations.filter(t,
	//       !(t.effect == 'NoSchedule' && t.key == 'gpu' && t.operator in ['', 'Equal'] && t.value == 'a100'
	//        || t.effect == 'NoExecute' && t.key == 'spot' && t.seconds != '' && int(t.seconds) <= 300))
}
