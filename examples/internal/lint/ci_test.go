package lint

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tolero-dev/tolero/examples/internal/golden"
	"github.com/tolero-dev/tolero/match/lint"
)

// The formats for continuous integration, of a chart as it is rendered: several documents, some
// of them empty.
func TestFormats(t *testing.T) {
	for _, format := range []string{"sarif", "junit", "github"} {
		r := start("", "-f", "testdata/chart.yaml", "-o", format, "-fail-on", "error")
		if r.status != 1 || r.stderr != "tolero lint: 1 finding: -fail-on error\n" {
			t.Errorf("status %d, stderr %q", r.status, r.stderr)
		}
		golden.Check(t, "chart."+format+".golden", r.stdout)
		if again := start("", "-f", "testdata/chart.yaml", "-o", format); again.stdout != r.stdout && format != "junit" { // which has what fails
			t.Errorf("%s: another order", format)
		}
	}
}

// A pipe, which is read already, is not waited for again.
func TestPlacesOfPipes(t *testing.T) {
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer write.Close() // until then a second reader would wait
	defer read.Close()
	if lines := documents(fmt.Sprintf("/dev/fd/%d", read.Fd())); lines != nil {
		t.Errorf("%v", lines)
	}
	want := []int{6, 12, 22}
	if lines := documents("testdata/chart.yaml"); !slices.Equal(lines, want) {
		t.Errorf("%v, not %v", lines, want)
	}
}

// sarifFile has the properties that the specification requires of what is written, and their
// types; its paragraphs are named.
type sarifFile struct {
	Schema  string `json:"$schema"`
	Version string // 3.13.2
	Runs    []struct {
		Tool struct { // 3.14.6
			Driver struct { // 3.18.2
				Name, InformationURI string
				Rules                []struct { // 3.19.23
					ID               string // 3.49.3
					ShortDescription struct{ Text string }
					Default          struct{ Level string } `json:"defaultConfiguration"` // 3.50.3
				}
			}
		}
		ColumnKind string
		Results    []struct { // 3.27
			RuleID    string
			RuleIndex int
			Level     string
			Message   struct{ Text string } // 3.11: not empty
			Locations []struct {            // 3.28
				PhysicalLocation *struct {
					ArtifactLocation struct{ URI string }    // 3.4.3
					Region           struct{ StartLine int } // 3.30.5: counted from 1
				}
				LogicalLocations []struct{ FullyQualifiedName, Kind string } // 3.33
			}
			PartialFingerprints map[string]string // 3.27.17
		}
	}
}

// What is written as SARIF has the structure of the specification, whatever names hold; so has
// what is written as JUnit, and a command of GitHub is one line.
func TestStructure(t *testing.T) {
	const hostile = `{"kind":"Node","metadata":{"name":"n\u001b]]><&\n::error::"},"spec":{"taints":[{"key":"a%\u0007,:","effect":"x\r\n"}]}}`
	odd := filepath.Join(t.TempDir(), "a b,c:%.json")
	if err := os.WriteFile(odd, []byte(hostile), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"-f", cluster1}, {"-f", "testdata/pools/circle.yaml"}, {}, {"-f", "-"}, {"-f", odd}} {
		checkSARIF(t, start(hostile, append(args, "-o", "sarif")...).stdout)
		checkJUnit(t, start(hostile, append(args, "-o", "junit")...).stdout)
		for line := range strings.Lines(start(hostile, append(args, "-o", "github")...).stdout) {
			head, rest, _ := strings.Cut(strings.TrimPrefix(line, "::"), " ")
			if properties, text, found := strings.Cut(rest, "::"); !slices.Contains([]string{"error", "warning", "notice"}, head) || !found ||
				strings.ContainsAny(text, "\r\x1b") || strings.Count(properties, ",") != strings.Count(properties, "=")-1 {
				t.Errorf("%q", line)
			}
		}
	}
}

