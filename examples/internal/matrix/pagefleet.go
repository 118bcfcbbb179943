package matrix

import (
	"path/filepath"
	"strings"

	"github.com/tolero-dev/tolero/examples/internal/command"
	"github.com/tolero-dev/tolero/examples/internal/page"
	"github.com/tolero-dev/tolero/taint/lifecycle"
	"github.com/tolero-dev/tolero/toleration"
	"github.com/tolero-dev/tolero/toleration/manifest"
)

// pageFleet returns what was read as a page has it.
func pageFleet(read *manifest.Cluster, c *cluster, o *options) *page.Fleet {
	f := &page.Fleet{Title: baseNames(o.Files), Notes: c.notes, Rules: o.Rules}
	labels := command.PoolLabels(o.pool)
	for i := range read.Nodes {
		n := &read.Nodes[i]
		to := page.Node{Name: n.Name, Pool: command.Pool(n, labels), Zone: lifecycle.ZoneKey(n.Labels), Labels: n.Labels, Taints: c.nodes[i].taints, Count: 1}
		f.Nodes = append(f.Nodes, to)
	}
	for i := range read.Pods {
		p := &read.Pods[i]
		attraction, _ := command.Affinity(p)
		to := page.Pod{
			Name: p.Name, Namespace: p.Namespace, Owner: p.Owner.String(), Node: p.NodeName,
			DaemonSet: p.Owner.Kind == "DaemonSet" || p.Kind == "DaemonSet", HostNetwork: p.HostNetwork,
			Tolerations: c.pods[i].tolerations, Count: p.Count, Affinity: attraction,
		}
		if p.Kind != "Pod" && to.Owner == "" {
			to.Owner = p.Kind + "/" + p.Name // a workload owns the pods that it stands for
		}
		f.Pods = append(f.Pods, to)
	}
	return f
}

// baseNames returns the names of files without their folders.
func baseNames(files []string) string {
	names := make([]string, len(files))
	for i, file := range files {
		names[i] = filepath.Base(file)
		if file == "-" {
			names[i] = "standard input"
		}
	}
	return strings.Join(names, ", ")
}

// asPage returns a cluster that was not read from files as a page has it.
func (c *cluster) asPage(rules toleration.Rules) *page.Fleet {
	f := &page.Fleet{Title: c.title, Notes: c.notes, Rules: rules}
	for i := range c.nodes {
		n := &c.nodes[i]
		f.Nodes = append(f.Nodes, page.Node{Name: n.name, Taints: n.taints, Count: n.count})
	}
	for i := range c.pods {
		p := &c.pods[i]
		kind, name, _ := strings.Cut(p.name, " ")
		if name == "" {
			kind, name = "", p.name
		}
		namespace, rest, found := strings.Cut(name, "/")
		if !found {
			namespace, rest = "", name
		}
		to := page.Pod{Name: rest, Namespace: namespace, Tolerations: p.tolerations, Count: p.count, DaemonSet: kind == "DaemonSet"}
		if kind != "" && kind != "Pod" {
			to.Owner = kind + "/" + rest
		}
		f.Pods = append(f.Pods, to)
	}
	return f
}
