package matrix

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tolero-dev/tolero/bench/scenario"
	"github.com/tolero-dev/tolero/examples/internal/command"
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
	aside string   // what the matrix of lists does not look at
	nodes []node
	pods  []pod

	devices *deviceDump       // nil if nobody is to be told of devices
	read    *manifest.Cluster // nil if it was not read from files
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
	count       int64
}

// load returns the cluster that the options name. Faults in its objects go to
// stderr, and make it fail with -strict.
func load(p *command.Program, o *options) (*cluster, error) {
	if len(o.Files) > 0 {
		return loadFiles(p, o)
	}
	if err := p.BuiltIn(); err != nil {
		return nil, err
	}
	bar := progress.Start(p.Stderr, "making the fleet", progress.Uncounted)
	defer bar.Stop()
	c := embedded
	if o.scenario != "" {
		c = func() *cluster { return synthetic(o) }
	}
	return c(), nil
}

// builtInTitle is the title of what is built in.
const builtInTitle = "real lists"

// heading returns a title as text has it, where nothing else says that no cluster of the user's is meant.
func heading(title string) string {
	if title == builtInTitle {
		return "built-in real lists (-f FILE for yours)"
	}
	return title
}

// embedded makes a cluster of the lists of package corpus. Each taint list makes
// as many nodes as it was found on, each toleration list as many pods. Lists with
// a scope are left out, because they are not about nodes.
func embedded() *cluster {
	c := &cluster{
		title: builtInTitle,
		notes: []string{"Each taint list is as many nodes as it was found on, each toleration list as many pods; " +
			"there are no nodes without taints among them. For your own cluster: tolero matrix -f FILE."},
	}
	for _, list := range corpus.Taints() {
		if list.Scope == "" {
			c.nodes = append(c.nodes, node{list.Node, list.Taints, int64(list.Count)})
		}
	}
	for _, list := range corpus.Tolerations() {
		if list.Scope == "" {
			c.pods = append(c.pods, pod{list.Workload, list.Tolerations, int64(list.Count)})
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
		c.pods = append(c.pods, pod{p.Name, p.Tolerations, 1})
	}
	return c
}

// loadFiles reads the files of the command line.
func loadFiles(p *command.Program, o *options) (*cluster, error) {
	in := &command.Input{Kinds: command.PlacementKinds}
	var devices *deviceDump
	if o.devices {
		devices = new(deviceDump)
		in.Beside = devices
		in.Kinds = slices.Concat(in.Kinds, []string{"resourceslices.resource.k8s.io", "resourceclaims.resource.k8s.io", "resourceclaimtemplates.resource.k8s.io", "devicetaintrules.resource.k8s.io"})
	}
	read, err := p.Load(in)
	if err != nil {
		return nil, err
	}
	if len(read.Nodes) == 0 || len(read.Pods) == 0 {
		return nil, command.Missing(read)
	}
	c := fromManifests(read, strings.Join(o.Files, ", "))
	c.devices = devices
	c.notes = append(c.notes, devices.missed(read.Others)...)
	c.read = read
	return c, nil
}

// fromManifests makes a cluster of what was read.
func fromManifests(read *manifest.Cluster, title string) *cluster {
	c := &cluster{title: title}
	if read.Absent > 0 {
		c.notes = append(c.notes, command.Plural(read.Absent, "workload")+" left out: no replicas, or their pods are in the input.")
	}
	if read.Finished > 0 {
		c.notes = append(c.notes, command.Plural(read.Finished, "pod")+" left out: finished, or deleted before they had a node.")
	}
	if pending := slices.Collect(read.Pending()); len(pending) > 0 && len(pending) < len(read.Pods) {
		var n int64
		for _, p := range pending {
			n += p.Count
		}
		c.notes = append(c.notes, "Without a node yet: "+command.Plural(n, "pod")+".")
	}
	var choosy int64
	for i := range read.Pods {
		if required, _ := command.Affinity(&read.Pods[i]); !required.IsZero() {
			choosy += read.Pods[i].Count
		}
	}
	if choosy > 0 {
		c.aside = "Only taints are looked at, and " + command.Plural(choosy, "pod") + " may also be kept off nodes by a node selector, required node affinity or a volume: tolero why and tolero plan tell."
	}
	c.nodes, c.pods = slices.Grow(c.nodes, len(read.Nodes)), slices.Grow(c.pods, len(read.Pods))
	for i := range read.Nodes {
		n := &read.Nodes[i]
		c.nodes = append(c.nodes, node{n.Name, n.Taints(), 1})
	}
	for i := range read.Pods {
		p := &read.Pods[i]
		c.pods = append(c.pods, pod{p.ID(), command.Tolerations(p), p.Count})
	}
	return c
}
