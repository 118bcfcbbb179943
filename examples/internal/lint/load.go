package lint

import (
	"errors"
	"fmt"
	"slices"

	"github.com/tolero-dev/tolero/examples/internal/command"
	"github.com/tolero-dev/tolero/match/lint"
	"github.com/tolero-dev/tolero/match/matchtest/corpus"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
	"github.com/tolero-dev/tolero/toleration/manifest"
)

// cluster is what is checked, and where it comes from.
type cluster struct {
	lint.Fleet
	title string
	nodes []manifest.Node           // one for each node of the fleet; none if it is built in
	pools map[string]*manifest.Pool // by name
	pods  []manifest.Pod            // the same for pods
}

func load(p *command.Program, removes map[string][]string) (*cluster, error) {
	if len(p.Files) == 0 {
		if err := p.BuiltIn(); err != nil {
			return nil, err
		}
		c := embedded()
		c.Rules = p.Rules
		return c, nil
	}
	read, err := p.Load(&command.Input{Kinds: command.PoolKinds, Filter: func(c *manifest.Cluster) { withoutFindings(c, p.Rules) }})
	if err != nil {
		return nil, err
	}
	if len(read.Nodes)+len(read.Pools)+len(read.Pods) == 0 {
		return nil, command.Missing(read)
	}
	c := &cluster{nodes: read.Nodes, pods: read.Pods, Fleet: fleetOf(read, p.Rules, removes), pools: make(map[string]*manifest.Pool)}
	for i := range read.Pools {
		c.pools[read.Pools[i].ID()] = &read.Pools[i]
	}
	return c, nil
}

// fleetOf returns what package lint looks at. removes has further startup taints that wait for
// workloads, by the names of these.
func fleetOf(read *manifest.Cluster, rules toleration.Rules, removes map[string][]string) lint.Fleet {
	f := lint.Fleet{Rules: rules, Pools: poolsOf(read)}
	for i := range read.Nodes {
		n := &read.Nodes[i]
		f.Nodes = append(f.Nodes, lint.Node{Name: n.ID(), Taints: n.SpecTaints, NodeName: n.Name, Labels: n.Labels})
	}
	for i := range read.Pods {
		p := &read.Pods[i]
		attraction, _ := command.Affinity(p)
		f.Pods = append(f.Pods, lint.Pod{
			Name: command.Owner(p), Tolerations: command.Tolerations(p),
			DaemonSet: p.Kind == "DaemonSet" || p.Owner.Kind == "DaemonSet", Affinity: attraction, Static: p.Owner.Kind == "Node",
			Count: int(p.Count), Pending: p.Pending() && p.Kind == "Pod", Node: nodeOf(p),
			Removes: append(startupTaints(p), removes[command.Owner(p)]...),
		})
	}
	return f
}

// Counts returns how many findings a cluster has, by severity and by ID, and the IDs, those of
// the most severe findings first.
func Counts(c *manifest.Cluster, rules toleration.Rules) (bySeverity, byID map[string]int, ids []string) {
	f := fleetOf(c, rules, nil)
	counts := lint.Check(&f, lint.Options{Limit: 1}).Counts
	bySeverity, byID = make(map[string]int), make(map[string]int)
	for _, id := range lint.IDs() {
		if n := counts[id]; n > 0 {
			bySeverity[id.Severity().String()] += n
			byID[string(id)] = n
			ids = append(ids, string(id))
		}
	}
	return bySeverity, byID, ids
}

// nodeOf returns the node from which a taint can evict the pod.
func nodeOf(p *manifest.Pod) string {
	if p.Terminating {
		return ""
	}
	return p.NodeName
}

// withoutFindings takes out the faults that are findings too: those of taints and
// tolerations that decode. Seconds that the DaemonSet controller takes off again are no
// finding: a fault with them remains.
func withoutFindings(c *manifest.Cluster, rules toleration.Rules) {
	if len(c.Faults) == 0 {
		return
	}
	type place struct{ object, field string }
	faulty := make(map[string]bool)
	for i := range c.Faults {
		faulty[c.Faults[i].Object.String()] = true
	}
	found := make(map[place]bool)
	add := func(object string, err error, path func(i int) string) {
		var invalid *taint.FieldErrors
		if errors.As(err, &invalid) {
			for _, fault := range invalid.Faults {
				found[place{object, fieldOf(fault.Field, path)}] = true
			}
		}
	}
	for i := range c.Nodes {
		if n := &c.Nodes[i]; faulty[n.Object.String()] {
			add(n.Object.String(), taint.Validate(n.SpecTaints), n.SpecField)
		}
	}
	for i := range c.Pods {
		if p := &c.Pods[i]; faulty[p.Object.String()] {
			add(p.Object.String(), rules.Validate(command.Tolerations(p)), p.SpecField)
		}
	}
	c.Faults = slices.DeleteFunc(c.Faults, func(f manifest.Fault) bool { return found[place{f.Object.String(), f.Err.Field}] })
}

// embedded makes a cluster of the lists of package corpus. Each taint list makes as many
// nodes as it was found on, each toleration list as many pods. Lists with a scope are
// left out, because they are not about nodes.
func embedded() *cluster {
	c := &cluster{title: "built-in real lists (-f FILE for yours)"}
	for _, list := range corpus.Taints() {
		for range list.Count {
			if list.Scope == "" {
				c.Nodes = append(c.Nodes, lint.Node{Name: list.Node, Taints: list.Taints})
			}
		}
	}
	for _, list := range corpus.Tolerations() {
		for range list.Count {
			if list.Scope == "" {
				c.Pods = append(c.Pods, lint.Pod{Name: list.Workload, Tolerations: list.Tolerations, DaemonSet: list.Kind == "DaemonSet"})
			}
		}
	}
	return c
}

// loadSilences reads the file of -silence.
func loadSilences(p *command.Program, name string) ([]lint.Silence, error) {
	if name == "" {
		return nil, nil
	}
	text, err := p.ReadAll(name)
	if err != nil {
		return nil, err
	}
	silences, err := lint.ParseSilences(text)
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		var named []error
		for _, fault := range joined.Unwrap() {
			named = append(named, fmt.Errorf("%s: %w", name, fault))
		}
		return nil, errors.Join(named...)
	}
	return silences, err
}

// unusedError says that a line of the file silences nothing.
func unusedError(name string, s lint.Silence) error {
	return fmt.Errorf("%s: line %d: silences nothing: %s", name, s.Line, s)
}
