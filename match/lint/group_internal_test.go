package lint

import (
	"fmt"
	"slices"
	"testing"

	"github.com/tolero-dev/tolero/fuzz/notation"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// Groups are the objects that have the same list and the same silences.
func TestGroups(t *testing.T) {
	silences := []Silence{{Object: "p1"}, {Object: "p2"}}
	f := new(Fleet)
	nodes, pods := make(map[string]int), make(map[string]int)
	add := func(taints, tolerations string) {
		list, err := notation.Taints(taints)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"p0", "p1", "p2", "p3"} {
			for flags := range 4 {
				scope := map[string]string{"p1": "1", "p2": "2"}[name]
				p := Pod{Name: name, Tolerations: tolerationsOf(t, tolerations), DaemonSet: flags&1 > 0, Static: flags&2 > 0}
				f.Pods = append(f.Pods, p)
				pods[fmt.Sprint(toleration.FormatList(p.Tolerations), flags, scope)]++
				f.Nodes = append(f.Nodes, Node{Name: name, Taints: list})
				nodes[taint.FormatList(list)+scope]++
			}
		}
	}
	for range 2 {
		add("", "")
		for _, x := range []string{"a", "a=x", "a=y", "b", "ab"} {
			for _, effect := range []string{":NoSchedule", ":NoExecute"} {
				add(x+effect, x+effect)
				add(x+effect+",b=x:NoExecute", x+effect+",b@5")
				add(x+effect+",b=y:NoExecute", x+effect+",b@6")
				add(x+effect+",b=y:NoSchedule", x+effect+",b")
			}
		}
	}
	check := func() {
		t.Helper()
		fleet := newFleet(f, newSilences(silences), false)
		for i := range fleet.nodes {
			g := &fleet.nodes[i]
			scope := map[string]string{"p1": "1", "p2": "2"}[g.name]
			if key := taint.FormatList(g.taints) + scope; g.count != nodes[key] || len(fleet.nodes) != len(nodes) {
				t.Errorf("%d groups of nodes, want %d: %d of %s, want %d", len(fleet.nodes), len(nodes), g.count, key, nodes[key])
			}
		}
		for i := range fleet.pods {
			g := &fleet.pods[i]
			flags := count(g.daemonSet) + 2*count(g.static)
			scope := map[string]string{"p1": "1", "p2": "2"}[g.name]
			if key := fmt.Sprint(toleration.FormatList(g.tolerations), flags, scope); g.count != pods[key] || len(fleet.pods) != len(pods) {
				t.Errorf("%d groups of pods, want %d: %d of %s, want %d", len(fleet.pods), len(pods), g.count, key, pods[key])
			}
		}
	}
	check()
}

// Each length of a prefix is tried once, the shortest first.
func TestPrefixLengths(t *testing.T) {
	m := newSilences([]Silence{{Object: "abc*"}, {Object: "a*"}, {Object: "xyz*"}, {Object: "*"}, {Object: "b*"}, {Object: "abc"}, {Object: "abc*"}})
	if want := []int{1, 3}; !slices.Equal(m.lengths, want) {
		t.Errorf("got %v, want %v", m.lengths, want)
	}
	if a, b, c := m.scope("abcd"), m.scope("abce"), m.scope("abc"); a == 0 || a != b || c == a || m.scope("") != 0 || m.scope("c") != 0 {
		t.Errorf("scopes %d, %d and %d", a, b, c)
	}
	if want := 3; len(m.scopes) != want { // of none, of a* and abc*, and of these and abc
		t.Errorf("%d scopes, want %d", len(m.scopes), want)
	}
}
