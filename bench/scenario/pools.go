package scenario

import (
	"math/rand/v2"

	"github.com/tolero-dev/tolero/match/matchtest/corpus"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// Pools makes a fleet as real ones are: nodes come in pools that share a taint
// list, the common pools are large and the rare ones small, and some nodes are
// in trouble on top. The taint lists of the pools and the toleration lists of
// the pods are the real ones of package corpus; pods come from a few hundred
// workloads.
//
//	40 of 100 nodes   general: no taints
//	60 of 100         in one of 24 pools, drawn from the real taint lists
//	of all nodes      2 % not ready, 1 % unreachable, 1 % short of disk or
//	                  memory, 2 % cordoned, 2 % candidates for deletion
//
//	50 of 100 pods    the two default tolerations only
//	25 of 100         those and the taints of one pool
//	25 of 100         one of the real toleration lists, by how common it is
func Pools(seed uint64, nodes, pods int) *Cluster {
	f := newFleet(seed)
	c := allocate(nodes, pods)
	f.fillNodes(c)
	f.fillPods(c)
	return c
}

// fleet is what the nodes and pods of scenario "pools" are drawn from.
type fleet struct {
	random    *rand.Rand
	pools     [][]taint.Taint
	plain     []toleration.Toleration
	dedicated [][]toleration.Toleration // one list for each pool
	real      *lottery
}

func newFleet(seed uint64) *fleet {
	f := &fleet{random: newRandom(seed), plain: withDefaults(), real: newLottery(corpus.Tolerations())}
	f.pools = drawPools(f.random, 24)
	for _, taints := range f.pools {
		f.dedicated = append(f.dedicated, withDefaults(tolerateAll(taints)...))
	}
	return f
}

func (f *fleet) fillNodes(c *Cluster) {
	for i := range c.Nodes {
		c.Nodes[i].Taints = f.drawNode().taints(f)
	}
}

func (f *fleet) fillPods(c *Cluster) {
	for i := range c.Pods {
		c.Pods[i].Tolerations = f.drawPod().tolerations(f)
	}
}

// drawPools draws n different taint lists from those of real nodes.
func drawPools(random *rand.Rand, n int) [][]taint.Taint {
	var pools [][]taint.Taint
	for _, list := range corpus.Taints() {
		if list.Scope == "" {
			pools = append(pools, list.Taints)
		}
	}
	random.Shuffle(len(pools), func(i, j int) { pools[i], pools[j] = pools[j], pools[i] })
	return pools[:min(n, len(pools))]
}

// nodeDraw is what a node is: its pool, or general, and its trouble, or none.
// Equal draws have equal lists.
type nodeDraw struct {
	pool    int8
	trouble int8
}

const (
	general = -1 // instead of a pool
	healthy = -1 // instead of a trouble
)

func (f *fleet) drawNode() nodeDraw {
	d := nodeDraw{pool: f.drawPool()}
	d.trouble = drawTrouble(f.random)
	return d
}

func (f *fleet) drawPool() int8 {
	if f.random.IntN(100) >= 60 {
		return general
	}
	// The lesser of two draws: the first pools are the largest.
	return int8(min(f.random.IntN(len(f.pools)), f.random.IntN(len(f.pools))))
}

func (d nodeDraw) taints(f *fleet) []taint.Taint {
	var taints []taint.Taint
	if d.pool != general {
		taints = f.pools[d.pool]
	}
	if d.trouble != healthy {
		taints = addMissing(taints, troubles[d.trouble])
	}
	return taints
}

// troubles are the taints of nodes in trouble.
var troubles = [...][]taint.Taint{
	{{Key: taint.KeyNotReady, Effect: taint.NoSchedule}, {Key: taint.KeyNotReady, Effect: taint.NoExecute}},
	{{Key: taint.KeyUnreachable, Effect: taint.NoSchedule}, {Key: taint.KeyUnreachable, Effect: taint.NoExecute}},
	{{Key: taint.KeyDiskPressure, Effect: taint.NoSchedule}},
	{{Key: taint.KeyMemoryPressure, Effect: taint.NoSchedule}},
	{{Key: taint.KeyUnschedulable, Effect: taint.NoSchedule}},
	{{Key: taint.KeyDeletionCandidate, Value: "1790000000", Effect: taint.PreferNoSchedule}},
}

func drawTrouble(random *rand.Rand) int8 {
	switch draw := random.IntN(100); {
	case draw < 2:
		return 0
	case draw < 3:
		return 1
	case draw < 4:
		return 2 + int8(random.IntN(2))
	case draw < 6:
		return 4
	case draw < 8:
		return 5
	}
	return healthy
}

// addMissing returns taints with those of more that it does not have (rule V1),
// and does not write to it, since the nodes of a pool share their list.
func addMissing(taints, more []taint.Taint) []taint.Taint {
	missing := taint.Difference(nil, more, taints)
	return append(taints[:len(taints):len(taints)], missing...)
}

// podDraw is the workload that a pod is of: the position in one of the lists of
// a fleet. Equal draws have equal lists.
type podDraw struct {
	kind     podKind
	position int32
}

type podKind uint8

const (
	plainPod podKind = iota
	dedicatedPod
	realPod
)

func (f *fleet) drawPod() podDraw {
	switch draw := f.random.IntN(100); {
	case draw < 50:
		return podDraw{kind: plainPod}
	case draw < 75:
		return podDraw{dedicatedPod, int32(f.random.IntN(len(f.dedicated)))}
	}
	return podDraw{realPod, int32(f.real.draw(f.random))}
}

func (d podDraw) tolerations(f *fleet) []toleration.Toleration {
	switch d.kind {
	case dedicatedPod:
		return f.dedicated[d.position]
	case realPod:
		return f.real.lists[d.position]
	}
	return f.plain
}

// tolerateAll returns one toleration for each taint, as the users of a
// dedicated pool write them.
func tolerateAll(taints []taint.Taint) []toleration.Toleration {
	var list []toleration.Toleration
	for _, t := range taints {
		list = append(list, toleration.Toleration{Key: t.Key, Operator: toleration.OpEqual, Value: t.Value, Effect: t.Effect})
	}
	return list
}
