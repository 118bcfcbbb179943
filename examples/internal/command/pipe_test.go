package command

import (
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"
)

const inPipe = "TOLERO_TEST_IN_PIPE"

// A program whose reader has seen enough succeeds: no signal ends it. TestBrokenPipe runs
// itself as that program, since only standard output has the signal.
func TestBrokenPipe(t *testing.T) {
	write := func(p *Program, _ []string) error { p.Out.WriteString("output"); return nil }
	p, _, do := program(write)
	if os.Getenv(inPipe) != "" {
		p.Stdout = os.Stdout
		os.Exit(40 + do())
	}
	if runtime.GOOS == "windows" {
		t.Skip("there are no signals")
	}
	r, w, err := os.Pipe()
	if err != nil {
		t.Skip(err)
	}
	r.Close()
	defer w.Close()
	p.Stdout = w
	if status := do(); status != Success {
		t.Errorf("status %d", status)
	}
	c := exec.Command(os.Args[0], "-test.run=^TestBrokenPipe$")
	c.Env, c.Stdout = append(os.Environ(), inPipe+"=1"), w
	if err := c.Run(); c.ProcessState == nil || c.ProcessState.ExitCode() != 40+Success {
		t.Errorf("it ends with %v", err)
	}
}

// Who sends a cluster does not hear about a built-in one, and who sends nothing does not wait.
func TestUnreadInput(t *testing.T) {
	silent, w, err := os.Pipe()
	if err != nil {
		t.Skip(err)
	}
	defer silent.Close()
	defer w.Close() // until then it is open
	file, err := os.Create(t.TempDir() + "/file")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	null, err := os.Open(os.DevNull)
	if err != nil {
		t.Skip(err)
	}
	defer null.Close()
	for _, c := range []struct {
		stdin   *os.File
		args    string
		refused bool
	}{
		{silent, "", true}, {file, "", true}, {null, "", false}, {nil, "", false}, {file, "-f -", false}, {file, "-plan -", false}, {silent, "-plan file", true}, {silent, "-f " + os.DevNull, false},
	} {
		p, stderr, do := program(func(p *Program, args []string) error {
			flags := p.Flags()
			flags.String("plan", "", "")
			if err := p.Parse(flags, args, 0); err != nil {
				return err
			}
			_, err := p.Load(&Input{Demo: goodNode})
			return err
		})
		p.Stdin = c.stdin
		if do(strings.Fields(c.args)...); strings.Contains(stderr.String(), "give -f -") != c.refused {
			t.Errorf("%q, %v: %q", c.args, c.stdin, stderr)
		}
	}
}
