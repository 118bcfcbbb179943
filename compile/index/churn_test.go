package index_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"

	"pgregory.net/rapid"

	"github.com/tolero-dev/tolero/bench/scenario"
	"github.com/tolero-dev/tolero/compile/index"
	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// load returns an index of the nodes of a cluster.
func load(c *scenario.Cluster) *index.Index {
	ix := index.New(comparing)
	ix.Load(func(yield func(string, []taint.Taint) bool) {
		for i := range c.Nodes {
			if !yield(c.Nodes[i].Name, c.Nodes[i].Taints) {
				return
			}
		}
	})
	return ix
}

// changes is how many changes a test makes: ten million with TOLERO_LONG in the
// environment.
func changes() int {
	if os.Getenv("TOLERO_LONG") != "" {
		return 10_000_000
	}
	return 100_000
}

// Cluster Autoscaler writes the time into a taint's value. However often it
// does, the index takes no more room than for one value, and than for some hundred classes
// with a base, which one who asks for all classes looks at.
func TestTimestampsDoNotAccumulate(t *testing.T) {
	ix := load(scenario.Pools(1, 1000, 0))
	set := func(i int) {
		ix.Set("node-000000", []taint.Taint{{Key: taint.KeyDeletionCandidate, Value: strconv.Itoa(1_700_000_000 + i), Effect: taint.PreferNoSchedule}})
	}
	for i := range 100 {
		set(i)
	}
	before := ix.Sizes()
	for i := range changes() {
		set(i)
	}
	if after := ix.Sizes(); after != before {
		t.Errorf("the sizes were %+v and are %+v", before, after)
	}
	ix.Snapshot()
	for i := range 1000 {
		set(i)
		if n := ix.Snapshot().Looked(); n > 300 {
			t.Fatalf("after %d changes %d classes are looked at", i, n)
		}
	}
}

// Nodes come and go under names that were used before, are loaded under the same name
// twice, and leave stragglers with taints that all others have given up. However often
// that is, the index has room for the nodes that there are, and no more.
func TestChangesDoNotAccumulate(t *testing.T) {
	const names = 600
	random := rand.New(rand.NewPCG(1, 3))
	ix := index.New(comparing)
	var kept *index.Snapshot
	for i := range changes() {
		name, pool := strconv.Itoa(random.IntN(names)), []taint.Taint{hardTaint("round", i/5000, taint.NoSchedule)}
		switch random.IntN(10) {
		case 0:
			ix.Delete(name)
		case 1:
			ix.Set(name, []taint.Taint{hardTaint("own", i, taint.NoExecute), hardTaint("time", i, taint.PreferNoSchedule)})
		case 2:
			ix.Set(name, append(pool, hardTaint("time", i, taint.PreferNoSchedule)))
		case 3:
			ix.Load(func(yield func(string, []taint.Taint) bool) {
				_ = yield(name, []taint.Taint{hardTaint("lost", i, taint.NoSchedule)}) && yield(name, pool)
			})
		default:
			ix.Set(name, pool)
		}
		if i%1000 == 0 {
			kept = ix.Snapshot()
		}
	}
	ix.CheckAll()
	sizes := ix.Sizes()
	if sizes.Pairs > 4*names || sizes.Sets > names+3 || sizes.Classes > names+3 || sizes.Nodes > names || sizes.Transfers > ix.MostTransfers() || sizes.Released > 3*ix.MostTransfers() {
		t.Errorf("%d names, and room for %+v", names, sizes)
	}
	var fit index.Fit
	if kept.FitList(&fit, exists); fit.Len() != kept.Len() {
		t.Errorf("a snapshot has %d nodes, and %d fit", kept.Len(), fit.Len())
	}
}

// The answers do not depend on hashes being any good.
func TestCollidingHashesAgreeWithMatch(t *testing.T) {
	for _, bits := range []int{0, 4} {
		t.Run(fmt.Sprint(bits, " bits"), func(t *testing.T) {
			index.WithHash(bits, func() { rapid.Check(t, checkModel) })
		})
	}
}

// One writer and many readers: a reader sees each snapshot whole. The writer
// moves all nodes from one taint to another between snapshots, so that a mix of
// the two in one snapshot would be half an update.
func TestReadersNeverSeeHalfAnUpdate(t *testing.T) {
	const nodes, readers, rounds = 300, 4, 200
	lists := [][]taint.Taint{{taint.MustParse("side=left:NoSchedule")}, {taint.MustParse("side=right:NoSchedule"), taint.MustParse("x:NoExecute")}}
	ix := index.New(comparing)
	var current atomic.Pointer[index.Snapshot]
	publish := func(side int) {
		for i := range nodes {
			ix.Set(fmt.Sprint(i), lists[side])
		}
		current.Store(ix.Snapshot())
	}
	publish(0)
	var group sync.WaitGroup
	var done atomic.Bool
	for range readers {
		group.Go(func() {
			var left, right index.Fit
			for !done.Load() {
				s := current.Load()
				s.FitList(&left, []toleration.Toleration{{Key: "side", Value: "left"}})
				s.FitList(&right, []toleration.Toleration{{Key: "side", Value: "right"}, {Key: "x"}})
				if left.Len()+right.Len() != nodes || left.Len() != 0 && right.Len() != 0 {
					t.Errorf("%d left and %d right", left.Len(), right.Len())
					return
				}
			}
		})
	}
	for round := range rounds {
		publish(round % 2)
	}
	done.Store(true)
	group.Wait()
}

// The index answers as match does for the synthetic fleets.
func TestScenariosAgreeWithMatch(t *testing.T) {
	for _, name := range scenario.Names() {
		t.Run(name, func(t *testing.T) {
			maker, _ := scenario.Find(name)
			c := maker(1, 1000, 200)
			s := load(c).Snapshot()
			var fit index.Fit
			for _, pod := range c.Pods {
				s.FitList(&fit, pod.Tolerations)
				fits := 0
				for _, node := range c.Nodes {
					if _, refused := match.FirstUntolerated(node.Taints, pod.Tolerations, taint.Hard, comparing); !refused {
						fits++
					}
				}
				if fit.Len() != fits {
					t.Fatalf("%s fits %d nodes, want %d", pod.Name, fit.Len(), fits)
				}
			}
		})
	}
}

func TestSteadyStateDoesNotAllocate(t *testing.T) {
	c := scenario.Pools(1, 1000, 50)
	ix := load(c)
	lists := [][]taint.Taint{c.Nodes[0].Taints, c.Nodes[1].Taints}
	i := 0
	if allocs := testing.AllocsPerRun(1000, func() { i++; ix.Set("node-000000", lists[i%2]) }); allocs != 0 {
		t.Errorf("Set: %v allocations", allocs)
	}
	s := ix.Snapshot()
	var fit index.Fit
	words := make([]uint64, 0, 1000)
	id, _ := ix.ID("node-000007")
	if allocs := testing.AllocsPerRun(1000, func() {
		i++
		s.FitList(&fit, c.Pods[i%50].Tolerations)
		words = fit.AppendWords(words[:0])
		fit.Has(id)
		class := s.Class(id)
		fit.HasClass(class)
		fit.FirstUntolerated(class, taint.AllEffects)
		fit.CountUntolerated(class, taint.Soft)
		fit.EvictionDelay(class)
		for range fit.Nodes() {
		}
	}); allocs != 0 {
		t.Errorf("Fit: %v allocations", allocs)
	}
}
