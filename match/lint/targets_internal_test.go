package lint

import (
	"slices"
	"testing"

	"github.com/tolero-dev/tolero/match/affinity"
)

// Attractions of DaemonSets are known once each, and of nodes those labels count that one
// of them asks for.
func TestTargets(t *testing.T) {
	selector := func(key, value string) affinity.Required {
		return affinity.Required{NodeSelector: map[string]string{key: value}}
	}
	none := affinity.Required{Terms: []affinity.Term{}}
	pods := []Pod{
		{DaemonSet: true}, // for all nodes
		{DaemonSet: true, Affinity: selector("zone", "a")},
		{DaemonSet: true, Affinity: selector("zone", "b")},
		{DaemonSet: true, Affinity: selector("zone", "a")},
		{DaemonSet: true, Affinity: selector("gpu", "a")},
		{DaemonSet: true, Affinity: none},
	}
	var c targets
	c.readTargets(pods)
	if want := []string{"gpu", "zone"}; !slices.Equal(c.keys, want) || c.byName || len(c.attractions) != 4 {
		t.Errorf("keys %q, by name %t, %d attractions", c.keys, c.byName, len(c.attractions))
	}
	var got []int
	for i := range pods {
		got = append(got, c.targetOf(&pods[i]))
	}
	if want := []int{0, 1, 2, 1, 3, 4}; !slices.Equal(got, want) {
		t.Errorf("targets %v, want %v", got, want)
	}
	got = nil
	for _, labels := range []map[string]string{
		nil, {"zone": "a"}, {"gpu": "a"}, {"zone": ""}, {"zone": "a", "app": "x"}, {"zone": "a", "gpu": "a"}, {"app": "y"}, {"gpu": "a b", "zone": ""}, {"gpu": "a", "zone": "b"},
	} {
		got = append(got, c.labelsOf(&Node{Name: "n", Labels: labels}))
	}
	if want := []int{0, 1, 2, 3, 1, 4, 0, 5, 6}; !slices.Equal(got, want) || len(c.labels) != 7 {
		t.Errorf("labels %v, want %v", got, want)
	}
	c = targets{}
	c.readTargets([]Pod{{DaemonSet: true, Affinity: affinity.Required{Terms: []affinity.Term{{Fields: []affinity.Requirement{{Key: "metadata.name", Operator: "In", Values: []string{"n"}}}}}}}})
	if a, b := c.labelsOf(&Node{Name: "n"}), c.labelsOf(&Node{Name: "m"}); !c.byName || a == b {
		t.Errorf("by name %t, %d and %d", c.byName, a, b)
	}
}

// Nodes with the same labels are one variant of their group, and each attraction is asked
// about them once.
func TestVariants(t *testing.T) {
	f := new(Fleet)
	for range 5 {
		f.Nodes = append(f.Nodes, Node{Name: "a", Labels: map[string]string{"zone": "a"}}, Node{Name: "b"})
	}
	a := affinity.Required{NodeSelector: map[string]string{"zone": "a"}}
	f.Pods = []Pod{{Name: "p", DaemonSet: true, Affinity: a}, {Name: "q", DaemonSet: true, Affinity: a}, {Name: "r", DaemonSet: true}}
	c := newChecker(f, Options{})
	if len(c.nodes) != 1 || len(c.nodes[0].variants) != 2 || c.nodes[0].variants[0].count != 5 {
		t.Errorf("%+v", c.nodes)
	}
	if d := c.pods[0].daemons.list; len(d) != 2 || d[0].count != 2 || d[0].name != "p" || d[1].count != 1 || d[1].name != "r" {
		t.Errorf("%+v", d)
	}
	for range 2 {
		if first, n := c.targeted(c.pods[0].daemons.list[0].target, 0); first != "a" || n != 5 {
			t.Errorf("%d nodes, %q first", n, first)
		}
	}
	f.Pods = f.Pods[2:] // none has an attraction
	if n := &newChecker(f, Options{}).nodes[0]; n.count != 10 || n.variants != nil {
		t.Errorf("%+v", n)
	}
	if len(c.known) != 2 || c.targetSteps != 4 {
		t.Errorf("%d answers known after %d steps", len(c.known), c.targetSteps)
	}
}

