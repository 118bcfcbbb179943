package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tolero-dev/tolero/bench/scenario"
	"github.com/tolero-dev/tolero/examples/internal/golden"
)

// result is what a run leaves.
type result struct {
	status         int
	stdout, stderr string
}

// sweep runs the program with a clock that advances by a millisecond each time it
// is asked.
func sweep(t *testing.T, stdin string, args ...string) result {
	t.Helper()
	var stdout, stderr bytes.Buffer
	clock := time.Unix(0, 0)
	p := &program{stdin: strings.NewReader(stdin), stderr: &stderr, now: func() time.Time {
		clock = clock.Add(time.Millisecond)
		return clock
	}}
	status := p.status(p.run(args, &stdout))
	return result{status, stdout.String(), golden.Unwrapped(stderr.String())}
}

func TestStatus(t *testing.T) {
	const node, pod = `{"kind":"Node","metadata":{"name":"a"}}`, `{"kind":"Pod","metadata":{"name":"b"}}`
	for _, test := range []struct {
		name, stdin string
		args        []string
		status      int
		stderr      string // that it begins with
	}{
		{"unknown flag", "", []string{"-x"}, 2, "sweep: flag provided but not defined: -x\nusage: "},
		{"an argument", "", []string{"file"}, 2, "sweep: unexpected argument \"file\"; files are given with -f\nusage: "},
		{"unknown format", "", []string{"-o", "xml"}, 2, "sweep: unknown output format \"xml\"; there are table, json and csv\n"},
		{"unknown scenario", "", []string{"-scenario", "x"}, 2, "sweep: unknown scenario \"x\"; there are pools, unique, numeric, "},
		{"unknown engine", "", []string{"-engine", "guess"}, 2, "sweep: unknown engine \"guess\"; there are compile and match\n"},
		{"no time", "", []string{"-now", "noon"}, 2, "sweep: invalid value \"noon\" for flag -now: "},
		{"no scenario", "", []string{"-scenario", ""}, 2, "sweep: unknown scenario \"\""},
		{"sizes without scenario", "", []string{"-nodes", "3"}, 2, "sweep: -nodes, -pods and -seed need a -scenario\n"},
		{"file and scenario", "", []string{"-f", "-", "-scenario", "pools"}, 2, "sweep: -f and -scenario exclude each other\n"},
		{"no nodes", "", []string{"-scenario", "pools", "-nodes", "0"}, 2, "sweep: -nodes and -pods must be at least 1\n"},
		{"not a number", "", []string{"-scenario", "pools", "-pods", "many"}, 2, "sweep: invalid value \"many\" for flag -pods"},
		{"negative width", "", []string{"-width", "-1"}, 2, "sweep: -width and -reasons must not be negative\n"},
		{"standard input twice", "", []string{"-f", "-", "-f", "-"}, 2, "sweep: standard input can be read only once\n"},
		{"no port", "", []string{"-serve", "localhost"}, 2, "sweep: -serve needs an address such as :8080 or 127.0.0.1:0, not \"localhost\"\n"},
		{"serve and write", "", []string{"-serve", ":0", "-html", "x"}, 2, "sweep: -serve writes nothing: it excludes -o, -svg, -html and -check\n"},
		{"no file", "", []string{"-f", "testdata/none"}, 1, "sweep: open testdata/none: no such file or directory\n"},
		{"a directory", "", []string{"-f", "testdata"}, 1, "sweep: testdata: read testdata: is a directory\n"},
		{"nothing", "", []string{"-f", "-"}, 1, "sweep: standard input: empty: no document in it\n"},
		{"broken JSON", "{\"kind\":\n}", []string{"-f", "-"}, 1, "sweep: standard input: document 1, line 2: invalid character '}' looking for beginning of value\n"},
		{"broken YAML", "kind: Node\n---\na: [", []string{"-f", "-"}, 1, "sweep: standard input: document 2, line "},
		{"only nodes", node, []string{"-f", "-"}, 1, "sweep: no pods in the input, only 1 Node; kubectl get nodes,pods -A -o json prints both\n"},
		{"only pods", pod + pod, []string{"-f", "-"}, 1, "sweep: no nodes in the input, only 2 pods; "},
		{"neither", `{"kind":"Service"}{"kind":"List","items":[]}`, []string{"-f", "-"}, 1, "sweep: no nodes and no pods in the input, only 1 Service; "},
		{"an empty list", `{"kind":"List","items":[]}`, []string{"-f", "-"}, 1, "sweep: no nodes and no pods in the input; kubectl get"},
		{"no replicas", node + `{"kind":"Deployment","spec":{"replicas":0}}`, []string{"-f", "-"}, 1, "sweep: no pods in the input, only 1 Node, 1 workload without pods; "},
		{"picture nowhere", "", []string{"-svg", "testdata/none/x.svg"}, 1, "sweep: open testdata/none/"},
		{"profile nowhere", "", []string{"-cpuprofile", "testdata/none/x"}, 1, "sweep: open testdata/none/"},
		{"fine", node + pod, []string{"-f", "-"}, 0, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := sweep(t, test.stdin, test.args...)
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
	r := sweep(t, "", "-h")
	if r.status != 0 || r.stdout != usageText || r.stderr != "" {
		t.Errorf("got %+v", r)
	}
	flags := []string{"-f", "-scenario", "-nodes", "-pods", "-seed", "-o", "-width", "-reasons", "-svg", "-html", "-serve", "-pool", "-strict", "-engine", "-check", "-comparisons", "-now", "-cpuprofile"}
	for _, name := range slices.Concat(flags, scenario.Names()) {
		if !strings.Contains(usageText, name) {
			t.Errorf("the usage does not tell of %s", name)
		}
	}
}

// TestFaults has a toleration that does not decode, one with an unknown field,
// and a terminal's control character in a name.
func TestFaults(t *testing.T) {
	const input = `{"kind":"Node","metadata":{"name":"n"},"spec":{"taints":[{"key":"a","effect":"NoSchedule"}]}}
{"kind":"Pod","metadata":{"name":"p\u001b[31m","namespace":"d"},"spec":{"tolerations":[{"key":7,"operator":"Exists"},{"key":"b","operation":"Exists"}]}}`
	want := "sweep: standard input: document 2: Pod d/p\ufffd[31m: spec.tolerations[0].key: invalid value \"7\": want a string, found a number; the toleration is left out\n" +
		"sweep: standard input: document 2: Pod d/p\ufffd[31m: spec.tolerations[1].operation: forbidden: a toleration has no such field; it is ignored (is operator meant?)\n"
	r := sweep(t, input, "-f", "-")
	if r.status != 0 || r.stderr != want {
		t.Errorf("status %d, stderr:\n%s\nwant:\n%s", r.status, r.stderr, want)
	}
	if !strings.Contains(r.stdout, "   1     0      0        1          0      0   b=\n") || strings.Contains(r.stdout, "\x1b") {
		t.Errorf("stdout:\n%s", r.stdout)
	}
	r = sweep(t, input, "-f", "-", "-strict")
	want += "sweep: 2 faults in the objects, and -strict is set\n"
	if r.status != 1 || r.stdout != "" || r.stderr != want {
		t.Errorf("strict: got %+v", r)
	}
}

// TestN4Gate shows that Gt and Lt count only with -comparisons: without, no node is
// called free that a default cluster refuses.
func TestN4Gate(t *testing.T) {
	const input = `{"kind":"Node","metadata":{"name":"n"},"spec":{"taints":[{"key":"a","value":"5","effect":"NoSchedule"}]}}
{"kind":"Pod","metadata":{"name":"p"},"spec":{"tolerations":[{"key":"a","operator":"Gt","value":"4"}]}}
{"kind":"Pod","metadata":{"name":"q"}}`
	on := sweep(t, input, "-f", "-", "-o", "csv", "-comparisons")
	if on.status != 0 || on.stderr != "" || !strings.Contains(on.stdout, "1,Pod p,a>4,1,0,0,") || !strings.Contains(on.stdout, "1,Pod q,,0,0,1,") {
		t.Errorf("gate on: %+v", on)
	}
	off := sweep(t, input, "-f", "-", "-o", "csv")
	if off.status != 0 || !strings.Contains(off.stdout, "2,Pod p,,0,0,1,") || strings.Contains(off.stdout, "a>4") {
		t.Errorf("gate off: %+v", off)
	}
	if !strings.Contains(off.stderr, "Pod p: spec.tolerations[0].operator: unsupported value \"Gt\"") {
		t.Errorf("gate off: stderr %q", off.stderr)
	}
}

func TestSVG(t *testing.T) {
	name := filepath.Join(t.TempDir(), "x.svg")
	for _, args := range [][]string{{}, {"-scenario", "unique", "-nodes", "350", "-pods", "1000"}, {"-f", "testdata/cluster.json"}} {
		if r := sweep(t, "", append(args, "-svg", name)...); r.status != 0 || r.stdout == "" {
			t.Fatalf("got %+v", r)
		}
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.HasPrefix(text, []byte("<svg ")) || !bytes.HasSuffix(text, []byte("</svg>\n")) {
			t.Errorf("%.100s", text)
		}
		drawn := bytes.Contains(text, []byte("drawn: the 300 most common toleration lists and the 300 most common taint lists"))
		if large := len(args) > 2; drawn != large {
			t.Errorf("%v: says that it is a part: %t", args, drawn)
		}
	}
}

// TestBrokenPipe shows that it is no failure if the reader goes away, and that
// any other error of the output is.
func TestBrokenPipe(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	r.Close()
	var stderr bytes.Buffer
	if status := run(nil, strings.NewReader(""), w, &stderr); status != 0 || stderr.Len() > 0 {
		t.Errorf("status %d, stderr %q", status, &stderr)
	}
	if status := run(nil, strings.NewReader(""), full{}, &stderr); status != 1 || stderr.String() != "sweep: no space left\n" {
		t.Errorf("status %d, stderr %q", status, &stderr)
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left") }

// TestOneWrite shows that the output is written at once, when it is complete.
func TestOneWrite(t *testing.T) {
	var w counter
	if status := run(nil, strings.NewReader(""), &w, io.Discard); status != 0 || w != 1 {
		t.Errorf("status %d, %d writes", status, w)
	}
}

type counter int

func (c *counter) Write(p []byte) (int, error) {
	*c++
	return len(p), nil
}

func TestProfile(t *testing.T) {
	name := filepath.Join(t.TempDir(), "cpu")
	if r := sweep(t, "", "-cpuprofile", name); r.status != 0 {
		t.Fatalf("got %+v", r)
	}
	if info, err := os.Stat(name); err != nil || info.Size() == 0 {
		t.Errorf("%v, %v", info, err)
	}
	name += "2"
	if r := sweep(t, "", "-cpuprofile", name, "-f", "-"); r.status != 1 {
		t.Fatalf("got %+v", r)
	}
	if _, err := os.Stat(name); !os.IsNotExist(err) {
		t.Errorf("a profile although it failed: %v", err)
	}
}

// TestHTML shows that the page is written for files, scenarios and the built-in data,
// complete or not at all, and that node pools are found by their labels.
func TestHTML(t *testing.T) {
	name := filepath.Join(t.TempDir(), "x.html")
	for _, args := range [][]string{{}, {"-scenario", "unique", "-nodes", "50", "-pods", "50"}, {"-f", "testdata/cluster.json"}, {"-f", "testdata/workloads.yaml", "-f", "testdata/cluster.yaml"}} {
		r := sweep(t, "", append(args, "-html", name)...)
		text, err := os.ReadFile(name)
		if r.status != 0 || r.stdout == "" || err != nil {
			t.Fatalf("got %+v, %v", r, err)
		}
		if !bytes.HasPrefix(text, []byte("<!DOCTYPE html>")) || !bytes.HasSuffix(text, []byte("</html>\n")) {
			t.Errorf("%.100s", text)
		}
	}
	const input = `{"kind":"Node","metadata":{"name":"a","labels":{"karpenter.sh/nodepool":"spot","mine":"own"}}}
{"kind":"Pod","metadata":{"name":"b","namespace":"c","ownerReferences":[{"kind":"Job","name":"d","controller":true}]}}`
	for label, want := range map[string]string{"": `"pools":["spot"]`, "mine": `"pools":["own"]`, "none": `"pools":[""]`} {
		r := sweep(t, input, "-f", "-", "-html", name, "-pool", label)
		text, err := os.ReadFile(name)
		if r.status != 0 || err != nil || !bytes.Contains(text, []byte(want)) || !bytes.Contains(text, []byte(`"namespaces":["c"],"owners":["Job/d"]`)) {
			t.Errorf("label %q: %+v, %v; want %s", label, r, err, want)
		}
	}
	// A DaemonSet for node b misses no other node: the page reads node selectors for that.
	const fleet = `{"kind":"Node","metadata":{"name":"a"},"spec":{"taints":[{"key":"k","effect":"NoSchedule"}]}}
{"kind":"Node","metadata":{"name":"b","labels":{"for":"b"}}}
{"kind":"DaemonSet","metadata":{"name":"d"},"spec":{"template":{"spec":{%s}}}}`
	for selector, want := range map[string]bool{"": true, `"nodeSelector":{"for":"b"}`: false} {
		r := sweep(t, fmt.Sprintf(fleet, selector), "-f", "-", "-html", name)
		text, err := os.ReadFile(name)
		if r.status != 0 || err != nil || bytes.Contains(text, []byte(`"id":"daemonset-misses"`)) != want {
			t.Errorf("selector %q: %+v, %v; want a finding: %t", selector, r, err, want)
		}
	}
	if r := sweep(t, "", "-html", "testdata/none/x.html"); r.status != 1 || r.stdout != "" || !strings.HasPrefix(r.stderr, "sweep: open testdata/none/") {
		t.Errorf("nowhere: %+v", r)
	}
}

// An error is 100 columns wide, as in the other programs.
func TestWidthOfErrors(t *testing.T) {
	var stderr strings.Builder
	p := &program{stderr: &stderr}
	p.complain(errors.New(strings.Repeat("word ", 18) + "seven12 more"))
	if want := "sweep:" + strings.Repeat(" word", 18) + "\n    seven12 more\n"; stderr.String() != want {
		t.Errorf("got %q, want %q", &stderr, want)
	}
}

// Of many faults the first ten are told. The answer and the exit status are the same.
func TestManyFaults(t *testing.T) {
	var text strings.Builder
	text.WriteString("kind: Node\nmetadata: {name: good}\n---\nkind: Pod\nmetadata: {name: p}\nstatus: {phase: Pending}\n---\n")
	for i := range 30 {
		fmt.Fprintf(&text, "kind: Node\nmetadata: {name: n%d}\nspec: {taints: [{key: a, effect: never}]}\n---\n", i)
	}
	r := sweep(t, text.String(), "-f", "-")
	if r.status != 0 || r.stdout == "" || strings.Count(r.stderr, "\n") != 11 ||
		!strings.HasSuffix(r.stderr, "\nsweep: and 20 more; examples/lint -limit 0 shows all, equal ones together\n") {
		t.Errorf("status %d, stderr:\n%s", r.status, r.stderr)
	}
	if r := sweep(t, text.String(), "-f", "-", "-strict"); r.status != 1 || !strings.HasSuffix(r.stderr, "\nsweep: 30 faults in the objects, and -strict is set\n") {
		t.Errorf("strict: status %d, stderr:\n%s", r.status, r.stderr)
	}
}
