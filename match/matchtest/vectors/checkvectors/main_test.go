package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// The test binary is also the program that is tested: this variable says how it is broken.
const brokenVariable = "CHECKVECTORS_BROKEN"

func TestMain(m *testing.M) {
	if broken := os.Getenv(brokenVariable); broken != "" {
		os.Exit(program(broken))
	}
	os.Exit(m.Run())
}

// program answers as -serve does, or breaks with the third question.
func program(broken string) int {
	questions, answers := bufio.NewReader(os.Stdin), json.NewEncoder(os.Stdout)
	for n := 1; ; n++ {
		text, err := questions.ReadBytes('\n')
		if err != nil {
			return 0
		}
		if n < 3 || broken == "nothing" {
			if err := answerLine(text, answers); err != nil {
				return 5
			}
			continue
		}
		var q struct{ ID string }
		if json.Unmarshal(text, &q) != nil {
			return 5
		}
		switch broken {
		case "wrong":
			fmt.Printf("{\"id\":%q,\"answer\":\"<nonsense>\"}\n", q.ID)
		case "crash":
			fmt.Fprintln(os.Stderr, "I crash")
			return 3
		case "hang":
			time.Sleep(time.Hour)
		case "malformed":
			fmt.Println("{oops ]]>\x01")
		case "silent":
			return 0
		case "unsupported":
			fmt.Printf("{\"id\":%q,\"unsupported\":true}\n", q.ID)
		}
	}
}

// suites is what is read of a report in the form of JUnit.
type suites struct {
	Suites []struct {
		Tests    int `xml:"tests,attr"`
		Failures int `xml:"failures,attr"`
		Errors   int `xml:"errors,attr"`
		Cases    []struct {
			Name    string   `xml:"name,attr"`
			Failure *problem `xml:"failure"`
			Error   *problem `xml:"error"`
		} `xml:"testcase"`
	} `xml:"testsuite"`
}

type problem struct {
	Type    string `xml:"type,attr"`
	Message string `xml:"message,attr"`
}

// TestBrokenPrograms runs the command on a program that is right, and on those that are
// broken in several ways: the exit status and the three forms of the report say so.
func TestBrokenPrograms(t *testing.T) {
	for _, test := range []struct {
		broken          string
		status          int
		outcome, detail string
		failure         bool // in JUnit's words
	}{
		{"nothing", 0, "right", "", false},
		{"unsupported", 0, "unsupported", "", false},
		{"wrong", 1, "wrong", "", true},
		{"crash", 1, "crashed", "exit status 3: I crash", false},
		{"hang", 1, "timed out", "no answer in 2s", false},
		{"malformed", 1, "malformed", `no JSON object: "{oops ]]>\x01"`, false},
		{"silent", 1, "silent", "the output ended without an answer", false},
	} {
		t.Run(test.broken, func(t *testing.T) {
			t.Setenv(brokenVariable, test.broken)
			dir := t.TempDir()
			js, junit := filepath.Join(dir, "r.json"), filepath.Join(dir, "r.xml")
			var out, problems bytes.Buffer
			wait := "30s"
			if test.broken == "hang" {
				wait = "2s"
			}
			// Four questions: the third breaks the program.
			status := run([]string{"-set", "small", "-ask", "^cordon$|^proxyHealthy$|^qosClass$|^zone$", "-timeout", wait, "-json", js, "-junit", junit, os.Args[0]}, nil, &out, &problems)
			if status != test.status || problems.Len() > 0 {
				t.Fatalf("status %d, %s", status, &problems)
			}
			var read struct {
				OK      bool
				Results []struct{ ID, Outcome, Detail string }
				Rules   []struct{ Failed []string }
			}
			decode(t, js, json.Unmarshal, &read)
			if len(read.Results) < 4 || read.OK != (status == 0) {
				t.Fatalf("OK is %t, with %d results", read.OK, len(read.Results))
			}
			third := read.Results[2]
			if third.Outcome != test.outcome || third.Detail != test.detail || read.Results[0].Outcome != "right" || read.Results[1].Outcome != "right" {
				t.Errorf("%+v", read.Results[:3])
			}
			failed := 0
			for _, rule := range read.Rules {
				failed += len(rule.Failed)
			}
			text := out.String()
			if found := strings.Contains(text, strings.ToUpper(test.outcome)+": "+third.ID+" ("); found != (status == 1) || found != strings.Contains(text, "FAILED") || (failed > 0) != found {
				t.Errorf("%d failures, and the text is %s", failed, text)
			}
			checkJUnit(t, junit, third.ID, test.outcome, test.detail, test.failure)
		})
	}
}

