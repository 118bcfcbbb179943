package lint

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/tolero-dev/tolero/examples/internal/golden"
)

type result struct {
	status         int
	stdout, stderr string
}

func start(stdin string, args ...string) result {
	if !slices.Contains(args, "-fail-on") {
		args = append(slices.Clone(args), "-fail-on", "none")
	}
	status, stdout, stderr := golden.Run(&Command, stdin, args...)
	return result{status, stdout, stderr}
}

// manyFaults has twelve pods with a toleration that is invalid, and twelve with one that does not
// decode.
func manyFaults() string {
	var text strings.Builder
	for i := range 12 {
		fmt.Fprintf(&text, "kind: Pod\nmetadata: {name: invalid%d}\nspec: {tolerations: [{key: a, effect: never%d}]}\n---\n", i, i)
		fmt.Fprintf(&text, "kind: Pod\nmetadata: {name: wrong%d}\nspec: {tolerations: [{key: 7}]}\n---\n", i)
	}
	return text.String()
}

// With -limit 0 and -v all that is wrong with tolerations is shown, either as a finding or as a fault:
// and without -v the first ten faults.
func TestManyFaults(t *testing.T) {
	r := start(manyFaults(), "-f", "-")
	if r.status != 0 || strings.Count(r.stderr, "Pod wrong") != 10 || !strings.HasSuffix(r.stderr, "\ntolero lint: and 2 more; -v shows all\n") {
		t.Errorf("got %+v", r)
	}
	r = start(manyFaults(), "-f", "-", "-limit", "0", "-v")
	for i := range 12 {
		invalid, wrong := fmt.Sprintf("Pod invalid%d, spec.tolerations[0].effect\n", i), fmt.Sprintf("Pod wrong%d: ", i)
		if !strings.Contains(r.stdout, invalid) || !strings.Contains(r.stderr, wrong) {
			t.Errorf("no %q and %q in %+v", invalid, wrong, r)
		}
	}
	if r.status != 0 || strings.Count(r.stderr, "\n") != 13 {
		t.Errorf("with -limit 0: %+v", r)
	}
}

const (
	cluster1 = "testdata/cluster.yaml"
	cluster2 = "../matrix/testdata/cluster.json"
	silences = "testdata/silences.txt"
	unused   = "tolero lint: testdata/silences.txt: line 5: silences nothing: untolerated key=spot # spot nodes are gone: unused\n"
)

func TestGolden(t *testing.T) {
	for name, args := range map[string][]string{
		"lists.text.golden":       nil,
		"cluster.text.golden":     {"-f", cluster1},
		"cluster.json.golden":     {"-f", cluster1, "-limit", "1"},
		"cluster.silences.golden": {"-f", cluster1, "-o", "silences"},
		"comparisons.text.golden": {"-f", cluster1, "-comparisons", "-severity", "warning"},
		"two.text.golden":         {"-f", cluster1, "-f", cluster2},
	} {
		t.Run(name, func(t *testing.T) {
			if strings.Contains(name, "json") {
				args = append(args, "-o", "json")
			}
			r := start("", args...)
			if r.status != 0 || r.stderr != "" && name != "two.text.golden" { // some nodes are in both
				t.Errorf("status %d, stderr %q", r.status, r.stderr)
			}
			golden.Check(t, name, r.stdout)
			if strings.Contains(name, "json") != json.Valid([]byte(r.stdout)) {
				t.Error("not the format that was asked for")
			}
		})
	}
}

// Silences, and the one that is not used.
func TestSilences(t *testing.T) {
	r := start("", "-f", cluster1, "-silence", silences)
	if r.status != 0 || r.stderr != unused {
		t.Errorf("status %d, stderr %q", r.status, r.stderr)
	}
	golden.Check(t, "silenced.text.golden", r.stdout)
	r = start("", "-f", cluster1, "-silence", silences, "-o", "json")
	golden.Check(t, "silenced.json.golden", r.stdout)
	if r := start("", "-f", cluster1, "-silence", silences, "-strict"); r.status != 1 || r.stderr != unused+"tolero lint: 1 silence unused, and -strict is set\n" || r.stdout == "" {
		t.Errorf("%+v", r)
	}
}

