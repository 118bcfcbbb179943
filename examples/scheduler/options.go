package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
)

const usageText = `usage: scheduler [-nodes N] [-pods N] [-events N] [-seed N] [-v]
  -nodes N   nodes to begin with (100)
  -pods N    pods to begin with (2000)
  -events N  what happens then, one after the other (1000): nodes come and go, are
             cordoned, fall ill and recover, pods come and finish
  -seed N    of all that is drawn (1)
  -v         a line for each event
The rules are those of a default cluster; no pod has a toleration with Gt or Lt.
`

// limit keeps what is asked for within what fits into memory.
const limit = 10_000_000

// options is the command line.
type options struct {
	nodes, pods, events int
	seed                uint64
	verbose             bool
}

// usageError is an error in the command line.
type usageError struct{ error }

// parseOptions returns [flag.ErrHelp] if help is asked for, and else a
// *usageError for what is wrong.
func parseOptions(args []string) (*options, error) {
	o := &options{}
	flags := flag.NewFlagSet("scheduler", flag.ContinueOnError)
	flags.SetOutput(io.Discard) // errors are returned, and reported once
	flags.IntVar(&o.nodes, "nodes", 100, "")
	flags.IntVar(&o.pods, "pods", 2000, "")
	flags.IntVar(&o.events, "events", 1000, "")
	flags.Uint64Var(&o.seed, "seed", 1, "")
	flags.BoolVar(&o.verbose, "v", false, "")
	switch err := flags.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		return nil, err
	case err != nil:
		return nil, &usageError{err}
	case flags.NArg() > 0:
		return nil, &usageError{fmt.Errorf("unexpected argument %q", flags.Arg(0))}
	case min(o.nodes, o.pods, o.events) < 0 || max(o.nodes, o.pods, o.events) > limit:
		return nil, &usageError{fmt.Errorf("-nodes, -pods and -events must be between 0 and %d", limit)}
	}
	return o, nil
}
