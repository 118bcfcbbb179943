package main

import (
	"fmt"
	"path/filepath"
)

// runner runs the tests of mutants. Once it is prepared, its methods may be
// called concurrently.
type runner struct {
	module  *module
	options options
	temp    string              // a directory of its own, outside the work tree
	suites  map[string]*suite   // by import path
	tests   map[string][]*suite // by directory of the mutated file, in order
	killers killers
}

// findTests finds the tests for each directory with mutants: those of the directory,
// followed by those that the options name.
func (r *runner) findTests(mutants []Mutant) error {
	for i := range mutants {
		dir := filepath.Dir(mutants[i].src.path)
		if _, ok := r.tests[dir]; ok {
			continue
		}
		packages, err := r.module.testPackages(dir)
		if err != nil {
			return err
		}
		others, err := r.otherTests(dir)
		if err != nil {
			return err
		}
		for _, other := range others {
			if other.Dir != dir {
				packages = append(packages, other)
			}
		}
		if len(packages) == 0 {
			return fmt.Errorf("%s: there are no tests", mutants[i].src.name)
		}
		for _, p := range packages {
			r.tests[dir] = append(r.tests[dir], r.suite(p))
		}
	}
	return nil
}

// otherTests returns the packages whose tests follow those of a directory.
func (r *runner) otherTests(dir string) ([]testPackage, error) {
	if r.options.test != "dependents" {
		return r.module.testPackages(fields(r.options.test)...)
	}
	path, err := r.module.importPath(dir)
	if err != nil {
		return nil, err
	}
	return r.module.dependents(path)
}

// suite returns the suite of a package, the same each time.
func (r *runner) suite(p testPackage) *suite {
	if r.suites[p.ImportPath] == nil {
		r.suites[p.ImportPath] = &suite{testPackage: p, short: r.options.short}
	}
	return r.suites[p.ImportPath]
}

// prepare measures the tests and links them with all mutants behind switches.
func (r *runner) prepare(mutants []Mutant) error {
	var switched []*Mutant
	for i := range mutants {
		if m := &mutants[i]; m.fn != nil {
			m.number = i + 1
			switched = append(switched, m)
		}
	}
	var packages []string
	for dir := range r.tests {
		path, err := r.module.importPath(dir)
		if err != nil {
			return err
		}
		packages = append(packages, path)
	}
	for _, s := range r.suites {
		if err := s.measure(r, packages); err != nil {
			return err
		}
	}
	if err := r.withSwitches(switched); err != nil {
		return err
	}
	for _, s := range r.suites {
		s.tryWithSwitches()
	}
	return nil
}
