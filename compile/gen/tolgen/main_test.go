package main

import (
	"errors"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// The manifests of the tests.
const (
	agent = `apiVersion: apps/v1
kind: DaemonSet
metadata: {name: node-agent, namespace: kube-system}
spec: {template: {spec: {tolerations: [{key: gpu, operator: Exists, effect: NoSchedule}]}}}
`
	web = `{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web","namespace":"shop"},
	"spec":{"replicas":0,"template":{"spec":{"tolerations":[{"key":"spot","value":"true"}]}}}}`
	bare = "- {key: a, operator: Exists}\n- {operator: Exists, effect: NoExecute, tolerationSeconds: 30}\n"
)

// invoke runs the program in a new folder that holds the given files.
func invoke(t *testing.T, files map[string]string, stdin string, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	t.Chdir(t.TempDir())
	for name, text := range files {
		write(t, name, text)
	}
	return again(stdin, args...)
}

// again runs the program where the last one ran.
func again(stdin string, args ...string) (status int, stdout, stderr string) {
	var out, faults strings.Builder
	status = run(args, "", strings.NewReader(stdin), &out, &faults)
	return status, out.String(), faults.String()
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// names returns the files of the folder.
func names(t *testing.T) string {
	t.Helper()
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, entry := range entries {
		all = append(all, entry.Name())
	}
	return strings.Join(all, " ")
}

// types returns the names of the types that a file declares.
func types(source string) string {
	var found []string
	for _, line := range regexp.MustCompile(`(?m)^type (\S+) struct`).FindAllStringSubmatch(source, -1) {
		found = append(found, line[1])
	}
	return strings.Join(found, " ")
}

// Everything that holds tolerations is read, from files and standard input, and
// named after kind and name.
func TestInputs(t *testing.T) {
	item := func(kind, path, end string) string {
		return "kind: " + kind + "\nmetadata: {name: x}\n" + path + "{tolerations: [{key: a, operator: Exists}]}" + end + "\n---\n"
	}
	all := item("Pod", "spec: ", "") + item("DaemonSet", "spec: {template: {spec: ", "}}") + item("Deployment", "spec: {template: {spec: ", "}}") +
		item("StatefulSet", "spec: {template: {spec: ", "}}") + item("Job", "spec: {template: {spec: ", "}}") +
		item("CronJob", "spec: {jobTemplate: {spec: {template: {spec: ", "}}}}") + item("ConfigMap", "spec: ", "")
	list := `{"kind":"List","items":[` + web + `,{"kind":"Node","metadata":{"name":"n"},"spec":{"taints":[{"effect":"odd"}]}}]}`
	for _, test := range []struct {
		name, stdin string
		files       map[string]string
		args        []string
		want        string
	}{
		{"kinds", all, nil, nil, "podX daemonSetX deploymentX statefulSetX jobX cronJobX"},
		{"a list with a faulty node, without replicas", list, nil, []string{"-"}, "deploymentWeb"},
		{"kubectl get daemonsets -o json", `{"kind":"DaemonSetList","apiVersion":"apps/v1","items":[{"metadata":{"name":"a"}},{"metadata":{"name":"b"}}]}`, nil, nil, "daemonSetA daemonSetB"},
		{"files and standard input", web, map[string]string{"a.yaml": agent}, []string{"-exported", "a.yaml", "-"}, "DaemonSetNodeAgent DeploymentWeb"},
		{"a bare list", bare, nil, []string{"-name", "critical"}, "critical"},
		{"a bare list in JSON", `[{"key":"a","operator":"Exists"}]`, nil, []string{"-name", "critical"}, "critical"},
		{"names", agent + "---\n" + web, nil, []string{"-name", "DaemonSet/kube-system/node-agent=agent", "-name", "Deployment=shop"}, "agent shop"},
		{"some", agent + "---\n" + web, nil, []string{"-only", "DaemonSet"}, "daemonSetNodeAgent"},
		{"some by name", agent + "---\n" + web, nil, []string{"-only", "Deployment/web", "-only", "Pod/web"}, "deploymentWeb"},
		{"a pod without tolerations", "kind: Pod\nmetadata: {name: p}\n", nil, nil, "podP"},
	} {
		t.Run(test.name, func(t *testing.T) {
			status, stdout, stderr := invoke(t, test.files, test.stdin, append([]string{"-package", "p"}, test.args...)...)
			if status != 0 || stderr != "" {
				t.Fatalf("status %d: %s", status, stderr)
			}
			if got := types(stdout); got != test.want {
				t.Errorf("types %s, want %s", got, test.want)
			}
		})
	}
}

// In a default cluster Lt and Gt are an error (rule N4).
func TestN4Comparisons(t *testing.T) {
	const list = "- {key: cores, operator: Gt, value: \"5\"}\n- {key: gpu, operator: Exists}\n"
	status, stdout, stderr := invoke(t, nil, list, "-package", "p", "-name", "a", "-comparisons")
	if status != 0 || !strings.Contains(stdout, "cores") || !strings.Contains(stdout, `"gpu"`) {
		t.Errorf("status %d, error %q\n%s", status, stderr, stdout)
	}
	status, stdout, stderr = invoke(t, nil, list, "-package", "p", "-name", "a")
	if status != 1 || stdout != "" || !strings.Contains(stderr, `tolerations[0].operator: unsupported value "Gt"`) || !strings.Contains(stderr, "TaintTolerationComparisonOperators") {
		t.Errorf("status %d, error %q\n%s", status, stderr, stdout)
	}
}

// What is wrong with an object that is not selected does not matter.
func TestFaultsOfOthers(t *testing.T) {
	const faulty = "---\nkind: Pod\nmetadata: {name: p}\nspec: {tolerations: [{key: true}]}\n"
	status, stdout, stderr := invoke(t, nil, agent+faulty, "-package", "p", "-only", "DaemonSet")
	if status != 0 || types(stdout) != "daemonSetNodeAgent" || stderr != "" {
		t.Errorf("status %d, error %q\n%s", status, stderr, stdout)
	}
}

// Whatever is wrong is told with file, document, field and cause, and nothing is
// written.
func TestErrors(t *testing.T) {
	const tolerations = "kind: Pod\nmetadata: {name: p}\nspec: {tolerations: "
	for _, test := range []struct {
		name, input string
		args        []string
		want        string
	}{
		{"not YAML", "a: [", nil, "tolgen: in.yaml: document 1, line 2: did not find expected node content\n"},
		{"empty", "", nil, "tolgen: in.yaml: empty: no document in it\n"},
		{"no object", "a: b", nil, "tolgen: in.yaml: document 1, line 1: not a Kubernetes object: it has no kind\n"},
		{"no workload", "kind: ConfigMap\n", nil, "tolgen: none of the 0 workloads that were read is to be generated\n"},
		{"none selected", agent, []string{"-only", "Pod"}, "tolgen: none of the 1 workloads that were read is to be generated\n"},
		{"wrong type", agent + "---\n" + tolerations + "[{key: true, operator: Exists}]}\n", nil,
			"tolgen: in.yaml: document 2: Pod p: spec.tolerations[0].key: invalid value \"true\": want a string, found a boolean; the toleration is left out\n"},
		{"two faults", tolerations + "[{key: a, operation: Exists}, {key: b, effect: Never}]}\n", nil,
			"tolgen: in.yaml: document 1: Pod p: spec.tolerations[0].operation: forbidden: a toleration has no such field; it is ignored (is operator meant?)\n" +
				"in.yaml: document 1: Pod p: spec.tolerations[1].effect: unsupported value \"Never\": must be NoSchedule, PreferNoSchedule, NoExecute or empty\n"},
		{"unnamed", bare, nil, "tolgen: in.yaml: document 1: (unnamed): the list has no kind and name to be named after: use -name\n"},
		{"names that collide", agent + "---\n" + agent, nil, "tolgen: list 2: the names \"DaemonSet node-agent\" and \"DaemonSet node-agent\" both need the identifier daemonSetNodeAgentInteger\n"},
		{"name for several", agent + "---\n" + web, []string{"-name", "x"}, "tolgen: -name \"x\" is for one list, and fits 2\n"},
		{"name for none", agent, []string{"-name", "Pod=x"}, "tolgen: -name \"Pod=x\" is for one list, and fits 0\n"},
		{"bad name", agent, []string{"-name", "9"}, "tolgen: list 1: the name \"9\" gives no Go identifier: it begins with a digit\n"},
		{"bad package", agent, []string{"-package", "a b"}, "tolgen: the package name \"a b\" is not a Go identifier\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			args := append([]string{"-package", "p", "-o", "out.go", "-test"}, test.args...)
			status, stdout, stderr := invoke(t, map[string]string{"in.yaml": test.input}, "", append(args, "in.yaml")...)
			if diff := cmp.Diff(test.want, stderr); status != 1 || stdout != "" || diff != "" {
				t.Errorf("status %d, output %q, error (-want +got):\n%s", status, stdout, diff)
			}
			if got := names(t); got != "in.yaml" {
				t.Errorf("files: %s", got)
			}
		})
	}
}

func TestWrongFlags(t *testing.T) {
	for _, args := range [][]string{
		{"-o", "x.go"}, {"-package", "p", "-check"}, {"-package", "p", "-test"}, {"-package", "p", "-o", "x.txt"}, {"-package", "p", "-o", "x_test.go"},
		{"-package", "p", "-only", "a/b/c/d"}, {"-package", "p", "-only", "/b"}, {"-package", "p", "-name", "a//b=c"}, {"-unknown"},
	} {
		status, stdout, stderr := invoke(t, nil, agent, args...)
		if status != 2 || stdout != "" || !strings.Contains(stderr, "Usage of tolgen:") || names(t) != "" {
			t.Errorf("%q: status %d, output %q, error %q, files %s", args, status, stdout, stderr, names(t))
		}
	}
}

func TestHelp(t *testing.T) {
	if status, stdout, stderr := invoke(t, nil, "", "-h"); status != 0 || stdout != "" || !strings.Contains(stderr, "Usage of tolgen:") {
		t.Errorf("status %d, output %q, error %q", status, stdout, stderr)
	}
}

// Checking is silent as long as the files are what would be written, and shows
// what differs if not.
func TestCheck(t *testing.T) {
	args := []string{"-package", "p", "-o", "out.go", "-test", "in.yaml"}
	status, stdout, stderr := invoke(t, map[string]string{"in.yaml": agent}, "", append([]string{"-check"}, args...)...)
	if want := "out.go is missing\nout_test.go is missing\n"; status != 1 || stdout != want || stderr != "" || names(t) != "in.yaml" {
		t.Fatalf("status %d, output %q, error %q, files %s", status, stdout, stderr, names(t))
	}
	if status, stdout, stderr := again("", args...); status != 0 || stdout+stderr != "" || names(t) != "in.yaml out.go out_test.go" {
		t.Fatalf("status %d, output %q, error %q, files %s", status, stdout, stderr, names(t))
	}
	if status, stdout, stderr := again("", append([]string{"-check"}, args...)...); status != 0 || stdout+stderr != "" {
		t.Fatalf("status %d, output %q, error %q", status, stdout, stderr)
	}
	before, err := os.ReadFile("out.go")
	if err != nil {
		t.Fatal(err)
	}
	write(t, "in.yaml", strings.Replace(agent, "gpu", "cpu", 1))
	status, stdout, _ = again("", append([]string{"-check"}, args...)...)
	for _, line := range []string{
		"out.go is not up to date (- is there, + should be):\n", ": -\treturn t.Key == \"gpu\" && ",
		": +\treturn t.Key == \"cpu\" && ", "out_test.go is not up to date (- is there, + should be):\n",
	} {
		if !strings.Contains(stdout, line) {
			t.Errorf("no %q in:\n%s", line, stdout)
		}
	}
	if after, err := os.ReadFile("out.go"); status != 1 || err != nil || string(after) != string(before) {
		t.Errorf("status %d, error %v, or the file has changed", status, err)
	}
}

// What go generate runs and what the header says is the same, with the package
// that it tells.
func TestHeaderTellsTheCommand(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "in put.yaml", agent)
	args := []string{"-test", "-o", "out.go", "-exported=false", "-name", "DaemonSet=b", "-only", "DaemonSet/node-agent", "in put.yaml"}
	var out strings.Builder
	if status := run(args, "agents", nil, &out, &out); status != 0 {
		t.Fatal(out.String())
	}
	source, err := os.ReadFile("out.go")
	if err != nil {
		t.Fatal(err)
	}
	want := "// To make it again: tolgen -package agents -test -o out.go -exported=false -name DaemonSet=b -only DaemonSet/node-agent \"in put.yaml\"\n"
	if !strings.Contains(string(source), want) {
		t.Errorf("no %q in:\n%s", want, source)
	}
}

