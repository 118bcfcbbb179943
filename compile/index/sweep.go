package index

import (
	"sync"
	"sync/atomic"
)

// Sweep asks for every class of pods where its pods may be scheduled, once for all
// that have the same tolerations, and calls visit with each answer. There is one
// goroutine for each of fits, each with a Fit of its own; worker is its position. With
// one, Sweep calls visit itself; with none, it does nothing.
//
// If visit returns false, no more classes are begun, and Sweep returns false. All
// goroutines have ended when Sweep returns. visit may be called by all of them at the
// same time, in no order; it must not retain f, which is filled again. p must not
// be changed meanwhile. A visit that panics ends the program where there are several
// goroutines, as it does in any. Once fits have served, Sweep
// allocates for its goroutines only, and with one Fit nothing.
func (s *Snapshot) Sweep(fits []Fit, p *Pods, visit func(worker int, c PodClass, f *Fit) bool) bool {
	if len(fits) == 1 {
		return s.sweepAlone(&fits[0], p, visit)
	}
	return s.sweepTogether(fits, p, visit)
}

// sweepAlone is Sweep for one Fit.
func (s *Snapshot) sweepAlone(f *Fit, p *Pods, visit func(worker int, c PodClass, f *Fit) bool) bool {
	for i := range p.classes {
		if p.counts[i] == 0 {
			continue
		}
		s.FitList(f, p.classes[i].tolerations)
		if !visit(0, PodClass(i+1), f) {
			return false
		}
	}
	return true
}

// sweepTogether is Sweep for any other number of them.
func (s *Snapshot) sweepTogether(fits []Fit, p *Pods, visit func(worker int, c PodClass, f *Fit) bool) bool {
	w := sweep{snapshot: s, pods: p, visit: visit}
	var group sync.WaitGroup
	for worker := range fits {
		group.Go(func() { w.work(worker, &fits[worker]) })
	}
	group.Wait()
	return !w.stopped.Load()
}

// sweep is what the workers of a Sweep share.
type sweep struct {
	snapshot *Snapshot
	pods     *Pods
	visit    func(worker int, c PodClass, f *Fit) bool
	next     atomic.Int64 // the first class that nobody has begun
	stopped  atomic.Bool
}

// batch is how many classes a worker takes at a time: enough to make the counter
// cheap, few enough to share the work.
const batch = 16

func (w *sweep) work(worker int, f *Fit) {
	classes := w.pods.classes
	for !w.stopped.Load() {
		first := w.next.Add(batch) - batch
		if first >= int64(len(classes)) {
			return
		}
		for i := int(first); i < min(int(first)+batch, len(classes)); i++ {
			if w.pods.counts[i] == 0 {
				continue
			}
			w.snapshot.FitList(f, classes[i].tolerations)
			if !w.visit(worker, PodClass(i+1), f) {
				w.stopped.Store(true)
				return
			}
		}
	}
}
