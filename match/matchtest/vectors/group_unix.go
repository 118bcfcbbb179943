//go:build unix

package vectors

import (
	"os/exec"
	"syscall"
)

// ownGroup starts the program in a process group of its own, so that what it starts can
// be ended with it.
func ownGroup(c *exec.Cmd) { c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// killGroup ends the program and what it started.
func killGroup(c *exec.Cmd) { _ = syscall.Kill(-c.Process.Pid, syscall.SIGKILL) }
