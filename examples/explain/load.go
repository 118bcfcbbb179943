package main

import (
	_ "embed"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tolero-dev/tolero/examples/internal/progress"
	"github.com/tolero-dev/tolero/toleration/manifest"
)

// demo is the built-in cluster.
//
//go:embed testdata/demo.yaml
var demo string

// load returns the cluster that the options name. Faults in its objects go to
// stderr, and make it fail with -strict.
func (p *program) load(o *options) (*manifest.Cluster, error) {
	loader := &manifest.Loader{Rules: o.rules}
	if len(o.files) == 0 {
		if err := loader.Read("the built-in cluster", strings.NewReader(demo)); err != nil {
			return nil, err
		}
	}
	for _, name := range o.files {
		if err := progress.ReadFile(p.stderr, p.stdin, name, loader.Read); err != nil {
			return nil, err
		}
	}
	c := loader.Cluster()
	for i := range c.Faults {
		p.complain(shown(&c.Faults[i], o))
	}
	if n := len(c.Faults); n > 0 && o.strict {
		return nil, fmt.Errorf("%s in the objects, and -strict is set", plural(n, "fault"))
	}
	if len(c.Nodes) == 0 || len(c.Pods) == 0 {
		return nil, fmt.Errorf("%s and %s in the input%s; kubectl get nodes,pods -A -o json prints both",
			plural(len(c.Nodes), "node"), plural(len(c.Pods), "pod"), others(c))
	}
	return c, nil
}

// shown returns the fault as an error, without what a node has if values are hidden.
func shown(f *manifest.Fault, o *options) error {
	if !o.hideValues || f.Object.Kind != "Node" {
		return f
	}
	return fmt.Errorf("%s: %s: %s", f.Object, f.Err.Field, f.Err.Problem)
}

// others says what there is besides, for those who asked for something else.
func others(c *manifest.Cluster) string {
	var found []string
	for _, kind := range slices.Sorted(maps.Keys(c.Others)) {
		found = append(found, fmt.Sprintf("%d %s", c.Others[kind], kind))
	}
	if c.Finished > 0 {
		found = append(found, plural(c.Finished, "finished pod"))
	}
	if c.Absent > 0 {
		found = append(found, plural(c.Absent, "workload")+" without pods")
	}
	if found == nil {
		return ""
	}
	return ", only " + strings.Join(found, ", ")
}

// plural returns a number with the word for what is counted.
func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
