package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"time"
)

// outcome is what became of a mutant.
type outcome int

const (
	notViable outcome = iota // it does not compile
	killed                   // a test failed
	timedOut                 // the tests did not end
	survived                 // all tests passed
)

func (o outcome) String() string {
	return [...]string{"not viable", "killed", "timed out", "SURVIVED"}[o]
}

// runner runs the tests of mutants. Its methods may be called concurrently.
type runner struct {
	module  *module
	options options
	temp    string                   // a directory of its own, outside the work tree
	tests   map[string][]testPackage // by directory of the mutated file, in order
}

// runAll runs the tests against every mutant and returns the outcomes in the
// order of mutants. Before that it runs them without any, which must pass.
func runAll(m *module, o options, mutants []Mutant, p *progress) ([]outcome, error) {
	temp, err := os.MkdirTemp("", "mutate")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(temp)
	r := &runner{module: m, options: o, temp: temp, tests: map[string][]testPackage{}}
	if err := r.findTests(mutants); err != nil {
		return nil, err
	}
	limitMemory(o.memory << 20)
	if err := r.baseline(); err != nil {
		return nil, err
	}
	return r.all(mutants, p)
}

// findTests finds, for every directory with mutants, its own tests and then
// those that the options name.
func (r *runner) findTests(mutants []Mutant) error {
	others, err := r.module.testPackages(fields(r.options.test)...)
	if err != nil {
		return err
	}
	for i := range mutants {
		dir := filepath.Dir(mutants[i].src.path)
		if _, ok := r.tests[dir]; ok {
			continue
		}
		tests, err := r.module.testPackages(dir)
		if err != nil {
			return err
		}
		for _, other := range others {
			if other.Dir != dir {
				tests = append(tests, other)
			}
		}
		if len(tests) == 0 {
			return fmt.Errorf("%s: there are no tests", mutants[i].src.name)
		}
		r.tests[dir] = tests
	}
	return nil
}

// baseline runs the tests on the source as it is.
func (r *runner) baseline() error {
	done := map[string]bool{}
	for _, tests := range r.tests {
		for i := range tests {
			if p := &tests[i]; !done[p.ImportPath] {
				done[p.ImportPath] = true
				if out, err := r.test(p, "baseline", "", 10*time.Minute); err != nil {
					return fmt.Errorf("%s fails without any mutant: %w\n%s", p.ImportPath, err, out)
				}
			}
		}
	}
	return nil
}

// all spreads the mutants over the workers.
func (r *runner) all(mutants []Mutant, p *progress) ([]outcome, error) {
	outcomes := make([]outcome, len(mutants))
	failures := make([]error, len(mutants))
	next := make(chan int)
	var workers sync.WaitGroup
	for worker := range r.options.jobs {
		workers.Go(func() {
			for i := range next {
				outcomes[i], failures[i] = r.one(&mutants[i], fmt.Sprint("worker", worker))
				p.done(i, &mutants[i], outcomes[i])
			}
		})
	}
	for i := range mutants {
		next <- i
	}
	close(next)
	workers.Wait()
	return outcomes, errors.Join(failures...)
}

// one runs the tests against one mutant, in files whose names begin with name.
func (r *runner) one(m *Mutant, name string) (outcome, error) {
	overlay, err := r.overlay(m, name)
	if err != nil {
		return notViable, err
	}
	tests := r.tests[filepath.Dir(m.src.path)]
	for i := range tests {
		_, err := r.test(&tests[i], name, overlay, r.options.timeout)
		var build *buildError
		var exit *exec.ExitError
		switch {
		case err == nil:
		case errors.As(err, &build):
			return notViable, nil
		case errors.Is(err, context.DeadlineExceeded):
			return timedOut, nil
		case errors.As(err, &exit):
			return killed, nil
		default:
			return notViable, err
		}
	}
	return survived, nil
}

// overlay writes the mutated file and the file that tells the go command to
// read it in place of the original.
func (r *runner) overlay(m *Mutant, name string) (path string, err error) {
	mutated := filepath.Join(r.temp, name+".go")
	if err := os.WriteFile(mutated, []byte(m.source()), 0o600); err != nil {
		return "", err
	}
	replace, err := json.Marshal(map[string]map[string]string{"Replace": {m.src.path: mutated}})
	if err != nil {
		return "", err
	}
	path = filepath.Join(r.temp, name+".json")
	return path, os.WriteFile(path, replace, 0o600)
}

// buildError means that the compiler refuses a package.
type buildError struct{ output string }

func (e *buildError) Error() string { return "build failed\n" + e.output }

// test builds and runs the tests of p and returns what they print. They are
// built first and run by themselves, because go test gives the same exit status
// to a failed build and to a failed test. Vet is off: a mutant that compiles is
// for the tests to find.
func (r *runner) test(p *testPackage, name, overlay string, timeout time.Duration) (output []byte, err error) {
	binary := filepath.Join(r.temp, name+".test")
	// Without debugging symbols it links in half the time.
	args := []string{"test", "-c", "-o", binary, "-vet=off", "-ldflags=-s -w"}
	if overlay != "" {
		args = append(args, "-overlay="+overlay)
	}
	build := exec.Command("go", append(args, p.ImportPath)...)
	build.Dir = r.module.dir
	if out, err := build.CombinedOutput(); err != nil {
		return nil, &buildError{string(out)}
	}
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	run := exec.CommandContext(ctx, binary, append(p.flags(), "-test.run="+r.options.run)...)
	run.Dir = p.Dir
	run.WaitDelay = 5 * time.Second // for children that keep the output open
	output, err = run.CombinedOutput()
	if ctx.Err() != nil {
		err = ctx.Err()
	}
	return output, err
}
