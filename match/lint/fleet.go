package lint

import (
	"fmt"

	"github.com/tolero-dev/tolero/match/internal/spelling"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
	"github.com/tolero-dev/tolero/toleration/admit"
)

// fleet is a Fleet with equal lists together.
type fleet struct {
	rules toleration.Rules
	nodes []nodeGroup
	pods  []podGroup

	taints    toleration.Set       // of all nodes
	tolerated toleration.Set       // by any pod
	compared  map[place]comparison // one for each place
	wellKnown spelling.Keys
	keys      map[string]bool // of all taints
	known     spelling.Keys   // of all taints, and the well-known ones
}

// group is objects with the same list.
type group struct {
	name  string // of the first
	count int
}

type nodeGroup struct {
	group
	taints []taint.Taint
}

type podGroup struct {
	group
	tolerations []toleration.Toleration
	daemonSet   bool
}

// place is where a comparison looks; an empty key or effect is every one.
type place struct {
	key    string
	effect taint.Effect
}

// comparison is a toleration with Gt or Lt, and the first pod that has it.
type comparison struct {
	pod        string
	toleration toleration.Toleration
}

func newFleet(in *Fleet) *fleet {
	f := &fleet{rules: in.Rules, compared: make(map[place]comparison), keys: make(map[string]bool)}
	f.groupNodes(in.Nodes)
	f.groupPods(in.Pods)
	var tolerations []toleration.Toleration
	for i := range f.nodes {
		for j := range f.nodes[i].taints {
			x := &f.nodes[i].taints[j]
			tolerations = append(tolerations, toleration.For(x))
			f.keys[x.Key] = true
			f.known.Add(x.Key)
		}
	}
	f.taints = toleration.NewSet(tolerations)
	for _, key := range wellKnown {
		f.known.Add(key)
		f.wellKnown.Add(key)
	}
	var all []toleration.Toleration
	for i := range f.pods {
		active := f.rules.Active(nil, f.pods[i].tolerations)
		all = append(all, active...)
		for _, t := range active {
			if _, found := f.compared[place{t.Key, t.Effect}]; t.Operator.Comparison() && !found {
				f.compared[place{t.Key, t.Effect}] = comparison{f.pods[i].name, t}
			}
		}
	}
	f.tolerated = toleration.NewSet(all)
	return f
}

// groupNodes puts nodes with the same taints in the same order together.
func (f *fleet) groupNodes(nodes []Node) {
	at := make(map[string]int)
	for i := range nodes {
		list := taint.FormatList(nodes[i].Taints)
		g, found := at[list]
		if !found {
			g = len(f.nodes)
			at[list] = g
			f.nodes = append(f.nodes, nodeGroup{group{nodes[i].Name, 0}, nodes[i].Taints})
		}
		f.nodes[g].count++
	}
}

func (f *fleet) groupPods(pods []Pod) {
	at := make(map[string]int)
	for i := range pods {
		p := &pods[i]
		list := fmt.Sprint(p.DaemonSet, toleration.FormatList(p.Tolerations))
		g, found := at[list]
		if !found {
			g = len(f.pods)
			at[list] = g
			f.pods = append(f.pods, podGroup{group{p.Name, 0}, p.Tolerations, p.DaemonSet})
		}
		f.pods[g].count++
	}
}

// wellKnown has the keys that Kubernetes and the common autoscalers use.
var wellKnown = []string{
	taint.KeyNotReady, taint.KeyUnreachable, taint.KeyUnschedulable, taint.KeyMemoryPressure, taint.KeyDiskPressure, taint.KeyPIDPressure,
	taint.KeyNetworkUnavailable, taint.KeyOutOfService, taint.KeyCloudProviderUninitialized, taint.KeyCloudProviderShutdown, taint.KeyControlPlane,
	taint.KeyToBeDeleted, taint.KeyDeletionCandidate, taint.KeyKarpenterDisrupted, taint.KeyKarpenterUnregistered,
	taint.KeyMaster, taint.KeyOutOfDisk, taint.KeyNotReadyAlpha, taint.KeyUnreachableAlpha, taint.KeyCriticalAddonsOnly,
}

// added has the tolerations that Kubernetes adds to pods whatever they tolerate (rules
// A2, A3). Nobody can remove them.
var added = func() map[toleration.Toleration]bool {
	set := make(map[toleration.Toleration]bool)
	for _, t := range (admit.DaemonSet{HostNetwork: true}).Append(nil, nil) {
		set[t] = true // none has seconds
	}
	return set
}()

// isWellKnown is wellKnown as a set.
var isWellKnown = func() map[string]bool {
	set := make(map[string]bool)
	for _, key := range wellKnown {
		set[key] = true
	}
	return set
}()
