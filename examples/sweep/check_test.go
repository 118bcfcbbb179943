package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/tolero-dev/tolero/examples/internal/golden"
	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// TestEngines compares the engines for every pair of lists.
func TestEngines(t *testing.T) {
	for name, c := range clusters() {
		t.Run(name, func(t *testing.T) {
			var stderr bytes.Buffer
			p := &program{stderr: &stderr}
			if err := p.check(newFleet(c, allOperators), matchEngine, compileEngine); err != nil {
				t.Errorf("%v\n%s", err, &stderr)
			}
		})
	}
}

// TestVisits shows that engines visit no class twice, and that compiled lists visit
// only those that have a taint which is tolerated.
func TestVisits(t *testing.T) {
	for name, c := range clusters() {
		f := newFleet(c, allOperators)
		for engine, e := range engines {
			ask := e(f.nodes)()
			for _, pods := range f.pods {
				visits := make([]int, len(f.nodes))
				ask(pods.tolerations, func(class int, _ answer) { visits[class]++ })
				for i, n := range visits {
					if want := engine == "match" || tolerated(f.nodes[i].taints, pods.tolerations); n > 1 || (n == 1) != want {
						t.Errorf("%s, %s: %s on %s: visited %d times", name, engine, pods.text, f.nodes[i].text, n)
					}
				}
			}
		}
	}
}

// tolerated reports whether some of the taints is, of those that count.
func tolerated(taints []taint.Taint, tolerations []toleration.Toleration) bool {
	for i := range taints {
		if taints[i].Effect.Known() && match.Tolerates(tolerations, &taints[i], counted) {
			return true
		}
	}
	return false
}

// wrong is an engine whose answers are spoilt.
func wrong(spoil func(class int, a *answer)) engine {
	return func(nodes []*nodeClass) func() evaluator {
		start := matchEngine(nodes)
		return func() evaluator {
			ask := start()
			return func(tolerations []toleration.Toleration, visit func(int, answer)) {
				ask(tolerations, func(class int, a answer) {
					spoil(class, &a)
					visit(class, a)
				})
			}
		}
	}
}

func TestCheck(t *testing.T) {
	c := &cluster{
		nodes: []node{{"n", taints(t, "a=:NoSchedule,b=:NoExecute"), 1}, {"m", nil, 2}},
		pods:  []pod{{"p", tolerations(t, "a:NoSchedule"), "", 1}},
	}
	for _, test := range []struct {
		name  string
		spoil func(int, *answer)
		want  string // the first line
	}{
		{"verdict", func(i int, a *answer) { *a = answer{} },
			"sweep: p (tolerations: a:NoSchedule) on n (taints: a:NoSchedule,b:NoExecute): " +
				"unschedulable, evict now, first untolerated b:NoExecute; but schedulable, stay"},
		{"eviction", func(i int, a *answer) { a.Eviction = match.EvictNow },
			"sweep: p (tolerations: a:NoSchedule) on m (taints: (none)): schedulable, stay; but schedulable, evict now"},
		{"first", func(i int, a *answer) { a.first = 0 },
			"sweep: p (tolerations: a:NoSchedule) on n (taints: a:NoSchedule,b:NoExecute): " +
				"unschedulable, evict now, first untolerated b:NoExecute; but unschedulable, evict now, first untolerated a:NoSchedule"},
		{"no such taint", func(i int, a *answer) { a.first *= -7 },
			"sweep: p (tolerations: a:NoSchedule) on n (taints: a:NoSchedule,b:NoExecute): " +
				"unschedulable, evict now, first untolerated b:NoExecute; but unschedulable, evict now, first untolerated is taint -7"},
		{"score", func(i int, a *answer) { a.soft += int64(1 - i) },
			"sweep: p (tolerations: a:NoSchedule) on m (taints: (none)): schedulable, stay; but schedulable, stay, 1 untolerated soft"},
	} {
		t.Run(test.name, func(t *testing.T) {
			var stderr bytes.Buffer
			p := &program{stderr: &stderr}
			err := p.check(newFleet(c, allOperators), matchEngine, wrong(test.spoil))
			if err == nil || err.Error() != "the engines differ for 1 pair of lists" || golden.Unwrapped(stderr.String()) != test.want+"\n" {
				t.Errorf("error %v, stderr:\n%swant:\n%s", err, &stderr, test.want)
			}
		})
	}
}

// TestCheckFlag shows what -check does to the output and the status, with an
// engine that is right and one that is not.
func TestCheckFlag(t *testing.T) {
	right := sweep(t, "", "-check")
	if right.status != 0 || right.stderr != "" || !strings.Contains(right.stdout, "\nChecked: both engines have the same answers for all pairs.\n") {
		t.Errorf("got %+v", right)
	}
	defer func() { engines["compile"] = compileEngine }()
	engines["compile"] = wrong(func(i int, a *answer) { a.Eviction = match.EvictNow })
	r := sweep(t, "", "-check")
	lines := strings.Split(strings.TrimSuffix(r.stderr, "\n"), "\n")
	if r.status != 1 || r.stdout != "" || len(lines) != shownDifferences+1 || !strings.HasPrefix(lines[shownDifferences], "sweep: the engines differ for ") {
		t.Errorf("got %+v", r)
	}
}
