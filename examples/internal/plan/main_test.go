package plan

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/tolero-dev/tolero/compile/index/whatif"
	"github.com/tolero-dev/tolero/examples/internal/golden"
)

type result struct {
	status         int
	stdout, stderr string
}

func start(stdin string, args ...string) result {
	status, stdout, stderr := golden.Run(&Command, stdin, args...)
	return result{status, stdout, stderr}
}

const cluster1 = "../matrix/testdata/cluster.json"

func TestGolden(t *testing.T) {
	for _, c := range []struct {
		name string
		args []string
		gate string // on stderr, with the exit status 1
	}{
		{"demo.text.golden", nil, ""},
		{"demo.json.golden", []string{"-o", "json"}, ""},
		{"demo.kubectl.golden", []string{"-o", "kubectl"}, ""},
		{"limits.text.golden", []string{"-max-per-owner", "1", "-max-percent", "20", "-budget", "ml=1:StatefulSet ml/train,StatefulSet ml/notebook"},
			`tolero plan: 3 limits broken: 3 pods are evicted, and 1 is allowed by the share of running pods`},
		{"stages.text.golden", []string{"-max-per-owner", "1", "-stages"}, ""},
		{"stages.json.golden", []string{"-max-per-owner", "1", "-stages", "-o", "json"}, ""},
		{"stages.kubectl.golden", []string{"-max-per-owner", "1", "-stages", "-o", "kubectl"}, ""},
		{"uncut.text.golden", []string{"-max-pods", "1", "-stages"}, `tolero plan: no stages: node "gpu-1" alone goes over a limit: 2 pods are evicted, and 1 is allowed`},
		{"other.text.golden", []string{"-f", cluster1, "taint nodes --all maintenance:NoExecute", "-limit", "3", "-need-node"}, "tolero plan: -need-node: no node is left for 12 pods"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := start("", c.args...)
			if (r.status == 1) != (c.gate != "") || r.status != 0 && r.status != 1 || !strings.HasPrefix(r.stderr, c.gate) || (c.gate == "") != (r.stderr == "") {
				t.Errorf("status %d, stderr %q", r.status, r.stderr)
			}
			golden.Check(t, c.name, r.stdout)
			if strings.Contains(c.name, "json") != json.Valid([]byte(r.stdout)) {
				t.Error("not the format that was asked for")
			}
		})
	}
}

func TestGate(t *testing.T) {
	for _, c := range []struct {
		args   []string
		status int
	}{
		{[]string{"-max-nodes", "5", "-max-pods", "3", "-max-percent", "40", "-max-per-owner", "2", "-budget", "all=3"}, 0},
		{[]string{"-max-nodes", "3"}, 1},
		{[]string{"-max-pods", "2"}, 1},
		{[]string{"-max-percent", "30"}, 1},
		{[]string{"-max-per-owner", "1"}, 1},
		{[]string{"-budget", "all=2"}, 1},
		{[]string{"-budget", "all=0:StatefulSet shop/search"}, 0},
		{[]string{"-need-node"}, 1},
		{[]string{"-need-node", "cordon web-1"}, 0},
		{[]string{"-max-pods", "1", "-stages"}, 1},
		{[]string{"-max-pods", "2", "-stages"}, 0},
	} {
		r := start("", c.args...)
		if r.status != c.status || r.stdout == "" || (c.status == 0) != (r.stderr == "") {
			t.Errorf("%q: status %d, stderr %q", c.args, r.status, r.stderr)
		}
	}
}

// No line is longer than it may be, except for one long word.
func TestWidth(t *testing.T) {
	for _, width := range []int{60, 100, 0} {
		for _, args := range [][]string{{"-max-per-owner", "1", "-stages"}, {"-f", cluster1, "taint nodes --all a:NoExecute", "-limit", "0"}} {
			r := start("", append(args, "-width", fmt.Sprint(width))...)
			for line := range strings.Lines(r.stdout) {
				line = strings.TrimSuffix(line, "\n")
				if width > 0 && utf8.RuneCountInString(line) > width && strings.Contains(strings.TrimSpace(line), " ") {
					t.Errorf("longer than %d: %q", width, line)
				}
			}
		}
	}
}

// The demo answers alike from files, from standard input, from steps and without
// arguments.
func TestInputs(t *testing.T) {
	_, want, _ := strings.Cut(start("").stdout, "\n")
	steps := []string{"-f", "testdata/demo.yaml"}
	for line := range strings.Lines(demoPlan) {
		if !strings.HasPrefix(line, "#") {
			steps = append(steps, strings.TrimPrefix(line, "kubectl "))
		}
	}
	for _, c := range []struct {
		stdin string
		args  []string
	}{
		{demo, []string{"-f", "-", "-plan", "testdata/demo.plan"}},
		{demoPlan, []string{"-plan", "-"}},
		{"", steps},
	} {
		got := start(c.stdin, append(c.args, "-no-budgets")...)
		if _, text, _ := strings.Cut(got.stdout, "\n"); text != want {
			t.Errorf("%q: %+v", c.args, got)
		}
	}
}