// What -o silences prints silences everything, and each line is needed, however many objects
// a finding is about.
func TestSilencesOfAll(t *testing.T) {
	for _, input := range [][]string{{"-limit", "0"}, {"-f", cluster1}, {"-limit", "0", "-severity", "warning"}} {
		lines := start("", append(input, "-o", "silences")...).stdout
		r := start("", append(input, "-silence", writeSilence(t, lines), "-strict")...)
		if r.status != 0 || !strings.Contains(r.stdout, ": no findings, ") || r.stderr != "" {
			t.Errorf("%s: %+v", input, r)
		}
	}
}

func TestGate(t *testing.T) {
	for _, c := range []struct {
		args   []string
		status int
		stderr string
	}{
		{[]string{"-fail-on", "error"}, 1, "tolero lint: 2 findings: -fail-on error\n"},
		{[]string{"-fail-on", "error", "-comparisons"}, 1, "tolero lint: 1 finding: -fail-on error\n"},
		{[]string{"-fail-on", "warning", "-comparisons"}, 1, "tolero lint: 5 findings: -fail-on warning\n"},
		{[]string{"-fail-on", "info", "-severity", "error"}, 1, "tolero lint: 9 findings: -fail-on info\n"},
		{nil, 0, ""},
	} {
		r := start("", append(c.args, "-f", cluster1)...)
		if r.status != c.status || r.stderr != c.stderr || r.stdout == "" {
			t.Errorf("%q: status %d, stderr %q", c.args, r.status, r.stderr)
		}
	}
}

// A cluster without such findings passes.
func TestOpenGate(t *testing.T) {
	const input = `{"kind":"Node","metadata":{"name":"n"}} {"kind":"Pod","metadata":{"name":"p"}}`
	r := start(input, "-f", "-", "-fail-on", "info")
	if r.status != 0 || r.stderr != "" || r.stdout != "1 node and 1 pod: no findings\n" {
		t.Errorf("%+v", r)
	}
}

// No line is longer than it may be, except for one long word.
func TestWidth(t *testing.T) {
	for _, width := range []int{60, 100, 0} {
		for _, args := range [][]string{{"-limit", "0"}, {"-f", cluster1}} {
			r := start("", append(args, "-width", fmt.Sprint(width))...)
			for line := range strings.Lines(r.stdout) {
				line = strings.TrimSuffix(line, "\n")
				if width > 0 && utf8.RuneCountInString(line) > width && strings.Contains(strings.TrimSpace(line), " ") && !strings.HasPrefix(strings.TrimSpace(line), "- {") {
					t.Errorf("longer than %d: %q", width, line)
				}
			}
		}
	}
}

// A dump answers alike from a file and from standard input, as JSON and as YAML.
func TestInputs(t *testing.T) {
	text, err := os.ReadFile(cluster2)
	if err != nil {
		t.Fatal(err)
	}
	want := strings.ReplaceAll(start("", "-f", cluster2).stdout, cluster2, "standard input")
	if got := start(string(text), "-f", "-").stdout; got != want || want == "" {
		t.Errorf("got %s\nwant %s", got, want)
	}
	fromYAML := strings.ReplaceAll(start("", "-f", "../matrix/testdata/cluster.yaml").stdout, ".yaml", ".json")
	if fromYAML != start("", "-f", cluster2).stdout {
		t.Errorf("got %s", fromYAML)
	}
}

