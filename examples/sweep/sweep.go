package main

import (
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/taint"
)

// evaluate answers for all pods and nodes of a fleet: each class of pods with
// each class of nodes, once, by how many there are of both. At most limit
// reasons are kept for each class of pods.
func (p *program) evaluate(f *fleet, e engine, limit int) *report {
	r := &report{fleet: f, rows: make([]row, len(f.pods))}
	progress := p.progress("sweeping", int64(len(f.pods)))
	defer progress.stop()
	s := &sweeper{nodes: f.nodes, words: newVocabulary(f.nodes), ask: e(f.taintLists()), limit: limit}
	parallel(len(f.pods), func() func(int) {
		work := s.worker()
		return func(i int) {
			r.rows[i] = work.row(f.pods[i])
			progress.add(1)
		}
	})
	for i := range r.rows {
		r.total.addTimes(&r.rows[i].tally, f.pods[i].pods)
	}
	r.checkBound()
	return r
}

func (f *fleet) taintLists() [][]taint.Taint {
	lists := make([][]taint.Taint, len(f.nodes))
	for i, class := range f.nodes {
		lists[i] = class.taints
	}
	return lists
}

// sweeper is what all workers share, and only read.
type sweeper struct {
	nodes []*nodeClass
	words *vocabulary
	ask   evaluator
	limit int
}

// worker evaluates one class of pods after the other.
type worker struct {
	*sweeper
	answers []answer // by class of nodes; reused
	counts  []int64  // of nodes, by number of the reason; zero between rows
}

func (s *sweeper) worker() *worker {
	return &worker{s, make([]answer, len(s.nodes)), make([]int64, len(s.words.reasons))}
}

// row evaluates a class of pods.
func (w *worker) row(pods *podClass) row {
	r := row{podClass: pods}
	w.ask(pods.tolerations, w.answers)
	for i := range w.answers {
		a, n := &w.answers[i], w.nodes[i].nodes
		r.add(a.Verdict, n)
		switch a.Scheduling {
		case match.Unschedulable:
			w.counts[w.words.of[i][a.first]] += n
		case match.Avoid:
			r.soft = addQuantity(r.soft, a.soft, n)
		}
	}
	r.reasons, r.others = w.words.top(w.counts, w.limit)
	return r
}

// parallel does the jobs 0 to n-1 on all processors. Each goroutine gets a
// function of its own from start.
func parallel(n int, start func() (do func(job int))) {
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(n, runtime.GOMAXPROCS(0)) {
		wg.Go(func() {
			do := start()
			for job := next.Add(1) - 1; job < int64(n); job = next.Add(1) - 1 {
				do(int(job))
			}
		})
	}
	wg.Wait()
}
