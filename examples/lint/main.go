// Lint finds what is remarkable in the taints and tolerations of a cluster: what is
// likely not to do what its author meant.
//
//	go run ./examples/lint                          # lists found on real clusters
//	kubectl get nodes,pods -A -o json | lint -f -   # your cluster
//	lint -f nodes.yaml -f deploy.yaml               # manifests
//	lint -f dump.json -silence silences.txt -fail-on warning   # in CI
//	lint -f dump.json -o silences                   # lines for -silence, one for each object of a finding
//
// How it works, file by file: options.go reads the command line and load.go the
// cluster, for which package match/lint has the findings; report.go names the place
// of each in its file; text.go and json.go show the result.
//
// The answers are those of a default cluster, in which tolerations with Gt and Lt
// do not count; with -comparisons they do. A DaemonSet misses only nodes that its node
// selector and its required node affinity admit.
package main

import (
	"bytes"
	"io"
	"os"

	"github.com/tolero-dev/tolero/examples/internal/command"
	"github.com/tolero-dev/tolero/examples/internal/progress"
	"github.com/tolero-dev/tolero/match/lint"
)

func main() { os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }

// run is the program. It returns the exit status: 0 for success, 1 for a failure, 2
// for a wrong command line, 3 for findings that -fail-on asks for.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	p := &program{command.Program{Name: "lint", UsageLine: usageLine, UsageText: usageText, Stdin: stdin, Stderr: stderr}}
	return p.Run(stdout, func(out *bytes.Buffer) error { return p.run(args, out) })
}

type program struct{ command.Program }

func (p *program) run(args []string, out *bytes.Buffer) error {
	o, err := p.parseOptions(args)
	if err != nil {
		return err
	}
	silences, err := p.loadSilences(o.silence)
	if err != nil {
		return err
	}
	c, err := p.load(o)
	if err != nil {
		return err
	}
	r := p.check(c, silences, o)
	switch o.format {
	case "json":
		err = r.writeJSON(out)
	case "silences":
		r.writeSilences(out)
	default:
		r.writeText(out, o.width)
	}
	if err != nil {
		return err
	}
	return p.gate(r, o)
}

// check asks package lint about the cluster.
func (p *program) check(c *cluster, silences []lint.Silence, o *options) *report {
	limit := o.limit
	if limit == 0 {
		limit = -1
	}
	bar := progress.Start(p.Stderr, "checking", progress.Uncounted)
	defer bar.Stop()
	return newReport(c, lint.Check(&c.Fleet, lint.Options{Silence: silences, Limit: limit, Objects: o.format == "silences"}), o)
}

// gate says what the exit status says.
func (p *program) gate(r *report, o *options) error {
	for _, s := range r.Unused {
		p.Complain(unusedError(o.silence, s))
	}
	if n := len(r.Unused); n > 0 && o.strict {
		return command.Gatef("%s unused, and -strict is set", command.Plural(n, "silence"))
	}
	if !o.gate {
		return nil
	}
	if n := count(r.all, o.failOn); n > 0 {
		return command.Gatef("%s: -fail-on %s", command.Plural(n, "finding"), o.failOn)
	}
	return nil
}
