package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

// suite is the tests of a package, measured and compiled with every mutant
// behind a switch.
type suite struct {
	testPackage
	binary string
	short  bool
	tests  []*test // the quickest first
}

// test is a test function.
type test struct {
	name    string
	cpu     time.Duration // what it takes without a mutant
	profile profile       // what it runs without a mutant

	// It fails in the program with all mutants even when none is chosen, as a
	// test of inlining may. It is run against single mutants.
	alone bool
}

// errTimedOut means that tests ran for longer than they may.
var errTimedOut = errors.New("out of time")

// measure finds the tests that are chosen, and runs each by itself on the
// source as it is, which must pass.
func (s *suite) measure(r *runner, packages []string) error {
	binary := filepath.Join(r.temp, "cover.test")
	err := r.module.buildTests(nil, binary, s.ImportPath, "-cover", "-coverpkg="+strings.Join(packages, ","))
	if err != nil {
		return fmt.Errorf("%s fails without any mutant: %w", s.ImportPath, err)
	}
	names, err := s.list(r, binary)
	if err != nil {
		return err
	}
	file := filepath.Join(r.temp, "cover.out")
	for _, name := range names {
		cpu, out, err := s.run(binary, exactly(name), 0, limits{wall: 10 * time.Minute}, "-test.coverprofile="+file)
		if err != nil {
			return fmt.Errorf("%s fails without any mutant: %w\n%s", s.ImportPath, err, out)
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		p, err := parseProfile(string(text))
		if err != nil {
			return err
		}
		s.tests = append(s.tests, &test{name: name, cpu: cpu, profile: p})
	}
	slices.SortStableFunc(s.tests, func(a, b *test) int { return cmp.Compare(a.cpu, b.cpu) })
	return nil
}

// list returns the names of the tests to run, the seeds of fuzz targets and the
// examples among them.
func (s *suite) list(r *runner, binary string) (names []string, err error) {
	skip, err := regexp.Compile(r.options.skip)
	if err != nil {
		return nil, err
	}
	pattern := cmp.Or(r.options.run, ".")
	_, out, err := s.run(binary, pattern, 0, limits{wall: time.Minute}, "-test.list="+pattern)
	if err != nil {
		return nil, fmt.Errorf("%s: %w\n%s", s.ImportPath, err, out)
	}
	for name := range strings.FieldsSeq(string(out)) {
		if !strings.HasPrefix(name, "Benchmark") && (r.options.skip == "" || !skip.MatchString(name)) {
			names = append(names, name)
		}
	}
	return names, nil
}

// tryWithSwitches finds the tests that fail in the program with all mutants.
func (s *suite) tryWithSwitches() {
	for _, t := range s.tests {
		_, _, err := s.run(s.binary, exactly(t.name), 0, limits{wall: 10 * time.Minute})
		t.alone = err != nil
	}
}

// exactly returns the pattern that matches only the names.
func exactly(names ...string) string { return "^(" + strings.Join(names, "|") + ")$" }

// run runs the tests of a binary that match a pattern, with a mutant or with 0
// for none. It returns the processor time and what the tests print.
func (s *suite) run(binary, pattern string, mutant int, l limits, more ...string) (cpu time.Duration, output []byte, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), l.wall)
	defer cancel()
	args := append(s.flags(), "-test.run="+pattern, fmt.Sprintf("-test.short=%t", s.short))
	run := exec.CommandContext(ctx, binary, append(args, more...)...)
	run.Dir = s.Dir
	run.Env = append(os.Environ(), fmt.Sprintf("%s=%d", mutantVariable, mutant))
	run.WaitDelay = 5 * time.Second // for children that keep the output open
	var out bytes.Buffer
	run.Stdout, run.Stderr = &out, &out
	if err := run.Start(); err != nil {
		return 0, nil, err
	}
	l.apply(run.Process.Pid)
	err = run.Wait()
	cpu = run.ProcessState.UserTime() + run.ProcessState.SystemTime()
	if ctx.Err() != nil || l.cpu > 0 && cpu >= l.cpu && err != nil {
		err = errTimedOut
	}
	return cpu, out.Bytes(), err
}
