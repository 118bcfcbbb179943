// Package matrix is tolero matrix, tolero check and tolero serve. They answer for a whole
// cluster, for each distinct toleration list of its pods: how many nodes are free to a pod,
// which ones it would avoid, which refuse it and by which taint, and which would evict it, and
// when.
//
// File by file: input.go reads the cluster; fleet.go groups nodes by taint list and pods by
// toleration list; engine.go and compileengine.go answer what the taint lists mean to a
// toleration list, in two ways, which check.go compares; sweep.go multiplies by the numbers
// of nodes and pods that have them; reasons.go and histogram.go count why nodes refuse;
// table.go and json.go show the result;
// page.go hands the cluster to package page; serve.go serves the page. devicedump.go,
// deviceobjects.go and devicetemplates.go read devices, claims and rules beside the loader of
// nodes and pods, devicereport.go asks packages match/device/evict and compile/index/devices
// about them, and devicetable.go shows it.
package matrix

import (
	"flag"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/tolero-dev/tolero/bench/scenario"
	"github.com/tolero-dev/tolero/examples/internal/command"
	"github.com/tolero-dev/tolero/examples/internal/page"
	"github.com/tolero-dev/tolero/examples/internal/progress"
)

const fleetFlags = `
  -scenario S  a synthetic fleet instead, with -nodes N, -pods P (10000 each) and
               -seed N (1): pools, unique, numeric, timestamps, daemonsets,
               permuted, halfown, distinct, softtimes or nearlyclean`

const poolFlag = `
  -pool LABEL  the label that names the node pool of a node, if it is none of those
               that are known`

const realLists = `Without -f the lists are those of package match/matchtest/corpus, found on real clusters.`

// Command is tolero matrix.
var Command = command.Command{
	Name:    "matrix",
	Summary: "which pods fit which nodes: toleration lists by taint lists",
	About: `
Tells of device taints too if the input has ResourceSlices, ResourceClaims or
DeviceTaintRules: which devices the tolerations of claims leave, which pods are evicted and
when. Device classes, selectors in CEL and everything else that a request asks for are not
evaluated, and neither are node selectors and resources of pods. Which pods are evicted now,
tolero tells without a command.
` + realLists,
	Examples: `
  # your cluster
  ` + command.Dump + ` | tolero matrix -f -

  # with its devices
  kubectl get nodes,pods,resourceslices,resourceclaims,resourceclaimtemplates,devicetaintrules -A -o json | tolero matrix -f -

  # a page for a browser, one file that needs no network
  tolero matrix -f dump.json -html report.html`,
	Flags: `
  -html FILE   write a page to look at in a browser: what is wrong today, workloads by
               node pools, why, findings, and who is evicted if nodes fall silent; one file, no
               network; with -o the matrix is printed too` + poolFlag + `
  -now TIME    when to look at device taints, as in 2026-03-01T12:00:00Z (now)` + fleetFlags,
	TextLimit: 3,
	DataLimit: 10,
	Result:    jsonReport{},
	Run:       run,
}

// Check is tolero check.
var Check = command.Command{
	Name:    "check",
	Summary: "two engines, each pair of a pod and a node compared",
	About: `
Package compile must answer as package match does: the verdict, the taint that decides, the
score and the eviction. With as many different lists as nodes that takes minutes.
` + realLists,
	Examples: `
  # lists found on real clusters
  tolero check

  # your cluster
  ` + command.Dump + ` | tolero check -f -

  # a synthetic fleet
  tolero check -scenario pools -nodes 100000 -pods 100000`,
	Flags:     fleetFlags,
	TextLimit: 20,
	DataLimit: 20,
	Result:    checkResult{},
	Run: func(p *command.Program, args []string) error {
		return runCheck(p, args, matchEngine, compileEngine)
	},
}

// options are the flags of these commands.
type options struct {
	*command.Options
	scenario    string
	nodes, pods int
	seed        uint64
	now         time.Time // zero: the present
	html, pool  string
	devices     bool // the answer tells of devices
}

// flags returns the flags of all of these commands.
func (o *options) flags(p *command.Program) *flag.FlagSet {
	o.Options = &p.Options
	flags := p.Flags()
	flags.StringVar(&o.scenario, "scenario", "", "")
	flags.IntVar(&o.nodes, "nodes", 10_000, "")
	flags.IntVar(&o.pods, "pods", 10_000, "")
	flags.Uint64Var(&o.seed, "seed", 1, "")
	return flags
}

