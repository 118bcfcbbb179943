package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// module is the Go module that is at work, seen from a directory in it.
type module struct {
	dir  string // the working directory, absolute
	root string // the directory of go.mod
	path string

	flags []string // of go list and go test
}

func findModule(dir string, flags ...string) (*module, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	m := &module{dir: dir, flags: flags}
	out, err := m.goCommand("list", "-m", "-f", "{{.Path}}\t{{.Dir}}")
	if err != nil {
		return nil, err
	}
	m.path, m.root, _ = strings.Cut(strings.TrimSpace(out), "\t")
	return m, nil
}

// goCommand runs the go command and returns what it prints. The error holds
// what it prints as errors.
func (m *module) goCommand(args ...string) (string, error) {
	cmd := exec.Command("go", slices.Concat(args[:1], m.flags, args[1:])...)
	cmd.Dir = m.dir
	out, err := cmd.Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		err = fmt.Errorf("go %s: %w\n%s", args[0], err, exit.Stderr)
	}
	return string(out), err
}

// importPath returns the import path of the package in a directory.
func (m *module) importPath(dir string) (string, error) {
	inside, err := filepath.Rel(m.root, dir)
	return path.Join(m.path, filepath.ToSlash(inside)), err
}

// load reads a file and the constants that it can name.
func (m *module) load(path string) (*source, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	name, err := filepath.Rel(m.root, path)
	if err != nil {
		return nil, err
	}
	src := &source{path: path, name: filepath.ToSlash(name), text: string(text), fset: token.NewFileSet(), groups: groups{}}
	if src.file, err = parser.ParseFile(src.fset, path, text, parser.SkipObjectResolution); err != nil {
		return nil, err
	}
	if err := src.groups.addDir(filepath.Dir(path), ""); err != nil {
		return nil, err
	}
	for name, imported := range imported(src.file) {
		if inside, ok := strings.CutPrefix(imported, m.path+"/"); ok {
			if err := src.groups.addDir(filepath.Join(m.root, filepath.FromSlash(inside)), name+"."); err != nil {
				return nil, err
			}
		}
	}
	return src, nil
}

// sources returns the paths of the Go files that are given by name or by their
// directory, tests excepted.
func (m *module) sources(names []string) (paths []string, err error) {
	for _, name := range names {
		if !filepath.IsAbs(name) {
			name = filepath.Join(m.dir, name)
		}
		files := []string{name}
		if info, err := os.Stat(name); err != nil {
			return nil, err
		} else if info.IsDir() {
			if files, err = filepath.Glob(filepath.Join(name, "*.go")); err != nil {
				return nil, err
			}
		}
		for _, file := range files {
			if !strings.HasSuffix(file, "_test.go") {
				paths = append(paths, file)
			}
		}
	}
	return paths, nil
}

// addDir adds the constants of a package's files, tests excepted.
func (g groups) addDir(dir, prefix string) error {
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return err
	}
	slices.Sort(files)
	for _, path := range files {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		g.addFile(file, prefix)
	}
	return nil
}

// testPackage is a package with tests.
type testPackage struct {
	ImportPath   string
	Dir          string
	TestGoFiles  []string
	XTestGoFiles []string
	TestImports  []string
	XTestImports []string
	Deps         []string
}

// testPackages returns the packages of the given patterns that have tests.
func (m *module) testPackages(patterns ...string) ([]testPackage, error) {
	if len(patterns) == 0 {
		return nil, nil
	}
	args := []string{"list", "-json=ImportPath,Dir,TestGoFiles,XTestGoFiles,TestImports,XTestImports,Deps"}
	out, err := m.goCommand(append(args, patterns...)...)
	if err != nil {
		return nil, err
	}
	var packages []testPackage
	for decoder := json.NewDecoder(bytes.NewReader([]byte(out))); ; {
		var p testPackage
		if err := decoder.Decode(&p); err == io.EOF {
			return packages, nil
		} else if err != nil {
			return nil, err
		}
		if len(p.TestGoFiles)+len(p.XTestGoFiles) > 0 {
			packages = append(packages, p)
		}
	}
}

// dependents returns the packages of the module that use the package path, or whose tests do.
func (m *module) dependents(path string) ([]testPackage, error) {
	all, err := m.testPackages(m.path + "/...")
	deps := map[string][]string{}
	for _, p := range all {
		deps[p.ImportPath] = p.Deps
	}
	return slices.DeleteFunc(all, func(p testPackage) bool {
		used := slices.Concat(p.Deps, p.TestImports, p.XTestImports)
		return !slices.ContainsFunc(used, func(use string) bool { return use == path || slices.Contains(deps[use], path) })
	}), err
}

// flags returns the flags that make the tests of p the same on every run and
// keep them from writing into the work tree.
func (p *testPackage) flags() []string {
	flags := []string{"-test.count=1", "-test.failfast", "-test.paniconexit0"}
	if slices.Contains(append(p.TestImports, p.XTestImports...), "pgregory.net/rapid") {
		flags = append(flags, "-rapid.seed=1", "-rapid.nofailfile", "-rapid.shrinktime=0s")
	}
	return flags
}
