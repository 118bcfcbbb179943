package status

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/tolero-dev/tolero/examples/internal/command"
	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/match/lint"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
	"github.com/tolero-dev/tolero/toleration/manifest"
)

// unusual is a taint that most nodes of a pool do not have, and the nodes that have it.
type unusual struct {
	Taint   string   `json:"taint"`          // with the effects that it has on any of the nodes
	Pool    string   `json:"pool,omitempty"` // empty for nodes without a pool
	Of      int      `json:"of"`             // nodes of the pool
	Nodes   []string `json:"nodes"`
	taint   taint.Taint
	effects []string
}

// unusualTaints finds the taints that most nodes of their pool do not have, and all cordons.
// Of nodes whose pool is not known it finds only those that come and go: nobody knows what the
// others are for.
func unusualTaints(c *manifest.Cluster, labels []string) []unusual {
	type place struct {
		pool  string
		taint taint.Taint
	}
	size := make(map[string]int)
	at := make(map[place]int)
	all := []unusual{}
	for i := range c.Nodes {
		n := &c.Nodes[i]
		pool := command.Pool(n, labels)
		size[pool]++
		for _, t := range n.Taints() {
			if pool == "" && !lint.Passes(t.Key) {
				continue
			}
			x := taint.Taint{Key: t.Key}
			if !lint.Passes(t.Key) { // otherwise the value may be a time
				x.Value = t.Value
			}
			where := place{pool, x}
			j, found := at[where]
			if !found {
				j = len(all)
				at[where] = j
				all = append(all, unusual{Pool: pool, taint: x})
			}
			u := &all[j]
			if !slices.Contains(u.effects, string(t.Effect)) {
				u.effects = append(u.effects, string(t.Effect))
			}
			if len(u.Nodes) == 0 || u.Nodes[len(u.Nodes)-1] != n.Name {
				u.Nodes = append(u.Nodes, n.Name)
			}
		}
	}
	for i := range all {
		u := &all[i]
		u.Of, u.Taint = size[u.Pool], strings.TrimSuffix(u.taint.String(), ":")+":"+strings.Join(u.effects, ",")
	}
	all = slices.DeleteFunc(all, func(u unusual) bool {
		cordon := u.taint.Key == taint.KeyUnschedulable // whoever drains a whole pool means to end it
		return 2*len(u.Nodes) >= u.Of && !cordon
	})
	slices.SortStableFunc(all, func(a, b unusual) int { return cmp.Compare(len(b.Nodes), len(a.Nodes)) })
	return all
}

// eviction is a pod that a taint of its node evicts.
type eviction struct {
	Pod     string  `json:"pod"`
	Node    string  `json:"node"`
	Seconds float64 `json:"seconds"` // left when the input was made, negative if it is late, or from when the taint was noticed
	Counted bool    `json:"counted"` // whether timeAdded and the time of the input tell what is left
	Taint   string  `json:"taint"`
	after   time.Duration
}

// evictions returns the pods that taints of their nodes evict, the soonest first.
func evictions(c *manifest.Cluster, rules toleration.Rules) []eviction {
	taints := make(map[string][]taint.Taint, len(c.Nodes))
	for i := range c.Nodes {
		taints[c.Nodes[i].Name] = c.Nodes[i].Taints()
	}
	all := []eviction{}
	for i := range c.Pods {
		p := &c.Pods[i]
		on := taints[p.NodeName]
		v := match.Decide(on, command.Tolerations(p), rules)
		if p.NodeName != "" && !p.Terminating && v.Eviction != match.Stay {
			left, counted := command.Left(v, on, c.Latest)
			all = append(all, eviction{p.ID(), p.NodeName, left.Seconds(), counted, on[v.EvictionTaint].String(), left})
		}
	}
	slices.SortStableFunc(all, func(a, b eviction) int {
		return cmp.Or(cmp.Compare(a.after, b.after), strings.Compare(a.Node, b.Node), strings.Compare(a.Pod, b.Pod))
	})
	return all
}

// byNode returns the evictions of each node and taint together, in the order of the first.
func byNode(all []eviction) (groups [][]eviction) {
	type place struct{ node, taint string }
	at := make(map[place]int)
	for _, e := range all {
		j, found := at[place{e.Node, e.Taint}]
		if !found {
			j = len(groups)
			at[place{e.Node, e.Taint}] = j
			groups = append(groups, nil)
		}
		groups[j] = append(groups[j], e)
	}
	return groups
}
