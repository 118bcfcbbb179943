// Explain says why pods are pending, as far as taints keep them out, and what would
// help.
//
//	go run ./examples/explain                          # a small built-in cluster
//	kubectl get nodes,pods -A -o json | explain -f -   # your cluster: its pending pods
//	explain -f dump.json -pod shop/cart -node gpu-1    # one pod and one node
//	explain -f dump.json -hide-values -o json          # for people who may not see the values
//
// How it works, file by file: options.go reads the command line and load.go the
// cluster; report.go puts equal toleration lists and equal taint lists together and
// asks package match/explain about each pair; text.go and json.go show the result.
//
// The answers are those of a default cluster, in which tolerations with Gt and Lt
// do not count; with -comparisons they do. Only taints are looked at: resources,
// affinity and the rest may keep a pod out too.
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"unicode"
)

func main() { os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }

// run is the program. It returns the exit status: 0 for success, 1 for a failure, 2
// for a wrong command line. It writes nothing to stdout until everything else has
// succeeded.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	signal.Ignore(syscall.SIGPIPE) // so that writing into a broken pipe is an error
	p := &program{stdin, stderr}
	var out bytes.Buffer
	err := p.run(args, &out)
	if err == nil {
		_, err = out.WriteTo(stdout)
	}
	switch _, usage := errors.AsType[*usageError](err); {
	case err == nil, errors.Is(err, syscall.EPIPE): // the reader has seen enough
		return 0
	case errors.Is(err, flag.ErrHelp):
		io.WriteString(stdout, usageText)
		return 0
	case usage:
		p.complain(err)
		io.WriteString(stderr, usageLine)
		return 2
	}
	p.complain(err)
	return 1
}

// program is what a run has besides its options.
type program struct {
	stdin  io.Reader
	stderr io.Writer
}

func (p *program) run(args []string, out *bytes.Buffer) error {
	o, err := parseOptions(args)
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

// complain writes an error as one line to stderr.
func (p *program) complain(err error) {
	fmt.Fprintf(p.stderr, "explain: %s\n", printable(err.Error()))
}

// printable returns text without control characters, which a terminal would obey.
// Names come from files that anybody may have written.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return unicode.ReplacementChar
	}, text)
}
