package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// outcome is what the tests of some packages came to. Tests that Ginkgo runs are one test
// to Go; they are counted as Ginkgo reports them.
type outcome struct {
	passed, failed map[string]bool // tests, with those inside them, by package and name; ours only if they fail
	specs, right   int             // of Ginkgo
	output         []string        // what our tests say: lines that start with "TOLERO "
	failures       bytes.Buffer
	unbuilt        []string // packages
}

func newOutcome() *outcome {
	return &outcome{passed: map[string]bool{}, failed: map[string]bool{}}
}

// tests returns how many were run, and how many of them passed.
func (o *outcome) tests() (run, passed int) {
	return len(o.passed) + len(o.failed) + o.specs, len(o.passed) + o.right
}

// event is a line of go test -json.
type event struct {
	Action, Package, Test, Output, FailedBuild string
}

var ran = regexp.MustCompile(`^Ran (\d+) of \d+ Specs`)
var passed = regexp.MustCompile(`-- (\d+) Passed \| (\d+) Failed`)

// plain removes what colors the output of Ginkgo.
var plain = regexp.MustCompile("\x1b\\[[0-9;]*m")

// note counts an event.
func (o *outcome) note(e event) {
	name := e.Package + " " + e.Test
	ours := strings.HasPrefix(e.Test, "TestTolero")
	switch {
	case e.FailedBuild != "":
		o.unbuilt = append(o.unbuilt, e.Package)
	case e.Action == "pass" && e.Test != "" && !ours:
		o.passed[name] = true
	case e.Action == "fail" && e.Test != "":
		o.failed[name] = true
	case e.Action == "output":
		text := plain.ReplaceAllString(e.Output, "")
		if m := ran.FindStringSubmatch(text); m != nil {
			n, _ := strconv.Atoi(m[1])
			o.specs += n
		}
		if m := passed.FindStringSubmatch(text); m != nil {
			n, _ := strconv.Atoi(m[1])
			o.right += n
		}
		if i := strings.Index(text, "TOLERO "); i >= 0 {
			o.output = append(o.output, strings.TrimSpace(text[i+len("TOLERO "):]))
		}
	}
}

// read counts the events of go test -json. Any other line means that a build failed.
func (o *outcome) read(r io.Reader, verbose bool) error {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		var e event
		if json.Unmarshal(lines.Bytes(), &e) != nil {
			e = event{Action: "build-output", Output: lines.Text() + "\n"}
		}
		o.note(e)
		if verbose {
			fmt.Print(e.Output)
		}
		if e.Action == "build-output" || strings.Contains(e.Output, "FAIL") || strings.Contains(e.Output, "_test.go:") {
			if o.failures.Len() < 1<<14 {
				o.failures.WriteString(e.Output)
			}
		}
	}
	return lines.Err()
}

// goTest runs go test in a folder. It returns an error if nothing could be run or a
// package could not be built, but none for failed tests.
func goTest(ctx context.Context, dir string, verbose bool, args ...string) (*outcome, error) {
	o := newOutcome()
	cmd := goCommand(ctx, dir, append([]string{"test", "-json", "-p", "1", "-count", "1", "-vet", "off", "-timeout", "15m"}, args...)...)
	var errors bytes.Buffer
	cmd.Stderr = &errors
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	readErr := o.read(out, verbose)
	err = cmd.Wait()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if readErr != nil {
		return nil, readErr
	}
	if run, right := o.tests(); err != nil && (run == right || o.unbuilt != nil) { // nothing is lost in tests that never run
		return nil, fmt.Errorf("go test: %w\n%s%s", err, o.failures.String(), errors.String())
	}
	return o, nil
}

// goCommand returns the go command, run with low priority.
func goCommand(ctx context.Context, dir string, args ...string) *exec.Cmd {
	if nice, err := exec.LookPath("nice"); err == nil {
		return limited(ctx, dir, nice, append([]string{"-n", "10", "go"}, args...)...)
	}
	return limited(ctx, dir, "go", args...)
}

// limited returns a command that is ended, with all that it started, when ctx is done.
func limited(ctx context.Context, dir, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK=off")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = 5 * time.Second
	return cmd
}

// goOutput returns what the go command prints.
func goOutput(ctx context.Context, dir string, args ...string) (string, error) {
	cmd := goCommand(ctx, dir, args...)
	var errors bytes.Buffer
	cmd.Stderr = &errors
	out, err := cmd.Output()
	if ctx.Err() != nil {
		return "", ctx.Err()
	}
	if err != nil {
		return "", fmt.Errorf("go %s: %w\n%s", strings.Join(args, " "), err, errors.String())
	}
	return strings.TrimSpace(string(out)), nil
}
