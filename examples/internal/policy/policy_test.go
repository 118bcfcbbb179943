package policy

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tolero-dev/tolero/examples/internal/command"
	"github.com/tolero-dev/tolero/examples/internal/golden"
)

func start(args ...string) (status int, stdout, stderr string) {
	var out, errors bytes.Buffer
	status = Command.Do(&command.Program{Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errors, Now: time.Now}, args)
	return status, out.String(), golden.Unwrapped(errors.String())
}

func TestCompileIsGolden(t *testing.T) {
	for name, flag := range map[string]string{"compiled.yaml": "-kyverno=false", "kyverno.yaml": "-kyverno"} {
		status, stdout, stderr := start("compile", "-policies", "testdata/policies.yaml", flag)
		if status != command.Success || stderr != "" {
			t.Errorf("status %d, %s", status, stderr)
		}
		golden.Check(t, name, stdout)
	}
}

func TestCheckIsGolden(t *testing.T) {
	for name, format := range map[string]string{"check.txt": "text", "check.json": "json"} {
		status, stdout, stderr := start("check", "-policies", "testdata/policies.yaml", "-f", "testdata/dump.json", "-o", format, "-fail")
		if status != command.Found || stderr != "tolero policy: 2 violations, and -fail is set\n" {
			t.Errorf("status %d, %s", status, stderr)
		}
		golden.Check(t, name, stdout)
	}
	if status, stdout, _ := start("check", "-policies", "testdata/policies.yaml", "-f", "testdata/dump.json", "-limit", "1"); status != command.Success || !strings.Contains(stdout, "1 more") {
		t.Errorf("status %d, %s", status, stdout)
	}
}

func TestPolicyErrors(t *testing.T) {
	file := filepath.Join(t.TempDir(), "policies.yaml")
	for text, want := range map[string]string{
		"":                                 "no policies in it",
		"- name: [":                        "policies.yaml: yaml: ",
		"- nam: p":                         "field nam not found (tolero policy -h shows the form)",
		"policies: []":                     "line 1: cannot unmarshal !!map (tolero policy -h shows the form)",
		"- name: p":                        `policy "p": spec: required value`,
		"- name: P\n  allowed: []":         `policy "P": name: invalid value "P"`,
		"- name: p\n  allowed: [a, 'a b']": `policy "p": allowed[1]: toleration "a b": key: `,
		"- name: p\n  denied: ['>1']":      `policy "p": denied[0]: `,
		"- name: p\n  denied: ['a>1']":     `spec.denied.tolerations[0].operator: unsupported value "Gt"`,
		"- name: p\n  denied: [a]\n---\n- name: p\n  denied: [b]":         `two policies have the name "p"`,
		"- name: p\n  allowed:\n  denied: [a]":                            "[0].allowed: has no value",
		"- name: p\n  denied: [a]\n  namespaces: {labels: {team: }}":      "[0].namespaces.labels.team: has no value",
		"- name: p\n  denied: [a]\n---\n~":                                "the document: has no value",
		"- name: p\n  denied: [a]\n---\n- name: q\n  denied: [b]\n  x: 1": "field x not found",
		"- name: p\n  allowed: [a]\n  defaults: [b]":                      `policy "p": tolerations[0]: "b" tolerates b:NoSchedule, which is not allowed`,
		"- name: p\n  denied: [a]\n  defaults: [a]":                       `policy "p": tolerations[0]: "a" tolerates a:NoSchedule, which is denied`,
		"- name: p\n  notReadySeconds: 9007199254740993":                  "notReadySeconds: invalid value",
	} {
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if status, stdout, stderr := start("compile", "-policies", file); status != command.Trouble || !strings.Contains(stderr, want) || stdout != "" {
			t.Errorf("%s: status %d, %q, want %q", text, status, stderr, want)
		}
	}
	for args, want := range map[string]string{
		"":                                       "want compile or check",
		"compile":                                "want compile or check",
		"apply -policies testdata/policies.yaml": "want compile or check",
		"check -policies testdata/none.yaml":     "no such file",
		"check -policies - -f -":                 "standard input can be read only once",
		"check -policies testdata/policies.yaml": `policy "tolerations-ml" selects namespaces by label, and namespace "`,
		"compile -policies testdata/dump.json -o x": "unknown output format",
	} {
		if status, _, stderr := start(strings.Fields(args)...); status != command.Trouble || !strings.Contains(stderr, want) {
			t.Errorf("%s: status %d, %q, want %q", args, status, stderr, want)
		}
	}
}
