package main

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
)

// api prints how what the module exports differs between the revisions. To break
// importers may be meant, so it is shown and not judged.
func (c *comparison) api(ctx context.Context) error {
	if len(c.apidiff) == 0 {
		return nil
	}
	var files []string
	for _, r := range []*revision{c.old, c.new} {
		c.progress("reading what %s exports", r.name)
		file, dir := filepath.Join(c.temp, r.role+".api"), filepath.Join(r.root, c.module)
		path, err := execute(ctx, dir, "go", "list", "-m")
		if err != nil {
			return fmt.Errorf("%s: %w", r.name, err)
		}
		if _, err := c.askAPI(ctx, dir, "-w", file, strings.TrimSpace(path)); err != nil {
			return fmt.Errorf("%s: %w", r.name, err)
		}
		files = append(files, file)
	}
	text, err := c.askAPI(ctx, c.repository, files...)
	switch {
	case err != nil:
		return err
	case strings.TrimSpace(text) == "":
		fmt.Fprintln(c.stdout, "exported API: same")
	default:
		fmt.Fprintf(c.stdout, "exported API, %s and %s:\n%s\n", c.old.name, c.new.name, strings.TrimSpace(text))
	}
	return nil
}

// askAPI runs apidiff about modules in a directory, with the tools of the repository.
func (c *comparison) askAPI(ctx context.Context, dir string, args ...string) (string, error) {
	command := make([]string, 0, len(c.apidiff)+len(args)+1)
	for _, word := range c.apidiff {
		if file, ok := strings.CutPrefix(word, "-modfile="); ok && !filepath.IsAbs(file) {
			word = "-modfile=" + filepath.Join(c.repository, file)
		}
		command = append(command, word)
	}
	command = append(append(command, "-m"), args...)
	return execute(ctx, dir, command[0], command[1:]...)
}
