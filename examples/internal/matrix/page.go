package matrix

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/tolero-dev/tolero/examples/internal/page"
	"github.com/tolero-dev/tolero/toleration/manifest"
)

// page returns the cluster as package page has it. What was not read from files becomes
// manifests, each node one by one.
func (c *cluster) page(o *options) *page.Input {
	in := &page.Input{Title: c.title, Notes: c.notes, Rules: o.Rules, Pool: o.pool, Cluster: c.read}
	if c.read != nil {
		names := slices.Clone(o.Files)
		for i := range names {
			names[i] = filepath.Base(names[i])
			if names[i] == "-" {
				names[i] = "standard input"
			}
		}
		in.Title = strings.Join(names, ", ")
		return in
	}
	in.Cluster = new(manifest.Cluster)
	for i := range c.nodes {
		n := &c.nodes[i]
		for range n.count {
			in.Cluster.Nodes = append(in.Cluster.Nodes, manifest.Node{Object: manifest.Object{Kind: "Node", Name: n.name}, SpecTaints: n.taints})
		}
	}
	for i := range c.pods {
		p := &c.pods[i]
		kind, name, _ := strings.Cut(p.name, " ")
		if name == "" {
			kind, name = "Deployment", p.name
		}
		to := manifest.Pod{Object: manifest.Object{Kind: kind, Name: name}, SpecTolerations: p.tolerations, Count: p.count}
		if namespace, rest, found := strings.Cut(name, "/"); found {
			to.Namespace, to.Name = namespace, rest
		}
		in.Cluster.Pods = append(in.Cluster.Pods, to)
	}
	return in
}