// Several files are one cluster, and a workload without pods counts as its replicas, which wait.
func TestSeveralFiles(t *testing.T) {
	const more = `{"kind":"Node","metadata":{"name":"new"}} {"kind":"Deployment","metadata":{"namespace":"shop","name":"api"},"spec":{"replicas":3}}`
	r := start(more, "-f", "testdata/demo.yaml", "-f", "-", "cordon new web-1 web-2", "-width", "0")
	if r.status != 0 || !strings.HasPrefix(r.stdout, "The plan, for 6 nodes and 12 pods:") ||
		!strings.Contains(r.stdout, "6 pods of Deployment shop/api, Deployment shop/cart, StatefulSet shop/search, tolerating nothing") {
		t.Errorf("%+v", r)
	}
}

// The commands of -o kubectl are a plan with the same effect, as far as they are about
// nodes, and so are those of the stages together.
func TestCommandsAreThePlan(t *testing.T) {
	for _, args := range [][]string{{"-o", "kubectl"}, {"-o", "kubectl", "-max-per-owner", "1", "-stages"}} {
		var commands, lists strings.Builder
		for _, line := range commandsOf(start("", args...).stdout) {
			if strings.HasPrefix(line, "kubectl ") && !strings.Contains(line, " patch ") {
				commands.WriteString(line + "\n")
			}
		}
		for line := range strings.Lines(demoPlan) {
			if strings.HasPrefix(line, "tolerations") {
				lists.WriteString(line)
			}
		}
		_, want, _ := strings.Cut(start("").stdout, "Its effect")
		r := start(commands.String()+lists.String(), "-plan", "-")
		if _, got, _ := strings.Cut(r.stdout, "Its effect"); got != want || want == "" {
			t.Errorf("%q: %+v", args, r)
		}
	}
}

func TestErrors(t *testing.T) {
	for _, c := range []struct {
		args   []string
		stdin  string
		status int
		stderr string
	}{
		{[]string{"x"}, "", 2, `tolero plan: step "x": line 1: "x": not a command: want taint, cordon, uncordon or tolerations`},
		{[]string{"cordon", "web-1"}, "", 2, "tolero plan: each step is one word: put it in quotes, as in 'cordon web-1'\n"},
		{[]string{"-x"}, "", 2, "tolero plan: flag provided but not defined: -x"},
		{[]string{"-o", "x"}, "", 2, `tolero plan: unknown output format "x"; there are text, json, yaml and kubectl`},
		{[]string{"-limit", "-1"}, "", 2, "tolero plan: -width and -limit must not be negative"},
		{[]string{"-max-pods", "-1"}, "", 2, `tolero plan: invalid value "-1" for flag -max-pods: must be a number, at least 1; -budget none=0 allows no eviction`},
		{[]string{"-max-percent", "NaN"}, "", 2, `tolero plan: invalid value "NaN" for flag -max-percent: must be above 0 and at most 100; -budget none=0 allows no eviction`},
		{[]string{"-max-pods", "0"}, "", 2, `tolero plan: invalid value "0" for flag -max-pods: must be a number, at least 1; -budget none=0 allows no eviction`},
		{[]string{"-max-percent", "0"}, "", 2, `tolero plan: invalid value "0" for flag -max-percent: must be above 0 and at most 100; -budget none=0 allows no eviction`},
		{[]string{"-max-percent", "101"}, "", 2, `tolero plan: invalid value "101" for flag -max-percent: must be above 0 and at most 100; -budget none=0 allows no eviction`},
		{[]string{"-stages"}, "", 2, "tolero plan: -stages needs a limit to keep, such as -max-per-owner 1"},
		{[]string{"-budget", "x"}, "", 2, `tolero plan: invalid value "x" for flag -budget: must be NAME=N, or NAME=N:OWNER,...`},
		{[]string{"-budget", "x=-1"}, "", 2, `tolero plan: invalid value "x=-1" for flag -budget: must be`},
		{[]string{"-budget", "x=1:me"}, "", 2, `tolero plan: no pods of "me" in the input; there are those of DaemonSet kube-system/agent, `},
		{[]string{"-f", cluster1}, "", 2, "tolero plan: there is no plan; give -plan FILE or steps such as 'cordon NODE'"},
		{[]string{"-f", "-", "-plan", "-"}, "", 2, "tolero plan: standard input can be read only once"},
		{[]string{"-f", "missing", "cordon a"}, "", 2, "tolero plan: open missing: no such file or directory"},
		{[]string{"-plan", "missing"}, "", 2, "tolero plan: open missing: no such file or directory"},
		{[]string{"-plan", "testdata/demo.yaml"}, "", 2, `tolero plan: testdata/demo.yaml: line 1: `},
		{[]string{"-f", "testdata/demo.plan", "cordon a"}, "", 2, "tolero plan: testdata/demo.plan"},
		{[]string{"-plan", "-"}, "# nothing\n", 2, "tolero plan: there is no command in the plan\n"},
		{[]string{"-plan", "-", "x"}, "cordon\ntaint nodes a b\n", 2, "tolero plan: -: line 1: "},
		{[]string{"cordon x"}, "", 2, `tolero plan: step 1, kubectl cordon x: nodes.names[0]: `},
		{[]string{"tolerations a Deployment x/y"}, "", 2, `tolero plan: no pods of "Deployment x/y" in the input; there are those of `},
		{[]string{"taint nodes gpu-1 dedicated=x:NoSchedule"}, "", 2, `tolero plan: `},
		{[]string{"-f", "-", "cordon a"}, `{"kind":"Service","apiVersion":"v1","metadata":{"name":"s"}}`, 2, "tolero plan: 0 nodes and 0 pods in the input, only 1 Service; to have all: kubectl"},
	} {
		r := start(c.stdin, c.args...)
		if r.status != c.status || r.stdout != "" || !strings.HasPrefix(r.stderr, c.stderr) {
			t.Errorf("%q: status %d, stderr %q", c.args, r.status, r.stderr)
		}
	}
	if r := start("", "-h"); r.status != 0 || r.stdout != Command.Help() {
		t.Errorf("help: %+v", r)
	}
}

