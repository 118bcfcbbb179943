package lint_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tolero-dev/tolero/fuzz/notation"
	"github.com/tolero-dev/tolero/match/lint"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// shapes are fleets of n nodes and n pods or more that would be slow if something were
// compared with everything.
var shapes = map[string]func(n int) *lint.Fleet{
	"a value for each": func(n int) *lint.Fleet {
		return hostile(n, false, func(i int) string { return fmt.Sprintf("a=%d:NoSchedule", i) }, func(i int) string { return fmt.Sprintf("a==%d", i+1) })
	},
	"a key for each": func(n int) *lint.Fleet {
		return hostile(n, false, func(i int) string { return fmt.Sprintf("a%d:NoSchedule", i) }, func(i int) string { return fmt.Sprintf("b%d", i) })
	},
	"keys that are nearly the same": func(n int) *lint.Fleet {
		return hostile(n, false, func(i int) string { return fmt.Sprintf("%s-abcd:NoSchedule", word(i)) }, func(i int) string { return fmt.Sprintf("%s-abdc", word(i)) })
	},
	"taints of which every other is tolerated": func(n int) *lint.Fleet {
		return hostile(n, false, func(i int) string { return fmt.Sprintf("%s-abcd:NoSchedule", word(i)) }, func(i int) string { return fmt.Sprintf("%s-abcd", word(i/2*2)) })
	},
	"the same lists": func(n int) *lint.Fleet {
		return hostile(n, false, func(int) string { return "a:NoSchedule" }, func(int) string { return "a" })
	},
	"lists that differ in seconds": func(n int) *lint.Fleet {
		return hostile(n, false, func(int) string { return "a:NoExecute" }, func(i int) string { return fmt.Sprintf("a:NoExecute@%d", i) })
	},
	"words that are cut elsewhere": func(n int) *lint.Fleet {
		cut := func(i int, between string) string {
			return strings.Repeat("a", i+1) + between + strings.Repeat("a", n-i)
		}
		return hostile(n, false, func(i int) string { return cut(i, "=") + ":NoSchedule" }, func(i int) string { return cut(i, "==") })
	},
	"DaemonSets that tolerate nothing": func(n int) *lint.Fleet {
		return hostile(n, true, func(i int) string { return fmt.Sprintf("a%d:NoSchedule", i) }, func(i int) string { return fmt.Sprintf("b%d", i) })
	},
	"DaemonSets that tolerate one taint": func(n int) *lint.Fleet {
		return hostile(n, true, func(i int) string { return fmt.Sprintf("a=%d:NoSchedule", i) }, func(i int) string { return fmt.Sprintf("a==%d", i) })
	},
	"DaemonSets that tolerate all of an effect": func(n int) *lint.Fleet {
		return hostile(n, true, func(i int) string { return fmt.Sprintf("a%d=x:NoSchedule", i) }, func(i int) string { return fmt.Sprintf("*:NoSchedule,b%d", i) })
	},
	"any-key tolerations": func(n int) *lint.Fleet {
		return hostile(n, false, func(i int) string { return fmt.Sprintf("a%d=%d:NoSchedule", i, i) }, func(i int) string { return fmt.Sprintf("*==%d", n+i) })
	},
	"long lists": func(n int) *lint.Fleet {
		f := new(lint.Fleet)
		var taints []taint.Taint
		var tolerations []toleration.Toleration
		for i := range n {
			taints = append(taints, taint.Taint{Key: fmt.Sprint("a", i), Effect: taint.NoSchedule}, taint.Taint{Key: "b", Effect: taint.NoSchedule})
			tolerations = append(tolerations, toleration.Toleration{Key: fmt.Sprint("c", i)}, toleration.Toleration{Key: "d"})
		}
		f.Nodes, f.Pods = []lint.Node{{Name: "n", Taints: taints}}, []lint.Pod{{Name: "p", Tolerations: tolerations, DaemonSet: true}}
		return f
	},
}

// word returns a word of four letters that differs from those of neighbors in most.
func word(i int) string {
	i *= 7919
	return string([]byte{'a' + byte(i%26), 'a' + byte(i/26%26), 'a' + byte(i/676%26), 'a' + byte(i/17576%26)})
}

func hostile(n int, daemonSet bool, taints, tolerations func(i int) string) *lint.Fleet {
	f := &lint.Fleet{Rules: toleration.Rules{Comparisons: true}}
	for i := range n {
		x, err := notation.Taints(taints(i))
		if err != nil {
			panic(err)
		}
		list, err := notation.Tolerations(tolerations(i))
		if err != nil {
			panic(err)
		}
		f.Nodes = append(f.Nodes, lint.Node{Name: fmt.Sprint("n", i), Taints: x})
		f.Pods = append(f.Pods, lint.Pod{Name: fmt.Sprint("p", i), Tolerations: list, DaemonSet: daemonSet})
	}
	return f
}