// checkJUnit looks for the case in the report: whether it is a failure or an error.
func checkJUnit(t *testing.T, name, id, outcome, detail string, failure bool) {
	t.Helper()
	var got suites
	decode(t, name, xml.Unmarshal, &got)
	seen := 0
	for _, s := range got.Suites {
		failures, faults := 0, 0
		for _, c := range s.Cases {
			problem := c.Error
			if c.Error != nil {
				faults++
			}
			if c.Failure != nil {
				failures++
			}
			if failure {
				problem = c.Failure
			}
			if c.Name != id {
				continue
			}
			seen++
			if bad := outcome != "right" && outcome != "unsupported"; bad != (problem != nil) || bad && problem.Type != outcome {
				t.Errorf("%s: %+v, %+v", id, c.Failure, c.Error)
			}
			if problem != nil && detail != "" && problem.Message != strings.ReplaceAll(detail, "\x01", "\uFFFD") {
				t.Errorf("the message is %q", problem.Message)
			}
		}
		if s.Tests != len(s.Cases) || s.Failures != failures || s.Errors != faults {
			t.Errorf("%d tests, %d failures, %d errors: %d, %d, %d are there", s.Tests, s.Failures, s.Errors, len(s.Cases), failures, faults)
		}
	}
	if seen == 0 {
		t.Errorf("no %s", id)
	}
}

func decode(t *testing.T, name string, unmarshal func([]byte, any) error, into any) {
	t.Helper()
	text, err := os.ReadFile(name)
	if err := errors.Join(err, unmarshal(text, into)); err != nil {
		t.Fatalf("%s: %v\n%s", name, err, text)
	}
}

// TestFailure shows that what cannot be done ends with exit status 2 and a reason.
func TestFailure(t *testing.T) {
	for _, test := range []struct{ args, want string }{
		{"", "want a program to test"},
		{"-set some x", `no set "some"`},
		{"-timeout never x", "invalid value"},
		{"-kubernetes 1.0 x", `no vectors for Kubernetes "1.0"`},
		{"-rules X x", "no cases are chosen"},
		{"-ask ( x", "missing closing"},
		{"-set small -rules M1 /no/such/program", "no such file"},
		{"-set small -rules F7 -json /no/such/file " + os.Args[0], "no such file"},
		{"-set small -rules F7 -junit /no/such/file " + os.Args[0], "no such file"},
	} {
		t.Setenv(brokenVariable, "nothing")
		var out, problems bytes.Buffer
		if status := run(strings.Fields(test.args), nil, &out, &problems); status != 2 || !strings.Contains(problems.String(), test.want) {
			t.Errorf("%q: status %d, %s", test.args, status, &problems)
		}
	}
}

// TestServe has the command answer what it lists.
func TestServe(t *testing.T) {
	var listed, answers, problems bytes.Buffer
	if status := run([]string{"-list", "-kubernetes", "1.34", "-rules", "M1,F"}, nil, &listed, &problems); status != 0 {
		t.Fatal(&problems)
	}
	want := strings.Count(listed.String(), "\n")
	if status := run([]string{"-serve"}, bytes.NewReader(bytes.TrimSuffix(listed.Bytes(), []byte("\n"))), &answers, &problems); status != 0 {
		t.Fatal(&problems)
	}
	decoder := json.NewDecoder(&answers)
	n := 0
	for line := range strings.Lines(listed.String()) {
		var c, r struct {
			ID     string
			Rules  []string
			Answer any
		}
		if err := errors.Join(json.Unmarshal([]byte(line), &c), decoder.Decode(&r)); err != nil {
			t.Fatal(err)
		}
		if fmt.Sprint(c.ID, c.Answer) != fmt.Sprint(r.ID, r.Answer) {
			t.Errorf("%v, want %v", r, c)
		}
		if rules := strings.Join(c.Rules, " "); !strings.Contains(rules, "M1") && !strings.Contains(rules, "F") {
			t.Errorf("%s is about %s", c.ID, rules)
		}
		n++
	}
	if n != want || n < 10 {
		t.Errorf("%d cases of %d", n, want)
	}
	for _, question := range []string{"{", `{"id":"x","ask":"nothing","input":{}}`} {
		if status := run([]string{"-serve"}, strings.NewReader(question), &answers, &problems); status != 2 {
			t.Errorf("%s: status %d", question, status)
		}
	}
}
