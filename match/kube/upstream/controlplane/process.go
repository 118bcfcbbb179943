package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"
)

// process is a program that runs until stop. Its id is written to the file pids of
// the working directory, for whoever has to clean up after a crash.
type process struct {
	name string
	cmd  *exec.Cmd
	done chan struct{} // closed once the program has ended
}

// start runs bin/<name> with its output in logs/<log>.
func start(dir, log, name string, args ...string) (*process, error) {
	output, err := os.Create(filepath.Join(dir, "logs", log))
	if err != nil {
		return nil, err
	}
	defer output.Close()
	p := &process{name: name, cmd: exec.Command(filepath.Join(dir, "bin", name), args...), done: make(chan struct{})}
	p.cmd.Dir, p.cmd.Stdout, p.cmd.Stderr = dir, output, output
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // signals of the terminal are ours to pass on
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	go func() {
		_ = p.cmd.Wait()
		close(p.done)
	}()
	if err := record(dir, p.cmd.Process.Pid); err != nil {
		p.stop()
		return nil, err
	}
	return p, nil
}

func record(dir string, pid int) error {
	f, err := os.OpenFile(filepath.Join(dir, "pids"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(f, pid)
	return errors.Join(err, f.Close())
}

// stop ends the program, by force if it does not end by itself.
func (p *process) stop() {
	_ = p.cmd.Process.Signal(syscall.SIGTERM)
	select {
	case <-p.done:
	case <-time.After(10 * time.Second):
		_ = p.cmd.Process.Kill()
		<-p.done
	}
}

// waitFor calls ready until it is true, the program ends or ctx does. The program has to
// live before and after: a port that it could not have answers too, for whoever has it.
func (p *process) waitFor(ctx context.Context, ready func() bool) error {
	for {
		if err := p.alive(); err != nil {
			return err
		}
		if ready() {
			return p.alive()
		}
		select {
		case <-p.done:
		case <-ctx.Done():
			return fmt.Errorf("%s is not ready: %w", p.name, ctx.Err())
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// alive returns an error if the program has ended.
func (p *process) alive() error {
	select {
	case <-p.done:
		return fmt.Errorf("%s has ended: %v", p.name, p.cmd.ProcessState)
	default:
		return nil
	}
}
