package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// program writes a shell script as the program of that name, and returns the working
// directory.
func program(t *testing.T, name, script string) (dir string) {
	dir = t.TempDir()
	for _, sub := range []string{"bin", "logs"} {
		if err := os.Mkdir(filepath.Join(dir, sub), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "bin", name), []byte("#!/bin/sh\n"+script+"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	return dir
}

// A port may be somebody else's, who answers for a program that has ended.
func TestWaitForEnded(t *testing.T) {
	p, err := start(program(t, "short", "exit 3"), "short.log", "short")
	if err != nil {
		t.Fatal(err)
	}
	err = p.waitFor(context.Background(), func() bool {
		<-p.done
		return true
	})
	if err == nil || !strings.Contains(err.Error(), "exit status 3") {
		t.Errorf("a program that has ended counts as ready: %v", err)
	}
}

func TestWaitForLimit(t *testing.T) {
	p, err := start(program(t, "long", "exec sleep 60"), "long.log", "long")
	if err != nil {
		t.Fatal(err)
	}
	defer p.stop()
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	if err := p.waitFor(ctx, func() bool { return false }); err == nil {
		t.Error("a program is ready that never says so")
	}
}

// A program whose id cannot be written down does not stay.
func TestStartUnrecorded(t *testing.T) {
	dir := program(t, "long", "echo $$ >pid; exec sleep 60")
	if err := os.Mkdir(filepath.Join(dir, "pids"), 0o700); err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	if p, err := start(dir, "long.log", "long"); err == nil {
		p.stop()
		t.Fatal("started, although its id is not recorded")
	}
	if took := time.Since(began); took > 9*time.Second { // stop gives it ten before it kills
		t.Errorf("it was not ended, or only by force: %v", took)
	}
	if pid, err := os.ReadFile(filepath.Join(dir, "pid")); err == nil {
		if _, err := os.Stat("/proc/" + strings.TrimSpace(string(pid))); err == nil {
			t.Error("the program lives on")
		}
	}
}
