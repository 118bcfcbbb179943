package matrix

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tolero-dev/tolero/bench/scenario"
	"github.com/tolero-dev/tolero/examples/internal/command"
	"github.com/tolero-dev/tolero/examples/internal/golden"
)

// result is what a run leaves.
type result struct {
	status         int
	stdout, stderr string
}

func start(t *testing.T, stdin string, args ...string) result {
	t.Helper()
	status, stdout, stderr := golden.Run(&Command, stdin, args...)
	return result{status, stdout, stderr}
}

func TestStatus(t *testing.T) {
	const node, pod = `{"kind":"Node","metadata":{"name":"a"}}`, `{"kind":"Pod","metadata":{"name":"b"}}`
	for _, test := range []struct {
		name, stdin string
		args        []string
		status      int
		stderr      string // that it begins with
	}{
		{"unknown flag", "", []string{"-x"}, 2, "tolero matrix: flag provided but not defined: -x\ntolero matrix -h tells more\n"},
		{"an argument", "", []string{"file"}, 2, "tolero matrix: unexpected argument \"file\"; files are given with -f\n"},
		{"unknown format", "", []string{"-o", "xml"}, 2, "tolero matrix: unknown output format \"xml\"; there are text, json and yaml\n"},
		{"unknown scenario", "", []string{"-scenario", "x"}, 2, "tolero matrix: unknown scenario \"x\"; there are pools, unique, numeric, "},
		{"no time", "", []string{"-now", "noon"}, 2, "tolero matrix: invalid value \"noon\" for flag -now: "},
		{"no scenario", "", []string{"-scenario", ""}, 2, "tolero matrix: unknown scenario \"\""},
		{"sizes without scenario", "", []string{"-nodes", "3"}, 2, "tolero matrix: -nodes, -pods and -seed need a -scenario\n"},
		{"file and scenario", "", []string{"-f", "-", "-scenario", "pools"}, 2, "tolero matrix: -f and -scenario exclude each other\n"},
		{"no nodes", "", []string{"-scenario", "pools", "-nodes", "0"}, 2, "tolero matrix: -nodes and -pods must be at least 1\n"},
		{"not a number", "", []string{"-scenario", "pools", "-pods", "many"}, 2, "tolero matrix: invalid value \"many\" for flag -pods"},
		{"negative width", "", []string{"-width", "-1"}, 2, "tolero matrix: -width and -limit must not be negative\n"},
		{"standard input twice", "", []string{"-f", "-", "-f", "-"}, 2, "tolero matrix: standard input can be read only once\n"},
		{"no file", "", []string{"-f", "testdata/none"}, 2, "tolero matrix: open testdata/none: no such file or directory\n"},
		{"a directory", "", []string{"-f", "testdata"}, 2, "tolero matrix: testdata: read testdata: is a directory\n"},
		{"nothing", "", []string{"-f", "-"}, 2, "tolero matrix: standard input: empty: no document in it\n"},
		{"broken JSON", "{\"kind\":\n}", []string{"-f", "-"}, 2, "tolero matrix: standard input: document 1, line 2: invalid character '}' looking for beginning of value\n"},
		{"broken YAML", "kind: Node\n---\na: [", []string{"-f", "-"}, 2, "tolero matrix: standard input: document 2, line "},
		{"only nodes", node, []string{"-f", "-"}, 2, "tolero matrix: 1 node and 0 pods in the input; to have all: " + command.Dump + "\n"},
		{"only pods", pod + pod, []string{"-f", "-"}, 2, "tolero matrix: 0 nodes and 2 pods in the input; "},
		{"neither", `{"kind":"Service"}{"kind":"List","items":[]}`, []string{"-f", "-"}, 2, "tolero matrix: 0 nodes and 0 pods in the input, only 1 Service; "},
		{"an empty list", `{"kind":"List","items":[]}`, []string{"-f", "-"}, 2, "tolero matrix: 0 nodes and 0 pods in the input; to have all: kubectl get"},
		{"no replicas", node + `{"kind":"Deployment","spec":{"replicas":0}}`, []string{"-f", "-"}, 2, "tolero matrix: 1 node and 0 pods in the input, only 1 workload without pods; "},
		{"fine", node + pod, []string{"-f", "-"}, 0, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := start(t, test.stdin, test.args...)
			if r.status != test.status || !strings.HasPrefix(r.stderr, test.stderr) {
				t.Errorf("status %d, stderr %q; want %d, %q", r.status, r.stderr, test.status, test.stderr)
			}
			if test.status != 0 && r.stdout != "" {
				t.Errorf("output although it failed: %q", r.stdout)
			}
			if strings.Count(r.stderr, "\n") > 3 {
				t.Errorf("more than a few lines: %q", r.stderr)
			}
		})
	}
}

