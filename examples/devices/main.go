// Command devices tells what the taints of devices mean to a cluster: which devices are
// kept from whom, which pods will be evicted, when and because of what, and what rules
// with the effect None would do.
//
//	kubectl get pods,resourceslices,resourceclaims,devicetaintrules -A -o json | go run ./examples/devices
//	go run ./examples/devices -now 2026-03-01T12:00:00Z examples/devices/testdata/cluster.json
//
// How it works, file by file: dump.go reads what the API gives, with the types of
// package match/device where taints are concerned; main.go tells a queue of evictions
// (package match/device/evict) and a fleet (package compile/index/devices) of it; and
// report.go asks them.
package main

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/tolero-dev/tolero/compile/index/devices"
	"github.com/tolero-dev/tolero/match/device/evict"
)

const usage = `usage: devices [-now time] [file ...]
Reads pods, resource slices, resource claims and device taint rules as JSON from the
files, or from standard input, and tells which devices are tainted, which pods are
evicted when and because of what, and what rules with the effect None would do.
`

func main() {
	err := run(os.Args[1:], os.Stdin, os.Stdout)
	if err == nil {
		return
	}
	fmt.Fprintf(os.Stderr, "devices: %v\n", err)
	if _, ok := errors.AsType[*usageError](err); ok {
		fmt.Fprintln(os.Stderr, "devices -h tells more")
		os.Exit(2)
	}
	os.Exit(1)
}

// usageError is about the command line.
type usageError struct{ error }

// run reports on the files, or on standard input if there is none.
func run(args []string, stdin io.Reader, stdout io.Writer) error {
	flags := flag.NewFlagSet("devices", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	now := time.Now()
	flags.Func("now", "the time at which to look, as in 2026-03-01T12:00:00Z (default the present)", func(text string) (err error) {
		now, err = time.Parse(time.RFC3339, text)
		return err
	})
	switch err := flags.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		flags.SetOutput(stdout)
		fmt.Fprint(stdout, usage)
		flags.PrintDefaults()
		return nil
	case err != nil:
		return &usageError{err}
	}
	var d dump
	if err := d.readAll(flags.Args(), stdin); err != nil {
		return err
	}
	out := bufio.NewWriter(stdout)
	newCluster(&d, now).report(out)
	return out.Flush()
}

// cluster is a dump, and those who know the answers.
type cluster struct {
	*dump
	now   time.Time
	fleet devices.Fleet
	queue evict.Queue[string] // of pods by their UIDs
	due   []evict.Decision[string]
}

// newCluster tells everything that there is, at the time of now. The queue decides at
// once which pods are due.
func newCluster(d *dump, now time.Time) *cluster {
	c := &cluster{dump: d, now: now}
	c.fleet.Load(c.slices)
	for i := range d.Rules {
		r := &d.Rules[i]
		c.fleet.SetRule(r.Metadata.Name, &r.Spec)
		c.due = c.queue.SetRule(c.due, now, r.Metadata.Name, &r.Spec)
	}
	for name, s := range c.slices {
		c.due = c.queue.SetSlice(c.due, now, name, s)
	}
	for i := range d.Claims {
		claim := &d.Claims[i]
		c.due = c.queue.SetClaim(c.due, now, claim.Metadata.key(), claim.allocations(), claim.reservedFor())
	}
	for i := range d.Pods {
		if p := &d.Pods[i]; !p.ended() {
			c.due = c.queue.SetPod(c.due, now, p.Metadata.UID, p.Spec.NodeName != "", p.claims())
		}
	}
	return c
}