// The steps grow with the fleet. With twice as many nodes and pods there are at most
// twice as many, whatever the shape.
func TestStepsAreLinear(t *testing.T) {
	const n = 500
	for name, shape := range shapes {
		once, twice := lint.Steps(shape(n), lint.Options{}), lint.Steps(shape(2*n), lint.Options{})
		if once < n || float64(twice) > 2.2*float64(once) {
			t.Errorf("%s: %d steps, and %d for twice the size", name, once, twice)
		}
	}
}

// The steps themselves: a look at each object, word, taint, toleration and key counts.
// If one of these numbers changes, find out whether there is less work, or whether some of it
// is no longer counted.
func TestSteps(t *testing.T) {
	for _, c := range []struct {
		name        string
		nodes, pods []string
		options     lint.Options
		want        int
	}{
		{"nothing", nil, nil, lint.Options{}, 0},
		{"a node", []string{""}, nil, lint.Options{}, 0},
		{"a taint", []string{"a:NoSchedule"}, nil, lint.Options{}, 32},
		{"two taints with one key", []string{"a=x:NoSchedule", "a=y:NoSchedule"}, nil, lint.Options{}, 44},
		{"two nodes with the same taint", []string{"a:NoSchedule", "a:NoSchedule"}, nil, lint.Options{}, 36},
		{"two taints", []string{"a:NoSchedule,b:NoSchedule"}, nil, lint.Options{}, 64},
		{"a pod", nil, []string{"a"}, lint.Options{}, 27},
		{"two pods with the same toleration", nil, []string{"a,b", "a,c"}, lint.Options{}, 87},
		{"a taint and a pod", []string{"a:NoSchedule"}, []string{"b"}, lint.Options{}, 62},
		{"a comparison", []string{"a:NoSchedule"}, []string{"a>1"}, lint.Options{}, 40},
		{"a key in use", []string{"a:NoSchedule", "b:NoSchedule"}, []string{"a"}, lint.Options{}, 73},
		{"a DaemonSet", []string{"a:NoSchedule", "a:NoSchedule,b:NoExecute"}, []string{"ds b"}, lint.Options{}, 83},
		{"a pod and a DaemonSet", nil, []string{"a", "ds a"}, lint.Options{}, 33},
		{"an effect that a DaemonSet tolerates", []string{"a:NoSchedule", "a:NoSchedule,b:NoExecute"}, []string{"ds *:NoSchedule"}, lint.Options{}, 79},
		{"values that a DaemonSet misses", []string{"a=1:NoSchedule", "a=2:NoSchedule", "a=x:NoSchedule", "a=y:NoSchedule"}, []string{"ds a==2"}, lint.Options{}, 86},
		{"the same beyond the limit", []string{"a=1:NoSchedule", "a=2:NoSchedule", "a=x:NoSchedule", "a=y:NoSchedule"}, []string{"ds a==x", "ds a==2"}, lint.Options{Limit: 1}, 95},
		{"the same silenced", []string{"a=1:NoSchedule", "a=2:NoSchedule", "a=x:NoSchedule", "a=y:NoSchedule", "b:NoSchedule"}, []string{"ds a==2"}, silenced("a"), 117},
		{"all silenced", []string{"a=1:NoSchedule", "a=2:NoSchedule", "b:NoSchedule", "c:NoExecute"}, []string{"ds a==2"}, silenced(""), 122},
		{"all silenced by one for all IDs", []string{"a=1:NoSchedule", "a=2:NoSchedule", "b:NoSchedule", "c:NoExecute"}, []string{"ds a==2"}, lint.Options{Silence: []lint.Silence{{}}}, 122},
		{"all silenced by both", []string{"a=1:NoSchedule", "a=2:NoSchedule", "b:NoSchedule", "c:NoExecute"}, []string{"ds a==2"},
			lint.Options{Silence: []lint.Silence{{}, {ID: lint.DaemonSetMisses}}}, 122},
	} {
		if got := lint.Steps(fleet(t, c.nodes, c.pods), c.options); got != c.want {
			t.Errorf("%s: %d steps, want %d", c.name, got, c.want)
		}
	}
}

// silenced leaves out DaemonSets that miss nodes because of the key, or any.
func silenced(key string) lint.Options {
	return lint.Options{Silence: []lint.Silence{{ID: lint.DaemonSetMisses, Key: key}}}
}

