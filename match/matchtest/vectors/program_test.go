package vectors_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/tolero-dev/tolero/match/matchtest/vectors"
)

// The test binary is also the program that is tested: with this variable set it answers
// questions, and the value says which mistake it makes with every fifth.
const mistakeVariable = "VECTORS_TEST_MISTAKE"

// numbersVariable names a folder in which each program that is tested leaves a file whose
// name is the number of its process.
const numbersVariable = "VECTORS_TEST_NUMBERS"

// withinVariable is set in the environment of what the tests start.
const withinVariable = "VECTORS_TEST_WITHIN"

func TestMain(m *testing.M) {
	if mistake := os.Getenv(mistakeVariable); mistake != "" {
		answerAll(mistake)
		return
	}
	// A fault in how programs are started must not run the tests within the tests. Only a
	// fuzz test starts itself.
	if os.Getenv(withinVariable) != "" && !slices.Contains(os.Args, "-test.fuzzworker") {
		os.Exit(6)
	}
	if err := os.Setenv(withinVariable, "1"); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

// answerAll answers as the library does, except each fifth question.
func answerAll(mistake string) {
	switch mistake {
	case "sleeps":
		time.Sleep(time.Hour)
	case "reads to the end":
		text, err := io.ReadAll(os.Stdin)
		if err != nil {
			panic(err)
		}
		var q vectors.Question
		if json.Unmarshal(bytes.Split(text, []byte("\n"))[0], &q) == nil {
			fmt.Printf("{\"id\":%q,\"answer\":true}\n", q.ID)
		}
		return
	case "starts slowly":
		time.Sleep(time.Second)
	}
	if dir := os.Getenv(numbersVariable); dir != "" {
		write(filepath.Join(dir, strconv.Itoa(os.Getpid())))
	}
	questions := bufio.NewReader(os.Stdin)
	for n := 1; ; n++ {
		text, err := questions.ReadBytes('\n')
		if err != nil {
			inputEnded(mistake)
			return
		}
		var q vectors.Question
		if err := json.Unmarshal(text, &q); err != nil {
			panic(err)
		}
		answer, err := library(q)
		if err != nil {
			panic(err)
		}
		if n%5 == 0 {
			answer = blunder(mistake, q.ID, answer)
		}
		if answer != nil {
			fmt.Printf("{\"id\":%q,\"answer\":%s}\n", q.ID, answer)
		}
	}
}

// inputEnded is what a program does once it has its last question.
func inputEnded(mistake string) {
	switch mistake {
	case "lingers":
		time.Sleep(time.Hour)
	case "report":
		time.Sleep(time.Second / 2)
		write(os.Args[1])
	}
}

// write writes an empty file.
func write(name string) {
	if err := os.WriteFile(name, nil, 0o600); err != nil {
		panic(err)
	}
}

// blunder makes the mistake, and returns what is answered if it is only a wrong answer, or
// nil if a line was written.
func blunder(mistake, id string, answer json.RawMessage) json.RawMessage {
	switch mistake {
	case "wrong":
		return json.RawMessage(`"nonsense"`)
	case "crash":
		fmt.Fprintln(os.Stderr, "I crash")
		os.Exit(3)
	case "crash without a word":
		os.Exit(3)
	case "hang":
		time.Sleep(time.Hour)
	case "no JSON":
		fmt.Println("{")
	case "stays":
		fmt.Println("{")
		time.Sleep(time.Hour)
	case "long":
		fmt.Println(strings.Repeat("x", 3<<20))
	case "another id":
		fmt.Println(`{"id":"x","answer":true}`)
	case "smaller id":
		fmt.Println(`{"id":"","answer":true}`)
	case "unsupported":
		fmt.Printf("{\"id\":%q,\"unsupported\":true}\n", id)
		return nil
	case "no answer":
		fmt.Println(`{}`)
	case "only the id":
		fmt.Printf("{\"id\":%q}\n", id)
		return nil
	case "two line ends":
		fmt.Printf("{\"id\":%q,\"answer\":%s}\r\n", id, answer)
		return nil
	case "no line end":
		fmt.Printf("{\"id\":%q,\"answer\":%s}", id, answer)
		if len(os.Args) != 2 {
			os.Exit(5)
		}
		write(os.Args[1])
		os.Exit(0)
	case "says much":
		fmt.Fprint(os.Stderr, strings.Repeat("x", 3000), strings.Repeat("y", 2000), "\n")
		os.Exit(3)
	case "silence":
		os.Exit(0)
	case "child":
		child := exec.Command(os.Args[0])
		child.Env = append(os.Environ(), mistakeVariable+"=sleeps")
		child.Stdout, child.Stderr = os.Stdout, os.Stderr
		in, err := child.StdinPipe()
		if err != nil {
			panic(err)
		}
		defer in.Close()
		if err := child.Start(); err != nil {
			panic(err)
		}
		os.Exit(4)
	}
	return answer
}

// some is cases enough for four mistakes.
func some(t *testing.T) []vectors.Case {
	return load(t)[:22]
}

// environment is that of the program of a mistake. With -cover the test binary says at its
// end if it has no folder to write to.
func environment(t *testing.T, mistake string) []string {
	return append(os.Environ(), mistakeVariable+"="+mistake, "GOCOVERDIR="+t.TempDir())
}

// drive drives the program of a mistake. One that hangs gets less time, and fewer
// questions.
func drive(t *testing.T, mistake string, o vectors.Options, restarts int) *vectors.Report {
	t.Helper()
	cases, timeout := some(t), 30*time.Second
	if mistake == "hang" || mistake == "child" {
		cases, timeout = cases[:7], 3*time.Second
	}
	report, err := vectors.Drive(cases, o, vectors.Program{
		Command: []string{os.Args[0]}, Env: environment(t, mistake), Timeout: timeout, Restarts: restarts})
	if err != nil {
		t.Fatal(err)
	}
	return report
}

// TestBroken drives programs that are broken in several ways: each breaks on the fifth
// question that it gets, is started again, and the other answers are right. Nothing
// waits for longer than the time of an answer.
func TestBroken(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		mistake string
		want    vectors.Outcome
		detail  string
	}{
		{"none", vectors.Right, ""},
		{"wrong", vectors.Wrong, ""},
		{"crash", vectors.Crashed, "exit status 3: I crash"},
		{"crash without a word", vectors.Crashed, "exit status 3"},
		{"hang", vectors.TimedOut, "no answer in 3s"},
		{"no JSON", vectors.Malformed, `no JSON object: "{"`},
		{"long", vectors.Malformed, "a line of more than 1048576 bytes"},
		{"another id", vectors.Malformed, `not the id of the question: "{\"id\":\"x\",\"answer\":true}"`},
		{"smaller id", vectors.Malformed, `not the id of the question: "{\"id\":\"\",\"answer\":true}"`},
		{"unsupported", vectors.Unsupported, ""},
		{"no answer", vectors.Malformed, `not the id of the question: "{}"`},
		{"only the id", vectors.Malformed, `no answer in it: "{\"id\":\"ID\"}"`},
		{"two line ends", vectors.Right, ""},
		{"says much", vectors.Crashed, "exit status 3: " + strings.Repeat("x", 47) + strings.Repeat("y", 2000)},
		{"silence", vectors.Silent, "the output ended without an answer"},
		{"child", vectors.TimedOut, "no answer in 3s"}, // one that it leaves behind holds its output
	} {
		t.Run(test.mistake, func(t *testing.T) {
			t.Parallel()
			start := time.Now()
			report := drive(t, test.mistake, vectors.Options{}, 0)
			for i := range report.Results {
				want, detail := vectors.Right, ""
				if i%5 == 4 {
					want, detail = test.want, strings.ReplaceAll(test.detail, "ID", report.Results[i].ID)
				}
				if r := &report.Results[i]; r.Outcome != want || r.Detail != detail {
					t.Errorf("case %d: %v, %q, want %v, %q", i, r.Outcome, r.Detail, want, detail)
				}
			}
			if report.OK() == test.want.Failed() {
				t.Errorf("OK() = %t", report.OK())
			}
			if d := time.Since(start); d > time.Minute {
				t.Errorf("it took %v", d)
			}
		})
	}
}

