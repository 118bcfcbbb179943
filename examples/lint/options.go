package main

import (
	"flag"

	"github.com/tolero-dev/tolero/examples/internal/command"
	"github.com/tolero-dev/tolero/match/lint"
	"github.com/tolero-dev/tolero/toleration"
)

const usageLine = `usage: lint [-f FILE]... [-silence FILE] [-fail-on SEVERITY] [-o text|json|silences] ...
       lint -h tells more
`

const usageText = `usage: lint [flags]
  -f FILE      read nodes and pods from FILE, "-" for standard input: what
               kubectl get nodes,pods -A -o json (or yaml) prints, manifests of
               workloads, lists and streams of them; may be repeated; Deployments,
               DaemonSets, Jobs and other objects with a pod template count as the
               pods that they make, unless the input has these. Findings name pods by
               their controller, such as "DaemonSet kube-system/agent"; the Deployment
               of a pod is found by its ReplicaSet or, if the input lacks that, from
               the names. To have the
               node affinity of DaemonSets, which their pods lack, get
               nodes,pods,daemonsets
  -silence FILE what not to report, a line for each, with the reason:

                   # ID           object            key            reason
                   untolerated                      key=dedicated  # from March
                   everything     Pod system/agent*                # agents

               the object and the key may be left out; "*" stands for all IDs and, at the
               end of an object, for any ending; silences that silence nothing are
               reported on standard error
  -severity S  show findings of this severity and above: info, warning or error (info)
  -fail-on S   exit with status 3 if there are findings of this severity or above;
               otherwise 0 is success, 1 a failure and 2 a wrong command line
  -limit N     at most N findings of each ID, 0 for no limit (5 in text, 100 in json and
               silences); counts are of all; of what is invalid and is no finding, the
               first ten are reported on standard error, with 0 all
  -o FORMAT    text, json, or silences, which are lines for -silence (text)
  -width N     columns of the text, 0 for no limit (100)
  -strict      fail if an object is invalid as JSON or YAML, and exit with status 3 if a
               silence is unused
  -comparisons count tolerations with Gt and Lt, as a cluster with the feature gate
               TaintTolerationComparisonOperators on; without it they do not count,
               as in a default cluster
Without -f, lint works on lists found on real clusters.
`

// options is the command line.
type options struct {
	files    []string
	silence  string
	severity lint.Severity
	gate     bool // whether failOn is set
	failOn   lint.Severity
	rules    toleration.Rules
	strict   bool

	format       string
	width, limit int
}

// parseOptions returns [flag.ErrHelp] if help is asked for, and else an error of usage
// for what is wrong.
func (p *program) parseOptions(args []string) (*options, error) {
	o := &options{}
	flags := p.Flags()
	flags.Func("f", "", func(name string) error { o.files = append(o.files, name); return nil })
	flags.StringVar(&o.silence, "silence", "", "")
	flags.TextVar(&o.severity, "severity", lint.Info, "")
	flags.TextVar(&o.failOn, "fail-on", lint.Info, "")
	flags.IntVar(&o.limit, "limit", 100, "")
	flags.BoolVar(&o.rules.Comparisons, "comparisons", false, "")
	flags.BoolVar(&o.strict, "strict", false, "")
	flags.StringVar(&o.format, "o", "text", "")
	flags.IntVar(&o.width, "width", 100, "")
	if err := command.Parse(flags, args); err != nil {
		return nil, err
	}
	given := make(map[string]bool)
	flags.Visit(func(f *flag.Flag) { given[f.Name] = true })
	o.gate = given["fail-on"]
	switch {
	case flags.NArg() > 0:
		return nil, command.Usagef("unexpected argument %q; files are given with -f", flags.Arg(0))
	case o.format != "text" && o.format != "json" && o.format != "silences":
		return nil, command.Usagef("unknown output format %q; there are text, json and silences", o.format)
	case o.width < 0 || o.limit < 0:
		return nil, command.Usagef("-width and -limit must not be negative")
	}
	if !given["limit"] && o.format == "text" {
		o.limit = 5
	}
	return o, command.Once(append([]string{o.silence}, o.files...)...)
}
