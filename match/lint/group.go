package lint

import (
	"hash/maphash"
	"math"

	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// group is objects with the same list that the same silences name.
type group struct {
	name     string   // of the first
	names    []string // of all, if they are asked for
	count    int
	silences int // the number of their scope
}

// addPods counts the pods that p stands for.
func (g *group) addPods(p *Pod) {
	n := max(1, p.Count)
	g.count += min(n, math.MaxInt-g.count)
}

type nodeGroup struct {
	group
	taints []taint.Taint

	// The kinds of nodes by their labels, if some DaemonSet has an Affinity.
	variants []variant
	byLabels map[int]int // in variants
}

type podGroup struct {
	group
	tolerations       []toleration.Toleration
	daemonSet, static bool

	daemons  []daemon
	byTarget map[int]int // in daemons
}

// grouper finds groups by a hash of what their members have in common. Whoever writes
// the lists does not know the seed.
type grouper struct {
	hash  maphash.Hash
	sum   func(*maphash.Hash) uint64
	first map[uint64]int // the newest group with the hash, plus 1
	next  []int          // by group: the one before it with the same hash, plus 1
	steps *int
}

func newGrouper(steps *int) *grouper {
	g := &grouper{sum: hashSum, first: make(map[uint64]int), steps: steps}
	g.hash.SetSeed(maphash.MakeSeed()) // WriteComparable does not
	return g
}

// hashSum is a variable for tests, which make all hashes equal.
var hashSum = (*maphash.Hash).Sum64

// find returns the group for what was written to the hash, which is then empty, or the
// number of a new one, of which the caller has to make a group.
func (g *grouper) find(equal func(group int) bool) (group int, isNew bool) {
	sum := g.sum(&g.hash)
	g.hash.Reset()
	for at := g.first[sum]; at != 0; at = g.next[at-1] {
		*g.steps++
		if equal(at - 1) {
			return at - 1, false
		}
	}
	g.next = append(g.next, g.first[sum])
	g.first[sum] = len(g.next)
	return len(g.next) - 1, true
}

func (g *grouper) writeNumber(n int) { maphash.WriteComparable(&g.hash, n) }

func (g *grouper) writeWord(word string) {
	g.writeNumber(len(word))
	g.hash.WriteString(word)
	*g.steps++
}

func (g *grouper) writeTaints(list []taint.Taint) {
	for i := range list {
		g.writeWord(list[i].Key)
		g.writeWord(list[i].Value)
		g.writeWord(string(list[i].Effect))
	}
}

func (g *grouper) writeTolerations(list []toleration.Toleration) {
	for i := range list {
		t := &list[i]
		g.writeWord(t.Key)
		g.writeWord(string(t.Operator))
		g.writeWord(t.Value)
		g.writeWord(string(t.Effect))
		if t.TolerationSeconds != nil {
			g.writeNumber(int(*t.TolerationSeconds))
		}
	}
}

// groupNodes puts nodes together that have the same taints in the same order, whatever
// their times.
func (f *fleet) groupNodes(nodes []Node) {
	g := newGrouper(&f.steps)
	for i := range nodes {
		n := &nodes[i]
		scope := f.silencing.scope(n.Name)
		g.writeNumber(scope)
		g.writeTaints(n.Taints)
		at, isNew := g.find(func(at int) bool {
			other := &f.nodes[at]
			return other.silences == scope && equalTaints(other.taints, n.Taints)
		})
		if isNew {
			f.nodes = append(f.nodes, nodeGroup{group: group{name: n.Name, silences: scope}, taints: n.Taints})
		}
		f.nodes[at].count++
		if f.named {
			f.nodes[at].names = append(f.nodes[at].names, n.Name)
		}
		if len(f.attractions) > 0 {
			f.steps += len(f.keys)
			f.nodes[at].addVariant(n, f.labelsOf(n))
		}
	}
}

func equalTaints(a, b []taint.Taint) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i].Key != b[i].Key || a[i].Value != b[i].Value || a[i].Effect != b[i].Effect {
			return false
		}
	}
	return true
}

func (f *fleet) groupPods(pods []Pod) {
	g := newGrouper(&f.steps)
	for i := range pods {
		p := &pods[i]
		scope := f.silencing.scope(p.Name)
		g.writeNumber(scope)
		maphash.WriteComparable(&g.hash, [...]bool{p.DaemonSet, p.Static})
		g.writeTolerations(p.Tolerations)
		at, isNew := g.find(func(at int) bool {
			other := &f.pods[at]
			return other.silences == scope && other.daemonSet == p.DaemonSet && other.static == p.Static &&
				toleration.Equal(other.tolerations, p.Tolerations)
		})
		if isNew {
			f.pods = append(f.pods, podGroup{group: group{name: p.Name, silences: scope}, tolerations: p.Tolerations, daemonSet: p.DaemonSet, static: p.Static})
		}
		f.pods[at].addPods(p)
		if f.named {
			f.pods[at].names = append(f.pods[at].names, p.Name)
		}
		if p.DaemonSet {
			f.addDaemon(&f.pods[at], p)
		}
	}
}
