package command

import (
	"os"
	"os/exec"
	"runtime"
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
