package main

import (
	_ "embed"
	"fmt"

	"github.com/tolero-dev/tolero/examples/internal/command"
	"github.com/tolero-dev/tolero/toleration/manifest"
)

// demo is the built-in cluster.
//
//go:embed testdata/demo.yaml
var demo string

// load returns the cluster that the options name. Faults in its objects go to
// stderr, and make it fail with -strict.
func (p *program) load(o *options) (*manifest.Cluster, error) {
	c, err := p.Load(&command.Input{
		Files: o.files, Rules: o.rules, Strict: o.strict, Placement: true, Demo: demo,
		Shown: func(f *manifest.Fault) error { return shown(f, o) },
	})
	if err != nil {
		return nil, err
	}
	if len(c.Nodes) == 0 || len(c.Pods) == 0 {
		return nil, command.Missing(c)
	}
	return c, nil
}

// shown returns the fault as an error, without what a node has there if values are hidden.
// The detail of a fault never has a value of the input.
func shown(f *manifest.Fault, o *options) error {
	if !o.hideValues || f.Object.Kind != "Node" {
		return f
	}
	return fmt.Errorf("%s: %s: %s: %s", f.Object, f.Err.Field, f.Err.Problem, f.Err.Detail)
}
