// Regress compares the benchmarks of two revisions on one machine: it builds the
// test binaries of both, runs them in turns, lets benchstat compare the times, and
// fails if an operation of the new revision allocates more or takes more
// instructions.
//
//	go run ./bench/regress                       # HEAD and the working tree
//	go run ./bench/regress -old HEAD~5 -new HEAD
//	go run ./bench/regress -packages ./taint,./match -bench Parse
//
// Times are reported and never judged: the same source built twice differs by a
// fifth where code is laid out otherwise. Allocations are judged by the runs:
// more in every run of the new revision than in any of the old. Instructions are
// counted by valgrind, if it is installed and can run a Go program on this machine
// (the report says if not), over a fixed number of iterations: the
// difference between twice as many and as many, so that what a benchmark
// prepares does not count. More means more than the tolerance and than what the
// counts of one binary differ by from run to run, in every round: where two counts
// differ, both revisions are counted again in turns, up to -rounds times, because
// hash seeds are random in each process. So a revision compared with itself is the
// same.
//
// What the module exports is compared with apidiff, shown and not judged: whether to
// break importers is not a question of figures.
//
// The benchmarks must do the same work in every iteration. Those of
// bench/budget do; those of bench/figures time several things in turns and
// do not.
//
// A revision is unpacked with git archive into a temporary directory, which is
// removed at the end, also when the program is interrupted. Nothing is written
// to the repository. The exit status is 0, 1 if something is worse or went
// wrong, and 2 for a command line that cannot be understood.
//
// How it works, file by file: options.go reads the command line, revision.go gets
// the source of a revision and build.go its test binaries; api.go compares what they
// export, times.go and instructions.go measure, and verdict.go compares that.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	status := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(status)
}

// run is the program. It returns the exit status.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	o, err := parseOptions(args, stderr)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return 0
	case err != nil:
		fmt.Fprintln(stderr, "regress:", err)
		return 2
	}
	err = compare(ctx, o, stdout, stderr)
	if ctx.Err() != nil {
		err = errors.New("interrupted")
	}
	if err != nil {
		fmt.Fprintln(stderr, "regress:", err)
		return 1
	}
	return 0
}

// compare does all the work, in a directory that it removes.
func compare(ctx context.Context, o *options, stdout, stderr io.Writer) (err error) {
	temp, err := os.MkdirTemp("", "regress-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(temp)) }()
	c := &comparison{options: o, temp: temp, stdout: stdout, stderr: stderr}
	return c.run(ctx)
}

// comparison is what the steps share. old and new are set by the first of them.
type comparison struct {
	*options
	temp           string
	stdout, stderr io.Writer
	old, new       *revision
}

func (c *comparison) run(ctx context.Context) error {
	if err := c.prepare(ctx); err != nil {
		return err
	}
	if err := c.times(ctx); err != nil {
		return err
	}
	if err := c.api(ctx); err != nil {
		return err
	}
	v := &verdict{tolerance: c.tolerance}
	if err := c.allocations(v); err != nil {
		return err
	}
	if c.instructions {
		if err := c.countInstructions(ctx, v); err != nil {
			return err
		}
	}
	v.print(c.stdout)
	return v.err()
}

// progress tells what is being done.
func (c *comparison) progress(format string, args ...any) {
	fmt.Fprintf(c.stderr, format+"\n", args...)
}
