package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tolero-dev/tolero/examples/internal/command"
)

// resources are the kinds that are asked for, in the order in which they are read.
var resources = [][2]string{
	{"Node", "nodes"}, {"Pod", "pods"}, {"DaemonSet", "daemonsets.apps"}, {"PersistentVolumeClaim", "persistentvolumeclaims"},
	{"PersistentVolume", "persistentvolumes"}, {"PodDisruptionBudget", "poddisruptionbudgets.policy"},
	{"ResourceSlice", "resourceslices.resource.k8s.io"}, {"ResourceClaim", "resourceclaims.resource.k8s.io"},
	{"ResourceClaimTemplate", "resourceclaimtemplates.resource.k8s.io"}, {"DeviceTaintRule", "devicetaintrules.resource.k8s.io"},
	{"NodePool", "nodepools.karpenter.sh"}, {"NodeClaim", "nodeclaims.karpenter.sh"}, {"MachineDeployment", "machinedeployments.cluster.x-k8s.io"},
	{"MachineSet", "machinesets.cluster.x-k8s.io"}, {"MachinePool", "machinepools.cluster.x-k8s.io"}, {"ResourceFlavor", "resourceflavors.kueue.x-k8s.io"},
	{"NodeReadinessRule", "nodereadinessrules.readiness.node.x-k8s.io"},
}

// kubectl puts one on the PATH that gets the objects of a dump, as one that may only get
// objects does, and writes down what it is asked for. It returns a dump of the same objects.
func kubectl(t *testing.T, dump string) (file, asked string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("there is no shell")
	}
	text, err := os.ReadFile(dump)
	if err != nil {
		t.Fatal(err)
	}
	var all struct{ Items []map[string]any }
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	write := func(name string, mode os.FileMode, text []byte) string {
		name = filepath.Join(folder, name)
		if err := os.WriteFile(name, text, mode); err != nil {
			t.Fatal(err)
		}
		return name
	}
	var together []map[string]any
	list := func(items []map[string]any) []byte {
		text, err := json.Marshal(map[string]any{"apiVersion": "v1", "kind": "List", "metadata": map[string]any{"resourceVersion": ""}, "items": items})
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	for _, r := range resources {
		kind, resource := r[0], r[1]
		var items []map[string]any
		for _, item := range all.Items {
			if item["kind"] == kind {
				items = append(items, item)
			}
		}
		together = append(together, items...)
		write(resource, 0o600, list(items))
	}
	asked = filepath.Join(folder, "asked")
	write("kubectl", 0o700, []byte(`#!/bin/sh
[ "$1 $3 $4" = "get --output=json --all-namespaces" ] || { echo "unexpected: $*" >&2; exit 1; }
echo "$2" >>`+asked+`
exec cat `+folder+`/"$2"
`))
	t.Setenv("PATH", folder+":/usr/bin:/bin")
	return write("dump", 0o600, list(together)), asked
}

// An interrupt ends a watch, and nobody hears of a kubectl that has ended before.
func TestInterrupt(t *testing.T) {
	folder := install(t, "tolero")
	object := `{"type": "ADDED", "object": {"kind": "Node", "metadata": {"name": "n"}}}`
	script := "#!/bin/sh\necho '" + object + "'\nexec sleep 60\n"
	if err := os.WriteFile(filepath.Join(folder, "kubectl"), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	var stderr bytes.Buffer
	c := exec.Command("tolero", "watch")
	c.Stderr = &stderr
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil || !strings.HasSuffix(line, " 1 node and 0 pods\n") {
		t.Errorf("%q, %v", line, err)
	}
	if err := c.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := c.Wait(); err != nil || stderr.Len() > 0 {
		t.Errorf("%v, %s", err, &stderr)
	}
}

// Each command says of the cluster what it says of a dump, and asks for no kind that it does
// not need.
func TestCluster(t *testing.T) {
	placement := []string{"daemonsets.apps", "nodes", "persistentvolumeclaims", "persistentvolumes", "pods"}
	budgets := slices.Sorted(slices.Values(append([]string{"poddisruptionbudgets.policy"}, placement...)))
	pools := slices.Sorted(slices.Values(append([]string{"nodes", "pods"}, command.PoolKinds...)))
	var all []string
	for _, r := range resources {
		if r[1] != "poddisruptionbudgets.policy" && !slices.Contains(command.PoolKinds[:7], r[1]) {
			all = append(all, r[1])
		}
	}
	slices.Sort(all)
	for _, name := range []string{"matrix/testdata/cluster.json", "matrix/testdata/devices.json", "page/testdata/pools.json"} {
		dump, asked := kubectl(t, "../internal/"+name)
		for line, kinds := range map[string][]string{
			"":                                    pools,
			"why":                                 pools,
			"why -o json":                         pools,
			"lint":                                pools,
			"matrix":                              all,
			"matrix -o yaml":                      placement,
			"check":                               placement,
			"outage -pool none":                   {"nodes", "pods"},
			"plan |taint nodes --all x:NoExecute": budgets,
		} {
			_ = os.Remove(asked)
			line, step, _ := strings.Cut(line, "|")
			args := strings.Fields(line)
			if step != "" {
				args = append(args, step)
			}
			var outs [2]bytes.Buffer
			var statuses [2]int
			for i, more := range [][]string{{"-f", dump}, {"-cluster"}} {
				p := &command.Program{Stdin: strings.NewReader(""), Stdout: &outs[i], Stderr: &outs[i], Now: func() time.Time { return time.Time{} }}
				statuses[i] = run(p, slices.Concat(args, more))
			}
			text, err := os.ReadFile(asked)
			if got := slices.Sorted(slices.Values(strings.Fields(string(text)))); err != nil || !slices.Equal(got, kinds) {
				t.Errorf("%s asks for %q, %v; want %q", line, got, err, kinds)
			}
			source := regexp.MustCompile(`the cluster|kubectl get [a-z]+|` + dump + `|items\[\d+\]`)
			said := func(i int) string {
				return strings.Join(strings.Fields(source.ReplaceAllString(outs[i].String(), "(source)")), " ")
			}
			want, got := said(0), said(1)
			if statuses[0] != statuses[1] || got != want || got == "" {
				t.Errorf("%s, %s: status %d and %d\n%s", name, line, statuses[0], statuses[1], cmp.Diff(want, got))
			}
		}
	}
}
