package timeline

import (
	"cmp"
	"slices"
	"time"
)

// Group sums up nodes and their pods. It is plain data.
type Group struct {
	Name string
	// Nodes are all nodes of the group; the next three are those to which it happened.
	Nodes, Silent, Lost, Tainted int
	// Pods are all pods on them, and Outcomes how many have each [Outcome].
	Pods     int
	Outcomes [Evicted + 1]int
	// First and Last are when the first and the last of them is evicted, or [Never].
	First, Last time.Duration
}

// Groups sums up the nodes that by gives one name, in the order of the names: pools,
// racks, owners. A nil function stands for the zone. Pods whose node is unknown are left
// out. It takes one step for each node and pod, and n log n for n groups.
func (t *Timeline) Groups(by func(node int32) string) []Group {
	if by == nil {
		by = t.zoneOf
	}
	index := map[string]int32{}
	of := make([]int32, len(t.Nodes))
	var groups []Group
	for i := range t.Nodes {
		name := by(int32(i))
		id, known := index[name]
		if !known {
			id = int32(len(groups))
			index[name] = id
			groups = append(groups, Group{Name: name, First: Never, Last: Never})
		}
		of[i] = id
		groups[id].addNode(&t.Nodes[i])
	}
	for i := range t.Pods {
		if f := &t.Pods[i]; f.Node >= 0 {
			groups[of[f.Node]].addPod(f)
		}
	}
	slices.SortFunc(groups, func(a, b Group) int { return cmp.Compare(a.Name, b.Name) })
	return groups
}

func (t *Timeline) zoneOf(node int32) string { return t.cluster.Nodes[node].State.Zone }

func (g *Group) addNode(n *NodeTimes) {
	g.Nodes++
	g.Silent += count(n.Silent != Never)
	g.Lost += count(n.Lost != Never)
	g.Tainted += count(n.Tainted != Never)
}

func (g *Group) addPod(f *Fate) {
	g.Pods++
	g.Outcomes[f.Outcome]++
	if f.Outcome != Evicted {
		return
	}
	g.First = min(g.First, f.At)
	if g.Last == Never || f.At > g.Last {
		g.Last = f.At
	}
}
