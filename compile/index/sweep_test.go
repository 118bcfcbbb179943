package index_test

import (
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tolero-dev/tolero/bench/scenario"
	"github.com/tolero-dev/tolero/compile/index"
	"github.com/tolero-dev/tolero/toleration"
)

// However many workers there are, each class with pods is visited once, with the
// answer that Fit gives for it.
func TestSweepVisitsEachClassOnce(t *testing.T) {
	c := scenario.Pools(1, 1000, 3000)
	s := load(c).Snapshot()
	pods := index.NewPods(comparing)
	for i := range c.Pods {
		pods.Add(c.Pods[i].Tolerations)
	}
	for class := range pods.All() {
		if class%7 == 3 { // leave gaps
			for pods.Remove(class) {
			}
		}
	}
	want := map[index.PodClass]int{}
	var fit index.Fit
	for class := range pods.All() {
		s.FitList(&fit, pods.Tolerations(class))
		want[class] = fit.Len()
	}
	for _, workers := range []int{1, 2, 5, 100} {
		fits := make([]index.Fit, workers)
		type visit struct {
			class index.PodClass
			len   int
		}
		visits := make([][]visit, workers)
		if !s.Sweep(fits, pods, func(worker int, c index.PodClass, f *index.Fit) bool {
			if f != &fits[worker] {
				t.Errorf("worker %d has the Fit of another", worker)
			}
			visits[worker] = append(visits[worker], visit{c, f.Len()})
			return true
		}) {
			t.Errorf("%d workers stopped", workers)
		}
		seen := map[index.PodClass]bool{}
		for _, list := range visits {
			for _, v := range list {
				if seen[v.class] || v.len != want[v.class] {
					t.Errorf("%d workers: class %d fits %d nodes, want %d; seen before: %v", workers, v.class, v.len, want[v.class], seen[v.class])
				}
				seen[v.class] = true
			}
		}
		if len(seen) != len(want) {
			t.Errorf("%d workers visit %d classes, want %d", workers, len(seen), len(want))
		}
	}
	if !s.Sweep(nil, pods, func(int, index.PodClass, *index.Fit) bool { t.Error("visited without a worker"); return true }) {
		t.Error("no workers stopped")
	}
}

// Each Fit has a goroutine of its own: a visit may wait for that of another worker.
func TestSweepHasWorkersAtTheSameTime(t *testing.T) {
	const workers = 3
	var pods index.Pods
	for i := range 100 {
		pods.Add([]toleration.Toleration{{Key: fmt.Sprint(i)}})
	}
	var ix index.Index
	var arrived atomic.Int64
	all, began := make(chan struct{}), make([]bool, workers)
	ix.Snapshot().Sweep(make([]index.Fit, workers), &pods, func(worker int, _ index.PodClass, _ *index.Fit) bool {
		if began[worker] {
			return true
		}
		if began[worker] = true; arrived.Add(1) == workers {
			close(all)
		}
		select {
		case <-all:
			return true
		case <-time.After(10 * time.Second):
			t.Errorf("worker %d waits for others in vain", worker)
			return false
		}
	})
}

func TestSweepStopsWhenAskedTo(t *testing.T) {
	c := scenario.Pools(1, 100, 3000)
	s := load(c).Snapshot()
	pods := index.NewPods(comparing)
	for i := range c.Pods {
		pods.Add(c.Pods[i].Tolerations)
	}
	for _, workers := range []int{1, 4} {
		var visits atomic.Int64
		if s.Sweep(make([]index.Fit, workers), pods, func(int, index.PodClass, *index.Fit) bool {
			visits.Add(1)
			return false
		}) {
			t.Errorf("%d workers went on", workers)
		}
		if n := visits.Load(); n == 0 || n > int64(workers) {
			t.Errorf("%d workers made %d visits", workers, n)
		}
	}
}

func TestSweepWithOneFitDoesNotAllocate(t *testing.T) {
	c := scenario.Pools(1, 500, 500)
	s := load(c).Snapshot()
	pods := index.NewPods(comparing)
	for i := range c.Pods {
		pods.Add(c.Pods[i].Tolerations)
	}
	fits, total := make([]index.Fit, 1), 0
	visit := func(_ int, _ index.PodClass, f *index.Fit) bool { total += f.Len(); return true }
	if allocs := testing.AllocsPerRun(10, func() { s.Sweep(fits, pods, visit) }); allocs != 0 || total == 0 {
		t.Errorf("%v allocations, %d fit", allocs, total)
	}
}
