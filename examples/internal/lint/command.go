// Package lint is tolero lint: what is likely not to do what its author meant.
//
// File by file: load.go reads the cluster, for which package match/lint has the findings;
// report.go names the place of each in its file; text.go and json.go show the result.
package lint

import (
	"errors"
	"slices"
	"strings"

	"github.com/tolero-dev/tolero/examples/internal/command"
	"github.com/tolero-dev/tolero/examples/internal/progress"
	"github.com/tolero-dev/tolero/match/lint"
)

// Command is tolero lint.
var Command = command.Command{
	Name:    "lint",
	Summary: "what is likely a mistake in taints and tolerations",
	About: `
Findings name pods by their controller, such as "DaemonSet kube-system/agent". To have the
node affinity of DaemonSets, which their pods lack, have them in the input. Without -f
the lists are those of package match/matchtest/corpus, found on real clusters.`,
	Examples: `
  # your cluster
  ` + command.Dump + ` | tolero lint -f -

  # manifests, in CI
  tolero lint -f nodes.yaml -f deploy.yaml -fail-on warning

  # components of a chart that lack tolerations which others have
  helm template gpu-operator | tolero lint -f nodes.yaml -f - -o components

  # annotations of a pull request, for what is new
  tolero lint -f rendered.yaml -baseline known.txt -o github

  # lines for -silence and -baseline, one for each object of a finding, to choose from
  tolero lint -f dump.json -o silences -limit 0`,
	Flags: `
  -fail-on S   exit with status 1 if there are findings of this severity and above: error,
               warning, info or none (error)
  -severity S  show findings of this severity and above: info, warning or error (info)
  -silence FILE what not to report, a line for each, with the reason:

                   # ID           object            key            reason
                   untolerated                      key=dedicated  # from March
                   everything     Pod system/agent*                # agents

               the object and the key may be left out; "*" stands for all IDs and, at the
               end of an object, for any ending; silences that silence nothing are told
               on standard error, and with -strict the exit status is 1
  -baseline FILE what is known already, as -o silences -limit 0 printed it: it is not reported, and
               only new findings fail; a new toleration with the key of a known finding of the
               same object and ID is known too
  -removes K=W the startup taint with the key K stays on a node until the workload W runs, such
               as "example.com/not-ready=DaemonSet kube-system/agent"; those of cilium, istio,
               CSI drivers, cloud controllers, nidhogg and the node readiness controller are known`,
	Formats:   []string{"silences", "sarif", "junit", "github", "components"},
	TextLimit: 5,
	DataLimit: 100,
	Result:    jsonReport{},
	Run:       run,
}

// options are the flags of tolero lint.
type options struct {
	*command.Options
	silence, baseline string
	severity          lint.Severity
	failOn            string              // a severity, or none
	removes           map[string][]string // startup taints by the workload that they wait for
}

func parse(p *command.Program, args []string) (*options, error) {
	o := &options{Options: &p.Options}
	flags := p.Flags()
	flags.StringVar(&o.silence, "silence", "", "")
	flags.StringVar(&o.baseline, "baseline", "", "")
	flags.TextVar(&o.severity, "severity", lint.Info, "")
	flags.StringVar(&o.failOn, "fail-on", "error", "")
	o.removes = make(map[string][]string)
	flags.Func("removes", "", func(text string) error {
		key, owner, found := strings.Cut(text, "=")
		if !found || key == "" || !strings.Contains(owner, " ") {
			return errors.New(`want KEY=WORKLOAD, such as "example.com/not-ready=DaemonSet kube-system/agent"`)
		}
		o.removes[owner] = append(o.removes[owner], key)
		return nil
	})
	if err := p.Parse(flags, args, 0); err != nil {
		return nil, err
	}
	if least := lint.Info; o.failOn != "none" && least.UnmarshalText([]byte(o.failOn)) != nil {
		return nil, command.Usagef("unknown severity %q of -fail-on; there are error, warning, info and none", o.failOn)
	}
	return o, nil
}

func run(p *command.Program, args []string) error {
	o, err := parse(p, args)
	if err != nil {
		return err
	}
	silences, err := loadSilences(p, o.silence)
	if err != nil {
		return err
	}
	known, err := loadSilences(p, o.baseline)
	if err != nil {
		return err
	}
	for i := range known {
		known[i].Line = 0 // it may silence nothing any more
	}
	silences = append(silences, known...)
	c, err := load(p, o.removes)
	if err != nil {
		return err
	}
	r := check(p, c, silences, o)
	write := func() error { return p.Show(r.text, r.data) }
	if format := formats[o.Format]; format != nil {
		write = func() error { return format(r, o, &p.Out) }
	}
	if err := write(); err != nil {
		return err
	}
	return r.gate(p, o)
}

// check asks package lint about the cluster.
func check(p *command.Program, c *cluster, silences []lint.Silence, o *options) *report {
	limit := o.Limit
	if limit == 0 {
		limit = -1
	}
	bar := progress.Start(p.Stderr, "checking", progress.Uncounted)
	defer bar.Stop()
	r := newReport(c, lint.Check(&c.Fleet, lint.Options{Silence: silences, Limit: limit, Objects: o.Format == "silences"}), o)
	r.Unused = slices.DeleteFunc(r.Unused, func(s lint.Silence) bool { return s.Line == 0 }) // of the baseline
	return r
}

// gate says what the exit status says.
func (r *report) gate(p *command.Program, o *options) error {
	for _, s := range r.Unused {
		p.Complain(unusedError(o.silence, s))
	}
	if n := len(r.Unused); n > 0 && o.Strict {
		return command.Foundf("%s unused, and -strict is set", command.Plural(n, "silence"))
	}
	if o.failOn == "none" {
		return nil
	}
	var least lint.Severity
	_ = least.UnmarshalText([]byte(o.failOn)) // checked with the command line
	if n := count(r.all, least); n > 0 {
		return command.Foundf("%s: -fail-on %s", command.Plural(n, "finding"), o.failOn)
	}
	return nil
}