// TestLastLine drives a program that ends without a line end after its last answer, in
// a folder of its own, with an argument: the answer counts.
func TestLastLine(t *testing.T) {
	program, err := filepath.Abs(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	report, err := vectors.Drive(some(t)[:5], vectors.Options{}, vectors.Program{
		Command: []string{program, "here"}, Dir: dir, Env: environment(t, "no line end")})
	if err != nil {
		t.Fatal(err)
	}
	if !report.OK() || len(report.Results) != 5 {
		t.Errorf("%+v", report.Results)
	}
	if _, err := os.Stat(filepath.Join(dir, "here")); err != nil {
		t.Error(err)
	}
}

// TestRestarts: a program that fails too often is not asked further.
func TestRestarts(t *testing.T) {
	for _, test := range []struct{ restarts, asked int }{{-1, 5}, {1, 10}, {3, 20}, {4, 22}} {
		report := drive(t, "silence", vectors.Options{}, test.restarts)
		asked := slices.IndexFunc(report.Results, func(r vectors.Result) bool { return strings.HasPrefix(r.Detail, "not asked") })
		if asked < 0 {
			asked = len(report.Results)
		}
		for _, r := range report.Results[asked:] {
			if r.Outcome != vectors.Silent {
				t.Errorf("%s was not asked: %v", r.ID, r.Outcome)
			}
		}
		if asked != test.asked || len(report.Results) != 22 {
			t.Errorf("%d restarts: %d of %d asked, want %d", test.restarts, asked, len(report.Results), test.asked)
		}
	}
}

// TestRestartsUnlessSaid: a program may fail 20 times and once more, as the doc says.
func TestRestartsUnlessSaid(t *testing.T) {
	report, err := vectors.Drive(load(t)[:110], vectors.Options{}, vectors.Program{Command: []string{os.Args[0]}, Env: environment(t, "silence")})
	if err != nil {
		t.Fatal(err)
	}
	for i, r := range report.Results {
		want := vectors.Right
		if i >= 105 || i%5 == 4 { // 21 processes, and five questions for each
			want = vectors.Silent
		}
		if r.Outcome != want || strings.HasPrefix(r.Detail, "not asked") != (i >= 105) {
			t.Errorf("%d: %v, %s", i, r.Outcome, r.Detail)
		}
	}
}

// TestNoQuestion: a case that is no JSON is not asked, and the next is.
func TestNoQuestion(t *testing.T) {
	cases := slices.Clone(some(t)[:3])
	cases[1].Input = json.RawMessage("{")
	report, err := vectors.Drive(cases, vectors.Options{}, vectors.Program{Command: []string{os.Args[0]}, Env: environment(t, "none")})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []vectors.Outcome{vectors.Right, vectors.Malformed, vectors.Right} {
		if r := report.Results[i]; r.Outcome != want || (r.Detail != "") != (want == vectors.Malformed) {
			t.Errorf("%d: %v, %s", i, r.Outcome, r.Detail)
		}
	}
}

// TestNoProgram: what cannot be started is an error, and not a result.
func TestNoProgram(t *testing.T) {
	for _, command := range [][]string{nil, {"/no/such/program"}} {
		if report, err := vectors.Drive(some(t), vectors.Options{}, vectors.Program{Command: command}); err == nil {
			t.Errorf("%v: %v", command, report)
		}
	}
}

// TestDialects: an answer of another project is wrong, and named, and right where it is
// asked for.
func TestDialects(t *testing.T) {
	cases := []vectors.Case{{ID: "fits/x", Rules: []string{"F2"}, Ask: "fits", Input: json.RawMessage(`{}`), Answer: json.RawMessage(`true`), Reason: "so",
		Alternatives: []vectors.Alternative{{Dialects: []string{"karpenter", "kueue"}, Answer: json.RawMessage(`false`), Reason: "otherwise"}, {Dialects: []string{"volcano"}, Answer: json.RawMessage(`1`), Reason: "x"}}}}
	for _, test := range []struct {
		dialect, answer string
		want            vectors.Outcome
		named           string
	}{
		{"", "true", vectors.Right, ""},
		{"", "false", vectors.Wrong, "karpenter kueue"},
		{"", "1", vectors.Wrong, "volcano"},
		{"", "2", vectors.Wrong, ""},
		{"", "", vectors.Malformed, ""},
		{"kueue", "false", vectors.Right, ""},
		{"kueue", "true", vectors.Wrong, ""},
		{"kueue", "1", vectors.Wrong, "volcano"},
		{"descheduler", "true", vectors.Right, ""},
	} {
		report := vectors.Run(cases, vectors.Options{Dialect: test.dialect}, func(vectors.Question) (json.RawMessage, error) { return json.RawMessage(test.answer), nil })
		if r := report.Results[0]; r.Outcome != test.want || strings.Join(r.Dialects, " ") != test.named || report.OK() != (test.want == vectors.Right) {
			t.Errorf("%q answers %s: %v, %v", test.dialect, test.answer, r.Outcome, r.Dialects)
		}
	}
}

// TestCut: of what is no JSON the report has 200 bytes, and of an answer 500.
func TestCut(t *testing.T) {
	cases := []vectors.Case{{ID: "fits/x", Rules: []string{"F2"}, Ask: "fits", Input: json.RawMessage(`{}`), Answer: json.RawMessage(`true`)}}
	for answer, want := range map[string]string{
		strings.Repeat("x", 200):             `no JSON value: "` + strings.Repeat("x", 200) + "\"\n",
		strings.Repeat("x", 201):             `no JSON value: "` + strings.Repeat("x", 200) + "\"...\n",
		`"` + strings.Repeat("x", 498) + `"`: `answer  "` + strings.Repeat("x", 498) + "\"\n",
		`"` + strings.Repeat("x", 499) + `"`: `answer  "` + strings.Repeat("x", 499) + "...\n",
	} {
		report := vectors.Run(cases, vectors.Options{}, func(vectors.Question) (json.RawMessage, error) { return json.RawMessage(answer), nil })
		var b strings.Builder
		if err := report.WriteText(&b); err != nil || !strings.Contains(b.String(), want) {
			t.Errorf("%v: no %s in\n%s", err, want, &b)
		}
	}
}

func TestRunErrors(t *testing.T) {
	n := 0
	report := vectors.Run(some(t)[:3], vectors.Options{}, func(q vectors.Question) (json.RawMessage, error) {
		switch n++; n {
		case 1:
			return nil, errors.New("no")
		case 2:
			return nil, fmt.Errorf("%s: %w", q.Ask, vectors.ErrUnsupported)
		}
		panic("oh")
	})
	for i, want := range []vectors.Outcome{vectors.Crashed, vectors.Unsupported, vectors.Crashed} {
		if r := report.Results[i]; r.Outcome != want {
			t.Errorf("%d: %v, %s", i, r.Outcome, r.Detail)
		}
	}
	if report.Results[2].Detail != "panic: oh" || report.OK() || new(vectors.Report).OK() {
		t.Errorf("%+v", report.Results)
	}
}

// TestReadsToTheEnd: a program that answers only when its input has ended is told so, and is
// not asked again. One that is slow to start is not taken for that.
func TestReadsToTheEnd(t *testing.T) {
	defer vectors.SetPatience(vectors.SetPatience(500 * time.Millisecond))
	report := drive(t, "reads to the end", vectors.Options{}, 0)
	for i, r := range report.Results {
		want := "answers only when its input has ended"
		if i > 0 {
			want = "not asked: the program does not answer line by line"
		}
		if r.Outcome != vectors.Silent || !strings.Contains(r.Detail, want) {
			t.Errorf("%d: %v, %s", i, r.Outcome, r.Detail)
		}
	}
	if report := drive(t, "starts slowly", vectors.Options{}, 0); !report.OK() {
		t.Errorf("slow to start: %+v", report.Results[0])
	}
}

// TestReports reads the three forms of a report.
func TestReports(t *testing.T) {
	n := 0
	report := vectors.Run(load(t), vectors.Options{}, func(q vectors.Question) (json.RawMessage, error) {
		switch n++; n % 50 {
		case 1:
			return nil, vectors.ErrUnsupported
		case 2:
			return json.RawMessage(`"<&wrong>"`), nil
		case 3:
			return nil, errors.New("]]> oh\x01")
		}
		return library(q)
	})
	wrong, crashed, unsupported := report.Count(vectors.Wrong), report.Count(vectors.Crashed), report.Count(vectors.Unsupported)
	if wrong == 0 || crashed == 0 || unsupported == 0 {
		t.Fatalf("%d, %d, %d", wrong, crashed, unsupported)
	}
	var text, js, junit bytes.Buffer
	if err := errors.Join(report.WriteText(&text), report.WriteJSON(&js), report.WriteJUnit(&junit)); err != nil {
		t.Fatal(err)
	}
	if end := fmt.Sprintf("%d cases: %d right, %d unsupported, %d wrong, %d crashed\n", len(report.Results), report.Count(vectors.Right), unsupported, wrong, crashed); !strings.HasSuffix(text.String(), end) {
		t.Errorf("the text does not end in %q", end)
	}
	if rest := fmt.Sprintf("\n%d more failures are not shown here\n", wrong+crashed-20); !strings.Contains(text.String(), rest) {
		t.Errorf("the text does not have %q", rest)
	}
	var read struct {
		OK      bool
		Rules   []vectors.RuleReport
		Results []struct {
			ID, Outcome string
			Answer      any
		}
	}
	if err := json.Unmarshal(js.Bytes(), &read); err != nil || read.OK || len(read.Results) != len(report.Results) || len(read.Rules) != len(report.Rules()) || read.Results[1].Outcome != "wrong" || read.Results[1].Answer != "<&wrong>" {
		t.Errorf("%v: %.300s", err, js.String())
	}
	var suites struct {
		Suites []struct {
			Name     string `xml:"name,attr"`
			Tests    int    `xml:"tests,attr"`
			Failures int    `xml:"failures,attr"`
			Errors   int    `xml:"errors,attr"`
			Skipped  int    `xml:"skipped,attr"`
			Cases    []struct {
				Class   string `xml:"classname,attr"`
				Failure []any  `xml:"failure"`
				Error   []any  `xml:"error"`
				Skipped []any  `xml:"skipped"`
			} `xml:"testcase"`
		} `xml:"testsuite"`
	}
	if err := xml.Unmarshal(junit.Bytes(), &suites); err != nil || len(suites.Suites) != len(report.Rules()) {
		t.Fatalf("%v, %d suites:\n%.300s", err, len(suites.Suites), junit.String())
	}
	for i, rule := range report.Rules() {
		if s := suites.Suites[i]; s.Name != rule.Rule || len(s.Cases) != rule.Right+rule.Unsupported+len(rule.Failed) || s.Tests != len(s.Cases) || s.Skipped != rule.Unsupported || s.Failures+s.Errors != len(rule.Failed) {
			t.Errorf("suite %s has %d cases, want %+v", s.Name, len(s.Cases), rule)
		}
	}
}

// TestJavaScript drives a matcher that answers five kinds of questions.
func TestJavaScript(t *testing.T) {
	t.Parallel()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("no node here: ", err)
	}
	kinds := []string{"tolerates", "untolerated", "fits", "scores", "verdict"}
	report, err := vectors.Drive(load(t), vectors.Options{}, vectors.Program{Command: []string{node, "testdata/matcher.js"}})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range report.Results {
		if r.Outcome.Failed() || (r.Outcome == vectors.Right) != slices.Contains(kinds, r.Case.Ask) {
			t.Errorf("%s: %v, %s %s", r.ID, r.Outcome, r.Answer, r.Detail)
		}
	}
}

