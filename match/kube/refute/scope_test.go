package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// scoped is a policy that admits everything, with what selects pods in place of SCOPE.
const scoped = `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: native}
spec:
  matchConstraints:
    SCOPE
  validations: [{expression: "true"}]
`

const kyverno = `
apiVersion: kyverno.io/v1
kind: ClusterPolicy
metadata: {name: cluster}
spec:
  background: false
  SPEC
  rules:
  - name: cel
    SCOPE
    validate: {cel: {expressions: [{expression: "true"}]}}
`

const (
	podRule  = `resourceRules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}]`
	onPods   = "match: {any: [{resources: {kinds: [v1/Pod]}}]}"
	admitsIt = " admits a pod that it should not"
)

// command runs refute on a policy, or on none if it is empty.
func command(t *testing.T, text string, args ...string) (code int, out, faults string) {
	t.Helper()
	if text != "" {
		file := filepath.Join(t.TempDir(), "policy.yaml")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		args = append(args, file)
	}
	var o, f bytes.Buffer
	code = run(args, &o, &f)
	return code, o.String(), f.String()
}

// What selects pods is honoured, named as not looked at, or the policy is not about pods.
func TestWhatSelectsPods(t *testing.T) {
	native := func(scope string) string { return strings.Replace(scoped, "SCOPE", scope, 1) }
	cluster := func(spec, scope string) string {
		return strings.NewReplacer("SPEC", spec, "SCOPE", scope).Replace(kyverno)
	}
	excluded := podRule + "\n    excludeResourceRules: [{apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*']}]"
	in := podRule + "\n    namespaceSelector: {matchExpressions: [{key: kubernetes.io/metadata.name, operator: In, values: [ml]}]}"
	labelled := podRule + "\n    namespaceSelector: {matchLabels: {team: a}}\n    objectSelector: {matchLabels: {x: z}}"
	binding := "---\nkind: ValidatingAdmissionPolicyBinding\nmetadata: {name: bound}\nspec: {policyName: native, validationActions: [Warn]}\n"
	for _, c := range []struct {
		name, policy string
		code         int
		says         string
		never        string
	}{
		{"pods", native(podRule), 1, admitsIt, "not looked at"},
		{"deployments", native(strings.Replace(podRule, "pods", "deployments", 1)), 2, "native: is not about new pods\n", "as meant"},
		{"updates", native(strings.Replace(podRule, "CREATE", "UPDATE", 1)), 2, "native: is not about new pods\n", "as meant"},
		{"exec", native(strings.Replace(podRule, "pods", "pods/exec", 1)), 2, "native: is not about new pods\n", "as meant"},
		{"excluded", native(excluded), 2, "native: is not about new pods\n", "as meant"},
		{"names", native(strings.Replace(podRule, "resources:", "resourceNames: [a], resources:", 1)), 1, "native: not looked at: spec.matchConstraints.resourceRules[0].resourceNames\n", "about new pods"},
		{"labels", native(labelled), 1, "native: not looked at: spec.matchConstraints.namespaceSelector, spec.matchConstraints.objectSelector\n", "about new pods"},
		{"a namespace by name", strings.Replace(native(in), `"true"`, `"false"`, 1), 1, "namespace: ml", "not looked at"},
		{"a binding", native(podRule) + binding, 1, "native: not looked at: ValidatingAdmissionPolicyBinding bound\n", "about new pods"},
		{"actions", strings.NewReplacer("ValidatingAdmissionPolicy", "ValidatingPolicy", "matchConstraints:", "validationActions: [Audit]\n  matchConstraints:").Replace(native(podRule)), 1,
			"native: not looked at: spec.validationActions\n", "about new pods"},
		{"Kyverno", cluster("", onPods), 1, admitsIt, "not looked at"},
		{"Kyverno, excluded", cluster("validationFailureAction: Audit", onPods+"\n    exclude: {any: []}"), 1, "cluster, rule cel: not looked at: spec.rules[0].exclude, spec.validationFailureAction\n", "background"},
		{"Kyverno, in namespaces", cluster("", "match: {resources: {kinds: [Pod], namespaces: [a]}}"), 1, "cluster, rule cel: not looked at: spec.rules[0].match.resources.namespaces\n", "about new pods"},
		{"Kyverno, deployments", cluster("", "match: {all: [{resources: {kinds: [apps/v1/Deployment]}}]}"), 2, "cluster, rule cel: is not about new pods\n", "as meant"},
	} {
		code, out, faults := command(t, c.policy, "-deny", "gpu")
		if code != c.code || !strings.Contains(out, c.says) || strings.Contains(out, c.never) || (code == 2) != (faults == "refute: no policy is about new pods\n") {
			t.Errorf("%s: status %d, want %d and %q\n%s%s", c.name, code, c.code, c.says, out, faults)
		}
	}
}

