package index_test

import (
	"fmt"
	"maps"
	"runtime"
	"testing"

	"github.com/tolero-dev/tolero/compile/index"
	"github.com/tolero-dev/tolero/compile/internal/invariant"
	"github.com/tolero-dev/tolero/taint"
)

// heapOf returns the bytes that are in use with what f returns, and not without it.
func heapOf(f func() any) (any, int) {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	x := f()
	runtime.GC()
	runtime.ReadMemStats(&after)
	return x, int(after.HeapAlloc) - int(before.HeapAlloc)
}

// After a peak an index has about as much memory as one that never had it, the IDs and classes
// of the nodes that stayed, and right answers; a snapshot of the peak keeps its own.
func TestAPeakIsForgotten(t *testing.T) {
	const peak, stay = 20_000, 500
	stays := func(i int) bool { return i >= peak/2 && i < peak/2+stay }
	nodes := map[string][]taint.Taint{}
	for i := range peak {
		if stays(i) {
			nodes[fmt.Sprint(i)] = []taint.Taint{own(i), pool(i % 5)}
		}
	}
	fresh, want := heapOf(func() any {
		ix := index.New(comparing)
		ix.Load(maps.All(nodes))
		ix.Snapshot()
		return ix
	})
	x, got := heapOf(func() any {
		ix := fleetOfSets(peak, func(i int) []taint.Taint { return []taint.Taint{own(i), pool(i % 5)} })
		ix.Snapshot()
		for i := range peak {
			if !stays(i) {
				ix.Delete(fmt.Sprint(i))
			}
		}
		ix.Snapshot()
		return ix
	})
	if got > 2*want {
		t.Errorf("%d bytes after a peak, and %d without", got, want)
	}
	runtime.KeepAlive(fresh)
	ix := x.(*index.Index)
	if n := ix.Snapshot().Looked(); n != stay {
		t.Errorf("%d classes are looked at, want %d", n, stay)
	}
	for _, pod := range keptPods {
		checkFit(t, ix.Snapshot(), nodes, pod)
	}
}

// What was handed out before a peak is forgotten stays good.
func TestAPeakForgottenKeepsIDs(t *testing.T) {
	w := &writer{index.New(comparing), map[string][]taint.Taint{}}
	w.fill(0, 5000)
	top := keep(t, w, nil)
	fork := top.fork()
	id, _ := w.ix.ID("n4990")
	class := top.snapshot.Class(id)
	w.drop(0, 4980)
	s := w.ix.Snapshot()
	if name, got, ok := s.Node(id); name != "n4990" || got != class || !ok {
		t.Errorf("the node is %q, of class %v, %t, and was of class %v", name, got, ok, class)
	}
	top.askAgain(t)
	low := keep(t, w, nil)
	w.fill(2000, 500)
	w.ix.CheckAll()
	keep(t, w, nil)
	fork.drop(10, 4900)
	keep(t, fork, nil)
	top.askAgain(t)
	low.askAgain(t)
}

// A fork of an index whose tables are nearly full does not have to make larger ones for its
// first change, whichever table that is: of names, or of classes, sets, keys and pairs.
func TestForksAtTheBrinkOfGrowing(t *testing.T) {
	if invariant.Enabled {
		t.Skip("with the tag tolero_invariants, a look at everything allocates more")
	}
	const most = 64 << 10 // a table of so many names has 100 KB
	for what, of := range map[string]func(i int) []taint.Taint{
		"no taints":         func(int) []taint.Taint { return nil },
		"keys of their own": func(i int) []taint.Taint { return []taint.Taint{hardTaint(fmt.Sprint("k", i), i, taint.NoSchedule)} },
	} {
		ix := fleetOfSets(8_000, of)
		for i := 8_000; i < 12_500; i++ { // tables grow by half
			ix.Set(fmt.Sprint(i), of(i))
			fork := ix.Snapshot().Fork()
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			fork.Set("new", of(i+1))
			runtime.ReadMemStats(&after)
			if bytes := after.TotalAlloc - before.TotalAlloc; bytes > most {
				t.Fatalf("%s: %d nodes: the first change of a fork allocates %d bytes", what, i, bytes)
			}
		}
	}
}

// A base serves for as many changes as it may.
func TestBasesAreFew(t *testing.T) {
	ix := fleetOfSets(500, func(i int) []taint.Taint { return []taint.Taint{pool(i % 7)} })
	last, bases := ix.Snapshot(), 0
	const changes = 5000
	for i := range changes {
		list := []taint.Taint{pool(i % 3), hardTaint("time", i, taint.PreferNoSchedule)}
		ix.Set(fmt.Sprint(i%500), list[:1+i%2])
		if s := ix.Snapshot(); !s.SameBase(last) {
			last, bases = s, bases+1
		}
	}
	if bases == 0 || bases > changes/ix.MostTransfers() {
		t.Errorf("%d bases for %d changes, each of which may serve for %d", bases, changes, ix.MostTransfers())
	}
}

// A base serves the longer the larger it is: for the more transfers, the more new classes, and
// until half of its taints are of sets that are gone.
func TestHowLongBasesServe(t *testing.T) {
	small, large := fleetOfSets(10, func(i int) []taint.Taint { return []taint.Taint{own(i)} }), fleetOfSets(20_000, func(i int) []taint.Taint { return []taint.Taint{own(i)} })
	small.Snapshot()
	large.Snapshot()
	if few, more := small.MostTransfers(), large.MostTransfers(); few < 64 || more <= few {
		t.Errorf("%d transfers beside a small base, %d beside a large one", few, more)
	}
	sets := fleetOfSets(40, func(i int) (list []taint.Taint) {
		for k := range 100 {
			list = append(list, hardTaint("k", 100*i+k, taint.NoSchedule))
		}
		return list
	})
	for gone, base := 0, sets.Snapshot(); gone <= 30; gone++ {
		if same := sets.Snapshot().SameBase(base); gone < 20 && !same || gone > 25 && same {
			t.Errorf("the same base without %d of 40 sets: %t", gone, same)
		}
		sets.Delete(fmt.Sprint(gone))
	}
	classes := fleetOfSets(200, func(i int) []taint.Taint { return []taint.Taint{hardTaint("soft", i, taint.PreferNoSchedule)} })
	for added, base := 0, classes.Snapshot(); added <= 300; added++ {
		if same := classes.Snapshot().SameBase(base); added < 250 && !same || added > 280 && same {
			t.Errorf("the same base with %d new classes beside 200: %t", added, same)
		}
		classes.Set("0", []taint.Taint{hardTaint("new", added, taint.PreferNoSchedule)})
	}
}

// The first use of a Fit allocates a byte or two for each taint, and what the pod needs: nothing is
// prepared for others.
func TestTheFirstUseOfAFit(t *testing.T) {
	const n = 20_000
	s := fleetOfSets(n, func(i int) []taint.Taint { return []taint.Taint{own(i)} }).Snapshot()
	list := mustParse("own=7")
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	var fit index.Fit
	s.FitList(&fit, list)
	runtime.ReadMemStats(&after)
	limit := uint64(2 * n)
	if raceDetector {
		limit += 4096 // its own
	}
	if bytes := after.TotalAlloc - before.TotalAlloc; bytes > limit || fit.Len() != 1 {
		t.Errorf("%d bytes for %d taints, and %d nodes fit", bytes, n, fit.Len())
	}
}
