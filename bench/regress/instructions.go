package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// noise is by what part the instructions of a whole run differ from one run of
// the same binary to the next, at the most.
const noise = 0.006

// countInstructions compares the instructions that an operation takes, of every
// benchmark of both revisions.
//
// The seeds of hash tables and the ranks of trees are random, so that one process
// follows longer ways than the next, with the same source. Where the revisions differ,
// both are therefore counted again in turns, until one of the new counts is among the
// old ones or there are as many rounds as asked for. With eight, the chance that the
// same source differs is 1 in 12,870 for a benchmark.
func (c *comparison) countInstructions(ctx context.Context, v *verdict) error {
	oldTimes, newTimes, err := c.collect("ns/op")
	if err != nil {
		return err
	}
	for i, b := range common(oldTimes, newTimes) {
		if i == 0 {
			if err := canCount(ctx, c.temp, c.new.binaries[b.pkg]); err != nil {
				v.note("instructions were not counted: " + err.Error())
				return ctx.Err()
			}
		}
		n := iterations(slices.Min(oldTimes[b]))
		c.progress("counting the instructions of %s, %s", b.pkg, b.name)
		var before, after []counted
		for r := (row{word: worse}); r.word != same && len(before) < c.rounds; {
			if before, err = c.countOnce(ctx, before, c.old, b, n); err != nil {
				return err
			}
			if after, err = c.countOnce(ctx, after, c.new, b, n); err != nil {
				return err
			}
			r = compareCounts(v.tolerance, before, after)
		}
		v.instructions(b, before, after)
	}
	return nil
}

// counted is what an operation takes and how far that can be from the truth.
type counted struct {
	perOperation, uncertainty float64
}

// iterations returns how often an operation of so many nanoseconds is to be
// done: for about 20 ms, which valgrind makes a second of.
func iterations(nanoseconds float64) int {
	return int(min(max(20e6/max(nanoseconds, 1), 1), 2e6))
}

// countOnce counts the instructions of n iterations and of 2n, and appends what that
// says to counts. The difference is n operations and nothing else.
func (c *comparison) countOnce(ctx context.Context, counts []counted, r *revision, b benchmark, n int) ([]counted, error) {
	once, err := c.countWhole(ctx, r, b, n)
	if err != nil {
		return nil, err
	}
	twice, err := c.countWhole(ctx, r, b, 2*n)
	if err != nil {
		return nil, err
	}
	return append(counts, counted{(twice - once) / float64(n), noise * twice / float64(n)}), nil
}

// countWhole counts the instructions of a whole run of n iterations.
func (c *comparison) countWhole(ctx context.Context, r *revision, b benchmark, n int) (float64, error) {
	args := []string{"-test.bench", exactly(b.name), "-test.benchtime", strconv.Itoa(n) + "x"}
	count, err := cachegrind(ctx, c.temp, filepath.Join(r.root, b.pkg), r.binaries[b.pkg], append(args, always...)...)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", r.name, err)
	}
	return count, nil
}

// canCount tells why instructions cannot be counted on this machine, or returns nil. It
// runs a test binary without any test: there are processors with instructions that
// valgrind does not know, which end every Go program.
func canCount(ctx context.Context, temp, binary string) error {
	if _, err := exec.LookPath("valgrind"); err != nil {
		return errors.New("valgrind is not installed")
	}
	if _, err := cachegrind(ctx, temp, temp, binary, "-test.run", "^$"); err != nil {
		return fmt.Errorf("valgrind cannot run a Go program on this machine: %w", err)
	}
	return nil
}

// cachegrind returns the instructions of a run of a test binary in dir. It writes to temp.
func cachegrind(ctx context.Context, temp, dir, binary string, args ...string) (float64, error) {
	counts := filepath.Join(temp, "cachegrind.out")
	args = append([]string{"--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=" + counts, binary}, args...)
	cmd := command(ctx, dir, "valgrind", args...)
	// Neither the scheduler nor the collector shall have a say. The runtime reads the
	// clock with RDTSCP, which valgrind does not know on every processor, unless told not to.
	godebug := strings.TrimPrefix(os.Getenv("GODEBUG")+",cpu.rdtscp=off", ",")
	cmd.Env = append(os.Environ(), "GOMAXPROCS=1", "GOGC=off", "GODEBUG="+godebug)
	if _, err := finish(cmd); err != nil {
		return 0, err
	}
	return summary(counts)
}

// exactly returns the pattern of one benchmark.
func exactly(name string) string {
	parts := strings.Split("Benchmark"+name, "/")
	for i, part := range parts {
		parts[i] = "^" + regexp.QuoteMeta(part) + "$"
	}
	return strings.Join(parts, "/")
}

// summary returns the number of instructions in a file that cachegrind wrote.
func summary(name string) (float64, error) {
	file, err := os.Open(name)
	if err != nil {
		return 0, err
	}
	defer file.Close()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		if text, ok := strings.CutPrefix(lines.Text(), "summary:"); ok {
			n, err := strconv.ParseUint(strings.TrimSpace(text), 10, 64)
			return float64(n), err
		}
	}
	return 0, errors.New("cachegrind wrote no summary")
}