// All keys of the flags are tried, however many, and what the limits cost is said.
func TestFlagsAreNeverLeftOut(t *testing.T) {
	keys := "x.y/a x.y/b x.y/c x.y/d x.y/e x.y/f x.y/g x.y/h x.y/i x.y/j x.y/k"
	forgets := `object.spec.tolerations.all(t, has(t.key) && !(t.key in ["` + strings.ReplaceAll(strings.TrimSuffix(keys, " x.y/k"), " ", `","`) + `"]))`
	code, out, faults := command(t, "", "-deny", strings.ReplaceAll(keys, " ", ","), "-expr", forgets)
	if code != 1 || !strings.Contains(out, "key: x.y/k") {
		t.Errorf("status %d, the last key is not tried: %s%s", code, out, faults)
	}
	code, out, faults = command(t, "", "-deny", "gpu", "-expr", `object.spec.tolerations.all(t, t.key in ["`+strings.ReplaceAll(keys, " ", `","`)+`"])`)
	if want := "the expression: not tried: of the policy's constants, 6 keys\n"; code != 1 || !strings.Contains(out, want) {
		t.Errorf("status %d, not said: %s%s%s", code, want, out, faults)
	}
	_, out, faults = command(t, "", "-allow", "gpu:NoExecute@60", "-expr", `object.spec.tolerations.all(t, t.key.startsWith("node.") || t.key == "gpu" && t.tolerationSeconds < 100)`)
	if !strings.Contains(out, "tolerationSeconds: 61") {
		t.Errorf("the seconds of the flags are not tried: %s%s", out, faults)
	}
}

func TestComparisons(t *testing.T) {
	const expression = `object.spec.tolerations.all(t, has(t.key) && (t.key != "gpu" || t.operator == "Gt"))`
	code, out, faults := command(t, "", "-comparisons", "-deny", "gpu", "-expr", expression)
	if code != 1 || !strings.Contains(out, "operator: Gt") {
		t.Errorf("status %d\n%s%s", code, out, faults)
	}
	if code, _, faults := command(t, "", "-deny", "gpu>5", "-expr", "true"); code != 2 || !strings.Contains(faults, `-deny "gpu>5"`) {
		t.Errorf("status %d, an operator that does not count is taken: %s", code, faults)
	}
}

// Errors name the field or flag, and no type of Go.
func TestBadInputIsNamed(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		name = filepath.Join(dir, name)
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return name
	}
	list, empty := file("list.yaml", "[a]"), file("empty.yaml", "# nothing\n")
	native := strings.Replace(scoped, "SCOPE", podRule, 1)
	for _, c := range []struct {
		want, policy string
		args         []string
	}{
		{"-params " + list + ": is not an object\n", "", []string{"-params", list, "-deny", "gpu", "-expr", "true"}},
		{"-params " + empty + ": is empty\n", "", []string{"-params", empty, "-deny", "gpu", "-expr", "true"}},
		{"native: has a paramKind: give -params\n", strings.Replace(native, "spec:", "spec:\n  paramKind: {apiVersion: v1, kind: ConfigMap}", 1), []string{"-deny", "gpu"}},
		{`policy.yaml: document 0: unknown field "spec.validations[0].expresion"`, strings.Replace(native, "expression", "expresion", 1), []string{"-deny", "gpu"}},
		{`document 0: unknown field "spec.rules[0].validate.cel.expressions[0].expresion"`, strings.NewReplacer("SPEC", "", "SCOPE", onPods, "expression:", "expresion:").Replace(kyverno), []string{"-deny", "gpu"}},
		{`-in "ml,": an empty name`, "", []string{"-in", "ml,", "-deny", "gpu", "-expr", "true"}},
		{`-in "M": `, "", []string{"-in", "M", "-deny", "gpu", "-expr", "true"}},
		{`"-deny": flags come before files` + "\n", "", []string{"x.yaml", "-deny", "gpu"}},
		{"document 0: spec.validations: ", strings.Replace(native, `[{expression: "true"}]`, "{}", 1), []string{"-deny", "gpu"}},
	} {
		code, out, faults := command(t, c.policy, c.args...)
		if code != 2 || out != "" || !strings.Contains(faults, c.want) || strings.Contains(faults, "Go ") {
			t.Errorf("%q: status %d, %s%s", c.want, code, out, faults)
		}
	}
	meant, err := newIntent("gpu", "", "ml, x", false)
	if err != nil || len(meant.exempt) != 2 || meant.exempt[1] != "x" {
		t.Errorf("%v, %v", meant, err)
	}
}