// Files that are up to date are not touched, and those that are not keep their permissions.
func TestWriteFiles(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "same", "x")
	write(t, "other", "old")
	if err := errors.Join(os.Chmod("same", 0o400), os.Chmod("other", 0o600), os.Chtimes("same", time.Time{}, time.Unix(1, 0))); err != nil {
		t.Fatal(err)
	}
	if err := writeFiles([]file{{"same", []byte("x")}, {"other", []byte("new")}}); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat("same"); err != nil || !info.ModTime().Equal(time.Unix(1, 0)) {
		t.Errorf("the file was written, %v", err)
	}
	text, _ := os.ReadFile("other")
	if info, err := os.Stat("other"); err != nil || string(text) != "new" || info.Mode().Perm() != 0o600 {
		t.Errorf("%q, %v", text, err)
	}
	if err := writeFiles([]file{{"missing/folder", nil}}); err == nil {
		t.Error("a file in a folder that is not there was written")
	}
}

// The command that the README shows works as shown: the package is the one in the folder,
// or named after it.
func TestReadmeCommand(t *testing.T) {
	readme, err := os.ReadFile("../../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, command, found := strings.Cut(string(readme), "\n    go tool tolgen ")
	if !found {
		t.Fatal("no command in the README")
	}
	command, _, _ = strings.Cut(command, "\n")
	for _, test := range []struct{ file, text, folder, want string }{
		{"main.go", "package main\n", "agents", "main"},
		{"agents.go", "package other\n", "agents", "other"}, // of the last time
		{"x_test.go", "package tests_test\n", "agents", "tests"},
		{"notes.txt", "", "agents", "agents"},
		{"notes.txt", "", "node-agents", ""},
	} {
		t.Chdir(t.TempDir())
		if err := os.Mkdir(test.folder, 0o755); err != nil {
			t.Fatal(err)
		}
		t.Chdir(test.folder)
		write(t, "agents.yaml", agent)
		write(t, test.file, test.text)
		status, _, stderr := again("", strings.Fields(command)...)
		if test.want == "" {
			if status != 2 || !strings.Contains(stderr, "tolgen: the package has no name: use -package\n") {
				t.Errorf("%s: status %d: %s", test.folder, status, stderr)
			}
			continue
		}
		for _, name := range []string{"agents.go", "agents_test.go"} {
			source, err := os.ReadFile(name)
			if err != nil || status != 0 || !strings.Contains(string(source), "\npackage "+test.want+"\n") {
				t.Errorf("%s in %s: status %d, %v: %s%s", test.file, test.folder, status, err, stderr, source)
			}
		}
	}
}
