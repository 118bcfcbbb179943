package main

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tolero-dev/tolero/toleration"
)

// search refutes one expression. It is fatal if it does not compile.
func search(t *testing.T, expression, deny, in string) findings {
	t.Helper()
	meant, err := newIntent(deny, "", in, false)
	if err != nil {
		t.Fatal(err)
	}
	all, err := load(nil, expression)
	if err != nil {
		t.Fatal(err)
	}
	f, err := refute(&all[0], meant, nil)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// pod is the tolerations and the namespace of a difference, field by field.
func (d *difference) pod() string {
	if d == nil {
		return "none"
	}
	var items []string
	for _, t := range d.tolerations {
		item := "key=" + t.Key + " operator=" + string(t.Operator) + " value=" + t.Value + " effect=" + string(t.Effect)
		if t.TolerationSeconds != nil {
			item += " seconds"
		}
		items = append(items, item)
	}
	return d.namespace + " [" + strings.Join(items, "; ") + "]"
}

// The usual mistakes, and one policy that makes none, each with the smallest pod.
func TestUsualMistakes(t *testing.T) {
	const (
		any       = "default [key= operator=Exists value= effect=]"
		noExecute = "default [key= operator=Exists value= effect=NoExecute]"
	)
	for _, c := range []struct{ name, expression, deny, in, admitted, refused string }{
		{"the key alone", `!has(object.spec.tolerations) || !object.spec.tolerations.exists(t, has(t.key) && t.key == "gpu")`, "gpu", "", any, "none"},
		{"no has", `!object.spec.tolerations.exists(t, t.key == "gpu")`, "gpu", "", "none", "none"},
		{"no has, where something else is allowed", `object.spec.tolerations.exists(t, t.key == "other") || !object.spec.tolerations.exists(t, t.key == "gpu")`, "gpu", "",
			"default [key=gpu operator= value= effect=; key=other operator= value= effect=]", "none"},
		{"any effect forgotten", `object.spec.tolerations.all(t, has(t.key) && (t.key != "gpu" || has(t.effect) && t.effect != "NoSchedule"))`, "gpu:NoSchedule", "", "none", noExecute},
		{"any effect is another one", `object.spec.tolerations.all(t, has(t.key) && (t.key != "gpu" || !has(t.effect) || t.effect != "NoSchedule"))`, "gpu:NoSchedule", "",
			"default [key=gpu operator= value= effect=]", noExecute},
		{"only Exists", `object.spec.tolerations.all(t, has(t.key) && (t.key != "gpu" || !has(t.operator) || t.operator != "Exists"))`, "gpu", "",
			"default [key=gpu operator= value= effect=]", "none"},
		{"too much", `object.spec.tolerations.all(t, has(t.key) && !t.key.startsWith("gpu") && t.key != "other")`, "gpu", "", "none", "default [key=other operator= value= effect=]"},
		{"right", `object.spec.tolerations.all(t, has(t.key) && t.key != "gpu")`, "gpu", "", "none", "none"},
		{"a namespace", `object.metadata.namespace == "ml" || object.spec.tolerations.all(t, has(t.key) && t.key != "gpu")`, "gpu", "ml", "none", "none"},
		{"a namespace too many", `object.metadata.namespace in ["ml", "web"] || object.spec.tolerations.all(t, has(t.key) && t.key != "gpu")`, "gpu", "ml",
			"web [key=gpu operator= value= effect=]", "none"},
	} {
		f := search(t, c.expression, c.deny, c.in)
		if f.admitted.pod() != c.admitted || f.refused.pod() != c.refused {
			t.Errorf("%s: admits %s, want %s; refuses %s, want %s", c.name, f.admitted.pod(), c.admitted, f.refused.pod(), c.refused)
		}
	}
}

// Pods are tried in the order of their size, no toleration comes twice, and all are valid.
func TestTheUniverseIsSorted(t *testing.T) {
	meant, err := newIntent("gpu=a:NoExecute", "", "ml", false)
	if err != nil {
		t.Fatal(err)
	}
	u := newUniverse(constants{words: []string{"gpu", "dedicated", "NoSchedule", "Exists", "a b", "web"}, numbers: []int64{7}}, meant)
	last, seen := -1, map[string]bool{}
	for namespace, list := range u.pods() {
		if len(list) < last {
			t.Fatalf("%d tolerations after %d", len(list), last)
		}
		last = len(list)
		text := (&difference{namespace: namespace, tolerations: list}).pod()
		for _, x := range list {
			if x.TolerationSeconds != nil {
				text += toleration.FormatList([]toleration.Toleration{x})
			}
		}
		if seen[text] {
			t.Fatalf("twice: %s", text)
		}
		seen[text] = true
		if err := (toleration.Rules{}).Validate(list); err != nil {
			t.Fatal(err)
		}
	}
	if !slices.IsSortedFunc(u.singles, func(a, b toleration.Toleration) int { return weight(a) - weight(b) }) {
		t.Error("the tolerations are not sorted")
	}
	if want := []string{"ml", "default", "gpu", "dedicated"}; !slices.Equal(u.namespaces, want) {
		t.Errorf("namespaces %q, want %q", u.namespaces, want)
	}
	keys := map[string]bool{}
	for _, x := range u.singles {
		keys[x.Key] = true
	}
	for _, key := range []string{"gpu", "dedicated", "web", "", "other"} {
		if !keys[key] {
			t.Errorf("no toleration for key %q", key)
		}
	}
	if keys["NoSchedule"] || keys["Exists"] || keys["a b"] {
		t.Errorf("keys %v", keys)
	}
}

const written = `
apiVersion: v1
kind: ConfigMap
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: native}
spec:
  failurePolicy: FAILURE
  paramKind: {apiVersion: v1, kind: ConfigMap}
  matchConditions:
  - {name: not-there, expression: "!(object.metadata.namespace in params.data.namespaces.split(','))"}
  variables:
  - {name: tolerations, expression: "object.spec.tolerations"}
  validations:
  - {expression: "!variables.tolerations.exists(t, t.key == 'gpu')"}
---
apiVersion: policies.kyverno.io/v1
kind: ValidatingPolicy
metadata: {name: kyverno}
spec:
  validations:
  - {expression: "object.spec.tolerations.all(t, has(t.key))"}
---
apiVersion: kyverno.io/v1
kind: ClusterPolicy
metadata: {name: cluster}
spec:
  rules:
  - {name: pattern, validate: {pattern: {}}}
  - name: cel
    celPreconditions: [{name: other, expression: "object.metadata.namespace != 'ml'"}]
    validate: {cel: {expressions: [{expression: "object.spec.tolerations.all(t, has(t.key) && t.key != 'gpu')"}]}}
`

// Each kind of policy is read with all that decides.
func TestPoliciesAreRead(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	params := write("params.yaml", `data: {namespaces: "ml,ops"}`)
	for fails, want := range map[string]string{
		"Fail": "native: as meant for", // no key is an error, which refuses
		"Ignore": `native: admits a pod that it should not: tolerations[0]: "*" tolerates gpu:NoSchedule, which is denied

apiVersion: v1
kind: Pod
metadata:
  name: pod
  namespace: default
spec:
  containers:
  - image: image
    name: main
  tolerations:
  - operator: Exists
`,
	} {
		file := write("policy.yaml", strings.Replace(written, "FAILURE", fails, 1))
		var out, faults bytes.Buffer
		code := run([]string{"-deny", "gpu", "-in", "ml,ops", "-params", params, file}, &out, &faults)
		text := out.String()
		if code != 1 || faults.Len() > 0 || !strings.Contains(text, want) {
			t.Errorf("%s: status %d, %s\n%s", fails, code, &faults, text)
		}
		for _, want := range []string{"kyverno: admits a pod that it should not: ", "cluster, rule cel: refuses a pod that it should not: failed expression"} {
			if !strings.Contains(text, want) {
				t.Errorf("not said: %s\n%s", want, text)
			}
		}
		if strings.Contains(text, "pattern") {
			t.Errorf("a rule without CEL is judged:\n%s", text)
		}
	}
}

func TestBadInput(t *testing.T) {
	file := filepath.Join(t.TempDir(), "x.yaml")
	if err := os.WriteFile(file, []byte("kind: ConfigMap\n---\n{"), 0o600); err != nil {
		t.Fatal(err)
	}
	for want, args := range map[string][]string{
		"say what the policy is meant to do: -deny or -allow": {"-expr", "true"},
		"give the policy: files, or -expr":                    {"-deny", "gpu"},
		`-deny "a b": `:                                       {"-deny", "a b", "-expr", "true"},
		`-allow "gpu=:X": `:                                   {"-allow", "gpu=:X", "-expr", "true"},
		"document 1: ":                                        {"-deny", "gpu", file},
		"-params: open none.yaml":                             {"-deny", "gpu", "-params", "none.yaml", "-expr", "true"},
		"the expression: validations[0]: ":                    {"-deny", "gpu", "-expr", "object.spec."},
		"undeclared reference to 'params'":                    {"-deny", "gpu", "-expr", "params.x == 1"},
		"flag provided but not defined":                       {"-denied", "gpu"},
	} {
		var out, faults bytes.Buffer
		if code := run(args, &out, &faults); code != 2 || !strings.Contains(faults.String(), want) || out.Len() > 0 {
			t.Errorf("%q: status %d, %s, want %s", args, code, &faults, want)
		}
	}
	var out, faults bytes.Buffer
	if code := run([]string{"-h"}, &out, &faults); code != 0 {
		t.Errorf("help: %d", code)
	}
}
