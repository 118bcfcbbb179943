// Mutate measures how much a test suite notices. It makes every small mistake
// that it knows in the given Go files, one at a time, and runs tests against
// each: a mutant that no test fails for has survived, and the tests do not show
// that the code at that place is right.
//
//	go run ./fuzz/mutate [flags] file.go|directory ...
//
// The tests of a file's own package are run first and then, while the mutant
// lives, those of the packages that -test lists. All mutants are compiled once
// into one program and switched on by number (see schema.go); those outside
// functions are compiled one by one. A first pass measures each test alone, so
// that a mutant gets only the tests that run its place, the quickest first.
// Nothing is ever written into the work tree: mutants reach the compiler through
// go test -overlay.
//
// The reasons of explained mutants hold for more than the tests of their package:
//
//	go run ./fuzz/mutate -explained -test dependents -tags tolero_invariants file.go
//
// A mutant that does not compile says nothing and is counted as not viable, but a
// variable that loses its last use gets another. One
// whose test takes several times its usual time counts as killed. One at a
// place that no test runs is reported as not reached. One that cannot change any
// answer is equivalent to the original; such mutants are listed in a file, each
// with the reason (see equivalent.go).
//
// Mutants:
//
//   - a comparison becomes its negation or a neighbour (< becomes >= and <=)
//   - && becomes || and back; either operand is dropped; a condition is negated
//   - arithmetic and bit operators are swapped (+ and -, | and &, << and >>)
//   - an integer or character becomes one more and one less; a positive number becomes negative
//   - true and false, break and continue, ++ and -- are swapped
//   - a constant becomes another one of its const group
//   - a bool that is returned is negated
//   - a value is dropped from the list of a case, or the whole clause
//   - an assignment, a call or a jump is removed; append appends nothing
//   - a string literal becomes empty, an empty one "x"
//   - a copy becomes what is copied (x.Freeze(), slices.Clone(x), x[:n:n]), Edit becomes At
//   - two statements that may depend on each other are swapped
//   - a field of a struct literal, such as a part of a key, is given up
//
// Texts for humans are left alone unless -messages is given: literals with a
// space in them, and those handed to errors.New, fmt.Errorf and panic or to a
// field Detail.
//
// Exit status: 0 if every viable mutant was killed or is listed, 1 if not, or
// if the list is wrong about one, and 2 if the work could not be done, such as
// when the tests fail without any mutant.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"time"
)

type options struct {
	run        string        // regular expression of the tests to run
	skip       string        // regular expression of the tests not to run
	test       string        // further packages whose tests to run
	jobs       int           // mutants at work at the same time
	timeout    time.Duration // for one test binary
	memory     uint64        // MiB of address space for one process, 0 for any
	short      bool          // tests leave out what takes long
	messages   bool          // mutate texts for humans too
	list       bool          // only print the mutants
	verbose    bool          // print every mutant with its outcome
	equivalent string        // file of explained mutants
	explained  bool          // only these
	tags       string        // build tags
	files      []string      // or directories
}

func main() {
	os.Exit(mainIn(".", os.Args[1:], os.Stdout, os.Stderr))
}

// mainIn is main in directory dir. It returns the exit status.
func mainIn(dir string, args []string, stdout, stderr io.Writer) int {
	o, err := parseOptions(args, stderr)
	if err != nil {
		return 2
	}
	failed, err := mutate(dir, o, stdout)
	switch {
	case err != nil:
		fmt.Fprintln(stderr, "mutate:", err)
		return 2
	case failed:
		return 1
	}
	return 0
}

func parseOptions(args []string, stderr io.Writer) (options, error) {
	var o options
	flags := flag.NewFlagSet("mutate", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.StringVar(&o.run, "run", "", "run only the tests that match this `regexp`")
	flags.StringVar(&o.skip, "skip", "", "run none of the tests that match this `regexp`")
	flags.StringVar(&o.test, "test", "", "run the tests of these `packages` too, after the file's own; \"dependents\" are all that use it")
	flags.IntVar(&o.jobs, "j", 2, "mutants at work at the same time")
	flags.DurationVar(&o.timeout, "timeout", time.Minute, "time for one test, beyond a hundred times its usual time")
	flags.Uint64Var(&o.memory, "memory", 4096, "address space of a process in `MiB`, where the system can limit it; 0 for no limit")
	flags.BoolVar(&o.short, "short", false, "run the tests with -short")
	flags.BoolVar(&o.messages, "messages", false, "mutate texts for humans too")
	flags.BoolVar(&o.list, "list", false, "only print the mutants")
	flags.BoolVar(&o.verbose, "v", false, "print every mutant with its outcome")
	flags.StringVar(&o.equivalent, "equivalent", "fuzz/mutate/equivalent.txt", "`file` of explained mutants, relative to the module")
	flags.BoolVar(&o.explained, "explained", false, "only the explained mutants, to check the reasons")
	flags.StringVar(&o.tags, "tags", "", "build `tags`")
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	o.files = flags.Args()
	if len(o.files) == 0 || o.jobs < 1 {
		err := fmt.Errorf("want at least one file and one job")
		fmt.Fprintln(stderr, "mutate:", err)
		return o, err
	}
	return o, nil
}

// mutate does the work, and reports whether the tests or the list of equivalent
// mutants fall short.
func mutate(dir string, o options, stdout io.Writer) (failed bool, err error) {
	m, err := findModule(dir, "-tags="+o.tags)
	if err != nil {
		return false, err
	}
	files, err := m.sources(o.files)
	if err != nil {
		return false, err
	}
	var all []Mutant
	for _, file := range files {
		src, err := m.load(file)
		if err != nil {
			return false, err
		}
		all = append(all, find(src, o.messages)...)
	}
	explained, err := m.readEquivalents(o.equivalent)
	if err != nil {
		return false, err
	}
	if o.explained {
		all = slices.DeleteFunc(all, func(m Mutant) bool { return explained[m.equivalent()] == "" })
	}
	if o.list {
		for i := range all {
			fmt.Fprint(stdout, all[i].diff())
		}
		return false, nil
	}
	outcomes, err := runAll(m, o, all, newProgress(stdout, o.verbose, explained))
	if err != nil {
		return false, err
	}
	return report(stdout, all, outcomes, explained), nil
}
