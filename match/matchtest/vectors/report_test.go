package vectors_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tolero-dev/tolero/match/matchtest/vectors"
)

// everyOutcome is a report with one result of each outcome.
func everyOutcome() *vectors.Report {
	report := &vectors.Report{Program: []string{"x", "y"}}
	for i, r := range []vectors.Result{
		{Outcome: vectors.Right, Answer: json.RawMessage(`true`)},
		{Outcome: vectors.Unsupported},
		{Outcome: vectors.Wrong, Answer: json.RawMessage(`"` + strings.Repeat("x", 600) + `"`), Dialects: []string{"kueue", "volcano"}, Mistakes: []string{"F2: so", "without F3"}},
		{Outcome: vectors.Malformed, Detail: "no JSON"},
		{Outcome: vectors.Silent, Detail: "nothing"},
		{Outcome: vectors.TimedOut, Detail: "late"},
		{Outcome: vectors.Crashed, Detail: "one\ntwo <&>"},
	} {
		c := &vectors.Case{ID: "fits/" + string(rune('a'+i)), Rules: []string{"F2"}, Ask: "fits", Input: json.RawMessage(`{}`), Answer: json.RawMessage(`true`), Reason: "so"}
		if i < 2 {
			c.Rules = []string{"F" + string(rune('2'-i)), "M10"}
		}
		r.Case, r.ID = c, c.ID
		report.Results = append(report.Results, r)
	}
	return report
}

const textOfEveryOutcome = `WRONG: fits/c (F2)
    input   {}
    answer  "XXX...
    right   true
    because so
    as if   F2: so, or without F3
    this is the answer of kueue, volcano
MALFORMED: fits/d (F2)
    input   {}
    no JSON
    right   true
    because so
SILENT: fits/e (F2)
    input   {}
    nothing
    right   true
    because so
TIMED OUT: fits/f (F2)
    input   {}
    late
    right   true
    because so
CRASHED: fits/g (F2)
    input   {}
    one
    two <&>
    right   true
    because so
M10  holds  1 right, 1 not supported
F1   -      0 right, 1 not supported
F2   FAILED 1 right, 5 failed
7 cases: 1 right, 1 unsupported, 1 wrong, 1 malformed, 1 silent, 1 timed out, 1 crashed
`

// TestReportShowsTheSimplest: of many failures the text has those with the shortest
// questions, and what they are about.
func TestReportShowsTheSimplest(t *testing.T) {
	report := new(vectors.Report)
	for i := range 50 {
		c := &vectors.Case{ID: fmt.Sprint("fits/", i), Rules: []string{"F2"}, Input: json.RawMessage(strings.Repeat(" ", 50-i) + "{}")}
		if i == 49 {
			c.About = "the shortest"
		}
		report.Results = append(report.Results, vectors.Result{Case: c, ID: c.ID, Outcome: vectors.Wrong})
	}
	var b strings.Builder
	if err := report.WriteText(&b); err != nil {
		t.Fatal(err)
	}
	const first, last = "WRONG: fits/49 (F2)\n    about   the shortest\n", "30 more failures are not shown here\nF2   FAILED 0 right, 50 failed\n50 cases: 50 wrong\n"
	if got := b.String(); !strings.HasPrefix(got, first) || !strings.HasSuffix(got, last) || strings.Count(got, "WRONG") != 20 || strings.Contains(got, "fits/29 ") {
		t.Error(got)
	}
}

func TestReportText(t *testing.T) {
	var b strings.Builder
	if err := everyOutcome().WriteText(&b); err != nil {
		t.Fatal(err)
	}
	if want := strings.Replace(textOfEveryOutcome, "XXX", strings.Repeat("x", 499), 1); b.String() != want {
		t.Errorf("%s\nwant\n%s", b.String(), want)
	}
}

