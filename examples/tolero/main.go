// Tolero says what taints and tolerations mean to a cluster: what is wrong today, why a pod is
// pending, what a change would do.
//
//	go run ./examples/tolero                          # a small built-in cluster
//	tolero -cluster                                   # your cluster
//	kubectl get nodes,pods -A -o json | tolero -f -   # as it was
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
	"strings"
	"time"

	"github.com/tolero-dev/tolero/examples/internal/command"
	"github.com/tolero-dev/tolero/examples/internal/lint"
	"github.com/tolero-dev/tolero/examples/internal/matrix"
	"github.com/tolero-dev/tolero/examples/internal/outage"
	"github.com/tolero-dev/tolero/examples/internal/plan"
	"github.com/tolero-dev/tolero/examples/internal/status"
	"github.com/tolero-dev/tolero/examples/internal/why"
)

func main() {
	p := &command.Program{Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Now: time.Now}
	p.Plugin = strings.HasPrefix(filepath.Base(os.Args[0]), "kubectl-tolero")
	os.Exit(run(p, os.Args[1:]))
}

// commands are the commands in the order in which people need them. The first one is run if
// none is named.
var commands = []*command.Command{
	&status.Command, &why.Command, &lint.Command, &plan.Command, &outage.Command, &matrix.Command, &matrix.Serve, &matrix.Check,
}

// run runs the command that the arguments name, and returns the exit status.
func run(p *command.Program, args []string) int {
	if len(args) == 0 || args[0] != "-h" && args[0] != "-help" && args[0] != "--help" && strings.HasPrefix(args[0], "-") {
		return commands[0].Do(p, args)
	}
	name, rest := args[0], args[1:]
	switch {
	case strings.HasPrefix(name, "-"), name == "help" && len(rest) == 0:
		io.WriteString(p.Stdout, overview())
		return command.Success
	case name == "help":
		name, rest = rest[0], []string{"-h"}
	}
	for _, c := range commands {
		if c.Name == name {
			return c.Do(p, rest)
		}
	}
	command.WriteError(p.Stderr, "tolero", fmt.Sprintf("unknown command %q; tolero -h lists the commands", name))
	return command.Trouble
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
	b.WriteString("\nWithout a command it is status. tolero COMMAND -h tells more about one.\n")
	return b.String()
}
