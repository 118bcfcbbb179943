// Sweep answers for a whole cluster: for every distinct toleration list of its
// pods, on how many nodes a pod is free to run, which nodes it would avoid,
// which refuse it and because of which taint, and from which it would be
// evicted, and when.
//
//	go run ./examples/sweep                          # lists found on real clusters
//	kubectl get nodes,pods -A -o json | sweep -f -   # your cluster
//	sweep -f nodes.yaml -f deploy.yaml -svg out.svg  # manifests, and a picture
//	sweep -f nodes.yaml -html report.html            # a page to look at in a browser
//	sweep -f dump.json -serve :8080                  # the page, and what would be if
//	sweep -scenario pools -nodes 100000 -pods 100000 # a synthetic fleet
//	sweep -check ...                                 # both engines, compared
//
//	kubectl get nodes,pods,resourceslices,resourceclaims,resourceclaimtemplates,devicetaintrules -A -o json | sweep -f -
//
// The last one tells of device taints too (dynamic resource allocation): which devices
// the tolerations of claims leave, which pods are evicted and when, and what rules with
// the effect None would evict. Templates count for pods whose claims are yet to be made.
// Device classes, selectors in CEL, and everything else that a request asks for are not
// evaluated.
//
// How it works, file by file: options.go reads the command line and input.go the
// cluster; fleet.go groups nodes by taint list and pods by toleration list;
// engine.go and compileengine.go answer what the taint lists mean to a toleration
// list, in two ways, which check.go compares; sweep.go multiplies by the numbers of
// nodes and pods that have them; reasons.go and histogram.go count why nodes
// refuse; bound.go looks at the pods that run already. table.go, json.go, csv.go
// and draw.go show the result; pagefleet.go hands the cluster to package
// examples/internal/page, which makes the page of -html; serve.go serves it. devicedump.go, deviceobjects.go and devicetemplates.go
// read devices, claims and rules beside the loader of nodes and pods, devicereport.go
// asks packages match/device/evict and compile/index/devices about them, and
// devicetable.go shows it.
//
// The answers are those of a default cluster, in which tolerations with Gt and Lt
// do not count; with -comparisons they do. Workloads count as the pods that they
// ask for: see [manifest.Pod]. A DaemonSet has the tolerations that its controller
// adds. Those that admission adds to pods, node selectors and resources are not taken
// into account: other rules may still forbid what is allowed here.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/tolero-dev/tolero/examples/internal/command"
	"github.com/tolero-dev/tolero/examples/internal/page"
	"github.com/tolero-dev/tolero/examples/internal/progress"
)

func main() { os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }

// run is the program. It returns the exit status: 0 for success, 1 for a failure, 2
// for a wrong command line.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	signal.Ignore(syscall.SIGPIPE) // so that writing into a broken pipe is an error
	p := &program{stdin: stdin, stderr: stderr, now: time.Now}
	return p.status(p.run(args, stdout))
}

// status reports err to the user, if there is something to report, and returns the
// exit status.
func (p *program) status(err error) int {
	switch usage := new(usageError); {
	case err == nil, errors.Is(err, flag.ErrHelp):
		return 0
	case errors.Is(err, syscall.EPIPE): // the reader has seen enough
		return 0
	case errors.As(err, &usage):
		p.complain(err)
		io.WriteString(p.stderr, usageLine)
		return 2
	}
	p.complain(err)
	return 1
}

// program is what a run has besides its options.
type program struct {
	stdin  io.Reader
	stderr io.Writer
	now    func() time.Time
}

// run writes nothing to stdout until everything else has succeeded.
func (p *program) run(args []string, stdout io.Writer) error {
	o, err := parseOptions(args)
	if errors.Is(err, flag.ErrHelp) {
		io.WriteString(stdout, usageText)
	}
	if err != nil {
		return err
	}
	profile, err := startProfile(o.cpuProfile)
	if err != nil {
		return err
	}
	defer profile.discard()
	if o.serve != "" {
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
		defer stop()
		if err := p.serve(ctx, o, stdout); err != nil {
			return err
		}
		return profile.save()
	}
	var out bytes.Buffer
	if err := p.sweep(o, &out); err != nil {
		return err
	}
	if err := profile.save(); err != nil {
		return err
	}
	_, err = out.WriteTo(stdout)
	return err
}

// sweep does the work that the options ask for.
func (p *program) sweep(o *options, out *bytes.Buffer) error {
	c, err := p.load(o)
	if err != nil {
		return err
	}
	start := p.now()
	bar := progress.Start(p.stderr, "grouping equal lists", progress.Uncounted)
	f := newFleet(c, o.rules)
	bar.Stop()
	grouped := p.now()
	r := p.evaluate(f, engines[o.engine], o.reasons)
	r.grouping, r.elapsed = grouped.Sub(start), p.now().Sub(start)
	r.title, r.notes = c.title, c.notes
	if f.ignored > 0 {
		r.notes = append(r.notes, "Pods with tolerations that have Gt or Lt: "+thousands(f.ignored)+". In a default cluster those do not count; with -comparisons they do.")
	}
	if c.devices != nil && !c.devices.empty() {
		at := o.now
		if at.IsZero() {
			at = p.now()
		}
		r.devices = newDeviceReport(c.devices, at)
	}
	if o.check {
		if err := p.check(f, engines["match"], engines["compile"]); err != nil {
			return err
		}
		r.notes = append(r.notes, "Checked: both engines have the same answers for all pairs.")
	}
	if o.svg != "" {
		if err := p.picture(f, o, c.title); err != nil {
			return err
		}
	}
	if o.html != "" {
		if err := p.page(c, o); err != nil {
			return err
		}
	}
	return r.write(out, o)
}

// page writes the page that -html asks for.
func (p *program) page(c *cluster, o *options) error {
	bar := progress.Start(p.stderr, "making the page", progress.Uncounted)
	content := page.New(c.page).HTML()
	bar.Stop()
	return writeFile(o.html, content)
}

// picture writes the picture that -svg asks for.
func (p *program) picture(f *fleet, o *options, title string) error {
	bar := progress.Start(p.stderr, "drawing", progress.Uncounted)
	svg := draw(f, engines[o.engine], title)
	bar.Stop()
	return writeFile(o.svg, svg)
}

// complain writes an error to stderr.
func (p *program) complain(err error) {
	command.WriteError(p.stderr, "sweep", err.Error())
}

// complainFaults reports the first of many faults, and how many there are besides.
func (p *program) complainFaults(faults []error, hint string) {
	command.WriteErrors(p.stderr, "sweep", faults, hint)
}
