// Whatif says what a change of taints would do to a cluster before anybody makes it: who
// is evicted, at once or later, who loses nodes, who has no node left, which limits that
// breaks, and in which stages it keeps them.
//
//	go run ./examples/whatif                              # a small built-in cluster and plan
//	kubectl get nodes,pods,rs -A -o json | whatif -f - -plan drain.txt
//	whatif -f dump.json -step 'taint nodes gpu-1 gpu-2 maintenance:NoExecute' -step 'cordon gpu-3'
//	whatif -f dump.json -plan drain.txt -max-percent 5 -max-per-owner 1   # in CI
//	whatif -f dump.json -plan drain.txt -max-per-owner 1 -stages -o kubectl
//
// How it works, file by file: options.go reads the command line, load.go the cluster and
// plan.go the plan, for which package compile/index/whatif has the effect; report.go
// sorts it; text.go, json.go and kubectl.go show the result.
//
// The answers are those of a default cluster, in which tolerations with Gt and Lt
// do not count; with -comparisons they do. Only taints are looked at: resources,
// affinity and the rest may keep a pod from a node too, and pods that are evicted are
// not placed anew.
package main

import (
	"bytes"
	"io"
	"os"

	"github.com/tolero-dev/tolero/examples/internal/command"
	"github.com/tolero-dev/tolero/examples/internal/progress"
)

func main() { os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }

// run is the program. It returns the exit status: 0 for success, 1 for a failure, 2
// for a wrong command line, 3 for a plan that breaks a limit.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	p := &program{command.Program{Name: "whatif", UsageLine: usageLine, UsageText: usageText, Stdin: stdin, Stderr: stderr}}
	return p.Run(stdout, func(out *bytes.Buffer) error { return p.run(args, out) })
}

type program struct{ command.Program }

func (p *program) run(args []string, out *bytes.Buffer) error {
	o, err := p.parseOptions(args)
	if err != nil {
		return err
	}
	plan, err := p.loadPlan(o)
	if err != nil {
		return err
	}
	c, err := p.load(o)
	if err != nil {
		return err
	}
	r, err := p.evaluate(c, plan, o)
	if err != nil {
		return err
	}
	p.write(r, o, out)
	return r.gate(o)
}

// write writes the report in the format that is asked for.
func (p *program) write(r *report, o *options, out *bytes.Buffer) {
	bar := progress.Start(p.Stderr, "writing", progress.Uncounted)
	defer bar.Stop()
	switch o.format {
	case "json":
		r.writeJSON(out)
	case "kubectl":
		r.writeKubectl(out)
	default:
		r.writeText(out, o)
	}
}

// gate says what the exit status says.
func (r *report) gate(o *options) error {
	switch {
	case r.uncut != nil:
		return command.Gatef("no stages: %v", r.uncut)
	case r.early != nil:
		return command.Gatef("no commands: %v", r.early)
	case len(r.violations) > 0 && !o.stages:
		return command.Gatef("%s broken: %s", command.Plural(len(r.violations), "limit"), r.violations[0])
	case len(r.unschedulable) > 0 && o.needNode:
		return command.Gatef("-need-node: pods with %s have no node left", command.Plural(len(r.unschedulable), "toleration list"))
	}
	return nil
}