func TestHelp(t *testing.T) {
	for _, c := range []*command.Command{&Command, &Check, &Serve} {
		for _, name := range scenario.Names() {
			if !strings.Contains(c.Help(), name) {
				t.Errorf("the help of %s does not tell of %s", c.Name, name)
			}
		}
	}
}

// TestFaults has a toleration that does not decode, one with an unknown field,
// and a terminal's control character in a name.
func TestFaults(t *testing.T) {
	const input = `{"kind":"Node","metadata":{"name":"n"},"spec":{"taints":[{"key":"a","effect":"NoSchedule"}]}}
{"kind":"Pod","metadata":{"name":"p\u001b[31m","namespace":"d"},"spec":{"tolerations":[{"key":7,"operator":"Exists"},{"key":"b","operation":"Exists"}]}}`
	want := "tolero matrix: standard input: document 2: Pod d/p\ufffd[31m: spec.tolerations[0].key: invalid value \"7\": want a string, found a number; the toleration is left out\n" +
		"tolero matrix: standard input: document 2: Pod d/p\ufffd[31m: spec.tolerations[1].operation: forbidden: a toleration has no such field; it is ignored (is operator meant?)\n"
	r := start(t, input, "-f", "-")
	if r.status != 0 || r.stderr != want {
		t.Errorf("status %d, stderr:\n%s\nwant:\n%s", r.status, r.stderr, want)
	}
	if !strings.Contains(r.stdout, "   1     0      0        1          0      0   b=\n") || strings.Contains(r.stdout, "\x1b") {
		t.Errorf("stdout:\n%s", r.stdout)
	}
	r = start(t, input, "-f", "-", "-strict")
	want += "tolero matrix: 2 faults in the objects, and -strict is set\n"
	if r.status != 2 || r.stdout != "" || r.stderr != want {
		t.Errorf("strict: got %+v", r)
	}
}

// TestN4Gate shows that Gt and Lt count only with -comparisons: without, no node is
// called free that a default cluster refuses.
func TestN4Gate(t *testing.T) {
	const input = `{"kind":"Node","metadata":{"name":"n"},"spec":{"taints":[{"key":"a","value":"5","effect":"NoSchedule"}]}}
{"kind":"Pod","metadata":{"name":"p"},"spec":{"tolerations":[{"key":"a","operator":"Gt","value":"4"}]}}
{"kind":"Pod","metadata":{"name":"q"}}`
	on := start(t, input, "-f", "-", "-comparisons")
	if on.status != 0 || on.stderr != "" || !strings.Contains(on.stdout, "   1     1      0        0          0      0   a>4\n") || !strings.Contains(on.stdout, "   1     0      0        1          0      0   (none)\n") {
		t.Errorf("gate on: %+v", on)
	}
	off := start(t, input, "-f", "-")
	if off.status != 0 || !strings.Contains(off.stdout, "   2     0      0        1          0      0   (none)\n") || strings.Contains(off.stdout, "a>4") {
		t.Errorf("gate off: %+v", off)
	}
	if !strings.Contains(off.stderr, "Pod p: spec.tolerations[0].operator: unsupported value \"Gt\"") {
		t.Errorf("gate off: stderr %q", off.stderr)
	}
}

