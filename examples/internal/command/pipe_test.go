package command

import (
	"bytes"
	"os"
	"os/exec"
	"runtime"
	"testing"
)

const inPipe = "TOLERO_TEST_IN_PIPE"

// A program whose reader has seen enough succeeds: no signal ends it. TestBrokenPipe runs
// itself as that program, since only standard output has the signal.
func TestBrokenPipe(t *testing.T) {
	p := &Program{Name: "p", Stderr: os.Stderr}
	write := func(out *bytes.Buffer) error { out.WriteString("output"); return nil }
	if os.Getenv(inPipe) != "" {
		os.Exit(40 + p.Run(os.Stdout, write))
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
	if status := p.Run(w, write); status != Success {
		t.Errorf("status %d", status)
	}
	c := exec.Command(os.Args[0], "-test.run=^TestBrokenPipe$")
	c.Env, c.Stdout = append(os.Environ(), inPipe+"=1"), w
	if err := c.Run(); c.ProcessState == nil || c.ProcessState.ExitCode() != 40+Success {
		t.Errorf("it ends with %v", err)
	}
}