// TestPython drives a matcher in another language, as it is and with three mistakes,
// each of which is caught by cases of its rule, and blamed on no other.
func TestPython(t *testing.T) {
	t.Parallel()
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("no python3 here: ", err)
	}
	for _, test := range []struct {
		mistake string
		failed  []string // rules
		dialect string   // that the wrong answers are taken for, with others
	}{
		{"", nil, ""},
		{"gt-as-text", []string{"N1", "N2"}, ""},
		{"exists-any", []string{"M3"}, ""},
		{"prefer-is-hard", []string{"F2"}, "karpenter"},
	} {
		command := []string{python, "testdata/matcher.py"}
		if test.mistake != "" {
			command = append(command, test.mistake)
		}
		report, err := vectors.Drive(load(t), vectors.Options{}, vectors.Program{Command: command})
		if err != nil {
			t.Fatal(err)
		}
		if report.OK() != (test.mistake == "") || report.Count(vectors.Right) < 90 {
			t.Errorf("%s: OK is %t, %d right", test.mistake, report.OK(), report.Count(vectors.Right))
		}
		var failed []string
		for _, rule := range report.Rules() {
			if rule.Failed != nil {
				failed = append(failed, rule.Rule)
			}
		}
		if !slices.Equal(failed, test.failed) {
			t.Errorf("%s: %v failed, want %v", test.mistake, failed, test.failed)
		}
		for _, r := range report.Results {
			// Karpenter takes an effect that means nothing for hard too.
			odd := strings.Contains(string(r.Case.Input), `"effect":""`) || strings.Contains(string(r.Case.Input), `"effect":"Odd"`)
			if r.Outcome == vectors.Wrong && test.dialect != "" && !odd && !slices.Contains(r.Dialects, test.dialect) {
				t.Errorf("%s: %s is taken for the answer of %v", test.mistake, r.ID, r.Dialects)
			}
			if r.Outcome == vectors.Unsupported && slices.Contains([]string{"tolerates", "untolerated", "fits"}, r.Case.Ask) {
				t.Errorf("%s is not supported", r.ID)
			}
		}
	}
}
