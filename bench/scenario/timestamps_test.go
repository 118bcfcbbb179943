package scenario_test

import (
	"iter"
	"reflect"
	"slices"
	"strconv"
	"testing"

	"github.com/tolero-dev/tolero/bench/scenario"
	"github.com/tolero-dev/tolero/taint"
)

func first(n int, changes iter.Seq[scenario.Change]) (list []scenario.Change) {
	for change := range changes {
		if list = append(list, change); len(list) == n {
			break
		}
	}
	return list
}

func isAutoscalers(t taint.Taint) bool {
	return t.Key == taint.KeyDeletionCandidate || t.Key == taint.KeyToBeDeleted
}

func TestTimestampsShares(t *testing.T) {
	const n = 20_000
	c := scenario.Timestamps(1, n, 0)
	has := func(key string) int {
		return count(c.Nodes, func(n scenario.Node) bool { return taint.KeyExists(n.Taints, key) }) * 100 / n
	}
	if candidates, deleted := has(taint.KeyDeletionCandidate), has(taint.KeyToBeDeleted); candidates < 13 || candidates > 16 || deleted < 3 || deleted > 6 {
		t.Errorf("%d %% are candidates, %d %% to be deleted", candidates, deleted)
	}
}

// Each change is of the two taints of the autoscaler only, is one, and is valid
// (rule V1); the values go on as time does.
func TestTimestampChanges(t *testing.T) {
	c := scenario.Timestamps(1, 50, 0)
	before := scenario.Timestamps(1, 50, 0)
	var lists [][]taint.Taint
	for _, n := range c.Nodes {
		lists = append(lists, n.Taints)
	}
	latest, values := 0, map[string]bool{}
	for i, change := range first(5000, scenario.TimestampChanges(2, c)) {
		old := lists[change.Node]
		if taint.Equal(old, change.Taints) {
			t.Fatalf("change %d is none: %v", i, old)
		}
		if err := taint.Validate(change.Taints); err != nil {
			t.Fatalf("change %d: %v", i, err)
		}
		if got, want := slices.DeleteFunc(slices.Clone(change.Taints), isAutoscalers), slices.DeleteFunc(slices.Clone(old), isAutoscalers); !taint.Equal(got, want) {
			t.Fatalf("change %d: the other taints were %v and are %v", i, want, got)
		}
		for _, added := range taint.Difference(nil, change.Taints, old) {
			seconds, err := strconv.Atoi(added.Value)
			if err != nil || seconds < latest {
				t.Fatalf("change %d: %v after %d", i, added, latest)
			}
			latest = seconds
			values[added.Value] = true
		}
		lists[change.Node] = change.Taints
	}
	if len(values) < 1000 {
		t.Errorf("%d different values in 5000 changes", len(values))
	}
	if !reflect.DeepEqual(c, before) {
		t.Error("the cluster was written to")
	}
}

// However long it goes on, few nodes have the taints at a time, and some have
// both.
func TestTimestampChangesKeepTheShares(t *testing.T) {
	const n = 1000
	c := scenario.Timestamps(1, n, 0)
	for _, change := range first(20*n, scenario.TimestampChanges(3, c)) {
		c.Nodes[change.Node].Taints = change.Taints
	}
	tainted := count(c.Nodes, func(n scenario.Node) bool { return slices.ContainsFunc(n.Taints, isAutoscalers) })
	both := count(c.Nodes, func(n scenario.Node) bool {
		return taint.KeyExists(n.Taints, taint.KeyDeletionCandidate) && taint.KeyExists(n.Taints, taint.KeyToBeDeleted)
	})
	if tainted < n/10 || tainted > n/5 || both < n/50 || both > n/10 {
		t.Errorf("of %d nodes %d have a taint of the autoscaler and %d both", n, tainted, both)
	}
}

func TestTimestampChangesAreDeterministic(t *testing.T) {
	c := scenario.Timestamps(1, 100, 0)
	one := first(300, scenario.TimestampChanges(1, c))
	if !reflect.DeepEqual(one, first(300, scenario.TimestampChanges(1, c))) {
		t.Error("the same seed gives two sequences")
	}
	if reflect.DeepEqual(one, first(300, scenario.TimestampChanges(2, c))) {
		t.Error("another seed gives the same sequence")
	}
	for change := range scenario.TimestampChanges(1, &scenario.Cluster{}) {
		t.Fatalf("without nodes there is %v", change)
	}
}
