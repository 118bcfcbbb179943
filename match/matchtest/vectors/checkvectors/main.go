// Checkvectors tests a program against Kubernetes' rules for taints and tolerations:
//
//	go run github.com/tolero-dev/tolero/match/matchtest/vectors/checkvectors@latest [flags] program [argument ...]
//
// It asks the program the questions of the vectors, one line of JSON each, and reports
// rule by rule what holds. README.md of package vectors says what they look like. With
// -serve it is such a program itself, and answers as this library does; with -list it
// prints the cases.
//
// Exit status: 0 if nothing failed, 1 if something did, 2 if the work could not be done.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/tolero-dev/tolero/match/matchtest/vectors"
	"github.com/tolero-dev/tolero/match/matchtest/vectors/internal/canonical"
)

func main() { os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }

type options struct {
	kubernetes, set, rules, ask, dialect string
	json, junit                          string
	timeout                              time.Duration
	serve, list                          bool
	command                              []string
}

// run is main without the process. It returns the exit status.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	o, err := parse(args, stderr)
	if err != nil {
		return 2
	}
	ok, err := o.do(stdin, stdout)
	switch {
	case err != nil:
		fmt.Fprintln(stderr, "checkvectors:", err)
		return 2
	case !ok:
		return 1
	}
	return 0
}

func parse(args []string, stderr io.Writer) (o options, err error) {
	flags := flag.NewFlagSet("checkvectors", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.StringVar(&o.kubernetes, "kubernetes", "1.37", "release of Kubernetes whose rules to test")
	flags.StringVar(&o.set, "set", "all", "small, or all")
	flags.StringVar(&o.rules, "rules", "", "ask only about these rules, such as M1,M2,N or F")
	flags.StringVar(&o.ask, "ask", "", "ask only questions whose kind matches this `regexp`")
	flags.StringVar(&o.dialect, "dialect", "", "expect the answers of this project where it differs, such as kubernetes or karpenter")
	flags.StringVar(&o.json, "json", "", "write the report as JSON to this `file` too")
	flags.StringVar(&o.junit, "junit", "", "write the report as JUnit XML to this `file` too")
	flags.DurationVar(&o.timeout, "timeout", 10*time.Second, "time for one answer")
	flags.BoolVar(&o.serve, "serve", false, "answer questions from standard input")
	flags.BoolVar(&o.list, "list", false, "print the cases, one line of JSON each")
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	o.command = flags.Args()
	if len(o.command) == 0 && !o.serve && !o.list {
		err = errors.New("want a program to test")
	}
	if o.set != "small" && o.set != "all" {
		err = fmt.Errorf("no set %q", o.set)
	}
	if err != nil {
		fmt.Fprintln(stderr, "checkvectors:", err)
	}
	return o, err
}

// do does the work, and reports whether nothing failed.
func (o *options) do(stdin io.Reader, stdout io.Writer) (ok bool, err error) {
	if o.serve {
		return true, serve(stdin, stdout)
	}
	cases, err := o.cases()
	if err != nil {
		return false, err
	}
	if o.list {
		return true, list(stdout, cases)
	}
	report, err := vectors.Drive(cases, vectors.Options{Dialect: o.dialect}, vectors.Program{Command: o.command, Timeout: o.timeout})
	if err != nil {
		return false, err
	}
	for name, write := range map[string]func(io.Writer) error{o.json: report.WriteJSON, o.junit: report.WriteJUnit} {
		if name != "" {
			if err := writeFile(name, write); err != nil {
				return false, err
			}
		}
	}
	return report.OK(), report.WriteText(stdout)
}

func writeFile(name string, write func(io.Writer) error) error {
	file, err := os.Create(name)
	if err != nil {
		return err
	}
	return errors.Join(write(file), file.Close())
}

// cases returns those that are chosen.
func (o *options) cases() ([]vectors.Case, error) {
	load := vectors.Load
	if o.set == "small" {
		load = vectors.LoadSmall
	}
	cases, err := load(o.kubernetes)
	if err != nil {
		return nil, err
	}
	ask, err := regexp.Compile(o.ask)
	if err != nil {
		return nil, err
	}
	cases = slices.DeleteFunc(cases, func(c vectors.Case) bool { return !ask.MatchString(c.Ask) || !o.chosen(c.Rules) })
	if len(cases) == 0 {
		return nil, errors.New("no cases are chosen")
	}
	return cases, nil
}

// chosen reports whether one of the rules, or its chapter, is asked for.
func (o *options) chosen(rules []string) bool {
	return o.rules == "" || slices.ContainsFunc(rules, func(rule string) bool {
		return slices.ContainsFunc(strings.Split(o.rules, ","), func(wanted string) bool { return wanted == rule || wanted == rule[:1] })
	})
}

func list(w io.Writer, cases []vectors.Case) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	for i := range cases {
		if err := encoder.Encode(&cases[i]); err != nil {
			return err
		}
	}
	return nil
}

// serve answers each question in turn.
func serve(stdin io.Reader, stdout io.Writer) error {
	questions, answers := bufio.NewReader(stdin), json.NewEncoder(stdout)
	for {
		text, err := questions.ReadBytes('\n')
		if len(text) > 0 {
			if err := answerLine(text, answers); err != nil {
				return err
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
	}
}

func answerLine(text []byte, answers *json.Encoder) error {
	var q vectors.Question
	if err := json.Unmarshal(text, &q); err != nil {
		return fmt.Errorf("no question: %w", err)
	}
	answer, err := canonical.AnswerJSON(q.Ask, q.Input)
	if err != nil {
		return err
	}
	return answers.Encode(struct {
		ID     string          `json:"id"`
		Answer json.RawMessage `json:"answer"`
	}{q.ID, answer})
}
