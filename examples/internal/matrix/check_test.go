package matrix

import (
	"strings"
	"testing"

	"github.com/tolero-dev/tolero/examples/internal/command"
	"github.com/tolero-dev/tolero/examples/internal/golden"
	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// TestEngines compares the engines for every pair of lists.
func TestEngines(t *testing.T) {
	for name, c := range clusters() {
		t.Run(name, func(t *testing.T) {
			for _, d := range check(quiet(), newFleet(c, allOperators), matchEngine, compileEngine) {
				t.Error(d)
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
		pods:  []pod{{"p", tolerations(t, "a:NoSchedule"), 1}},
	}
	for _, test := range []struct {
		name  string
		spoil func(int, *answer)
		want  string // the first line
	}{
		{"verdict", func(i int, a *answer) { *a = answer{} },
			"p (tolerations: a:NoSchedule) on n (taints: a:NoSchedule,b:NoExecute): " +
				"unschedulable, evict now, first untolerated b:NoExecute; but schedulable, stay"},
		{"eviction", func(i int, a *answer) { a.Eviction = match.EvictNow },
			"p (tolerations: a:NoSchedule) on m (taints: (none)): schedulable, stay; but schedulable, evict now"},
		{"first", func(i int, a *answer) { a.first = 0 },
			"p (tolerations: a:NoSchedule) on n (taints: a:NoSchedule,b:NoExecute): " +
				"unschedulable, evict now, first untolerated b:NoExecute; but unschedulable, evict now, first untolerated a:NoSchedule"},
		{"no such taint", func(i int, a *answer) { a.first *= -7 },
			"p (tolerations: a:NoSchedule) on n (taints: a:NoSchedule,b:NoExecute): " +
				"unschedulable, evict now, first untolerated b:NoExecute; but unschedulable, evict now, first untolerated is taint -7"},
		{"score", func(i int, a *answer) { a.soft += int64(1 - i) },
			"p (tolerations: a:NoSchedule) on m (taints: (none)): schedulable, stay; but schedulable, stay, 1 untolerated soft"},
	} {
		t.Run(test.name, func(t *testing.T) {
			d := check(quiet(), newFleet(c, allOperators), matchEngine, wrong(test.spoil))
			if len(d) != 1 || d[0].Error() != test.want {
				t.Errorf("got %v, want %s", d, test.want)
			}
		})
	}
}

// What is compared is said, whether the cluster is built in, synthetic or in a file.
func TestChecked(t *testing.T) {
	for args, want := range map[string]string{
		"":                                    "Both engines have the same answers for 814,319 pairs, which are 19,152 pairs of lists.\n",
		"-scenario unique -nodes 50 -pods 70": " for 3,500 pairs, which are ",
		"-f testdata/cluster.json":            "Both engines have the same answers for ",
		"-f testdata/cluster.json -o json":    "\"listPairs\": ",
		"-scenario unique -nodes 5 -o yaml":   "listPairs: ",
	} {
		if status, stdout, stderr := golden.Run(&Check, "", strings.Fields(args)...); status != 0 || stderr != "" || !strings.Contains(stdout, want) {
			t.Errorf("%s: status %d, %q, %q", args, status, stdout, stderr)
		}
	}
	broken := command.Command{Name: "check", TextLimit: 20, Run: func(p *command.Program, args []string) error {
		return runCheck(p, args, matchEngine, wrong(func(_ int, a *answer) { a.Eviction = match.EvictNow }))
	}}
	status, stdout, stderr := golden.Run(&broken, "")
	lines := strings.Split(strings.TrimSuffix(stderr, "\n"), "\n")
	if status != command.Found || stdout != "" || len(lines) != 21 || !strings.HasPrefix(lines[20], "tolero check: the engines differ for ") {
		t.Errorf("status %d, %q, %q", status, stdout, stderr)
	}
}
