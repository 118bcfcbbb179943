package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/tolero-dev/tolero/bench/scenario"
	"github.com/tolero-dev/tolero/examples/internal/command"
	"github.com/tolero-dev/tolero/examples/internal/page"
	"github.com/tolero-dev/tolero/examples/internal/progress"
	"github.com/tolero-dev/tolero/match/matchtest/corpus"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
	"github.com/tolero-dev/tolero/toleration/manifest"
)

// cluster is the input, wherever it comes from.
type cluster struct {
	title string
	notes []string // what the reader should know about it, one line each
	nodes []node
	pods  []pod

	devices *deviceDump // nil if nobody is to be told of devices
	page    *page.Fleet // nil if nobody asks for a page
}

// node is a node, or count nodes that are alike.
type node struct {
	name   string
	taints []taint.Taint // a cordon included
	count  int64
}

// pod is a pod, or count pods that are alike.
type pod struct {
	name        string
	tolerations []toleration.Toleration // see command.Tolerations; newFleet leaves out what does not count
	node        string                  // that it is bound to, or empty
	count       int64
}

// load returns the cluster that the options name. Faults in its objects go to
// stderr, and make it fail with -strict.
func (p *program) load(o *options) (*cluster, error) {
	if len(o.files) > 0 {
		return p.loadFiles(o)
	}
	bar := progress.Start(p.stderr, "making the fleet", progress.Uncounted)
	defer bar.Stop()
	c := embedded
	if o.scenario != "" {
		c = func() *cluster { return synthetic(o) }
	}
	made := c()
	if o.wantsPage() {
		made.page = made.asPage(o.rules)
	}
	return made, nil
}

// embedded makes a cluster of the lists of package corpus. Each taint list makes
// as many nodes as it was found on, each toleration list as many pods. Lists with
// a scope are left out, because they are not about nodes.
func embedded() *cluster {
	c := &cluster{
		title: "real lists",
		notes: []string{"Each taint list is as many nodes as it was found on, each toleration list as many pods; " +
			"there are no nodes without taints among them. For your own cluster: sweep -f FILE (see -h)."},
	}
	for _, list := range corpus.Taints() {
		if list.Scope == "" {
			c.nodes = append(c.nodes, node{list.Node, list.Taints, int64(list.Count)})
		}
	}
	for _, list := range corpus.Tolerations() {
		if list.Scope == "" {
			c.pods = append(c.pods, pod{list.Workload, list.Tolerations, "", int64(list.Count)})
		}
	}
	return c
}

// synthetic makes the fleet of a scenario.
func synthetic(o *options) *cluster {
	makeCluster, _ := scenario.Find(o.scenario) // checked with the command line
	made := makeCluster(o.seed, o.nodes, o.pods)
	c := &cluster{title: fmt.Sprintf("scenario %s, seed %d", o.scenario, o.seed)}
	for _, n := range made.Nodes {
		c.nodes = append(c.nodes, node{n.Name, n.Taints, 1})
	}
	for _, p := range made.Pods {
		c.pods = append(c.pods, pod{p.Name, p.Tolerations, "", 1})
	}
	return c
}

// loadFiles reads the files of the command line.
func (p *program) loadFiles(o *options) (*cluster, error) {
	in := &input{Loader: manifest.Loader{Rules: o.rules, Placement: o.wantsPage(), Controllers: true}}
	if o.format == "table" {
		in.devices = new(deviceDump)
	}
	for _, name := range o.files {
		if err := progress.ReadFile(p.stderr, p.stdin, name, in.read); err != nil {
			return nil, err
		}
	}
	bar := progress.Start(p.stderr, "putting together", progress.Uncounted)
	in.devices.resolve()
	read := in.Cluster()
	bar.Stop()
	var faults []error
	for i := range read.Faults {
		faults = append(faults, &read.Faults[i])
	}
	p.complainFaults(faults, command.LintHint)
	n := len(read.Faults) + in.devices.complain(p)
	if n > 0 && o.strict {
		return nil, fmt.Errorf("%s in the objects, and -strict is set", count(int64(n), "fault"))
	}
	if err := missing(read); err != nil {
		return nil, err
	}
	c := fromManifests(read, strings.Join(o.files, ", "))
	c.devices = in.devices
	c.notes = append(c.notes, in.devices.missed(read.Others)...)
	if o.wantsPage() {
		c.page = pageFleet(read, c, o)
	}
	return c, nil
}

// input reads nodes and pods, and devices if they are asked for.
type input struct {
	manifest.Loader
	devices *deviceDump
}

// read reads a file to its end, both readers at the same time.
func (in *input) read(name string, r io.Reader) error {
	if in.devices == nil {
		return in.Read(name, r)
	}
	copied, to := io.Pipe()
	done := make(chan struct{})
	go func() {
		defer close(done)
		in.devices.readJSON(name, copied)
	}()
	err := in.Read(name, io.TeeReader(r, to))
	to.Close() // it never fails
	<-done
	return err
}

// missing returns an error if there is nothing to sweep, which says what there
// is instead.
func missing(c *manifest.Cluster) error {
	var lacks string
	switch {
	case len(c.Nodes) == 0 && len(c.Pods) == 0:
		lacks = "no nodes and no pods"
	case len(c.Nodes) == 0:
		lacks = "no nodes"
	case len(c.Pods) == 0:
		lacks = "no pods"
	default:
		return nil
	}
	var found []string
	for what, n := range map[string]int{"Node": len(c.Nodes), "pod": len(c.Pods), "workload without pods": c.Absent, "finished pod": c.Finished} {
		if n > 0 {
			found = append(found, count(int64(n), what))
		}
	}
	slices.Sort(found)
	for _, kind := range slices.Sorted(maps.Keys(c.Others)) {
		found = append(found, fmt.Sprintf("%d %s", c.Others[kind], kind))
	}
	if len(found) > 0 {
		lacks += " in the input, only " + strings.Join(found, ", ")
	} else {
		lacks += " in the input"
	}
	return fmt.Errorf("%s; kubectl get nodes,pods -A -o json prints both", lacks)
}

// fromManifests makes a cluster of what was read.
func fromManifests(read *manifest.Cluster, title string) *cluster {
	c := &cluster{title: title}
	if read.Absent > 0 {
		c.notes = append(c.notes, count(int64(read.Absent), "workload")+" left out: no replicas, or their pods are in the input.")
	}
	if read.Finished > 0 {
		c.notes = append(c.notes, count(int64(read.Finished), "pod")+" left out: finished, or deleted before they had a node.")
	}
	if pending := slices.Collect(read.Pending()); len(pending) > 0 && len(pending) < len(read.Pods) {
		var n int64
		for _, p := range pending {
			n += p.Count
		}
		c.notes = append(c.notes, "Without a node yet: "+count(n, "pod")+".")
	}
	c.nodes, c.pods = slices.Grow(c.nodes, len(read.Nodes)), slices.Grow(c.pods, len(read.Pods))
	for i := range read.Nodes {
		n := &read.Nodes[i]
		c.nodes = append(c.nodes, node{n.Name, n.Taints(), 1})
	}
	for i := range read.Pods {
		p := &read.Pods[i]
		c.pods = append(c.pods, pod{p.ID(), command.Tolerations(p), p.NodeName, p.Count})
	}
	return c
}

// count returns a number with the word for what is counted.
func count(n int64, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return thousands(n) + " " + what + "s"
}
