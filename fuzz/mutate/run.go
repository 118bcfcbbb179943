package main

import (
	"errors"
	"fmt"
	"go/ast"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"time"
)

// outcome is what became of a mutant.
type outcome int

const (
	notViable outcome = iota // it does not compile
	killed                   // a test failed
	timedOut                 // a test did not end
	survived                 // all tests passed
	unreached                // no test runs the place
)

func (o outcome) String() string {
	return [...]string{"not viable", "killed", "timed out", "SURVIVED", "NOT REACHED"}[o]
}

func (o outcome) alive() bool { return o == survived || o == unreached }

// limits bound one process; 0 is no limit, except for wall.
type limits struct {
	wall   time.Duration
	cpu    time.Duration // rounded up to seconds
	memory uint64        // bytes of address space
}

// runAll runs the tests against every mutant and returns the outcomes in the
// order of mutants. Before that it runs them without any, which must pass.
func runAll(m *module, o options, mutants []Mutant, p *progress) ([]outcome, error) {
	temp, err := os.MkdirTemp("", "mutate")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(temp)
	r := &runner{module: m, options: o, temp: temp, suites: map[string]*suite{}, tests: map[string][]*suite{}}
	r.killers.last = map[*ast.FuncDecl]string{}
	if err := r.findTests(mutants); err != nil {
		return nil, err
	}
	if err := r.prepare(mutants); err != nil {
		return nil, err
	}
	return r.all(mutants, p)
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

// one finds out what becomes of one mutant. Files that it needs have names that
// begin with name.
func (r *runner) one(m *Mutant, name string) (outcome, error) {
	switch {
	case m.refused:
		return notViable, nil
	case m.fn == nil:
		return r.alone(m, name, func(*test) bool { return true })
	}
	reached := false
	alone := map[*test]bool{} // reaches m, but cannot be run with switches
	for _, s := range r.tests[filepath.Dir(m.src.path)] {
		var switched []*test
		for _, t := range s.tests {
			if !t.profile.reaches(m, r.module.path) {
				continue
			}
			reached = true
			if t.alone {
				alone[t] = true
			} else {
				switched = append(switched, t)
			}
		}
		if o, err := r.try(s, switched, s.binary, m, m.number); err != nil || o != survived {
			return o, err
		}
	}
	switch {
	case !reached:
		return unreached, nil
	case len(alone) == 0:
		return survived, nil
	}
	return r.alone(m, name, func(t *test) bool { return alone[t] })
}

// alone compiles the tests with a single mutant and runs those that are wanted.
func (r *runner) alone(m *Mutant, name string, wanted func(*test) bool) (outcome, error) {
	o := &overlay{dir: r.temp, name: name}
	if err := errors.Join(o.replace(m.src.path, m.source()), o.addSwitch(m)); err != nil {
		return notViable, err
	}
	binary := filepath.Join(r.temp, name+".test")
	for _, s := range r.tests[filepath.Dir(m.src.path)] {
		if !slices.ContainsFunc(s.tests, wanted) {
			continue
		}
		err := r.module.buildTests(o, binary, s.ImportPath)
		if refused := new(buildError); errors.As(err, &refused) {
			return notViable, nil
		} else if err != nil {
			return notViable, err
		}
		tests := slices.DeleteFunc(slices.Clone(s.tests), func(t *test) bool { return !wanted(t) })
		if o, err := r.try(s, tests, binary, m, 0); err != nil || o != survived {
			return o, err
		}
	}
	return survived, nil
}

// try runs tests until one fails.
func (r *runner) try(s *suite, tests []*test, binary string, m *Mutant, number int) (outcome, error) {
	for _, batch := range batches(tests, r.killer(m)) {
		o, output, err := r.tryBatch(s, batch, binary, number)
		if o == killed {
			r.setKiller(m, output)
		}
		if err != nil || o != survived {
			return o, err
		}
	}
	return survived, nil
}

// tryBatch runs tests at once. They may take a few times as long as without a
// mutant. Where processor time is limited, the clock is for tests that wait, on a
// machine that may have much else to do.
func (r *runner) tryBatch(s *suite, batch []*test, binary string, number int) (outcome, []byte, error) {
	var cpu time.Duration
	names := make([]string, len(batch))
	for i, t := range batch {
		cpu += t.cpu
		names[i] = t.name
	}
	_, output, err := s.run(binary, exactly(names...), number, limits{
		wall:   r.options.timeout + 100*cpu,
		cpu:    4*cpu + 2*time.Second,
		memory: r.options.memory << 20,
	})
	var exit *exec.ExitError
	switch {
	case err == nil:
		return survived, output, nil
	case errors.Is(err, errTimedOut):
		return timedOut, output, nil
	case errors.As(err, &exit):
		return killed, output, nil
	}
	return notViable, output, err
}
