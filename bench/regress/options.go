package main

import (
	"flag"
	"fmt"
	"io"
	"regexp"
	"strings"
)

// options is the command line.
type options struct {
	repository   string
	old, new     string // revisions; an empty new one is the working tree
	module       string
	packages     []string
	bench        string
	count        int
	benchtime    string
	instructions bool
	rounds       int
	tolerance    float64
	apidiff      []string
	benchstat    []string
	results      string
}

func parseOptions(args []string, stderr io.Writer) (*options, error) {
	o := &options{}
	flags := flag.NewFlagSet("regress", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.StringVar(&o.repository, "repository", ".", "a `directory` of the repository")
	flags.StringVar(&o.old, "old", "HEAD", "the old `revision`")
	flags.StringVar(&o.new, "new", "", "the new `revision`, instead of the working tree")
	flags.StringVar(&o.module, "module", ".", "the `directory` of the module, from the root of the repository")
	packages := flags.String("packages", "./bench/budget", "the `packages` of the module, with commas between")
	flags.StringVar(&o.bench, "bench", ".", "the `pattern` of the benchmarks, as for go test")
	flags.IntVar(&o.count, "count", 6, "how many `times` each revision is run")
	flags.StringVar(&o.benchtime, "benchtime", "100ms", "the `time` of a benchmark in a run, as for go test")
	flags.BoolVar(&o.instructions, "instructions", true, "count instructions, if valgrind is installed")
	flags.IntVar(&o.rounds, "rounds", 8, "how many `times` the instructions of both are counted if they differ")
	flags.Float64Var(&o.tolerance, "tolerance", 0.01, "by what `part` instructions may grow")
	benchstat := flags.String("benchstat", "go tool -modfile=.ci/tools/go.mod benchstat",
		"the `command` that compares old=FILE and new=FILE, run in the root of the repository; empty for none")
	apidiff := flags.String("apidiff", "go tool -modfile=.ci/tools/go.mod apidiff",
		"the `command` that compares what two modules export, run in the module; empty for none")
	flags.StringVar(&o.results, "results", "", "a `directory` to keep old.txt and new.txt in")
	if err := flags.Parse(args); err != nil {
		return nil, err
	}
	o.packages, o.benchstat = strings.Split(*packages, ","), strings.Fields(*benchstat)
	o.apidiff = strings.Fields(*apidiff)
	if flags.NArg() > 0 {
		return nil, fmt.Errorf("argument %q: there are only flags", flags.Arg(0))
	}
	return o, o.check()
}

func (o *options) check() error {
	switch {
	case o.old == "":
		return fmt.Errorf("-old is empty, want a revision")
	case o.count < 1:
		return fmt.Errorf("-count is %d, want 1 or more", o.count)
	case o.rounds < 1:
		return fmt.Errorf("-rounds is %d, want 1 or more", o.rounds)
	case !(o.tolerance >= 0 && o.tolerance < 1e6): // not a number is neither
		return fmt.Errorf("-tolerance is %v, want a part such as 0.01", o.tolerance)
	}
	for _, revision := range []string{o.old, o.new} {
		if strings.HasPrefix(revision, "-") {
			return fmt.Errorf("revision %q starts with a dash", revision)
		}
	}
	for part := range strings.SplitSeq(o.bench, "/") {
		if _, err := regexp.Compile(part); err != nil {
			return fmt.Errorf("-bench: %w", err)
		}
	}
	return nil
}
