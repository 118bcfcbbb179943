package command

import (
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
		"Pod x/p":        {Object: pod},
		"Pod x/s":        {Object: manifest.Object{Kind: "Pod", Namespace: "x", Name: "s"}, Owner: manifest.Owner{Kind: "Node", Name: "n"}},
		"DaemonSet x/d":  {Object: pod, Owner: manifest.Owner{Kind: "DaemonSet", Name: "d"}},
		"Deployment x/w": {Object: pod, Owner: manifest.Owner{Kind: "ReplicaSet", Name: "w-1"}, Workload: manifest.Owner{Kind: "Deployment", Name: "w"}},
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
