// Scheduler is a small scheduler that uses the library as a real one would: it
// has its own cache of nodes and its own queue of pods, and leaves the taints to
// package compile/index and evictions to package match/evict. It runs a story made
// from a seed, and tells what became of the pods.
//
//	go run ./examples/scheduler
//	go run ./examples/scheduler -nodes 5000 -pods 50000 -events 5000
//	go run ./examples/scheduler -nodes 5 -pods 20 -events 30 -v
//
// What to look at: cache.go keeps nodes beside an index of their taints; queue.go
// keeps pods by toleration list; choose.go filters and scores; handlers.go takes in
// what happens; wake.go wakes the pods that may run after a change, and no others;
// evict.go evicts pods; diagnose.go tells why a pod is pending; script.go makes the
// story.
//
// There are no priorities, no preemption and no constraints except taints and
// CPU. Every node is looked at; large clusters look at a sample. The rules
// are those of a default cluster, and no pod of the story has a toleration with Gt
// or Lt.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
)

func main() {
	if err := run(os.Args[1:], os.Stdout, os.Stderr); err != nil && !errors.Is(err, flag.ErrHelp) {
		os.Exit(2)
	}
}

// options is the command line.
type options struct {
	nodes, pods, events int
	seed                uint64
	verbose             bool
}

// limit keeps what is asked for within what fits into memory.
const limit = 10_000_000

// run plays the story that the arguments ask for. Its error is told already.
func run(args []string, stdout, stderr io.Writer) error {
	var o options
	flags := flag.NewFlagSet("scheduler", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.IntVar(&o.nodes, "nodes", 100, "`how many` nodes to begin with")
	flags.IntVar(&o.pods, "pods", 2000, "`how many` pods to begin with")
	flags.IntVar(&o.events, "events", 1000, "`how many` things happen then: nodes come and go, are cordoned, fall ill and recover, pods come and finish")
	flags.Uint64Var(&o.seed, "seed", 1, "the `number` that all that is drawn depends on")
	flags.BoolVar(&o.verbose, "v", false, "a line for each event")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() > 0 || min(o.nodes, o.pods, o.events) < 0 || max(o.nodes, o.pods, o.events) > limit {
		err := fmt.Errorf("scheduler: -nodes, -pods and -events must be between 0 and %d, and there are no arguments", limit)
		fmt.Fprintln(stderr, err)
		return err
	}
	play(&o, stdout)
	return nil
}

// play runs the story.
func play(o *options, out io.Writer) {
	s, story := newScheduler(), newScript(o)
	for _, e := range story.begin(o.nodes, o.pods) {
		e.tell(s)
	}
	for range o.events {
		e, before := story.next(), s.counts
		e.tell(s)
		if o.verbose {
			fmt.Fprintf(out, "%8v  %s%s\n", s.clock, e.text, s.counts.since(before))
		}
	}
	s.report(out, o)
}

// since returns in words what was done after before was counted.
func (c counts) since(before counts) (text string) {
	for _, word := range []struct {
		n    int
		what string
	}{
		{c.evicted - before.evicted, "evicted"},
		{c.timedOut - before.timedOut, "evicted after a time"},
		{c.displaced - before.displaced, "lost their node"},
		{c.wakeUps - before.wakeUps, "woken"},
	} {
		if word.n > 0 {
			text += fmt.Sprintf(", %d %s", word.n, word.what)
		}
	}
	return text
}
