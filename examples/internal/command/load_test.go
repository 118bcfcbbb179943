package command

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tolero-dev/tolero/toleration/manifest"
)

// A pod has the name of its workload, and its own if it has none or its node owns it.
func TestOwner(t *testing.T) {
	pod := manifest.Object{Kind: "Pod", Namespace: "x", Name: "p"}
	for want, p := range map[string]manifest.Pod{
		"Pod x/p":         {Object: pod},
		"Pod x/s":         {Object: manifest.Object{Kind: "Pod", Namespace: "x", Name: "s"}, Owner: manifest.Owner{Kind: "Node", Name: "n"}},
		"StatefulSet x/s": {Object: pod, Owner: manifest.Owner{Kind: "StatefulSet", Name: "s"}},
		"DaemonSet x/d":   {Object: pod, Owner: manifest.Owner{Kind: "DaemonSet", Name: "d"}},
		"Deployment x/w":  {Object: pod, Owner: manifest.Owner{Kind: "ReplicaSet", Name: "w-1"}, Workload: manifest.Owner{Kind: "Deployment", Name: "w"}},
	} {
		if got := Owner(&p); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// Only a dash alone is standard input, whatever else names begin with.
func TestReadAll(t *testing.T) {
	t.Chdir(t.TempDir())
	p := &Program{Stdin: strings.NewReader("input")}
	for _, name := range []string{"#plan", "+plan", "--", "-plan", "plan"} {
		if err := os.WriteFile(name, []byte(name), 0o600); err != nil {
			t.Fatal(err)
		}
		if text, err := p.ReadAll(name); text != name || err != nil {
			t.Errorf("%s: %q, %v", name, text, err)
		}
	}
	if text, err := p.ReadAll("-"); text != "input" || err != nil {
		t.Errorf("standard input: %q, %v", text, err)
	}
	if _, err := p.ReadAll(filepath.Join("none", "plan")); !os.IsNotExist(err) {
		t.Errorf("error %v", err)
	}
}

const (
	goodNode = "kind: Node\nmetadata: {name: good}\n"
	badNode  = "kind: Node\nmetadata: {name: bad}\nspec: {taints: [{key: a, effect: Never}]}\n"
)

// A cluster is read from files, or is the built-in one if there are none. Faults of its objects
// are told, and end the program if it is to be strict.
func TestLoad(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{"good": goodNode, "bad": badNode, "broken": "kind: [", "pod": "kind: Pod\nmetadata: {name: p}\n"} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	fault := "tolero p: bad: document 1: Node bad: spec.taints[0].effect: unsupported value \"Never\": must be\n    NoSchedule, PreferNoSchedule or NoExecute\n"
	none := func(c *manifest.Cluster) { c.Faults = nil }
	shown := func(f *manifest.Fault) error { return errors.New("fault of " + f.Object.Name) }
	for name, c := range map[string]struct {
		args   string
		in     Input
		want   string // nodes and pods, or the error
		stderr string
	}{
		"the built-in cluster": {"", Input{Demo: goodNode}, "1 0", ""},
		"a file":               {"-f pod", Input{Demo: goodNode}, "0 1", ""},
		"several":              {"-f good -f pod", Input{}, "1 1", ""},
		"standard input":       {"-f -", Input{}, "1 0", ""},
		"a broken demo":        {"", Input{Demo: "kind: ["}, "the built-in cluster", ""},
		"a broken file":        {"-f broken -f good", Input{}, "broken", ""},
		"a fault":              {"-f bad -f good", Input{}, "2 0", fault},
		"strict":               {"-f bad -f good -strict", Input{}, "1 fault in the objects, and -strict is set", fault},
		"strict, none":         {"-f good -strict", Input{}, "1 0", ""},
		"taken out":            {"-f bad -strict", Input{Filter: none}, "1 0", ""},
		"shown otherwise":      {"-f bad", Input{Shown: shown}, "1 0", "tolero p: fault of bad\n"},
	} {
		p, stderr, _ := program(nil)
		p.Stdin = strings.NewReader(goodNode)
		if err := p.Parse(p.Flags(), strings.Fields(c.args), 0); err != nil {
			t.Fatal(err)
		}
		read, err := p.Load(&c.in)
		got := fmt.Sprint(err)
		if err == nil {
			got = fmt.Sprint(len(read.Nodes), len(read.Pods))
		}
		if !strings.HasPrefix(got, c.want) || stderr.String() != c.stderr {
			t.Errorf("%s: %s, %s; want %s, %s", name, got, stderr, c.want, c.stderr)
		}
	}
}

// Pods belong to the workload at the end of their owners.
func TestLoadedWorkloads(t *testing.T) {
	in := Input{Demo: `kind: Pod
metadata: {name: p, ownerReferences: [{kind: ReplicaSet, name: web-1, controller: true}]}
---
kind: ReplicaSet
metadata: {name: web-1, ownerReferences: [{kind: Deployment, name: web, controller: true}]}
---
kind: Node
metadata: {name: good, labels: {zone: a}}
`}
	p, _, _ := program(nil)
	read, err := p.Load(&in)
	if err != nil {
		t.Fatal(err)
	}
	if got := Owner(&read.Pods[0]); got != "Deployment web" {
		t.Errorf("the pod is of %s", got)
	}
	if read.Nodes[0].Labels["zone"] != "a" {
		t.Errorf("the labels are %v", read.Nodes[0].Labels)
	}
}
