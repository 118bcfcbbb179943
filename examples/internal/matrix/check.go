package matrix

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/tolero-dev/tolero/examples/internal/command"
	"github.com/tolero-dev/tolero/examples/internal/parallel"
	"github.com/tolero-dev/tolero/examples/internal/progress"
	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/taint"
)

// check asks two engines about every pair of lists, and so about every pair of a
// pod and a node. It returns where they differ.
func check(p *command.Program, f *fleet, one, two engine) []difference {
	bar := progress.Start(p.Stderr, "checking", int64(len(f.pods)))
	defer bar.Stop()
	c := &checker{fleet: f, one: one(f.nodes), two: two(f.nodes), plain: plainAnswers(f.nodes)}
	found := make([][]difference, len(f.pods))
	parallel.Do(len(f.pods), func() func(int) {
		compare := c.worker()
		return func(i int) {
			found[i] = compare(f.pods[i])
			bar.Add(1)
		}
	})
	return slices.Concat(found...)
}

// checker is what all workers share, and only read.
type checker struct {
	fleet    *fleet
	one, two func() evaluator
	plain    []answer
}

// difference is a pair of lists for which two engines have different answers.
type difference struct {
	pods     *podClass
	nodes    *nodeClass
	one, two answer
}

// worker returns a function that compares the answers for a class of pods.
func (c *checker) worker() func(*podClass) []difference {
	one, two := c.one(), c.two()
	a, b := make([]answer, len(c.plain)), make([]answer, len(c.plain))
	return func(pods *podClass) (found []difference) {
		one.all(a, c.plain, pods)
		two.all(b, c.plain, pods)
		for i := range a {
			if a[i] != b[i] {
				found = append(found, difference{pods, c.fleet.nodes[i], a[i], b[i]})
			}
		}
		return found
	}
}

// all sets answers to those for a class of pods, by class of nodes.
func (ask evaluator) all(answers, plain []answer, pods *podClass) {
	copy(answers, plain)
	ask(pods.tolerations, func(class int, a answer) { answers[class] = a })
}

// Error returns the pod, the node and both answers.
func (d difference) Error() string {
	return fmt.Sprintf("%s (tolerations: %s) on %s (taints: %s): %s; but %s", d.pods.name, orNone(d.pods.text),
		d.nodes.name, orNone(d.nodes.text), d.one.text(d.nodes.taints), d.two.text(d.nodes.taints))
}

// text returns the answer in words. It may be wrong in any way.
func (a answer) text(taints []taint.Taint) string {
	text := a.Verdict.String()
	switch {
	case a.Scheduling == match.Unschedulable && a.first >= 0 && a.first < len(taints):
		text += ", first untolerated " + taints[a.first].String()
	case a.first != 0:
		text += fmt.Sprintf(", first untolerated is taint %d", a.first)
	}
	if a.soft != 0 {
		text += fmt.Sprintf(", %d untolerated soft", a.soft)
	}
	return text
}

func orNone(list string) string { return cmp.Or(list, "(none)") }
