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
// resources. Every node is looked at; large clusters look at a sample. The rules
// are those of a default cluster, and no pod of the story has a toleration with Gt
// or Lt.
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/tolero-dev/tolero/examples/internal/progress"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// run is the program. It returns the exit status: 0, 1 if the output cannot be
// written and 2 for a command line that cannot be understood.
func run(args []string, stdout, stderr io.Writer) int {
	o, err := parseOptions(args)
	var out bytes.Buffer
	switch {
	case errors.Is(err, flag.ErrHelp):
		out.WriteString(usageText)
	case err != nil:
		fmt.Fprintf(stderr, "scheduler: %v\n%s", err, usageText)
		return 2
	default:
		play(o, &out, stderr)
	}
	if _, err := out.WriteTo(stdout); err != nil {
		fmt.Fprintf(stderr, "scheduler: %v\n", err)
		return 1
	}
	return 0
}

// play runs the story. Its progress goes to stderr, if that is a terminal.
func play(o *options, out, stderr io.Writer) {
	s, story := newScheduler(), newScript(o)
	bar := progress.Start(stderr, "playing", int64(o.nodes)+int64(o.pods)+int64(o.events))
	defer bar.Stop()
	for _, e := range story.begin(o.nodes, o.pods) {
		e.tell(s)
		bar.Add(1)
	}
	for range o.events {
		bar.Add(1)
		e, before := story.next(), s.counts
		e.tell(s)
		if o.verbose {
			fmt.Fprintf(out, "%8v  %s%s\n", s.clock, &e, s.counts.since(before))
		}
	}
	s.report(out, o)
}

// since returns in words what was done after before was counted.
func (c counts) since(before counts) string {
	text := ""
	for _, word := range []struct {
		now, before int
		format      string
	}{
		{c.evicted, before.evicted, "%d evicted"},
		{c.timedOut, before.timedOut, "%d evicted after a time"},
		{c.displaced, before.displaced, "%d lost their node"},
		{c.wakeUps, before.wakeUps, "%d woken"},
		{c.vain, before.vain, "%d of them in vain"},
	} {
		if n := word.now - word.before; n > 0 {
			text += ", " + fmt.Sprintf(word.format, n)
		}
	}
	return text
}
