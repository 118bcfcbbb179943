// Tolero says what taints and tolerations mean to a cluster: what is wrong today, why a pod is
// pending, what a change would do.
//
//	go run ./examples/tolero                          # a small built-in cluster
//	tolero -cluster                                   # your cluster
//	kubectl get nodes,pods,ds,rs,pvc,pv,pdb -A -o json | tolero -f -   # as it was
//	tolero -h                                         # the commands
//
// Each command is a package under examples/internal, which this one only lists; package
// examples/internal/command is what they share.
package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"time"

	"github.com/tolero-dev/tolero/examples/internal/command"
	"github.com/tolero-dev/tolero/examples/internal/complete"
	"github.com/tolero-dev/tolero/examples/internal/failover"
	"github.com/tolero-dev/tolero/examples/internal/lint"
	"github.com/tolero-dev/tolero/examples/internal/matrix"
	"github.com/tolero-dev/tolero/examples/internal/outage"
	"github.com/tolero-dev/tolero/examples/internal/plan"
	"github.com/tolero-dev/tolero/examples/internal/policy"
	"github.com/tolero-dev/tolero/examples/internal/status"
	"github.com/tolero-dev/tolero/examples/internal/watch"
	"github.com/tolero-dev/tolero/examples/internal/why"
)

func main() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(50) // nearly all that is allocated is read once; a dump of 256 MB takes less than 80
	}
	p := &command.Program{Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Now: time.Now}
	name, args := filepath.Base(os.Args[0]), os.Args[1:]
	p.Plugin = strings.HasPrefix(name, "kubectl-tolero")
	if strings.HasPrefix(name, "kubectl_complete-tolero") { // as kubectl calls what completes for a plugin
		args = append([]string{"__complete"}, args...)
	}
	os.Exit(run(p, args))
}

// commands are the commands in the order in which people need them. The first one is run if
// none is named.
var commands = []*command.Command{
	&status.Command, &why.Command, &watch.Command, &lint.Command, &plan.Command, &policy.Command, &outage.Command, &failover.Command,
	&matrix.Command, &matrix.Serve, &matrix.Check,
}

// run runs the command that the arguments name, and returns the exit status.
func run(p *command.Program, args []string) int {
	if len(args) == 0 {
		return commands[0].Do(p, args)
	}
	name, rest := args[0], args[1:]
	switch {
	case name == "-h", name == "-help", name == "--help", name == "help" && len(rest) == 0:
		return write(p, overview())
	case name == "-version", name == "--version", name == "version":
		return write(p, version())
	case name == "__complete":
		return write(p, complete.Words(commands, rest))
	case name == "completion":
		script, err := complete.Script(strings.Join(rest, " "))
		if err != nil {
			command.WriteError(p.Stderr, "tolero completion", err.Error())
			return command.Trouble
		}
		return write(p, script)
	case strings.HasPrefix(name, "-"):
		return commands[0].Do(p, args)
	case name == "help":
		name, rest = rest[0], []string{"-h"}
	}
	for _, c := range commands {
		if c.Name == name {
			return c.Do(p, rest)
		}
	}
	advice := "tolero -h lists the commands"
	if _, err := os.Stat(name); err == nil {
		advice = "to read the file: tolero -f " + name
	}
	command.WriteError(p.Stderr, "tolero", fmt.Sprintf("unknown command %q; %s", name, advice))
	return command.Trouble
}

func write(p *command.Program, text string) int {
	io.WriteString(p.Stdout, text)
	return command.Success
}

// overview is what tolero -h prints.
func overview() string {
	var b strings.Builder
	b.WriteString("Tolero says what taints and tolerations mean to a cluster. It reads what kubectl gets, and\nchanges nothing.\n\nExamples:\n")
	b.WriteString(`  # what is wrong today
  tolero -cluster

  # why a pod is pending
  tolero why shop/cart-0 -f dump.json

  # what a change would do
  tolero plan -f dump.json 'taint nodes gpu-1 maintenance:NoExecute'

Commands:
`)
	for _, c := range commands {
		fmt.Fprintf(&b, "  %-8s %s\n", c.Name, c.Summary)
	}
	b.WriteString("\nWithout a command it is status. tolero COMMAND -h tells more about one. tolero completion SHELL\nprints what bash, zsh or fish is to source, and tolero -version the versions of the program and\nof the rules.\n")
	return b.String()
}