func TestErrors(t *testing.T) {
	for _, c := range []struct {
		args   []string
		stdin  string
		status int
		stderr string
	}{
		{[]string{"x"}, "", 2, `tolero lint: unexpected argument "x"; files are given with -f`},
		{[]string{"-x"}, "", 2, "tolero lint: flag provided but not defined: -x"},
		{[]string{"-o", "x"}, "", 2, `tolero lint: unknown output format "x"; there are text, json, yaml, silences, sarif, junit, github and components`},
		{[]string{"-fail-on", "x"}, "", 2, `tolero lint: unknown severity "x" of -fail-on; there are error, warning, info and none`},
		{[]string{"-limit", "-1"}, "", 2, "tolero lint: -width and -limit must not be negative"},
		{[]string{"-f", "-", "-silence", "-"}, "", 2, "tolero lint: standard input can be read only once"},
		{[]string{"-f", "-", "-baseline", "-"}, "", 2, "tolero lint: standard input can be read only once"},
		{[]string{"-f", "missing"}, "", 2, "tolero lint: open missing: no such file or directory"},
		{[]string{"-silence", "missing"}, "", 2, "tolero lint: open missing: no such file or directory"},
		{[]string{"-silence", "-"}, "\nuntolerted # x\nuntolerated key=a", 2, `tolero lint: -: line 2: "untolerted": unknown ID; probably untolerated` + "\n" +
			`tolero lint: -: line 3: "untolerated key=a": there must be a reason, after a "#"` + "\n"},
		{[]string{"-silence", cluster1}, "", 2, `tolero lint: testdata/cluster.yaml: line 1: "apiVersion: v1": there must be a reason, after a "#"`},
		{[]string{"-f", silences}, "", 2, "tolero lint: testdata/silences.txt"},
		{[]string{"-f", "-"}, `{"kind":"Service","apiVersion":"v1","metadata":{"name":"s"}}`, 2, "tolero lint: 0 nodes and 0 pods in the input, only 1 Service; to have all: kubectl"},
		{[]string{"-f", "-"}, "", 2, "tolero lint: standard input"},
		{[]string{"-f", "-", "-strict"}, `{"kind":"Node","metadata":{"name":"n"},"spec":{"taints":[{"key":"a","value":true}]}}`, 2, "tolero lint: standard input"},
	} {
		r := start(c.stdin, c.args...)
		if r.status != c.status || r.stdout != "" || !strings.HasPrefix(r.stderr, c.stderr) {
			t.Errorf("%q: status %d, stderr %q", c.args, r.status, r.stderr)
		}
		if n := strings.Count(r.stderr, "\n"); n > 11 {
			t.Errorf("%q: %d lines", c.args, n)
		}
	}
	if r := start("", "-h"); r.status != 0 || r.stdout != Command.Help() {
		t.Errorf("help: %+v", r)
	}
}

// Nodes alone or pods alone are enough.
func TestPart(t *testing.T) {
	const nodes = `{"kind":"Node","metadata":{"name":"n"},"spec":{"taints":[{"key":"a","effect":"NoShedule"}]}}`
	r := start(nodes, "-f", "-")
	if r.status != 0 || !strings.Contains(r.stdout, "Node n, spec.taints[0].effect\n    in standard input: document 1\n") {
		t.Errorf("%+v", r)
	}
	const pods = `{"kind":"Pod","metadata":{"name":"p"},"spec":{"tolerations":[{"key":"a","value":true},{"key":"b","operator":"exists"}]}}`
	r = start(pods, "-f", "-")
	if r.status != 0 || !strings.Contains(r.stdout, "Pod p, spec.tolerations[1].operator\n") { // the first does not decode
		t.Errorf("%+v", r)
	}
}

// What names hold does not reach the terminal as it is.
func TestControlCharacters(t *testing.T) {
	const input = `{"kind":"Node","metadata":{"name":"n\u001b[31m"},"spec":{"taints":[{"key":"a\u0007","effect":"x\u001b"}]}}`
	for _, format := range []string{"text", "json", "silences"} {
		if r := start(input, "-f", "-", "-o", format); r.status != 0 || strings.ContainsAny(r.stdout+r.stderr, "\x1b\x07") || len(r.stdout) < 20 {
			t.Errorf("%+v", r)
		}
	}
}

// Taints keep a DaemonSet from those nodes only that its template asks for, whether the
// DaemonSet is in the input or only the pods that its controller made, each for a node.
func TestNodeSelectors(t *testing.T) {
	const nodes = `{"kind":"Node","metadata":{"name":"gpu-1","labels":{"gpu":"a100"}},"spec":{"taints":[{"key":"gpu","effect":"NoSchedule"}]}}
{"kind":"Node","metadata":{"name":"arm-1","labels":{"arch":"arm64"}},"spec":{"taints":[{"key":"arm","effect":"NoSchedule"}]}}
{"kind":"Node","metadata":{"name":"plain","labels":{"arch":"amd64"}}}
{"kind":"Pod","metadata":{"name":"user"},"spec":{"tolerations":[{"key":"gpu","operator":"Exists"},{"key":"arm","operator":"Exists"}]}}`
	pinned := func(selector string) string {
		return `{"kind":"Pod","metadata":{"namespace":"x","name":"agent-1","ownerReferences":[{"kind":"DaemonSet","name":"agent","controller":true}]},"spec":{"nodeName":"plain",` + selector + `
			"affinity":{"nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":{"nodeSelectorTerms":[{"matchFields":[{"key":"metadata.name","operator":"In","values":["plain"]}]}]}}}}}`
	}
	const template = `{"kind":"DaemonSet","metadata":{"namespace":"x","name":"agent"},"spec":{"template":{"spec":{"nodeSelector":{"gpu":"a100"}}}}}`
	for name, c := range map[string]struct{ pod, want string }{
		"for all nodes":  {pinned(""), "taints keep it from 2 nodes, Node gpu-1 first"},
		"for one kind":   {pinned(`"nodeSelector":{"gpu":"a100"},`), "taints keep it from 1 node, Node gpu-1 first"},
		"for the others": {pinned(`"nodeSelector":{"arch":"amd64"},`), ""},
		"the template":   {template, "taints keep it from 1 node, Node gpu-1 first"},
	} {
		r := start(nodes+c.pod, "-f", "-")
		if misses := strings.Contains(r.stdout, "daemonset-misses"); misses != (c.want != "") || !strings.Contains(r.stdout, c.want) || r.status != 0 || r.stderr != "" {
			t.Errorf("%s: %s%s", name, r.stdout, r.stderr)
		}
	}
}

