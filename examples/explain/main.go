// Explain says why pods are pending, as far as taints keep them out, and what would
// help.
//
//	go run ./examples/explain                          # a small built-in cluster
//	kubectl get nodes,pods -A -o json | explain -f -   # your cluster: its pending pods
//	explain -f dump.json -pod shop/cart -node gpu-1    # one pod and one node
//	explain -f dump.json -hide-values -o json          # for people who may not see the values
//
// How it works, file by file: options.go reads the command line and load.go the
// cluster; pods.go and nodes.go put pods with equal tolerations and nodes with equal
// taints together, without the nodes that the pods' node selector or required node
// affinity excludes; report.go asks package match/explain about each pair; text.go and
// json.go show the result.
//
// The answers are those of a default cluster, in which tolerations with Gt and Lt
// do not count; with -comparisons they do. Resources, affinity to other pods and the rest
// are not looked at, and may keep a pod out too.
package main

import (
	"bytes"
	"io"
	"os"

	"github.com/tolero-dev/tolero/examples/internal/command"
)

func main() { os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }

// run is the program. It returns the exit status: 0 for success, 1 for a failure, 2
// for a wrong command line.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	p := &program{command.Program{Name: "explain", UsageLine: usageLine, UsageText: usageText, Stdin: stdin, Stderr: stderr}}
	return p.Run(stdout, func(out *bytes.Buffer) error { return p.run(args, out) })
}

type program struct{ command.Program }

func (p *program) run(args []string, out *bytes.Buffer) error {
	o, err := p.parseOptions(args)
	if err != nil {
		return err
	}
	c, err := p.load(o)
	if err != nil {
		return err
	}
	r, err := p.newReport(c, o)
	if err != nil {
		return err
	}
	if o.format == "json" {
		return r.writeJSON(out)
	}
	r.writeText(out, o.width)
	return nil
}
