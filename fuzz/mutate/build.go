package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// overlay tells the go command to read files in place of others, so that
// nothing is ever written into the work tree.
type overlay struct {
	dir, name string            // where the files are, and how their names begin
	files     map[string]string // path of a file in the work tree: of what is read
}

// replace has text read in place of the file at path, which need not exist.
func (o *overlay) replace(path, text string) error {
	if o.files == nil {
		o.files = map[string]string{}
	}
	if o.files[path] == "" {
		o.files[path] = filepath.Join(o.dir, fmt.Sprintf("%s-%d.go", o.name, len(o.files)))
	}
	return os.WriteFile(o.files[path], []byte(text), 0o600)
}

// flag writes the file that the go command wants, and returns its flag.
func (o *overlay) flag() (string, error) {
	text, err := json.Marshal(map[string]map[string]string{"Replace": o.files})
	if err != nil {
		return "", err
	}
	path := filepath.Join(o.dir, o.name+".json")
	return "-overlay=" + path, os.WriteFile(path, text, 0o600)
}

// buildError means that the compiler refuses a package.
type buildError struct{ output string }

func (e *buildError) Error() string { return "build failed\n" + e.output }

// build runs the go command with the flag for an overlay, which may be nil.
func (m *module) build(o *overlay, args ...string) error {
	command := args[:1:1]
	if o != nil {
		flag, err := o.flag()
		if err != nil {
			return err
		}
		command = append(command, flag)
	}
	build := exec.Command("go", append(command, args[1:]...)...)
	build.Dir = m.dir
	if out, err := build.CombinedOutput(); err != nil {
		return &buildError{string(out)}
	}
	return nil
}

// buildTests links the tests of a package. Vet is off: a mutant that compiles is
// for the tests to find. Without debugging symbols it links in half the time.
func (m *module) buildTests(o *overlay, binary, path string, flags ...string) error {
	args := append([]string{"test", "-c", "-o", binary, "-vet=off", "-ldflags=-s -w"}, flags...)
	return m.build(o, append(args, path)...)
}

// withSwitches links tests with all mutants behind switches. Those that the
// compiler refuses are left out and marked.
func (r *runner) withSwitches(mutants []*Mutant) error {
	o := &overlay{dir: r.temp, name: "switches"}
	byNumber := map[int]*Mutant{}
	for _, mutant := range mutants {
		byNumber[mutant.number] = mutant
	}
	for {
		if err := o.addSwitches(mutants); err != nil {
			return err
		}
		err := r.link(o)
		if err == nil {
			return nil
		}
		if refused := markRefused(byNumber, err.Error()); refused == 0 {
			return fmt.Errorf("with all mutants: %w", err)
		}
	}
}

// link links the tests of each suite. The compiler is to list all errors.
func (r *runner) link(o *overlay) error {
	for _, s := range r.suites {
		s.binary = filepath.Join(r.temp, strings.ReplaceAll(s.ImportPath, "/", "_")+".test")
		if err := r.module.buildTests(o, s.binary, s.ImportPath, "-gcflags="+r.module.path+"/...=-e"); err != nil {
			return err
		}
	}
	return nil
}

// addSwitches adds the files with the viable mutants, and for each package the
// file that declares the variable.
func (o *overlay) addSwitches(mutants []*Mutant) error {
	bySource := map[*source][]*Mutant{}
	packages := map[string]string{}
	for _, m := range mutants {
		if !m.refused {
			bySource[m.src] = append(bySource[m.src], m)
		}
		packages[filepath.Dir(m.src.path)] = m.src.file.Name.Name
	}
	for src, mutants := range bySource {
		if err := o.replace(src.path, withSwitches(src, mutants)); err != nil {
			return err
		}
	}
	for dir, name := range packages {
		if err := o.replace(filepath.Join(dir, "mutant_switch.go"), fmt.Sprintf(switchFile, name)); err != nil {
			return err
		}
	}
	return nil
}

var mutantFile = regexp.MustCompile(`mutant(\d+)\.go:`)

// markRefused marks the mutants that the compiler complains of, and returns how
// many more they are.
func markRefused(byNumber map[int]*Mutant, output string) (refused int) {
	for _, match := range mutantFile.FindAllStringSubmatch(output, -1) {
		number, _ := strconv.Atoi(match[1])
		if m := byNumber[number]; m != nil && !m.refused {
			m.refused = true
			refused++
		}
	}
	return refused
}
