package why

import (
	"slices"
	"strings"

	"github.com/tolero-dev/tolero/examples/internal/command"
	"github.com/tolero-dev/tolero/examples/internal/placement"
	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/match/explain"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration/manifest"
)

// pool is what a pool, which may have no node yet, would do for a pod, as far as taints and labels
// tell. How large its nodes are, and whether it has reached a limit, is not looked at.
type pool struct {
	Name     string `json:"name"` // such as "NodePool gpu-spot"
	OnDemand bool   `json:"onDemand"`
	Refuses  string `json:"refuses,omitempty"` // "labels" or "taints"; empty if a new node would accept the pod
	of       *manifest.Pool
}

// queued is the scheduling gate of pods that wait for Kueue to give them a flavor.
const queued = "kueue.x-k8s.io/admission"

// askPools asks the pools about pods that wait, unless they are for one node. A pod that has a flavor
// is gated no more, and a NodeClaim with a node is that node.
func (w *world) askPools(g *podGroup, f *placement.Fleet, o *options) {
	why, s := g.Waits, g.pods[0].State
	flavors := s != nil && slices.Contains(s.Gates, queued)
	if f.One || g.pods[0].Owner.Kind == "DaemonSet" || !flavors && !why.unhoused() {
		return
	}
	for i := range w.cluster.Pools {
		p := &w.cluster.Pools[i]
		if (p.Kind == "ResourceFlavor") != flavors || p.NodeName != "" {
			continue
		}
		answer := pool{p.ID(), p.OnDemand, "", p}
		tolerations := slices.Concat(g.Tolerations, p.Tolerations)
		switch {
		case !g.attraction.MayMatch(&p.Labels):
			answer.Refuses = "labels"
		case match.Decide(p.Taints, tolerations, o.Rules).Scheduling == match.Unschedulable:
			answer.Refuses = "taints"
		}
		why.Pools = append(why.Pools, answer)
	}
	if slices.ContainsFunc(why.Pools, func(p pool) bool { return p.Refuses != "labels" }) {
		for _, list := range [...][]string{why.Reasons, why.causes} {
			for i := range list {
				list[i] = strings.TrimSuffix(list[i], " No toleration helps.")
			}
		}
	}
	if flavors {
		why.tellFlavors()
	} else {
		why.tellPools()
	}
}

// unhoused reports whether the pods wait because no node that there is has a place for them.
func (why *waiting) unhoused() bool {
	return slices.Contains([]string{byTaints, bySelector, byResources, byNoNode}, why.Kind)
}

// accepting returns the names of the pools that would accept the pods and are as wanted.
func (why *waiting) accepting(wanted func(p *pool) bool) (names []string) {
	for i := range why.Pools {
		if p := &why.Pools[i]; p.Refuses == "" && wanted(p) {
			names = append(names, p.Name)
		}
	}
	return names
}

func (why *waiting) tellFlavors() {
	switch names := why.accepting(func(*pool) bool { return true }); {
	case names != nil:
		why.note("Its node selector and tolerations suit %s.", command.Some(names))
	case why.Pools != nil:
		why.note("Its node selector and tolerations suit no ResourceFlavor.")
	}
}

// tellPools says what the pools would do. If one makes a node for the pods, they wait for that, and
// no toleration is needed.
func (why *waiting) tellPools() {
	makes, verb := why.accepting(func(p *pool) bool { return p.of.Kind == "NodeClaim" }), [2]string{"becomes", "become"}
	if makes == nil {
		makes, verb = why.accepting(func(p *pool) bool { return p.OnDemand }), [2]string{"makes", "make"}
	}
	by := plural(len(makes), verb[0], verb[1])
	switch scale := why.accepting(func(*pool) bool { return true }); {
	case makes != nil && why.Kind == byResources:
		why.note("%s %s a node that accepts it, as far as taints and labels tell.", command.Some(makes), by)
	case makes != nil:
		why.Kind, why.taints = byPool, false
		why.note("No node accepts it, but %s %s one that does, as far as taints and labels tell.", command.Some(makes), by)
		why.causes = why.Reasons[len(why.Reasons)-1:]
	case scale != nil:
		of := why.Pools[slices.IndexFunc(why.Pools, func(p pool) bool { return p.Refuses == "" })].of
		name := strings.ToLower(of.Kind) + " " + of.Name
		if of.Namespace != "" {
			name += " -n " + of.Namespace
		}
		why.note("A further node of %s would accept it; nothing makes one by itself: kubectl scale %s --replicas=N.", command.Some(scale), name)
	default:
		var bar, tainted []string
		for i := range why.Pools {
			switch p := &why.Pools[i]; {
			case why.Kind == byResources:
			case p.Refuses == "labels":
				bar = append(bar, p.Name)
			default:
				tainted = append(tainted, p.Name)
			}
		}
		if tainted != nil { // why explains each
			why.causes = append(why.causes, "Taints keep it from new nodes of "+command.Some(tainted))
		}
		if bar != nil {
			why.note("%s %s no node that it may use.", command.Some(bar), plural(len(bar), "makes", "make"))
		}
	}
}

// refusingPools returns what would have to change for new nodes of pools that refuse the pods by
// taints, once for those with the same taints.
func (g *podGroup) refusingPools(o *options) (all []refusal) {
	if g.Waits == nil || !g.Waits.unhoused() {
		return nil
	}
	known := make(map[string]int)
	for i := range g.Waits.Pools {
		p := &g.Waits.Pools[i]
		if p.Refuses != "taints" || p.of.Kind == "ResourceFlavor" {
			continue
		}
		taints := taint.FormatList(p.of.Taints)
		if at, found := known[taints]; found {
			all[at].Pool += ", " + p.Name
			continue
		}
		known[taints] = len(all)
		q := query(p.of.Taints, g.Tolerations, o)
		r := refusal{Nodes: []string{}, Pool: p.Name, Explanation: q.Explain()}
		r.repair(&q, explain.ToSchedule)
		all = append(all, r)
	}
	return all
}
