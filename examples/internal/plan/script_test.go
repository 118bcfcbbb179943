package plan

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// fakeKubectl notes its arguments, and fails if they have what the file "fail" has. A budget
// allows as many evictions as the file "allowed" says.
const fakeKubectl = `#!/bin/sh
echo "$*" >>log
case "$*" in
*poddisruptionbudget*) cat allowed ;;
esac
if [ -e fail ] && echo "$*" | grep -qF -- "$(cat fail)"; then exit 1; fi
`

// The script asks the API server about every command before it changes anything, waits for
// rollouts and budgets, stops at the first error, and goes on there when it is run again.
func TestScript(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("SKIPPED: there is no bash")
	}
	const input = `{"kind":"Node","metadata":{"name":"n0"}}{"kind":"Node","metadata":{"name":"n1"}}{"kind":"Node","metadata":{"name":"n2"}}
{"kind":"Pod","metadata":{"namespace":"x","name":"a-0","labels":{"app":"a"},"ownerReferences":[{"kind":"StatefulSet","name":"a","controller":true}]},"spec":{"nodeName":"n0"}}
{"kind":"Pod","metadata":{"namespace":"x","name":"a-1","labels":{"app":"a"},"ownerReferences":[{"kind":"StatefulSet","name":"a","controller":true}]},"spec":{"nodeName":"n1"}}
{"kind":"Pod","metadata":{"namespace":"x","name":"b-0","ownerReferences":[{"kind":"StatefulSet","name":"b","controller":true}]},"spec":{"nodeName":"n2"}}
{"apiVersion":"policy/v1","kind":"PodDisruptionBudget","metadata":{"namespace":"x","name":"of-a"},"spec":{"selector":{"matchLabels":{"app":"a"}}},"status":{"disruptionsAllowed":1}}`
	r := start(input, "-f", "-", "-o", "kubectl", "-stages", "taint nodes n0 n1 t:NoExecute", "tolerations t StatefulSet x/b")
	if r.status != 0 {
		t.Fatalf("%+v", r)
	}
	patch := `--namespace x patch statefulset b --type merge --patch {"spec":{"template":{"spec":{"tolerations":[{"key":"t","operator":"Exists"}]}}}}`
	const first, second = "taint nodes n0 t:NoExecute", "taint nodes n1 t:NoExecute"
	const rollB, rollA = "--namespace x rollout status statefulset/b --timeout 0s", "--namespace x rollout status statefulset/a --timeout 0s"
	const budget = "--namespace x get poddisruptionbudget of-a --output jsonpath={.status.disruptionsAllowed}"
	const dry = " --dry-run=server"
	asked := []string{patch + dry, first + dry, second + dry}
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	write("kubectl", fakeKubectl)
	write("plan.sh", r.stdout)
	for _, c := range []struct {
		name, fail, allowed string
		args                []string
		ok                  bool
		want                []string
	}{
		{"asked only", "none", "1", []string{"--dry-run"}, true, asked},
		{"an unknown flag", "none", "1", []string{"--dry"}, false, nil},
		{"the API server refuses", second + dry, "1", nil, false, asked},
		{"an error", "taint nodes n0 t:NoExecute", "1", nil, false, asked[:2]},
		{"a rollout that hangs", rollB, "1", nil, false, append(asked[:3:3], patch, rollB)},
		{"a budget", "none", "0", nil, false, append(asked[1:3:3], rollB, budget)}, // the patch is done
		{"the rest", "none", "1", nil, true, append(asked[1:3:3], budget, first, rollA, budget, second)},
		{"all is done", "none", "1", nil, true, nil},
	} {
		write("fail", c.fail)
		write("allowed", c.allowed)
		os.Remove(filepath.Join(dir, "log"))
		run := exec.Command(bash, append([]string{"plan.sh"}, c.args...)...)
		run.Dir, run.Env = dir, append(os.Environ(), "PATH="+dir+":"+os.Getenv("PATH"), "TIMEOUT=0")
		output, err := run.CombinedOutput()
		log, _ := os.ReadFile(filepath.Join(dir, "log"))
		if got := strings.TrimSpace(string(log)); (err == nil) != c.ok || got != strings.Join(c.want, "\n") {
			t.Errorf("%s: %v, %s\n%s\nwant\n%s", c.name, err, output, got, strings.Join(c.want, "\n"))
		}
	}
}