// Attractions that differ have different texts, also where words are not valid or look
// like what is between them.
func TestAttractionText(t *testing.T) {
	in := func(values ...string) []affinity.Requirement {
		return []affinity.Requirement{{Key: "a", Operator: "In", Values: values}}
	}
	seen := make(map[string]int)
	for i, a := range []affinity.Required{
		{},
		{Terms: []affinity.Term{}},
		{Terms: []affinity.Term{{}}},
		{Terms: []affinity.Term{{}, {}}},
		{NodeSelector: map[string]string{"a": "b"}},
		{NodeSelector: map[string]string{"a": "b"}, Terms: []affinity.Term{}},
		{NodeSelector: map[string]string{"a": "\xff"}},
		{NodeSelector: map[string]string{"a": "\xfe"}},
		{NodeSelector: map[string]string{"a": "\ufffd"}},
		{NodeSelector: map[string]string{"a": `b"|(`}},
		{Terms: []affinity.Term{{Expressions: in("x", "y")}}},
		{Terms: []affinity.Term{{Expressions: in(`x""y`)}}},
		{Terms: []affinity.Term{{Fields: in("x", "y")}}},
		{Terms: []affinity.Term{{Expressions: append(in("x"), in("y")...)}}},
		{Terms: []affinity.Term{{Expressions: in("x")}, {Expressions: in("y")}}},
		{Terms: []affinity.Term{{Expressions: in("x"), Fields: in("y")}}},
	} {
		text := attractionText(&a)
		if other, found := seen[text]; found {
			t.Errorf("%d and %d are both %s", other, i, text)
		}
		seen[text] = i
	}
}

// Up to sixteen requirements and values are free.
func TestAttractionWords(t *testing.T) {
	values := func(n int) []string { return make([]string, n) }
	for _, c := range []struct {
		attraction    affinity.Required
		words, longer int
	}{
		{affinity.Required{NodeSelector: map[string]string{"a": "b", "c": "d"}}, 2, 0},
		{affinity.Required{Terms: []affinity.Term{{Expressions: []affinity.Requirement{{Key: "a", Values: values(15)}}}}}, 16, 0},
		{affinity.Required{Terms: []affinity.Term{{Fields: []affinity.Requirement{{Key: "a", Values: values(16)}}}}}, 17, 1},
		{affinity.Required{NodeSelector: map[string]string{"a": "b"}, Terms: []affinity.Term{{Expressions: []affinity.Requirement{{}, {Values: values(9)}}}, {Fields: []affinity.Requirement{{Values: values(8)}}}}}, 21, 5},
	} {
		var x targets
		x.readTargets([]Pod{{DaemonSet: true, Affinity: c.attraction}})
		if got := words(&c.attraction); got != c.words || x.longer[0] != c.longer {
			t.Errorf("%+v: %d words, %d too many", c.attraction, got, x.longer[0])
		}
	}
}

// A DaemonSet is skipped if the steps for it at all kinds of nodes would be too many.
func TestTooMany(t *testing.T) {
	defer func(usual int) { mostTargetSteps = usual }(mostTargetSteps)
	mostTargetSteps = 100
	for _, c := range []struct {
		longer, labels, targetSteps int
		want                        bool
	}{
		{0, 0, 0, false}, {0, 1, 0, false}, {0, 1, 100, false}, {0, 1, 101, true}, {0, 10, 100, false}, {0, 10, 110, true},
		{100, 1, 0, false}, {101, 1, 0, true}, {100, 1, 1, true}, {60, 1, 0, false}, {60, 2, 0, true}, {50, 2, 0, false}, {101, 0, 0, true}, {100, 0, 0, false}, {10, 10, 0, false}, {11, 10, 0, true},
	} {
		x := targets{longer: []int{c.longer}, labels: make([]*Node, c.labels), targetSteps: c.targetSteps}
		if got := x.tooMany(1); got != c.want || x.tooMany(0) {
			t.Errorf("%+v: %t", c, got)
		}
	}
}