// TestHTML shows that the page is written for files, scenarios and the built-in data,
// complete or not at all, and that node pools are found by their labels.
func TestHTML(t *testing.T) {
	name := filepath.Join(t.TempDir(), "x.html")
	for _, args := range [][]string{{}, {"-scenario", "unique", "-nodes", "50", "-pods", "50"}, {"-f", "testdata/cluster.json"}, {"-f", "testdata/workloads.yaml", "-f", "testdata/cluster.yaml"}} {
		r := start(t, "", append(args, "-html", name)...)
		text, err := os.ReadFile(name)
		if r.status != 0 || r.stdout != "" || err != nil {
			t.Fatalf("got %+v, %v", r, err)
		}
		if !bytes.HasPrefix(text, []byte("<!DOCTYPE html>")) || !bytes.HasSuffix(bytes.TrimSpace(text), []byte("</html>")) {
			t.Errorf("%.100s", text)
		}
	}
	const input = `{"kind":"Node","metadata":{"name":"a","labels":{"karpenter.sh/nodepool":"spot","mine":"own"}}}
{"kind":"Pod","metadata":{"name":"b","namespace":"c","ownerReferences":[{"kind":"Job","name":"d","controller":true}]}}`
	for label, want := range map[string]string{"": ">pool spot: 1 node<", "mine": ">pool own: 1 node<", "none": ">nodes with no pool: 1 node<"} {
		r := start(t, input, "-f", "-", "-html", name, "-pool", label)
		text, err := os.ReadFile(name)
		if r.status != 0 || err != nil || !bytes.Contains(text, []byte(want)) || !bytes.Contains(text, []byte(`>Job d</span>`)) {
			t.Errorf("label %q: %+v, %v; want %s", label, r, err, want)
		}
	}
	// A DaemonSet for node b misses no other node: the page reads node selectors for that.
	const fleet = `{"kind":"Node","metadata":{"name":"a"},"spec":{"taints":[{"key":"k","effect":"NoSchedule"}]}}
{"kind":"Node","metadata":{"name":"b","labels":{"for":"b"}}}
{"kind":"DaemonSet","metadata":{"name":"d"},"spec":{"template":{"spec":{%s}}}}`
	for selector, want := range map[string]bool{"": true, `"nodeSelector":{"for":"b"}`: false} {
		r := start(t, fmt.Sprintf(fleet, selector), "-f", "-", "-html", name)
		text, err := os.ReadFile(name)
		if r.status != 0 || err != nil || bytes.Contains(text, []byte("daemonset-misses, 1 finding")) != want {
			t.Errorf("selector %q: %+v, %v; want a finding: %t", selector, r, err, want)
		}
	}
	if r := start(t, "", "-html", "testdata/none/x.html"); r.status != 2 || r.stdout != "" || !strings.HasPrefix(r.stderr, "tolero matrix: write testdata/none/x.html: ") {
		t.Errorf("nowhere: %+v", r)
	}
}

// Of many faults the first ten are told. The answer and the exit status are the same.
func TestManyFaults(t *testing.T) {
	var text strings.Builder
	text.WriteString("kind: Node\nmetadata: {name: good}\n---\nkind: Pod\nmetadata: {name: p}\nstatus: {phase: Pending}\n---\n")
	for i := range 30 {
		fmt.Fprintf(&text, "kind: Node\nmetadata: {name: n%d}\nspec: {taints: [{key: a, effect: never}]}\n---\n", i)
	}
	r := start(t, text.String(), "-f", "-")
	if r.status != 0 || r.stdout == "" || strings.Count(r.stderr, "\n") != 11 ||
		!strings.HasSuffix(r.stderr, "\ntolero matrix: and 20 more; -v shows all\n") {
		t.Errorf("status %d, stderr:\n%s", r.status, r.stderr)
	}
	if r := start(t, text.String(), "-f", "-", "-strict"); r.status != 2 || !strings.HasSuffix(r.stderr, "\ntolero matrix: 30 faults in the objects, and -strict is set\n") {
		t.Errorf("strict: status %d, stderr:\n%s", r.status, r.stderr)
	}
}

// The matrix is about taints alone, and says so if pods require more of their nodes.
func TestOnlyTaints(t *testing.T) {
	const input = `{"kind":"Node","metadata":{"name":"n"}}{"kind":"Pod","metadata":{"name":"p"},"spec":{%s}}`
	for spec, want := range map[string]bool{"": false, `"nodeSelector":{"a":"b"}`: true} {
		r := start(t, fmt.Sprintf(input, spec), "-f", "-", "-width", "0")
		if strings.Contains(strings.ReplaceAll(r.stdout, "\n", " "), "Only taints are looked at, and 1 pod may also be kept off nodes") != want {
			t.Errorf("%q: %+v", spec, r)
		}
	}
}
