package placement

import (
	"strings"
	"testing"

	"github.com/tolero-dev/tolero/match/affinity"
	"github.com/tolero-dev/tolero/toleration/manifest"
)

// Nodes are alike to pods that ask for the same of them, and their names are in order.
func TestKindsOfNodes(t *testing.T) {
	labels := []map[string]string{
		0: {"a": "1"}, 1: {"b": "1"}, 2: {"a": "1", "other": "x"}, 3: nil, 4: {"a": ""}, 5: {"a": "2"}, 6: {"b": "1"}, 7: {"a": "1", "b": ""}, 8: {"z": "1"}, 9: {"metadata.name": "1"},
	}
	nodes := make([]manifest.Node, len(labels))
	for i, l := range labels {
		nodes[i].Name, nodes[i].Labels = string(rune('A'+i)), l
	}
	asking := func(keys ...string) affinity.Required {
		term := affinity.Term{}
		for _, key := range keys {
			term.Expressions = append(term.Expressions, affinity.Requirement{Key: key, Operator: "Exists"})
		}
		return affinity.Required{Terms: []affinity.Term{term}}
	}
	byName := affinity.Required{Terms: []affinity.Term{{Fields: []affinity.Requirement{{Key: "metadata.name", Operator: "In", Values: []string{"C"}}}}}}
	for _, c := range []struct {
		pods []affinity.Required
		want string
	}{
		{nil, "ABCDEFGHIJ"},
		{[]affinity.Required{{}}, "ABCDEFGHIJ"},
		{[]affinity.Required{asking("b", "a", "b"), asking("a")}, "AC BG DIJ E F H"},
		{[]affinity.Required{asking("a"), asking("z")}, "ACH BDGJ E F I"},
		{[]affinity.Required{byName}, "A B C D E F G H I J"},
	} {
		f, err := New(nodes, "", c.pods)
		if err != nil || len(f.Groups) != 1 || f.Count != len(nodes) || !f.Labeled || strings.Join(f.Names(&f.Groups[0]), "") != "ABCDEFGHIJ" {
			t.Fatalf("%+v, %v", f, err)
		}
		var got []string
		for _, kind := range f.Groups[0].Kinds {
			got = append(got, strings.Join(f.Names(&Group{Kinds: []Kind{kind}}), ""))
		}
		if text := strings.Join(got, " "); text != c.want {
			t.Errorf("got %s, want %s", text, c.want)
		}
	}
	for name, want := range map[string]bool{"D": true, "I": true} { // labels of other nodes tell that the input has labels
		if f, err := New(nodes, name, nil); err != nil || f.Labeled != want || f.Count != 1 || !f.One {
			t.Errorf("%+v, %v", f, err)
		}
	}
	if f, _ := New(nodes[3:4], "", nil); f.Labeled || f.One {
		t.Errorf("%+v", f)
	}
	if f, _ := New([]manifest.Node{nodes[1], nodes[3]}, "", nil); !f.Labeled {
		t.Errorf("%+v", f)
	}
}

// Some nodes of one kind have a pod, before and after others of its kind.
func TestThose(t *testing.T) {
	nodes := make([]manifest.Node, 5)
	for i := range nodes {
		nodes[i].Name = string(rune('A' + i))
	}
	f, err := New(nodes, "", nil)
	if err != nil {
		t.Fatal(err)
	}
	var e Exclusion
	left := f.Without(&e, f.Groups[0], &affinity.Required{Terms: []affinity.Term{}}, map[string]bool{"A": true, "D": true})
	if got := strings.Join(f.Names(&left), ""); got != "AD" || left.Count != 2 || e != (Exclusion{"B", 3}) {
		t.Errorf("%s, %+v, %+v", got, left, e)
	}
}
