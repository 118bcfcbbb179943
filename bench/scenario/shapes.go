package scenario

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"

	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// The fleets of this file have shapes that an engine may not have been made for.

// Permuted makes a fleet of 200 pools of nodes with 8 to 11 taints each, which every node
// has in an order of its own. Pods tolerate all taints of one pool.
func Permuted(seed uint64, nodes, pods int) *Cluster {
	random := newRandom(seed)
	pools := make([][]taint.Taint, 200)
	for i := range pools {
		for j := range 8 + random.IntN(4) {
			pools[i] = append(pools[i], taint.Taint{Key: fmt.Sprintf("example.com/trait-%d", j), Value: strconv.Itoa(random.IntN(8)), Effect: hardEffect(random)})
		}
	}
	c := allocate(nodes, pods)
	for i := range c.Nodes {
		taints := slices.Clone(pools[random.IntN(len(pools))])
		random.Shuffle(len(taints), func(a, b int) { taints[a], taints[b] = taints[b], taints[a] })
		c.Nodes[i].Taints = taints
	}
	for i := range c.Pods {
		c.Pods[i].Tolerations = withDefaults(tolerateAll(pools[random.IntN(len(pools))])...)
	}
	return c
}

func hardEffect(random *rand.Rand) taint.Effect {
	return []taint.Effect{taint.NoSchedule, taint.NoExecute}[random.IntN(2)]
}

// HalfOwn makes the nodes of [Pools] of which a quarter have a taint with a key of their
// own besides, and another quarter one with a value of their own. Half of the pods are
// those of [Pools], the others tolerate what one node has.
func HalfOwn(seed uint64, nodes, pods int) *Cluster {
	c := Pools(seed, nodes, pods)
	random := newRandom(seed + 1)
	for i := range c.Nodes {
		n := &c.Nodes[i]
		switch random.IntN(4) {
		case 0:
			n.Taints = addTaint(n.Taints, taint.Taint{Key: "example.com/" + n.Name, Effect: taint.NoSchedule})
		case 1:
			n.Taints = addTaint(n.Taints, taint.Taint{Key: "example.com/tenant", Value: n.Name, Effect: taint.NoSchedule})
		}
	}
	for i := range c.Pods {
		if nodes > 0 && random.IntN(2) == 0 {
			c.Pods[i].Tolerations = withDefaults(tolerateAll(c.Nodes[random.IntN(nodes)].Taints)...)
		}
	}
	return c
}

// How many keys [Distinct] has, and how many of them a node.
const (
	distinctKeys = 360
	distinctEach = 12
)

// Distinct makes a fleet in which nearly every node has another set of 12 out of 360
// taints, so that no taint selects few nodes. Pods tolerate most of the keys: all but
// 6 to 25.
func Distinct(seed uint64, nodes, pods int) *Cluster {
	random := newRandom(seed)
	all := make([]taint.Taint, distinctKeys)
	for i := range all {
		all[i] = taint.Taint{Key: fmt.Sprintf("example.com/license-%03d", i), Value: "true", Effect: []taint.Effect{taint.NoSchedule, taint.NoExecute}[i%2]}
	}
	c := allocate(nodes, pods)
	for i := range c.Nodes {
		taints := make([]taint.Taint, 0, distinctEach)
		for len(taints) < distinctEach {
			x := all[random.IntN(len(all))]
			if _, found := taint.Find(taints, &x); !found {
				taints = append(taints, x)
			}
		}
		c.Nodes[i].Taints = taints
	}
	for i := range c.Pods {
		order := random.Perm(distinctKeys)[6+random.IntN(20):]
		tolerations := make([]toleration.Toleration, 0, len(order))
		for _, k := range order {
			tolerations = append(tolerations, toleration.Toleration{Key: all[k].Key, Operator: toleration.OpExists})
		}
		c.Pods[i].Tolerations = tolerations
	}
	return c
}

// SoftTimes makes the nodes of [Pools], each with a PreferNoSchedule taint whose value is
// a Unix time besides. A quarter of the pods tolerate every NoSchedule or every NoExecute
// taint besides what those of [Pools] do.
func SoftTimes(seed uint64, nodes, pods int) *Cluster {
	c := Pools(seed, nodes, pods)
	random := newRandom(seed + 1)
	for i := range c.Nodes {
		c.Nodes[i].Taints = addTaint(withoutAutoscaler(c.Nodes[i].Taints), candidate(firstTime-random.IntN(1_000_000)))
	}
	for i := range c.Pods {
		if random.IntN(4) == 0 {
			wholesale := toleration.Toleration{Operator: toleration.OpExists, Effect: hardEffect(random)}
			c.Pods[i].Tolerations = append(slices.Clip(c.Pods[i].Tolerations), wholesale)
		}
	}
	return c
}

// NearlyClean makes a fleet of nodes without taints, except for one in a hundred that is
// in trouble. The pods are those of [Pools].
func NearlyClean(seed uint64, nodes, pods int) *Cluster {
	f := newFleet(seed)
	c := allocate(nodes, pods)
	for i := range c.Nodes {
		if f.random.IntN(100) == 0 {
			c.Nodes[i].Taints = slices.Clip(troubles[f.random.IntN(len(troubles))])
		}
	}
	f.fillPods(c)
	return c
}

// PerList returns a maker of fleets in which so many nodes have the same list, of one
// taint, and pods tolerate the taint of one list. It panics if there are none.
func PerList(size int) Maker {
	if size < 1 {
		panic("scenario: no nodes in a list")
	}
	return func(seed uint64, nodes, pods int) *Cluster {
		random := newRandom(seed)
		c := allocate(nodes, pods)
		lists := max(1, len(c.Nodes)/size)
		first := random.IntN(1_000_000)
		of := func(i int) taint.Taint {
			return taint.Taint{Key: "example.com/tenant", Value: strconv.Itoa(first + i%lists), Effect: taint.NoSchedule}
		}
		for i := range c.Nodes {
			c.Nodes[i].Taints = []taint.Taint{of(i)}
		}
		for i := range c.Pods {
			c.Pods[i].Tolerations = withDefaults(tolerateAll([]taint.Taint{of(random.IntN(lists))})...)
		}
		return c
	}
}