// What a shell could read as something else is not printed as a command, and control
// characters reach no terminal.
func TestHostileNames(t *testing.T) {
	const input = `{"kind":"Node","metadata":{"name":"n;reboot\u001b[31m"}}
		{"kind":"Pod","metadata":{"name":"p\u0007"},"spec":{"nodeName":"n;reboot\u001b[31m"}}`
	for _, format := range []string{"text", "json", "kubectl"} {
		r := start(input, "-f", "-", "taint nodes --all a:NoExecute", "-o", format)
		if r.status != 0 || strings.ContainsAny(r.stdout+r.stderr, "\x1b\x07") || !strings.Contains(r.stdout, "n;reboot") {
			t.Errorf("%+v", r)
		}
		if format == "kubectl" && !strings.HasPrefix(commandsOf(r.stdout)[0], "by_hand not for a shell: ") {
			t.Errorf("%+v", r)
		}
	}
}

// Workloads are patched, and for others there is a comment.
func TestPatch(t *testing.T) {
	for owner, want := range map[string]string{
		"Deployment shop/cart":     `kubectl --namespace shop patch deployment cart --type merge --patch '{"spec":{"template":{"spec":{"tolerations":[]}}}}'`,
		"ReplicaSet shop/cart-1":   "by_hand change the template that ReplicaSet shop/cart-1 comes from: tolerations - ReplicaSet shop/cart-1",
		"DaemonSet kube-system/$x": "by_hand change the template that DaemonSet kube-system/$x comes from: ",
		"Deployment x":             "by_hand change the template",
		"Deployment a/b c":         "by_hand change the template",
	} {
		if got := patch(&whatif.Step{Verb: whatif.SetTolerations, Owner: owner}); !strings.HasPrefix(got, want) {
			t.Errorf("got %s\nwant %s", got, want)
		}
	}
}

// A plan that changes nothing has no parts but the first.
func TestNothing(t *testing.T) {
	r := start("", "uncordon web-1")
	if r.status != 0 || !strings.HasSuffix(r.stdout, "Its effect: 0 nodes affected, 0 pods evicted at once, 0 later\n") {
		t.Errorf("%+v", r)
	}
}

// Of many faults the first ten are told. The answer and the exit status are the same.
func TestManyFaults(t *testing.T) {
	var text strings.Builder
	text.WriteString("kind: Node\nmetadata: {name: good}\n---\nkind: Pod\nmetadata: {name: p}\nstatus: {phase: Pending}\n---\n")
	for i := range 30 {
		fmt.Fprintf(&text, "kind: Node\nmetadata: {name: n%d}\nspec: {taints: [{key: a, effect: never}]}\n---\n", i)
	}
	r := start(text.String(), "-f", "-", "cordon good")
	if r.status != 0 || r.stdout == "" || strings.Count(r.stderr, "\n") != 11 ||
		!strings.HasSuffix(r.stderr, "\ntolero plan: and 20 more; -v shows all\n") {
		t.Errorf("status %d, stderr:\n%s", r.status, r.stderr)
	}
	if r := start(text.String(), "-f", "-", "cordon good", "-strict"); r.status != 2 || !strings.HasSuffix(r.stderr, "\ntolero plan: 30 faults in the objects, and -strict is set\n") {
		t.Errorf("strict: status %d, stderr:\n%s", r.status, r.stderr)
	}
}
