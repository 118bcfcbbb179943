package command

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/tolero-dev/tolero/toleration/manifest"
)

// kubectl puts one on the PATH that gets a node and a pod; for the context "cut" it may not get
// nodes.
func kubectl(t *testing.T) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("there is no shell")
	}
	folder := t.TempDir()
	script := `#!/bin/sh
case "$*" in
	"get nodes "*=cut*) echo 'nodes is forbidden' >&2; exit 1;;
	"get nodes "*) echo '{"kind": "Node", "metadata": {"name": "n"}}';;
	"get pods "*) echo '{"kind": "Pod", "metadata": {"name": "p"}}';;
	*) echo 'unexpected' "$@" >&2; exit 1;;
esac`
	if err := os.WriteFile(filepath.Join(folder, "kubectl"), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", folder+":/usr/bin:/bin")
}

// The user's cluster is read if a flag asks for it, or if kubectl runs the program without -f.
// What is not read of it is in the answer, or on stderr if there is none.
func TestCluster(t *testing.T) {
	kubectl(t)
	const unread = "Not read: nodes: nodes is forbidden\n"
	now := time.Unix(1e9, 0)
	for args, c := range map[string]struct {
		plugin         bool
		fails          bool
		stdout, stderr string
	}{
		"":                          {false, false, "0 nodes, 0 pods of []", ""},
		"-cluster":                  {false, false, "1 nodes, 1 pods of [the cluster]", ""},
		"-f -":                      {true, false, "1 nodes, 0 pods of [-]", ""},
		"-o text":                   {true, false, "1 nodes, 1 pods of [the cluster]", ""},
		"-f - -cluster":             {false, false, "2 nodes, 1 pods of [- the cluster]", ""},
		"-context x":                {false, false, "1 nodes, 1 pods of [the cluster of context x]", ""},
		"-context=cut":              {false, false, unread + "0 nodes, 1 pods of [the cluster of context cut]", ""},
		"-context=cut -o json":      {false, false, `"unread":[{"kind":"nodes","reason":"nodes is forbidden"}],"result":"0 nodes, 1 pods of [the cluster of context cut]"`, ""},
		"-context=cut -o script":    {false, false, "0 nodes, 1 pods of [the cluster of context cut]", "tolero p: " + unread},
		"-context=cut -limit 99":    {false, true, "", "tolero p: " + unread + "tolero p: it fails\n"},
		"-cluster -v":               {false, false, "1 nodes", "tolero p: kubectl get nodes --output=json --all-namespaces\ntolero p: kubectl get pods --output=json --all-namespaces\ntolero p: read 1 node and 1 pod\n"},
		"-context=cut -o script -v": {false, false, "0 nodes", "tolero p: kubectl get nodes --output=json --context=cut --all-namespaces\ntolero p: kubectl get pods --output=json --context=cut --all-namespaces\ntolero p: " + unread + "tolero p: read 0 nodes and 1 pod\n"},
	} {
		var stdout bytes.Buffer
		p, stderr, do := program(func(p *Program, args []string) error {
			if err := p.Parse(p.Flags(), args, 0); err != nil {
				return err
			}
			read, err := p.Load(&Input{Demo: "kind: List"})
			if err != nil {
				return err
			}
			if got := !read.Latest.Equal(now); got == p.Kubectl.Wanted {
				t.Errorf("%s: the time is %v", args, read.Latest)
			}
			answer := Plural(len(read.Nodes), "node")[:1] + " nodes, " + Plural(len(read.Pods), "pod")[:1] + " pods of [" + strings.Join(p.Files, " ") + "]"
			if p.Limit == 99 {
				return errors.New("it fails")
			}
			if p.Format == "script" {
				p.Out.WriteString(answer)
				return nil
			}
			return p.Show(func(w *Writer) { w.Line(0, answer) }, func() any { return answer })
		})
		p.command.Result, p.command.Formats = new(manifest.Cluster), []string{"script"}
		p.Stdin, p.Stdout, p.Plugin, p.Now = strings.NewReader(goodNode), &stdout, c.plugin, func() time.Time { return now }
		status := do(strings.Fields(args)...)
		squeezed := strings.NewReplacer(" ", "", "\n", "")
		if got := squeezed.Replace(stdout.String()); !strings.Contains(got, squeezed.Replace(c.stdout)) || stderr.String() != c.stderr || (status != Success) != c.fails {
			t.Errorf("%q: status %d\n%s\n%s\nwant %s\n%s", args, status, &stdout, stderr, c.stdout, c.stderr)
		}
	}
}
