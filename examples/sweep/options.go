package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"
	"time"

	"github.com/tolero-dev/tolero/bench/scenario"
	"github.com/tolero-dev/tolero/toleration"
)

const usageLine = `usage: sweep [-f FILE]... [-scenario NAME] [-o table|json|csv] [-svg FILE] [-html FILE] [-serve ADDRESS] ...
       sweep -h tells more
`

const usageText = `usage: sweep [flags]
  -f FILE      read nodes and pods from FILE, "-" for standard input: what
               kubectl get nodes,pods -A -o json (or yaml) prints, manifests of
               workloads, lists and streams of them; may be repeated;
               Deployments, Jobs and other objects with a pod template count as the
               pods that they ask for, a DaemonSet as one, unless the input has
               their pods; pods that have ended do not count
  -scenario S  a synthetic fleet instead, with -nodes N, -pods P (10000 each) and
               -seed N (1): pools, unique, numeric, timestamps, daemonsets,
               permuted, halfown, distinct, softtimes or nearlyclean
  -o FORMAT    table, json or csv (table); if the input has ResourceSlices,
               ResourceClaims or DeviceTaintRules (kubectl get nodes,pods,
               resourceslices,resourceclaims,resourceclaimtemplates,
               devicetaintrules -A -o json), the table tells of device taints too,
               json and csv do not; DeviceClasses, selectors in CEL and everything
               else that a request asks for are not evaluated; templates count for pods
               whose claims are yet to be made
  -width N     columns of the table, 0 for no limit (100)
  -reasons N   at most N reasons for each toleration list, the most frequent
               first (3 in the table, 10 in json and csv)
  -svg FILE    draw toleration lists by taint lists
  -html FILE   write a page to look at in a browser: the same matrix, with the reason
               and the smallest repair for every cell, pods, nodes, findings, and who
               is evicted if a node pool goes silent; one file, no network
  -serve ADDR  serve that page on an address such as :8080, with a box in which to try
               taints, cordons and tolerations before anybody makes them; on this
               machine only unless the address names another host; the address that is
               printed has a secret in it; nothing changes anywhere
  -pool LABEL  the label that names the node pool of a node, if it is none of those
               that are known
  -strict      fail if an object is invalid
  -comparisons count tolerations with Gt and Lt, as a cluster with the feature gate
               TaintTolerationComparisonOperators on; without it they do not count,
               as in a default cluster
  -now TIME    when to look at device taints, as in 2026-03-01T12:00:00Z (now)
  -engine E    compile, or match, which looks at every pair of lists (compile); the
               output is the same
  -check       ask both engines about every pair of a pod and a node, and fail if
               they differ anywhere
  -cpuprofile FILE
Without -f and -scenario, sweep works on lists found on real clusters.
The exit status is 0 for success, 1 for a failure and 2 for a wrong command line.
`

// usageError is an error in the command line.
type usageError struct{ err error }

func (e *usageError) Error() string { return e.err.Error() }
func (e *usageError) Unwrap() error { return e.err }

func usagef(format string, args ...any) error {
	return &usageError{fmt.Errorf(format, args...)}
}

// options is the command line.
type options struct {
	files       []string
	scenario    string
	nodes, pods int
	seed        uint64
	rules       toleration.Rules
	strict      bool
	now         time.Time // zero: the present
	engine      string
	check       bool

	format     string
	width      int
	reasons    int
	svg        string
	html       string
	serve      string
	pool       string
	cpuProfile string
}

// parseOptions returns [flag.ErrHelp] if help is asked for, and else a
// *usageError for what is wrong.
func parseOptions(args []string) (*options, error) {
	o := &options{}
	flags := flag.NewFlagSet("sweep", flag.ContinueOnError)
	flags.SetOutput(io.Discard) // errors are returned, and reported once
	flags.Func("f", "", func(name string) error { o.files = append(o.files, name); return nil })
	flags.StringVar(&o.scenario, "scenario", "", "")
	flags.IntVar(&o.nodes, "nodes", 10_000, "")
	flags.IntVar(&o.pods, "pods", 10_000, "")
	flags.Uint64Var(&o.seed, "seed", 1, "")
	flags.BoolVar(&o.rules.Comparisons, "comparisons", false, "")
	flags.BoolVar(&o.strict, "strict", false, "")
	flags.Func("now", "", func(text string) (err error) { o.now, err = time.Parse(time.RFC3339, text); return err })
	flags.StringVar(&o.engine, "engine", "compile", "")
	flags.BoolVar(&o.check, "check", false, "")
	flags.StringVar(&o.format, "o", "table", "")
	flags.IntVar(&o.width, "width", 100, "")
	flags.IntVar(&o.reasons, "reasons", 3, "")
	flags.StringVar(&o.svg, "svg", "", "")
	flags.StringVar(&o.html, "html", "", "")
	flags.StringVar(&o.serve, "serve", "", "")
	flags.StringVar(&o.pool, "pool", "", "")
	flags.StringVar(&o.cpuProfile, "cpuprofile", "", "")
	if err := flags.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return nil, err
		}
		return nil, &usageError{err}
	}
	given := make(map[string]bool)
	flags.Visit(func(f *flag.Flag) { given[f.Name] = true })
	if o.format != "table" && !given["reasons"] {
		o.reasons = 10
	}
	return o, o.validate(flags.Args(), given)
}

// validate finds what does not fit together.
func (o *options) validate(rest []string, given map[string]bool) error {
	_, known := scenario.Find(o.scenario)
	switch {
	case len(rest) > 0:
		return usagef("unexpected argument %q; files are given with -f", rest[0])
	case len(o.files) > 0 && given["scenario"]:
		return usagef("-f and -scenario exclude each other")
	case given["scenario"] && !known:
		return usagef("unknown scenario %q; there are %s", o.scenario, strings.Join(scenario.Names(), ", "))
	case !given["scenario"] && (given["nodes"] || given["pods"] || given["seed"]):
		return usagef("-nodes, -pods and -seed need a -scenario")
	case o.nodes < 1 || o.pods < 1:
		return usagef("-nodes and -pods must be at least 1")
	case engines[o.engine] == nil:
		return usagef("unknown engine %q; there are compile and match", o.engine)
	case !slices.Contains([]string{"table", "json", "csv"}, o.format):
		return usagef("unknown output format %q; there are table, json and csv", o.format)
	case given["serve"] && (o.check || given["o"] || given["svg"] || given["html"]):
		return usagef("-serve writes nothing: it excludes -o, -svg, -html and -check")
	case given["serve"] && !isAddress(o.serve):
		return usagef("-serve needs an address such as :8080 or 127.0.0.1:0, not %q", o.serve)
	case o.width < 0 || o.reasons < 0:
		return usagef("-width and -reasons must not be negative")
	case slices.Index(o.files, "-") >= 0 && slices.Index(o.files[slices.Index(o.files, "-")+1:], "-") >= 0:
		return usagef("standard input can be read only once")
	}
	return nil
}

// isAddress reports whether text has a host, which may be empty, and a port.
func isAddress(text string) bool {
	_, port, err := net.SplitHostPort(text)
	return err == nil && port != ""
}
