// Outage plays what happens when the heartbeats of nodes stop, first in one zone,
// then in all: when nodes count as lost, at what pace they get the taints that
// evict, which pods have to leave, when, and which may stay because the nodes are
// back in time. No cluster is needed, and a million seconds take moments.
//
//	go run ./examples/outage                    # the defaults of Kubernetes
//	go run ./examples/outage -svg outage.svg    # and a picture
//	outage -nodes 1000 -node-eviction-rate 1    # larger zones, tainted faster
//	outage -others-lost 0 -back 12m             # one zone, back after two minutes
//
// How it works: options.go reads the command line, cluster.go makes nodes, pods and the
// times at which nodes are silent of it, and package timeline plays the node life-cycle
// controller and the queue of evictions, and tells what happened, in a table and as a
// picture.
//
// The rules are those of a default cluster, and no pod has a toleration with Gt or Lt.
// A pod that is evicted is gone: nothing takes its place. The scheduler, and the
// limits that other controllers have, play no part.
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/tolero-dev/tolero/examples/internal/progress"
	"github.com/tolero-dev/tolero/match/evict/timeline"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// run is the program. It returns the exit status: 0, 1 for what went wrong and 2
// for a command line that cannot be understood.
func run(args []string, stdout, stderr io.Writer) int {
	var out bytes.Buffer
	err := play(args, &out, stderr)
	if err == nil || errors.Is(err, flag.ErrHelp) {
		_, err = out.WriteTo(stdout)
	}
	if err == nil {
		return 0
	}
	fmt.Fprintf(stderr, "outage: %v\n", err)
	if usage := new(usageError); errors.As(err, &usage) {
		fmt.Fprintln(stderr, "outage -h tells more")
		return 2
	}
	return 1
}

// usageError is about the command line.
type usageError struct{ error }

// play does what the command line asks for. Its progress goes to stderr, if that
// is a terminal.
func play(args []string, out *bytes.Buffer, stderr io.Writer) error {
	var o options
	flags := o.newFlags()
	if err := flags.Parse(args); errors.Is(err, flag.ErrHelp) {
		out.WriteString(usageText)
		flags.SetOutput(out)
		flags.PrintDefaults()
		return err
	} else if err != nil {
		return &usageError{err}
	}
	if err := o.check(flags.Args()); err != nil {
		return &usageError{err}
	}
	bar := progress.Start(stderr, "simulating", int64(o.end))
	t, err := timeline.Play(o.cluster(bar.Add))
	bar.Stop()
	if err != nil {
		return &usageError{err}
	}
	o.describe(out)
	out.Write(t.AppendText(nil, o.every))
	if o.svg != "" {
		return os.WriteFile(o.svg, t.SVG(), 0o644)
	}
	return nil
}

// describe prints what is simulated.
func (o *options) describe(out *bytes.Buffer) {
	zones := "zones"
	if o.zones == 1 {
		zones = "zone"
	}
	fmt.Fprintf(out, "%d nodes in %d %s, %d pods\n", o.zones*o.nodes, o.zones, zones, o.zones*o.nodes*o.pods)
	fmt.Fprintf(out, "A node is lost after %v without heartbeat, and %v nodes a second are tainted in a zone.\n", o.config.GracePeriod, o.config.Rate)
	fmt.Fprintf(out, "On each node one pod stays forever, one for %ds, the others for %ds (%v).\n\n", o.few, o.seconds, o.policy)
}
