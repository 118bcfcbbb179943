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
	command := append(args[:1:1], m.flags...)
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
// compiler refuses, though their variables are used, are left out and marked.
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
		if markRefused(byNumber, err.Error()) == 0 {
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
	for _, m := range mutants {
		viable := bySource[m.src]
		if !m.refused {
			viable = append(viable, m)
		}
		bySource[m.src] = viable
		if err := o.addSwitch(m); err != nil {
			return err
		}
	}
	for src, mutants := range bySource {
		if err := o.replace(src.path, withSwitches(src, mutants)); err != nil {
			return err
		}
	}
	return nil
}

// addSwitch adds the file that declares the variable to the package of m.
func (o *overlay) addSwitch(m *Mutant) error {
	path := filepath.Join(filepath.Dir(m.src.path), "mutant_switch.go")
	if o.files[path] != "" {
		return nil
	}
	return o.replace(path, fmt.Sprintf(switchFile, m.src.file.Name.Name))
}

var complaint = regexp.MustCompile(`mutant(\d+)\.go:[\d:]* (?:declared and not used: (\w+))?`)

// markRefused marks the mutants that the compiler complains of, but gives a use to a
// variable that has none. It returns how many changed.
func markRefused(byNumber map[int]*Mutant, output string) (changed int) {
	for _, match := range complaint.FindAllStringSubmatch(output, -1) {
		number, _ := strconv.Atoi(match[1])
		m, use := byNumber[number], "_ = "+match[2]+"; "
		switch {
		case m == nil || m.refused:
			continue
		case match[2] != "" && !strings.Contains(m.uses, use):
			m.uses += use
		default:
			m.refused = true
		}
		changed++
	}
	return changed
}
