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
// If visit returns false, no more pod classes are begun, and Sweep returns false. All
// goroutines have ended when Sweep returns. visit may be called by all of them at the
// same time, in no order; it must not retain f, which is filled again. p must not
// be changed meanwhile. A visit that panics ends the program where there are several
// goroutines, as it does in any. Only goroutines are allocated once fits have served.
func (s *Snapshot) Sweep(fits []Fit, p *Pods, visit func(worker int, c PodClass, f *Fit) bool) bool {
	if len(fits) == 1 {
		var next atomic.Uintptr // another one than below, which is not allocated
		s.sweep(&next, 0, &fits[0], p, visit)
		return next.Load() < stopped
	}
	var next atomic.Uintptr
	var group sync.WaitGroup
	for worker := range fits {
		group.Go(func() { s.sweep(&next, worker, &fits[worker], p, visit) })
	}
	group.Wait()
	return next.Load() < stopped
}

// batch is how many pod classes a worker takes at a time: enough to make the counter
// cheap, few enough to share the work.
const batch = 16

// stopped is a position that no pod class has, not even after many batches.
const stopped = ^uintptr(0) >> 1

// sweep is what a worker does. next is the first pod class that nobody has begun, or from
// stopped on.
func (s *Snapshot) sweep(next *atomic.Uintptr, worker int, f *Fit, p *Pods, visit func(worker int, c PodClass, f *Fit) bool) {
	for {
		first := next.Add(batch) - batch
		for i := first; i < first+batch; i++ {
			if i >= uintptr(len(p.classes)) || next.Load() >= stopped {
				return
			}
			if p.counts[i] > 0 {
				if s.FitList(f, p.classes[i].tolerations); !visit(worker, PodClass(i+1), f) {
					next.Store(stopped)
				}
			}
		}
	}
}
