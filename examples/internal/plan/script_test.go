package plan

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// fakeKubectl notes its arguments, and fails if they have what the file "fail" has. A budget
// allows as many evictions as the file "allowed" says, and a pod runs on the node of the file "node".
const fakeKubectl = `#!/bin/sh
case "$*" in
"config current-context")
	cat context
	exit
	;;
esac
echo "$*" >>log
case "$*" in
*" get pod "*) cat node ;;
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
	const hold, release = "cordon n1", "uncordon n1"
	asked := []string{patch + dry, hold + dry, first + dry, second + dry, release + dry}
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	write("kubectl", fakeKubectl)
	write("plan.sh", r.stdout)
	const leaves = "--namespace x get pod a-0 --ignore-not-found --output jsonpath={.spec.nodeName}"
	done := func() string { // the file that has what is done
		names, _ := filepath.Glob(filepath.Join(dir, "*.done"))
		return strings.Join(names, " ")
	}
	for _, c := range []struct {
		name, fail, allowed, node, context string
		args                               []string
		ok                                 bool
		want                               []string
		out                                string
	}{
		{"asked only", "none", "1", "", "prod", []string{"--dry-run"}, true, asked, ""},
		{"an unknown flag", "none", "1", "", "prod", []string{"--dry"}, false, nil, "usage: "},
		{"the API server refuses", second + dry, "1", "", "prod", nil, false, asked[:4], ""},
		{"an error", "taint nodes n0 t:NoExecute", "1", "", "prod", nil, false, asked[:3], ""},
		{"a rollout that hangs", rollB, "1", "", "prod", nil, false, append(asked[:5:5], patch, rollB), ""},
		{"another cluster", "none", "1", "", "test", nil, false, nil, "is of another cluster: context prod, not test"},
		{"a budget", "none", "0", "", "prod", nil, false, append(asked[1:5:5], rollB, hold, budget), "going on: 1 steps are done"}, // the patch is done
		{"a pod that does not leave", "none", "1", "n0", "prod", nil, false, append(asked[2:5:5], budget, first, leaves), "x/a-0 is still on n0"},
		{"a budget again", "none", "0", "n2", "prod", nil, false, append(asked[3:5:5], leaves, rollA, budget), "x/of-a allows 0 evictions, and the stage has 1"},
		{"the rest", "none", "1", "n2", "prod", nil, true, append(asked[3:5:5], leaves, rollA, budget, second, release), "all is done"},
		{"all anew", "none", "1", "n2", "prod", nil, true, append(asked[:5:5], patch, rollB, hold, budget, first, leaves, rollA, budget, second, release), "all is done"},
	} {
		write("fail", c.fail)
		write("allowed", c.allowed)
		write("node", c.node)
		write("context", c.context)
		os.Remove(filepath.Join(dir, "log"))
		run := exec.Command(bash, append([]string{"plan.sh"}, c.args...)...)
		run.Dir, run.Env = dir, append(os.Environ(), "PATH="+dir+":"+os.Getenv("PATH"), "TIMEOUT=0", "SETTLE=0")
		output, err := run.CombinedOutput()
		log, _ := os.ReadFile(filepath.Join(dir, "log"))
		if got := strings.TrimSpace(string(log)); (err == nil) != c.ok || got != strings.Join(c.want, "\n") || !strings.Contains(string(output), c.out) {
			t.Errorf("%s: %v, %s\n%s\nwant\n%s", c.name, err, output, got, strings.Join(c.want, "\n"))
		}
		if c.ok && done() != "" {
			t.Errorf("%s: %s is left", c.name, done())
		}
	}
}

// What the script cannot do stops it, once: the next run goes on behind it.
func TestScriptByHand(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("SKIPPED: there is no bash")
	}
	const input = `{"kind":"Node","metadata":{"name":"n0"}}
{"kind":"Pod","metadata":{"namespace":"x","name":"it's","ownerReferences":[{"kind":"Rollout","name":"it's","controller":true}]},"spec":{"nodeName":"n0"}}`
	r := start(input, "-f", "-", "-o", "kubectl", "tolerations t Rollout x/it's", "taint nodes n0 t:NoExecute")
	if lone := start(input, "-f", "-", "-o", "kubectl", "taint nodes n0 t:NoExecute"); strings.Contains(r.stdout, "# There are no") || !strings.Contains(lone.stdout, "\n# There are no PodDisruptionBudgets in the input") {
		t.Errorf("%s%s", r.stdout, lone.stdout)
	}
	dir := t.TempDir()
	for name, text := range map[string]string{"kubectl": fakeKubectl, "plan.sh": r.stdout, "fail": "none", "context": "prod"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for i, want := range []string{"1: do this by hand, and then run the script again: change the template that Rollout x/it's comes from: tolerations t Rollout x/it's\n", "all is done\n"} {
		run := exec.Command(bash, "plan.sh")
		run.Dir, run.Env = dir, append(os.Environ(), "PATH="+dir+":"+os.Getenv("PATH"))
		output, err := run.CombinedOutput()
		if (err == nil) != (i == 1) || !strings.HasSuffix(string(output), want) {
			t.Errorf("run %d: %v, %s, want %s", i, err, output, want)
		}
	}
	if log, _ := os.ReadFile(filepath.Join(dir, "log")); strings.Count(string(log), "taint nodes n0 t:NoExecute\n") != 1 {
		t.Errorf("what was run:\n%s", log)
	}
}

// After a stage that evicts very many pods, it waits for those that are due last.
func TestScriptOfManyPods(t *testing.T) {
	input := `{"kind":"Node","metadata":{"name":"n0"}}{"kind":"Node","metadata":{"name":"n1"}}{"kind":"Pod","metadata":{"namespace":"x","name":"z"},"spec":{"nodeName":"n1"}}`
	for i := range maxWaits + 50 {
		input += fmt.Sprintf(`{"kind":"Pod","metadata":{"namespace":"x","name":"p%d"},"spec":{"nodeName":"n0","tolerations":[{"key":"t","operator":"Exists","tolerationSeconds":%d,"effect":"NoExecute"}]}}`, i, 10+i)
	}
	r := start(input, "-f", "-", "-o", "kubectl", "-stages", "-max-nodes", "1", "taint nodes n0 n1 t:NoExecute")
	for text, n := range map[string]int{"left x p": maxWaits, "left x p149 n0\n": 1, "left x p50 n0\n": 1, "left x p49 ": 0, "# 50 more pods not waited for": 1, "sleep 159\n": 1} {
		if got := strings.Count(r.stdout, text); got != n {
			t.Errorf("%q is there %d times, want %d", text, got, n)
		}
	}
}
