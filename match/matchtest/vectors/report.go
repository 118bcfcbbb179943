package vectors

import (
	"cmp"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// Report is what became of all cases. The zero Report has none, and is not OK. It is
// plain data.
type Report struct {
	Program []string `json:"program,omitempty"`
	Results []Result `json:"results"` // in the order of the cases
}

// RuleReport is what became of the cases of one rule. A case of several rules counts for
// each, except if known mistakes explain its answer: then it counts for their rules. It is
// plain data.
type RuleReport struct {
	Rule        string   `json:"rule"`
	Right       int      `json:"right"`
	Unsupported int      `json:"unsupported,omitempty"`
	Failed      []string `json:"failed,omitempty"` // names of cases
}

// OK reports whether nothing failed and some answer was right.
func (r *Report) OK() bool {
	return r.Count(Right) > 0 && !slices.ContainsFunc(r.Results, func(r Result) bool { return r.Outcome.Failed() })
}

// Count returns how many cases have the outcome.
func (r *Report) Count(o Outcome) (n int) {
	for i := range r.Results {
		if r.Results[i].Outcome == o {
			n++
		}
	}
	return n
}

// Rules returns what became of each rule that has cases, in the order of SEMANTICS.md.
func (r *Report) Rules() []RuleReport {
	var rules []RuleReport
	at := map[string]int{}
	for i := range r.Results {
		result := &r.Results[i]
		for _, name := range result.about() {
			j, known := at[name]
			if !known {
				j = len(rules)
				at[name], rules = j, append(rules, RuleReport{Rule: name})
			}
			switch {
			case result.Outcome.Failed():
				rules[j].Failed = append(rules[j].Failed, result.ID)
			case result.Outcome == Unsupported:
				rules[j].Unsupported++
			default:
				rules[j].Right++
			}
		}
	}
	slices.SortFunc(rules, func(a, b RuleReport) int { return CompareRules(a.Rule, b.Rule) })
	return rules
}

// CompareRules compares the names of two rules, such as "M3", by their places in
// SEMANTICS.md. Other texts come last.
func CompareRules(a, b string) int {
	chapter := func(rule string) int {
		const chapters = "MNFEARKCVD"
		if i := strings.IndexByte(chapters, cmp.Or(rule, " ")[0]); i >= 0 {
			return i
		}
		return len(chapters)
	}
	number := func(rule string) int {
		n, _ := strconv.Atoi(rule[min(1, len(rule)):])
		return n
	}
	return cmp.Or(cmp.Compare(chapter(a), chapter(b)), cmp.Compare(number(a), number(b)), strings.Compare(a, b))
}

// mostShown is how many failures WriteText shows: who mends the first few mends most.
const mostShown = 20

// WriteText writes the report for people: the failures with the shortest questions, one
// line for each rule, and the numbers.
func (r *Report) WriteText(w io.Writer) error {
	var b strings.Builder
	failed := r.failures()
	for _, result := range failed[:min(mostShown, len(failed))] {
		fmt.Fprintf(&b, "%s: %s (%s)\n", strings.ToUpper(result.Outcome.String()), result.ID, strings.Join(result.about(), ", "))
		b.WriteString(result.lines())
	}
	if n := len(failed) - mostShown; n > 0 {
		fmt.Fprintf(&b, "%d more failures are not shown here\n", n)
	}
	for _, rule := range r.Rules() {
		fmt.Fprintf(&b, "%-4s %-6s %s\n", rule.Rule, rule.word(), rule.numbers())
	}
	fmt.Fprintf(&b, "%d cases:", len(r.Results))
	for o := Right; o <= Crashed; o++ {
		if n := r.Count(o); n > 0 {
			fmt.Fprintf(&b, " %d %s,", n, o)
		}
	}
	_, err := io.WriteString(w, strings.TrimSuffix(b.String(), ",")+"\n")
	return err
}

// failures returns the results that failed, those with short questions first.
func (r *Report) failures() (failed []*Result) {
	for i := range r.Results {
		if r.Results[i].Outcome.Failed() {
			failed = append(failed, &r.Results[i])
		}
	}
	slices.SortStableFunc(failed, func(a, b *Result) int { return cmp.Compare(len(a.Case.Input), len(b.Case.Input)) })
	return failed
}

// lines says what was asked and answered.
func (r *Result) lines() string {
	var b strings.Builder
	if r.Case.About != "" {
		fmt.Fprintf(&b, "    about   %s\n", r.Case.About)
	}
	fmt.Fprintf(&b, "    input   %s\n", r.Case.Input)
	if r.Answer != nil {
		fmt.Fprintf(&b, "    answer  %s\n", clip(string(r.Answer)))
	}
	if r.Detail != "" {
		fmt.Fprintf(&b, "    %s\n", strings.ReplaceAll(r.Detail, "\n", "\n    "))
	}
	fmt.Fprintf(&b, "    right   %s\n    because %s\n", r.Case.Answer, r.Case.Reason)
	if r.Mistakes != nil {
		fmt.Fprintf(&b, "    as if   %s\n", strings.Join(r.Mistakes, ", or "))
	}
	if r.Dialects != nil {
		fmt.Fprintf(&b, "    this is the answer of %s\n", strings.Join(r.Dialects, ", "))
	}
	return b.String()
}

// clip cuts what a program answered.
func clip(text string) string {
	if len(text) > 500 {
		return text[:500] + "..."
	}
	return text
}

func (r *RuleReport) word() string {
	switch {
	case r.Failed != nil:
		return "FAILED"
	case r.Right > 0:
		return "holds"
	}
	return "-"
}

func (r *RuleReport) numbers() string {
	text := fmt.Sprintf("%d right", r.Right)
	if r.Failed != nil {
		text += fmt.Sprintf(", %d failed", len(r.Failed))
	}
	if r.Unsupported > 0 {
		text += fmt.Sprintf(", %d not supported", r.Unsupported)
	}
	return text
}

// WriteJSON writes the report as one JSON object: its results, what became of each rule,
// and whether it is OK.
func (r *Report) WriteJSON(w io.Writer) error {
	text, err := json.MarshalIndent(struct {
		OK    bool         `json:"ok"`
		Rules []RuleReport `json:"rules"`
		*Report
	}{r.OK(), r.Rules(), r}, "", " ")
	if err != nil {
		return err
	}
	_, err = w.Write(append(text, '\n'))
	return err
}

// The parts of a report in the form of JUnit.
type junitSuites struct {
	XMLName xml.Name     `xml:"testsuites"`
	Suites  []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Errors   int         `xml:"errors,attr"`
	Skipped  int         `xml:"skipped,attr"`
	Cases    []junitCase `xml:"testcase"`
}

type junitCase struct {
	Name    string        `xml:"name,attr"`
	Class   string        `xml:"classname,attr"`
	Failure *junitProblem `xml:"failure,omitempty"`
	Error   *junitProblem `xml:"error,omitempty"`
	Skipped *struct{}     `xml:"skipped,omitempty"`
}

type junitProblem struct {
	Type    string `xml:"type,attr"`
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

// WriteJUnit writes the report as JUnit XML: a suite for each rule. Wrong answers are
// failures, whatever else fails are errors, and unsupported questions are skipped.
func (r *Report) WriteJUnit(w io.Writer) error {
	var all junitSuites
	for _, rule := range r.Rules() {
		suite := junitSuite{Name: rule.Rule}
		for i := range r.Results {
			if result := &r.Results[i]; slices.Contains(result.about(), rule.Rule) {
				suite.add(result)
			}
		}
		all.Suites = append(all.Suites, suite)
	}
	text, err := xml.MarshalIndent(&all, "", " ")
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "%s%s\n", xml.Header, text)
	return err
}

func (s *junitSuite) add(r *Result) {
	c := junitCase{Name: r.ID, Class: s.Name + "." + r.Case.Ask}
	problem := &junitProblem{r.Outcome.String(), cmp.Or(r.Detail, r.Case.Reason), r.lines()}
	s.Tests++
	switch {
	case r.Outcome == Unsupported:
		c.Skipped = new(struct{})
		s.Skipped++
	case r.Outcome == Wrong:
		c.Failure = problem
		s.Failures++
	case r.Outcome.Failed():
		c.Error = problem
		s.Errors++
	}
	s.Cases = append(s.Cases, c)
}
