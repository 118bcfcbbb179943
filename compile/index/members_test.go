package index_test

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/tolero-dev/tolero/compile/index"
	"github.com/tolero-dev/tolero/match/matchtest"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// The classes of a snapshot, with their nodes, and taints, are those of its
// nodes one by one.
func TestClassesAndNodes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ix := index.New(comparing)
		lists := rapid.SliceOfN(matchtest.Taints(), 1, 5).Draw(t, "lists")
		nodes := map[string][]taint.Taint{}
		for range rapid.IntRange(0, 150).Draw(t, "nodes") {
			name := fmt.Sprint(rapid.IntRange(0, 99).Draw(t, "name"))
			if rapid.IntRange(0, 4).Draw(t, "delete") == 0 {
				ix.Delete(name)
				delete(nodes, name)
				continue
			}
			nodes[name] = rapid.SampledFrom(lists).Draw(t, "taints")
			ix.Set(name, nodes[name])
			if rapid.IntRange(0, 9).Draw(t, "snapshot") == 0 {
				ix.Snapshot() // has a base, beside which is what comes later
			}
		}
		checkMembers(t, ix.Snapshot(), nodes)
	})
}

func checkMembers(t *rapid.T, s *index.Snapshot, nodes map[string][]taint.Taint) {
	count := map[index.Class]int{}
	for name, taints := range nodes {
		id, _ := s.ID(name)
		count[s.Class(id)]++
		got := s.AppendTaints([]taint.Taint{{Key: "first"}}, s.Class(id))
		if !slices.EqualFunc(got[1:], taints, sameTaint) || got[0].Key != "first" {
			t.Fatalf("%s: %v, want %v", name, got[1:], taints)
		}
	}
	keep := map[index.Class]bool{}
	for c, n := range s.Classes() {
		if count[c] != n || n == 0 {
			t.Fatalf("%d nodes of %v, want %d", n, c, count[c])
		}
		delete(count, c)
		keep[c] = rapid.Bool().Draw(t, "keep")
	}
	if len(count) > 0 {
		t.Fatalf("%v are missing", count)
	}
	all, kept := map[string]bool{}, map[string]bool{}
	for id := range s.Nodes(nil) {
		name, ok := s.Name(id)
		if again, class, known := s.Node(id); again != name || class != s.Class(id) || !known {
			t.Fatalf("%s is %s, of class %v", name, again, class)
		}
		if all[name] || !ok {
			t.Fatalf("%s comes twice, or is unknown", name)
		}
		all[name] = true
	}
	asked := map[index.Class]bool{}
	for id := range s.Nodes(func(c index.Class) bool {
		if asked[c] {
			t.Fatalf("asked twice for %v", c)
		}
		asked[c] = true
		return keep[c]
	}) {
		name, _ := s.Name(id)
		if kept[name] {
			t.Fatalf("%s comes twice", name)
		}
		kept[name] = true
	}
	for name := range nodes {
		id, _ := s.ID(name)
		if !all[name] || kept[name] != keep[s.Class(id)] {
			t.Fatalf("%s: among all %t, kept %t, want %t", name, all[name], kept[name], keep[s.Class(id)])
		}
	}
	if len(all) != len(nodes) || len(asked) != len(keep) {
		t.Fatalf("%d nodes, want %d; asked for %d classes of %d", len(all), len(nodes), len(asked), len(keep))
	}
}

func sameTaint(a, b taint.Taint) bool {
	return a.Key == b.Key && a.Value == b.Value && a.Effect == b.Effect
}

// Iterations stop where they are told to: at any node, class or set.
func TestIterationsStop(t *testing.T) {
	var ix index.Index
	for i, text := range []string{"", "", "s:PreferNoSchedule", "a:NoSchedule", "a:NoSchedule", "a:NoSchedule,s:PreferNoSchedule", "b:NoExecute"} {
		ix.Set(fmt.Sprint(i), mustTaints(t, text))
	}
	s := ix.Snapshot()
	for n := 1; n <= 7; n++ {
		left := n
		for range s.Nodes(nil) {
			if left--; left == 0 {
				break
			}
		}
		if left != 0 {
			t.Errorf("%d of %d nodes are missing", left, n)
		}
	}
	for n := 1; n <= 5; n++ {
		left := n
		for range s.Classes() {
			if left--; left == 0 {
				break
			}
		}
		if left != 0 {
			t.Errorf("%d of %d classes are missing", left, n)
		}
	}
}

func mustTaints(t *testing.T, text string) []taint.Taint {
	list, err := taint.ParseList(text)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// What has no nodes, and classes of other snapshots, have no members.
func TestMembersOfNothing(t *testing.T) {
	var s index.Snapshot
	for range s.Classes() {
		t.Error("the zero Snapshot has a class")
	}
	for range s.Nodes(nil) {
		t.Error("the zero Snapshot has a node")
	}
	if s.AppendTaints(nil, index.Class{}) != nil || (*index.Snapshot)(nil).AppendTaints(nil, index.Class{}) != nil {
		t.Error("the zero Class has something")
	}
	if s.Rules() != (toleration.Rules{}) || index.New(comparing).Snapshot().Rules() != comparing || index.NewPods(comparing).Rules() != comparing {
		t.Error("rules are not those that were given")
	}
	var ix index.Index
	ix.Set("a", nil)
	ix.Set("b", []taint.Taint{{Key: "k"}})
	for range ix.Snapshot().Classes() {
		break
	}
	for range ix.Snapshot().Nodes(nil) {
		break
	}
}
