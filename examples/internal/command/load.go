package command

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/tolero-dev/tolero/examples/internal/progress"
	"github.com/tolero-dev/tolero/toleration"
	"github.com/tolero-dev/tolero/toleration/manifest"
)

// Input is a cluster in files.
type Input struct {
	Files  []string // "-" is standard input
	Rules  toleration.Rules
	Strict bool // fail if an object has a fault
	// Placement has the labels of nodes read, and what pods require of them.
	Placement bool
	// Demo is read if there are no files.
	Demo string
	// Filter takes out faults that the program reports itself; nil takes none.
	Filter func(*manifest.Cluster)
	// Shown returns a fault as it is to be shown; nil shows it as it is.
	Shown func(*manifest.Fault) error
	// AllFaults has all faults written, not only the first ten.
	AllFaults bool
	// Hint follows the number of faults that are not written; empty is LintHint.
	Hint string
}

// LintHint says how to see the faults that a program does not write. Lint reports most of them
// as findings, one for objects with equal lists.
const LintHint = "; examples/lint -limit 0 shows all, equal ones together"

// Load returns the cluster. Faults in its objects go to stderr: the first ten, or all.
func (p *Program) Load(in *Input) (*manifest.Cluster, error) {
	loader := &manifest.Loader{Rules: in.Rules, Placement: in.Placement, Controllers: true}
	if len(in.Files) == 0 {
		if err := loader.Read("the built-in cluster", strings.NewReader(in.Demo)); err != nil {
			return nil, err
		}
	}
	for _, name := range in.Files {
		if err := progress.ReadFile(p.Stderr, p.Stdin, name, loader.Read); err != nil {
			return nil, err
		}
	}
	bar := progress.Start(p.Stderr, "putting together", progress.Uncounted)
	c := loader.Cluster()
	if in.Filter != nil {
		in.Filter(c)
	}
	bar.Stop()
	p.complainFaults(c.Faults, in)
	if n := len(c.Faults); n > 0 && in.Strict {
		return nil, fmt.Errorf("%s in the objects, and -strict is set", Plural(n, "fault"))
	}
	return c, nil
}

// complainFaults writes the faults as in asks for.
func (p *Program) complainFaults(faults []manifest.Fault, in *Input) {
	all := make([]error, len(faults))
	for i := range faults {
		all[i] = &faults[i]
		if in.Shown != nil {
			all[i] = in.Shown(&faults[i])
		}
	}
	if !in.AllFaults {
		WriteErrors(p.Stderr, p.Name, all, cmp.Or(in.Hint, LintHint))
		return
	}
	for _, err := range all {
		p.Complain(err)
	}
}

// Owner returns the name of the workload that a pod comes from, such as "Deployment
// shop/cart", or else that of the pod: the names of pods change all the time.
func Owner(p *manifest.Pod) string {
	owner := cmp.Or(p.Workload, p.Owner)
	if owner == (manifest.Owner{}) || owner.Kind == "Node" { // a static pod
		return p.ID()
	}
	return manifest.Object{Kind: owner.Kind, Namespace: p.Namespace, Name: owner.Name}.ID()
}

// Missing returns an error that says what is in the cluster when nodes or pods are
// missing.
func Missing(c *manifest.Cluster) error {
	return fmt.Errorf("%s and %s in the input%s; kubectl get nodes,pods -A -o json prints both",
		Plural(len(c.Nodes), "node"), Plural(len(c.Pods), "pod"), others(c))
}

// others says what there is besides, for those who asked for something else.
func others(c *manifest.Cluster) string {
	var found []string
	for _, kind := range slices.Sorted(maps.Keys(c.Others)) {
		found = append(found, fmt.Sprintf("%d %s", c.Others[kind], kind))
	}
	if c.Finished > 0 {
		found = append(found, Plural(c.Finished, "finished pod"))
	}
	if c.Absent > 0 {
		found = append(found, Plural(c.Absent, "workload")+" without pods")
	}
	if found == nil {
		return ""
	}
	return ", only " + strings.Join(found, ", ")
}

// ReadAll returns the text of a small file, such as a plan, or of standard input.
func (p *Program) ReadAll(name string) (string, error) {
	if name == "-" {
		text, err := io.ReadAll(p.Stdin)
		return string(text), err
	}
	text, err := os.ReadFile(name)
	return string(text), err
}

// Once returns an error of usage if more than one of the files is standard input.
func Once(files ...string) error {
	n := 0
	for _, name := range files {
		if name == "-" {
			n++
		}
	}
	if n > 1 {
		return Usagef("standard input can be read only once")
	}
	return nil
}
