// Package steps proves what the docs say of long lists, n log n at most, by counting the
// statements that are executed: a loop that is only quick would pass a test that waits.
package steps

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tolero-dev/tolero/compile"
	"github.com/tolero-dev/tolero/compile/index"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
	"github.com/tolero-dev/tolero/toleration/admit"
	"github.com/tolero-dev/tolero/toleration/policy"
)

var rules = toleration.Rules{Comparisons: true}

// shapes are lists of n tolerations, the worst that are known.
var shapes = map[string]func(i int) toleration.Toleration{
	"keys":   func(i int) toleration.Toleration { return equal(fmt.Sprint("k", i), "") },
	"values": func(i int) toleration.Toleration { return equal("k", fmt.Sprint("v", i)) },
	"keys by values": func(i int) toleration.Toleration {
		return equal(fmt.Sprint("k", i%100), fmt.Sprint("v", i/100))
	},
	"above":             func(i int) toleration.Toleration { return bound(toleration.OpGt, i, i) },
	"below":             func(i int) toleration.Toleration { return bound(toleration.OpLt, i, i) },
	"below, descending": func(i int) toleration.Toleration { return bound(toleration.OpLt, 1<<20-i, i) },
	"crossing": func(i int) toleration.Toleration {
		return bound([]toleration.Operator{toleration.OpGt, toleration.OpLt}[i%2], i, i%7)
	},
	"a key, and its values": func(i int) toleration.Toleration {
		if i%2 == 0 {
			return toleration.Toleration{Key: "k", Operator: toleration.OpExists, Effect: taint.NoExecute, TolerationSeconds: seconds(i)}
		}
		return equal("k", fmt.Sprint("v", i))
	},
}

func equal(key, value string) toleration.Toleration {
	return toleration.Toleration{Key: key, Operator: toleration.OpEqual, Value: value}
}

func bound(o toleration.Operator, n, after int) toleration.Toleration {
	return toleration.Toleration{Key: "k", Operator: o, Value: fmt.Sprint(n), Effect: taint.NoExecute, TolerationSeconds: seconds(after)}
}

func seconds(i int) *int64 {
	n := int64(i)
	return &n
}

func list(n int, shape func(i int) toleration.Toleration) (all []toleration.Toleration) {
	for i := range n {
		all = append(all, shape(i))
	}
	return all
}

func taints(n int) (all []taint.Taint) {
	for i := range n {
		all = append(all, taint.Taint{Key: fmt.Sprint("k", i), Value: fmt.Sprint(i), Effect: taint.NoExecute})
	}
	return all
}

// work is what takes n log n steps, for a list of any shape.
var work = map[string]func(l []toleration.Toleration){
	"NewMeaning":      func(l []toleration.Toleration) { meaning(l) },
	"Meaning.Compare": func(l []toleration.Toleration) { meaning(l).Covers(meaning(l[:len(l)/2])) },
	"Meaning.String":  func(l []toleration.Toleration) { _ = meaning(l).String() },
	"Meaning.Allows": func(l []toleration.Toleration) {
		m := meaning(l)
		for i := range l {
			m.Allows(&l[i])
		}
	},
	"Redundant":          func(l []toleration.Toleration) { toleration.Redundant(l) },
	"Restriction, exact": func(l []toleration.Toleration) { restrict(l, true) },
	"Restriction":        func(l []toleration.Toleration) { restrict(l, false) },
	"Policy.Check": func(l []toleration.Toleration) {
		p, err := policy.New(policy.Spec{Rules: rules, Allowed: l[:len(l)/2], Denied: l[len(l)/2:]})
		if err != nil {
			panic(err)
		}
		p.Check(l)
	},
	"Matcher.Compile": func(l []toleration.Toleration) {
		var v compile.Vocabulary
		v.Append(nil, taints(len(l)))
		var m compile.Matcher
		m.Compile(&v, l, rules)
		m.Set()
	},
	"Pods": func(l []toleration.Toleration) {
		pods := index.NewPods(rules)
		pods.Add(l)
		for i := range l {
			pods.Add(l[i : i+1])
		}
		var impact index.Impact
		pods.NodeUpdated(&impact, nil, taints(1))
		for c := range pods.All() {
			pods.Remove(c)
		}
	},
}

func meaning(l []toleration.Toleration) *toleration.Meaning {
	m, err := toleration.NewMeaning(l)
	if err != nil {
		panic(err)
	}
	return m
}

func restrict(l []toleration.Toleration, exact bool) {
	r := admit.Restriction{Whitelist: l, Class: admit.Burstable, Exact: exact, Rules: rules}
	r.Check(r.Append(nil, l))
}

// others have lists of another kind.
var others = map[string]func(n int){
	"ControlPlane.Append": func(n int) { (admit.ControlPlane{}).Append(nil, append(taints(n), taints(n)...)) },
}

// TestWork is the program whose statements are counted.
func TestWork(t *testing.T) {
	var n int
	what, shape, _ := strings.Cut(os.Getenv("TOLERO_WORK"), "/")
	if what == "" {
		t.Skip("it is run by TestStepsOfLongLists")
	}
	fmt.Sscan(os.Getenv("TOLERO_WORK_SIZE"), &n)
	if of := others[what]; of != nil {
		of(n)
	} else {
		work[what](list(n, shapes[shape]))
	}
}

// Four times as much takes four times as many steps, and a few more for the logarithm.
func TestStepsOfLongLists(t *testing.T) {
	if os.Getenv("TOLERO_LONG") == "" {
		t.Skip("with TOLERO_LONG=1")
	}
	temp := t.TempDir()
	binary := filepath.Join(temp, "work.test")
	build := exec.Command("go", "test", "-c", "-o", binary, "-covermode=count", "-coverpkg=github.com/tolero-dev/tolero/...,slices,sort", ".")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	check := func(work string) {
		var few, many int
		for range 3 { // a seed may make some key hard to find
			if few, many = steps(t, binary, work, 1000), steps(t, binary, work, 4000); many <= 6*few {
				return
			}
		}
		t.Errorf("%s: %d steps for 1000, and %d for 4000", work, few, many)
	}
	for other := range others {
		check(other)
	}
	for what := range work {
		for shape := range shapes {
			check(what + "/" + shape)
		}
	}
}

// steps returns how many statements are executed by TestWork.
func steps(t *testing.T, binary, work string, n int) (sum int) {
	t.Helper()
	profile := filepath.Join(t.TempDir(), "profile")
	run := exec.Command(binary, "-test.run=^TestWork$", "-test.coverprofile="+profile)
	run.Env = append(os.Environ(), "TOLERO_WORK="+work, fmt.Sprint("TOLERO_WORK_SIZE=", n))
	if out, err := run.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", work, err, out)
	}
	text, err := os.ReadFile(profile)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		var statements, count int
		if _, counts, found := strings.Cut(line, " "); found && !strings.HasPrefix(line, "mode:") {
			fmt.Sscan(counts, &statements, &count)
		}
		if !strings.Contains(line, "/fuzz/steps/") {
			sum += statements * count
		}
	}
	return sum
}
