package scenario

import (
	"math/rand/v2"
	"slices"

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
	random := newRandom(seed)
	c := allocate(nodes, pods)
	pools := drawPools(random, 24)
	for i := range c.Nodes {
		if random.IntN(100) < 60 {
			// The lesser of two draws: the first pools are the largest.
			c.Nodes[i].Taints = pools[min(random.IntN(len(pools)), random.IntN(len(pools)))]
		}
		c.Nodes[i].Taints = addMissing(c.Nodes[i].Taints, drawTrouble(random))
	}
	plain := withDefaults()
	dedicated := make([][]toleration.Toleration, len(pools))
	for i, taints := range pools {
		dedicated[i] = withDefaults(tolerateAll(taints)...)
	}
	real := newLottery()
	for i := range c.Pods {
		switch draw := random.IntN(100); {
		case draw < 50:
			c.Pods[i].Tolerations = plain
		case draw < 75:
			c.Pods[i].Tolerations = dedicated[random.IntN(len(dedicated))]
		default:
			c.Pods[i].Tolerations = real.draw(random)
		}
	}
	return c
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

// drawTrouble returns the taints of a node's trouble, for most nodes none.
func drawTrouble(random *rand.Rand) []taint.Taint {
	switch draw := random.IntN(100); {
	case draw < 2:
		return []taint.Taint{{Key: taint.KeyNotReady, Effect: taint.NoSchedule}, {Key: taint.KeyNotReady, Effect: taint.NoExecute}}
	case draw < 3:
		return []taint.Taint{{Key: taint.KeyUnreachable, Effect: taint.NoSchedule}, {Key: taint.KeyUnreachable, Effect: taint.NoExecute}}
	case draw < 4:
		key := [...]string{taint.KeyDiskPressure, taint.KeyMemoryPressure}[random.IntN(2)]
		return []taint.Taint{{Key: key, Effect: taint.NoSchedule}}
	case draw < 6:
		return []taint.Taint{{Key: taint.KeyUnschedulable, Effect: taint.NoSchedule}}
	case draw < 8:
		return []taint.Taint{{Key: taint.KeyDeletionCandidate, Value: "1790000000", Effect: taint.PreferNoSchedule}}
	}
	return nil
}

// addMissing returns taints with those of more that it does not have (rule V1),
// and does not write to it, since the nodes of a pool share their list.
func addMissing(taints, more []taint.Taint) []taint.Taint {
	missing := taint.Difference(nil, more, taints)
	return append(taints[:len(taints):len(taints)], missing...)
}

// tolerateAll returns one toleration for each taint, as the users of a
// dedicated pool write them.
func tolerateAll(taints []taint.Taint) []toleration.Toleration {
	var list []toleration.Toleration
	for _, t := range taints {
		list = append(list, toleration.Toleration{Key: t.Key, Operator: toleration.Equal, Value: t.Value, Effect: t.Effect})
	}
	return list
}

// lottery draws real toleration lists, each as often as it was found.
type lottery struct {
	lists [][]toleration.Toleration
	upTo  []int // upTo[i] is the number of tickets of lists[0] to lists[i]
}

func newLottery() *lottery {
	l := &lottery{}
	tickets := 0
	for _, list := range corpus.Tolerations() {
		if list.Scope == "" {
			tickets += list.Count
			l.lists = append(l.lists, list.Tolerations)
			l.upTo = append(l.upTo, tickets)
		}
	}
	return l
}

func (l *lottery) draw(random *rand.Rand) []toleration.Toleration {
	ticket := random.IntN(l.upTo[len(l.upTo)-1])
	i, _ := slices.BinarySearch(l.upTo, ticket+1)
	return l.lists[i]
}
