package matrix

import (
	"github.com/tolero-dev/tolero/compile"
	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// compileEngine interns the taints of the fleet and compiles each toleration list once.
// It looks only at the classes of nodes with a taint that the list tolerates: for all
// others the answer is that for a pod without tolerations.
func compileEngine(nodes []*nodeClass) func() evaluator {
	c := &compiled{taints: make([][]compile.TaintID, len(nodes))}
	for i, class := range nodes {
		c.taints[i] = c.vocabulary.Append(nil, class.taints)
	}
	c.having = make([][]int, c.vocabulary.Indexes())
	for i, taints := range c.taints {
		for _, id := range taints {
			c.having[id.Index()] = append(c.having[id.Index()], i)
		}
	}
	return c.start
}

// compiled is what all evaluators share, and only read.
type compiled struct {
	vocabulary compile.Vocabulary
	taints     [][]compile.TaintID // by class of nodes
	having     [][]int             // the classes of nodes with a taint, by its index; twice where a node has it twice
}

// asker is an evaluator with its buffers.
type asker struct {
	*compiled
	matcher   compile.Matcher
	tolerated []compile.TaintID // the taints of the fleet that the list tolerates
	list      int               // the number of the list
	visited   []int             // the last list that visited, by class
}

func (c *compiled) start() evaluator {
	return (&asker{compiled: c, visited: make([]int, len(c.taints))}).ask
}

func (q *asker) ask(tolerations []toleration.Toleration, visit func(int, answer)) {
	q.list++
	q.matcher.Compile(&q.vocabulary, tolerations, counted)
	q.tolerated = q.matcher.AppendTolerated(q.tolerated[:0], taint.Hard|taint.Soft)
	for _, id := range q.tolerated {
		for _, class := range q.having[id.Index()] {
			if q.visited[class] != q.list {
				q.visited[class] = q.list
				visit(class, q.answer(q.taints[class]))
			}
		}
	}
}

// answer returns the answer for one class.
func (q *asker) answer(taints []compile.TaintID) answer {
	a := answer{Verdict: q.matcher.Decide(taints)}
	switch a.Scheduling {
	case match.Unschedulable:
		a.first = a.SchedulingTaint
	case match.Avoid:
		a.soft = q.matcher.CountUntolerated(taints, taint.Soft)
	}
	a.SchedulingTaint, a.EvictionTaint = 0, 0
	return a
}