// A DaemonSet has what its controller adds: these tolerations are no findings, those that
// they change are looked at as they are changed, and what the API server refuses in the
// template is told all the same.
func TestTolerationsOfDaemonSets(t *testing.T) {
	const node = `{"kind":"Node","metadata":{"name":"n"}}`
	template := func(list string) string {
		return `{"kind":"DaemonSet","metadata":{"namespace":"x","name":"agent"},"spec":{"template":{"spec":{"tolerations":[` + list + `]}}}}`
	}
	for name, c := range map[string]struct{ list, stdout, stderr string }{
		"nothing":               {"", "1 node and 1 pod: no findings\n", ""},
		"seconds first":         {`{"operator":"Exists","tolerationSeconds":30,"effect":"NoExecute"}`, "order-decides", ""},
		"seconds that are lost": {`{"key":"node.kubernetes.io/not-ready","operator":"Exists","effect":"NoExecute","tolerationSeconds":30}`, "1 node and 1 pod: no findings\n", ""},
		"seconds that are refused": {`{"key":"node.kubernetes.io/unschedulable","operator":"Exists","effect":"NoSchedule","tolerationSeconds":30}`,
			"1 node and 1 pod: no findings\n", "spec.template.spec.tolerations[0].effect: "},
		"a finding and its place": {`{"key":"node.kubernetes.io/not-ready","operator":"Equals","effect":"NoExecute"}`, "spec.template.spec.tolerations[0].operator", ""},
	} {
		r := start(node+template(c.list), "-f", "-", "-width", "0")
		if r.status != 0 || !strings.Contains(r.stdout, c.stdout) || !strings.Contains(r.stderr, c.stderr) || (c.stderr == "") != (r.stderr == "") {
			t.Errorf("%s: %+v", name, r)
		}
	}
}

// Only DaemonSets ought to run everywhere, and only static pods may tolerate everything.
func TestKindsOfPods(t *testing.T) {
	const node = `{"kind":"Node","metadata":{"name":"n"},"spec":{"taints":[{"key":"k","effect":"NoSchedule"}]}}`
	for input, want := range map[string]string{
		`{"kind":"CronJob","spec":{"jobTemplate":{"spec":{"template":{"spec":{}}}}}}`:                                                                                   "",
		`{"kind":"DaemonSet","spec":{"template":{"spec":{}}}}`:                                                                                                          "daemonset-misses",
		`{"kind":"Pod","metadata":{"name":"p","ownerReferences":[{"kind":"StatefulSet","name":"s","controller":true}]},"spec":{"tolerations":[{"operator":"Exists"}]}}`: "everything",
		`{"kind":"Pod","metadata":{"name":"p","ownerReferences":[{"kind":"Node","name":"n","controller":true}]},"spec":{"tolerations":[{"operator":"Exists"}]}}`:        "",
	} {
		r := start(node+input, "-f", "-", "-silence", writeSilence(t, "untolerated # not asked about"))
		if r.status != 0 || want != "" && !strings.Contains(r.stdout, want) || want == "" && !strings.Contains(r.stdout, "no findings") {
			t.Errorf("%s: want %q, got %+v", input, want, r)
		}
	}
}

// writeSilence returns the name of a file of silences.
func writeSilence(t *testing.T, text string) string {
	name := filepath.Join(t.TempDir(), "silences")
	if err := os.WriteFile(name, []byte(text+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	return name
}