func checkSARIF(t *testing.T, text string) {
	t.Helper()
	var s sarifFile
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&s); err != nil || s.Version != "2.1.0" || len(s.Runs) != 1 || s.Runs[0].Tool.Driver.Name == "" || s.Runs[0].ColumnKind != "utf16CodeUnits" {
		t.Fatalf("%v: %.200s", err, text)
	}
	levels := []string{"none", "note", "warning", "error"}
	rules, seen := s.Runs[0].Tool.Driver.Rules, make(map[string]bool)
	if len(rules) != len(lint.IDs()) || s.Runs[0].Results == nil {
		t.Errorf("%d rules", len(rules))
	}
	for _, r := range s.Runs[0].Results {
		name := r.PartialFingerprints["tolero/v1"]
		if r.RuleIndex >= len(rules) || rules[r.RuleIndex].ID != r.RuleID || !slices.Contains(levels, r.Level) || r.Level != rules[r.RuleIndex].Default.Level ||
			r.Message.Text == "" || len(r.Locations) != 1 || len(r.Locations[0].LogicalLocations) != 1 || name == "" || seen[name] {
			t.Errorf("%+v", r)
		}
		seen[name] = true
		if p := r.Locations[0].PhysicalLocation; p != nil && (p.ArtifactLocation.URI == "" || p.Region.StartLine < 1 || strings.ContainsAny(p.ArtifactLocation.URI, " ")) {
			t.Errorf("%+v", p)
		}
	}
}

func checkJUnit(t *testing.T, text string) {
	t.Helper()
	var s junitSuites
	if err := xml.Unmarshal([]byte(text), &s); err != nil || len(s.Suites) != 1 || !strings.HasPrefix(text, xml.Header) {
		t.Fatalf("%v: %.200s", err, text)
	}
	failures := 0
	for _, c := range s.Suites[0].Cases {
		if c.Failure != nil {
			failures++
		}
		if c.Class == "" || c.Name == "" {
			t.Errorf("%+v", c)
		}
	}
	if suite := &s.Suites[0]; s.Tests != len(suite.Cases) || suite.Tests != s.Tests || s.Failures != failures || suite.Failures != failures {
		t.Errorf("%d tests, %d failures counted: %d, %d", s.Tests, s.Failures, len(suite.Cases), failures)
	}
}

// Only what is not in the baseline fails, and what has gone from it is nobody's trouble.
func TestBaseline(t *testing.T) {
	text, err := os.ReadFile("testdata/chart.yaml")
	if err != nil {
		t.Fatal(err)
	}
	known := start(string(text), "-f", "-", "-o", "silences", "-limit", "0").stdout + "untolerated key=gone # it is gone\n"
	baseline := writeSilence(t, known)
	r := start(string(text), "-f", "-", "-baseline", baseline, "-fail-on", "info", "-strict")
	if r.status != 0 || r.stderr != "" || !strings.Contains(r.stdout, ": no findings, ") {
		t.Errorf("%+v", r)
	}
	more := string(text) + "\n---\nkind: Pod\nmetadata: {name: new}\nspec: {tolerations: [{key: a, effect: nevr}]}\n"
	r = start(more, "-f", "-", "-baseline", baseline, "-fail-on", "info", "-o", "github")
	if r.status != 1 || strings.Count(r.stdout, "::error ") != 2 || strings.Count(r.stdout, "Pod new") != strings.Count(r.stdout, "\n") {
		t.Errorf("%+v", r)
	}
	if r := start("", "-f", "testdata/chart.yaml", "-baseline", "missing"); r.status != 2 || !strings.Contains(r.stderr, "missing") {
		t.Errorf("%+v", r)
	}
}

// The components that lack tolerations which others have: by pools and kinds of nodes or, of a
// chart alone, by the taints that the others tolerate.
func TestComponents(t *testing.T) {
	r := start("", "-f", "testdata/components.yaml", "-o", "components")
	golden.Check(t, "components.golden", r.stdout)
	text, err := os.ReadFile("testdata/components.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var chart []string
	for line := range strings.Lines(string(text)) {
		if !strings.Contains(line, "kind: Node") {
			chart = append(chart, line)
		}
	}
	r = start(strings.Join(chart, ""), "-f", "-", "-o", "components")
	golden.Check(t, "components.chart.golden", r.stdout)
}