// The nodes of DaemonSets with selectors cost steps too: one for each kind of node with a
// taint that the DaemonSet does not tolerate, once.
func TestStepsOfSelectors(t *testing.T) {
	f := fleet(t, []string{"a:NoSchedule", "a:NoSchedule", "a:NoSchedule,b:NoSchedule", "b:NoSchedule,c:NoExecute"}, nil)
	for i, zone := range []string{"x", "y", "y", "z"} {
		f.Nodes[i].Labels = map[string]string{"zone": zone}
	}
	for zone, want := range map[string]int{"x": 133, "y": 134, "z": 135, "none": 132} {
		f.Pods = []lint.Pod{{Name: "p", DaemonSet: true, Affinity: selector("zone", zone)}}
		if got := lint.Steps(f, lint.Options{}); got != want {
			t.Errorf("%s: %d steps, want %d", zone, got, want)
		}
	}
}

// Of many keys only the most frequent are compared: those on most nodes come first, and
// where there are too many for all comparisons, each key has a share.
func TestComparisons(t *testing.T) {
	near := func(n int) *lint.Fleet { // n keys in use, and one more on two nodes
		f := hostile(n, false, func(i int) string { return fmt.Sprintf("%s%s:NoSchedule", word(i), word(i+1)) }, func(i int) string { return fmt.Sprintf("%s%s", word(i), word(i+1)) })
		for _, name := range []string{"x", "y"} {
			f.Nodes = append(f.Nodes, lint.Node{Name: name, Taints: []taint.Taint{{Key: "example.com/dedicated", Effect: taint.NoSchedule}}})
		}
		f.Nodes = append(f.Nodes, lint.Node{Name: "z", Taints: []taint.Taint{{Key: "example.com/dedicatd", Effect: taint.NoSchedule}}})
		f.Pods = append(f.Pods, lint.Pod{Name: "x", Tolerations: []toleration.Toleration{{Key: "example.com/dedicated"}, {Key: "example.com/dedicatid"}}})
		return f
	}
	r := lint.CheckBriefly(near(500))
	if got := r.Counts[lint.LikelyMisspelled]; got != 2 {
		t.Errorf("%d are likely misspelled, want a taint and a toleration: %s", got, lines(r))
	}
	if got := lint.Comparisons(near(500), 1); got != [2]int{100, 100} {
		t.Errorf("%d for a taint and a toleration", got)
	}
	f := hostile(10, false, func(i int) string { return fmt.Sprintf("a%d:NoSchedule", i) }, func(i int) string { return fmt.Sprintf("a%d,b%d", i/2, i) })
	if got := lint.Comparisons(f, 10_000); got != [2]int{2_000, 1_000} { // five keys of taints and ten of tolerations
		t.Errorf("%d", got)
	}
}

// Beyond the limit a DaemonSet is counted at the first node that it misses.
func TestStepsBeyondTheLimit(t *testing.T) {
	f := fleet(t, []string{"a:NoSchedule", "b:NoSchedule", "c:NoSchedule", "d:NoSchedule"}, []string{"ds ", "ds a,b", "ds a,b,c,d", "ds x"})
	if r := lint.Check(f, lint.Options{Limit: 1}); r.Counts[lint.DaemonSetMisses] != 3 {
		t.Errorf("%d DaemonSets miss nodes, want 3", r.Counts[lint.DaemonSetMisses])
	}
	if all, one := lint.Steps(f, lint.Options{}), lint.Steps(f, lint.Options{Limit: 1}); all-one != 12 {
		t.Errorf("%d steps, and %d with a limit", all, one)
	}
}

// A single key has all comparisons.
func TestComparisonsOfOne(t *testing.T) {
	f := hostile(1, false, func(int) string { return "a:NoSchedule" }, func(int) string { return "b" })
	if got := lint.Comparisons(f, 10_000); got != [2]int{10_000, 10_000} {
		t.Errorf("%d", got)
	}
}

// Silences cost a step for each object that they name.
func TestStepsWithSilences(t *testing.T) {
	options := func(n int) (o lint.Options) {
		for i := range n {
			o.Silence = append(o.Silence, lint.Silence{ID: lint.MatchesNoNode, Object: fmt.Sprint("p", i)}, lint.Silence{Object: fmt.Sprintf("n%d*", i)},
				lint.Silence{ID: lint.DaemonSetMisses, Key: fmt.Sprint("c", i)})
		}
		return o
	}
	const n = 500
	for name, shape := range shapes {
		once, twice := lint.Steps(shape(n), options(n)), lint.Steps(shape(2*n), options(2*n))
		if once < n || float64(twice) > 2.2*float64(once) {
			t.Errorf("%s: %d steps, and %d for twice the size", name, once, twice)
		}
	}
	all := lint.Options{Silence: []lint.Silence{{ID: lint.DaemonSetMisses}}}
	shape := shapes["DaemonSets that tolerate nothing"]
	if once, twice := lint.Steps(shape(n), all), lint.Steps(shape(2*n), all); float64(twice) > 2.2*float64(once) {
		t.Errorf("all silenced: %d steps, and %d for twice the size", once, twice)
	}
}