// TestReportJSON: members that say nothing are not there.
func TestReportJSON(t *testing.T) {
	var b, compact bytes.Buffer
	if err := errors.Join(everyOutcome().WriteJSON(&b), json.Compact(&compact, b.Bytes())); err != nil {
		t.Fatal(err)
	}
	got := strings.ReplaceAll(compact.String(), strings.Repeat("x", 600), "XXX")
	want := `{"ok":false,"rules":[{"rule":"M10","right":1,"unsupported":1},{"rule":"F1","right":0,"unsupported":1},` +
		`{"rule":"F2","right":1,"failed":["fits/c","fits/d","fits/e","fits/f","fits/g"]}],"program":["x","y"],"results":[` +
		`{"id":"fits/a","outcome":"right","answer":true},{"id":"fits/b","outcome":"unsupported"},` +
		`{"id":"fits/c","outcome":"wrong","answer":"XXX","dialects":["kueue","volcano"],"mistakes":["F2: so","without F3"]},{"id":"fits/d","outcome":"malformed","detail":"no JSON"},` +
		`{"id":"fits/e","outcome":"silent","detail":"nothing"},{"id":"fits/f","outcome":"timed out","detail":"late"},` +
		`{"id":"fits/g","outcome":"crashed","detail":"one\ntwo \u003c\u0026\u003e"}]}`
	if got != want || !strings.HasPrefix(b.String(), "{\n \"ok\": false,\n") || !strings.HasSuffix(b.String(), "}\n") {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

func TestReportJUnit(t *testing.T) {
	report := everyOutcome()
	report.Results = append(report.Results[:4:4], report.Results[6])
	var b strings.Builder
	if err := report.WriteJUnit(&b); err != nil {
		t.Fatal(err)
	}
	got := strings.ReplaceAll(b.String(), strings.Repeat("x", 499), "XXX")
	want := `<?xml version="1.0" encoding="UTF-8"?>
<testsuites>
 <testsuite name="M10" tests="2" failures="0" errors="0" skipped="1">
  <testcase name="fits/a" classname="M10.fits"></testcase>
  <testcase name="fits/b" classname="M10.fits">
   <skipped></skipped>
  </testcase>
 </testsuite>
 <testsuite name="F1" tests="1" failures="0" errors="0" skipped="1">
  <testcase name="fits/b" classname="F1.fits">
   <skipped></skipped>
  </testcase>
 </testsuite>
 <testsuite name="F2" tests="4" failures="1" errors="2" skipped="0">
  <testcase name="fits/a" classname="F2.fits"></testcase>
  <testcase name="fits/c" classname="F2.fits">
   <failure type="wrong" message="so">    input   {}&#xA;    answer  &#34;XXX...&#xA;    right   true&#xA;    because so&#xA;    as if   F2: so, or without F3&#xA;    this is the answer of kueue, volcano&#xA;</failure>
  </testcase>
  <testcase name="fits/d" classname="F2.fits">
   <error type="malformed" message="no JSON">    input   {}&#xA;    no JSON&#xA;    right   true&#xA;    because so&#xA;</error>
  </testcase>
  <testcase name="fits/g" classname="F2.fits">
   <error type="crashed" message="one&#xA;two &lt;&amp;&gt;">    input   {}&#xA;    one&#xA;    two &lt;&amp;&gt;&#xA;    right   true&#xA;    because so&#xA;</error>
  </testcase>
 </testsuite>
</testsuites>
`
	if got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

// TestCompareRules sorts rules, and texts that are not rules.
func TestCompareRules(t *testing.T) {
	want := []string{"M1", "M2", "M10", "N1", "F3", "E1", "A1", "R7", "K1", "C6", "V1", "D1", "D13", "", "B", "X1", "B2"}
	got := slices.Clone(want)
	slices.Reverse(got)
	if slices.SortFunc(got, vectors.CompareRules); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	for _, rule := range want {
		if vectors.CompareRules(rule, rule) != 0 {
			t.Errorf("%q is not itself", rule)
		}
	}
}

// failingWriter refuses everything.
type failingWriter struct{}

func (failingWriter) Write([]byte) (int, error) { return 0, errors.New("full") }

func TestReportErrors(t *testing.T) {
	for _, write := range []func() error{
		func() error { return everyOutcome().WriteText(failingWriter{}) },
		func() error { return everyOutcome().WriteJSON(failingWriter{}) },
		func() error { return everyOutcome().WriteJUnit(failingWriter{}) },
	} {
		if err := write(); err == nil || err.Error() != "full" {
			t.Errorf("got %v", err)
		}
	}
	for o, want := range map[vectors.Outcome]string{0: "right", 6: "crashed", 7: "Outcome(7)", 9: "Outcome(9)"} {
		if got := o.String(); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}
