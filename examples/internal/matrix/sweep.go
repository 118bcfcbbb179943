package matrix

import (
	"slices"

	"github.com/tolero-dev/tolero/examples/internal/command"
	"github.com/tolero-dev/tolero/examples/internal/parallel"
	"github.com/tolero-dev/tolero/examples/internal/progress"
	"github.com/tolero-dev/tolero/match"
)

// evaluate answers for all pods and nodes of a fleet: each class of pods with
// each class of nodes, once, by how many there are of both. At most limit
// reasons are kept for each class of pods.
func evaluate(p *command.Program, f *fleet, e engine, limit int) *report {
	r := &report{fleet: f, rows: make([]row, len(f.pods))}
	bar := progress.Start(p.Stderr, "sweeping", int64(len(f.pods)))
	defer bar.Stop()
	s := newSweeper(f, e, limit)
	parallel.Do(len(f.pods), func() func(int) {
		work := s.worker()
		return func(i int) {
			r.rows[i] = work.evaluate(f.pods[i])
			bar.Add(1)
		}
	})
	for i := range r.rows {
		r.total.addTimes(&r.rows[i].tally, f.pods[i].pods)
	}
	return r
}

// sweeper is what all workers share, and only read. A row starts as the row of a
// pod without tolerations; each class that the engine visits moves from one count
// to another.
type sweeper struct {
	nodes   []*nodeClass
	words   *vocabulary
	start   func() evaluator
	answers []answer // for a pod without tolerations, by class of nodes
	plain   row      // for a pod without tolerations, except for the reasons
	reasons *common  // for a pod without tolerations
	limit   int
}

func newSweeper(f *fleet, e engine, limit int) *sweeper {
	s := &sweeper{nodes: f.nodes, words: newVocabulary(f.nodes), start: e(f.nodes), answers: plainAnswers(f.nodes), limit: limit}
	counts := make([]int64, len(s.words.reasons))
	for i := range s.answers {
		a, n := &s.answers[i], s.nodes[i].nodes
		s.plain.count(a, n)
		if a.Scheduling == match.Unschedulable {
			counts[s.words.of[i][a.first]] += n
		}
	}
	s.reasons = newCommon(s.words, counts)
	return s
}

// worker evaluates one class of pods after the other.
type worker struct {
	*sweeper
	ask       evaluator
	row       row
	histogram *histogram
}

func (s *sweeper) worker() *worker {
	return &worker{sweeper: s, ask: s.start(), histogram: s.reasons.histogram()}
}

// evaluate returns the row of a class of pods.
func (w *worker) evaluate(pods *podClass) row {
	// A pod without tolerations is never evicted later: that list is empty.
	w.row = row{podClass: pods, tally: w.plain.tally, soft: slices.Clone(w.plain.soft)}
	w.ask(pods.tolerations, w.visit)
	w.row.reasons, w.row.others.taints = w.histogram.top(w.limit)
	w.row.others.nodes = w.row.refused
	for _, reason := range w.row.reasons {
		w.row.others.nodes -= reason.nodes
	}
	w.histogram.reset()
	return w.row
}

// visit takes in the answer for a class of nodes.
func (w *worker) visit(class int, a answer) {
	if plain := w.answers[class]; a != plain {
		w.move(class, &plain, -w.nodes[class].nodes)
		w.move(class, &a, w.nodes[class].nodes)
	}
}

// move counts n more nodes of a class, which may be negative, for an answer.
func (w *worker) move(class int, a *answer, n int64) {
	w.row.count(a, n)
	if a.Scheduling == match.Unschedulable {
		w.histogram.add(w.words.of[class][a.first], n)
	}
}
