package main

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// build builds the test binaries of the packages that both revisions have, and
// says which only one of them has.
func (c *comparison) build(ctx context.Context) error {
	oldPackages, err := c.list(ctx, c.old)
	if err != nil {
		return err
	}
	newPackages, err := c.list(ctx, c.new)
	if err != nil {
		return err
	}
	for _, name := range newPackages {
		if !slices.Contains(oldPackages, name) {
			c.progress("%s has no tests of package %s", c.old.name, name)
		}
	}
	both := slices.DeleteFunc(newPackages, func(name string) bool { return !slices.Contains(oldPackages, name) })
	if len(both) == 0 {
		return fmt.Errorf("no package of %s has tests in both revisions", strings.Join(c.packages, ", "))
	}
	for _, r := range []*revision{c.old, c.new} {
		if err := c.buildOne(ctx, r, both); err != nil {
			return err
		}
	}
	return nil
}

// list returns the directories of the packages with tests that a revision has,
// from the root of the source.
func (c *comparison) list(ctx context.Context, r *revision) ([]string, error) {
	root, err := filepath.EvalSymlinks(r.root)
	if err != nil {
		return nil, err
	}
	args := []string{"list", "-e", "-f", "{{if or .TestGoFiles .XTestGoFiles}}{{.Dir}}{{end}}"}
	text, err := execute(ctx, filepath.Join(root, c.module), "go", append(args, c.packages...)...)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", r.name, err)
	}
	var names []string
	for dir := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == '\n' }) {
		name, err := filepath.Rel(root, dir)
		if err != nil {
			return nil, err
		}
		names = append(names, name)
	}
	return names, nil
}

// buildOne builds the test binaries of a revision.
func (c *comparison) buildOne(ctx context.Context, r *revision, packages []string) error {
	r.binaries = make(map[string]string)
	for i, name := range packages {
		c.progress("building %s of %s", name, r.name)
		binary := filepath.Join(c.temp, r.role+"-"+strconv.Itoa(i)+".test")
		// Without paths, so that they do not differ, and what a debugger needs.
		_, err := execute(ctx, filepath.Join(r.root, name), "go", "test", "-c", "-trimpath", "-ldflags=-w", "-buildvcs=false", "-o", binary, ".")
		if err != nil {
			return fmt.Errorf("%s: %w", r.name, err)
		}
		r.binaries[name] = binary
	}
	return nil
}