// validate finds what does not fit together.
func (o *options) validate() error {
	_, known := scenario.Find(o.scenario)
	switch {
	case len(o.Files) > 0 && o.Given["scenario"]:
		return command.Usagef("-f and -scenario exclude each other")
	case o.Given["scenario"] && !known:
		return command.Usagef("unknown scenario %q; there are %s", o.scenario, strings.Join(scenario.Names(), ", "))
	case !o.Given["scenario"] && (o.Given["nodes"] || o.Given["pods"] || o.Given["seed"]):
		return command.Usagef("-nodes, -pods and -seed need a -scenario")
	case o.nodes < 1 || o.pods < 1:
		return command.Usagef("-nodes and -pods must be at least 1")
	}
	return nil
}

func parse(p *command.Program, args []string) (*options, error) {
	o := new(options)
	flags := o.flags(p)
	flags.Func("now", "", func(text string) (err error) { o.now, err = time.Parse(time.RFC3339, text); return err })
	flags.StringVar(&o.html, "html", "", "")
	flags.StringVar(&o.pool, "pool", "", "")
	if err := p.Parse(flags, args, 0); err != nil {
		return nil, err
	}
	o.devices = o.Format == "text"
	return o, o.validate()
}

func run(p *command.Program, args []string) error {
	o, err := parse(p, args)
	if err != nil {
		return err
	}
	c, err := load(p, o)
	if err != nil {
		return err
	}
	if o.html != "" {
		if err := c.write(p, o); err != nil || !p.Given["o"] {
			return err // where all lists differ the matrix of lists takes much longer than the page
		}
	}
	r := sweep(p, c, compileEngine)
	if c.devices != nil && !c.devices.empty() {
		at := o.now
		if at.IsZero() {
			at = p.Now()
		}
		r.devices = newDeviceReport(c.devices, at)
	}
	return p.Show(r.text, r.data)
}

// write writes the page.
func (c *cluster) write(p *command.Program, o *options) error {
	bar := progress.Start(p.Stderr, "making the page", progress.Uncounted)
	content, err := page.HTML(c.page(o))
	bar.Stop()
	if err != nil {
		return err
	}
	return command.WriteFile(o.html, content)
}

// sweep answers for all pods and nodes of a cluster.
func sweep(p *command.Program, c *cluster, e engine) *report {
	bar := progress.Start(p.Stderr, "grouping equal lists", progress.Uncounted)
	f := newFleet(c, p.Rules)
	bar.Stop()
	limit := p.Limit
	if limit == 0 {
		limit = 1 << 30
	}
	r := evaluate(p, f, e, limit)
	r.title, r.notes = c.title, slices.Clone(c.notes)
	if c.aside != "" {
		r.notes = append(r.notes, c.aside)
	}
	if f.ignored > 0 {
		r.notes = append(r.notes, "Pods with tolerations that have Gt or Lt: "+command.Thousands(f.ignored)+". In a default cluster those do not count; with -comparisons they do.")
	}
	return r
}

func runCheck(p *command.Program, args []string, one, two engine) error {
	o := new(options)
	if err := p.Parse(o.flags(p), args, 0); err != nil {
		return err
	}
	if err := o.validate(); err != nil {
		return err
	}
	c, err := load(p, o)
	if err != nil {
		return err
	}
	f := newFleet(c, p.Rules)
	differences := check(p, f, one, two)
	for _, d := range differences[:min(p.Limit, len(differences))] {
		p.Complain(d)
	}
	if n := len(differences); n > 0 {
		return command.Foundf("the engines differ for %s of lists", command.Plural(n, "pair"))
	}
	result := checkResult{c.title, f.podCount, f.nodeCount, f.podCount * f.nodeCount, len(f.pods) * len(f.nodes)}
	return p.Show(func(w *command.Writer) {
		w.Line(0, heading(c.title)+": "+f.size()+".")
		w.Line(0, fmt.Sprintf("Both engines have the same answers for %s, which are %s of lists.", command.Plural(result.Pairs, "pair"), command.Plural(result.ListPairs, "pair")))
	}, func() any { return result })
}

// checkResult is what was compared.
type checkResult struct {
	Cluster   string `json:"cluster"`
	Pods      int64  `json:"pods"`
	Nodes     int64  `json:"nodes"`
	Pairs     int64  `json:"pairs"` // of a pod and a node
	ListPairs int    `json:"listPairs"`
}
