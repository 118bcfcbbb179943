package main

import (
	"archive/tar"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// revision is a version of the source.
type revision struct {
	role     string            // "old" or "new"
	name     string            // for people: "old (HEAD)"
	root     string            // the directory of the source
	binaries map[string]string // of each package, by its directory
	outputs  []output          // in the order of the runs
}

// output is what the benchmarks of a package printed.
type output struct {
	pkg, text string
}

// prepare gets both revisions and builds what is in both.
func (c *comparison) prepare(ctx context.Context) error {
	top, err := execute(ctx, c.repository, "git", "rev-parse", "--show-toplevel")
	if err != nil {
		return err
	}
	c.repository = strings.TrimSpace(top)
	if c.old, err = c.revision(ctx, "old", c.options.old); err != nil {
		return err
	}
	if c.new, err = c.revision(ctx, "new", c.options.new); err != nil {
		return err
	}
	return c.build(ctx)
}

// revision returns the revision of that name; the empty name is the working tree.
func (c *comparison) revision(ctx context.Context, role, name string) (*revision, error) {
	if name == "" {
		return &revision{role: role, name: role + " (working tree)", root: c.repository}, nil
	}
	r := &revision{role: role, name: fmt.Sprintf("%s (%s)", role, name), root: filepath.Join(c.temp, role)}
	c.progress("unpacking %s", r.name)
	if err := os.Mkdir(r.root, 0o777); err != nil {
		return nil, err
	}
	return r, unpack(ctx, c.repository, name, r.root)
}

// unpack writes the files of a revision into a directory. Unlike a worktree, an
// archive leaves no trace in the repository, whatever happens.
func unpack(ctx context.Context, repository, revision, dir string) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	cmd := command(ctx, repository, "git", "archive", "--format=tar", revision)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	archive, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	unpackErr := untar(root, archive)
	if unpackErr != nil {
		io.Copy(io.Discard, archive) // lets git end
	}
	if err := cmd.Wait(); err != nil {
		return fmt.Errorf("git archive %s: %w\n%s", revision, err, &stderr)
	}
	return unpackErr
}

// untar writes the files of an archive.
func untar(root *os.Root, archive io.Reader) error {
	for entries := tar.NewReader(archive); ; {
		header, err := entries.Next()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
		name := filepath.FromSlash(strings.TrimSuffix(header.Name, "/"))
		switch header.Typeflag {
		case tar.TypeDir:
			err = root.MkdirAll(name, 0o777)
		case tar.TypeSymlink:
			err = root.Symlink(header.Linkname, name)
		case tar.TypeReg:
			err = write(root, name, header.FileInfo().Mode().Perm(), entries)
		}
		if err != nil {
			return err
		}
	}
}

func write(root *os.Root, name string, mode fs.FileMode, content io.Reader) error {
	file, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	_, err = io.Copy(file, content)
	return errors.Join(err, file.Close())
}

// command returns a command that ends with the context: it is told to, and
// killed if it does not.
func command(ctx context.Context, dir, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 5 * time.Second
	return cmd
}

// execute runs a command and returns what it prints. The error holds what it
// says about it.
func execute(ctx context.Context, dir, name string, args ...string) (string, error) {
	return finish(command(ctx, dir, name, args...))
}

func finish(cmd *exec.Cmd) (string, error) {
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("%s: %w\n%s%s", strings.Join(cmd.Args, " "), err, &stdout, &stderr)
	}
	return stdout.String(), nil
}
