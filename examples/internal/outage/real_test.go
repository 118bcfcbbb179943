package outage

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/tolero-dev/tolero/examples/internal/golden"
)

const cluster = "../matrix/testdata/cluster.json"

const zones = `{"kind":"Node","metadata":{"name":"n1","labels":{"topology.kubernetes.io/zone":"a"}}}
{"kind":"Node","metadata":{"name":"n2","labels":{"topology.kubernetes.io/zone":"b"}}}
{"kind":"Node","metadata":{"name":"n3","labels":{"topology.kubernetes.io/zone":"c"}}}
{"kind":"Pod","metadata":{"name":"p"},"spec":{"nodeName":"n3"}}`

// Nodes, zones and pools of the user's cluster fall silent, and the pods that leave are named:
// each after the 55 s until the node is lost, its turn, and its seconds.
func TestReal(t *testing.T) {
	status, stdout, stderr := golden.Run(&Command, "", "-f", cluster, "worker-1", "worker-2")
	if status != 0 || stderr != "" {
		t.Fatalf("status %d, %s", status, stderr)
	}
	golden.Check(t, "real.golden", stdout)
	for args, want := range map[string]string{
		"-zone eu-central-1a":  "10 of 10 nodes fall silent now; ",
		"-zone a -zone b -f -": "2 of 3 nodes fall silent now; ",
		"-zone a -zone d -f -": "no node falls silent of zone d; there are the zones a, b, c and the pools (none)",
		"-pool m6i -pool-label node.kubernetes.io/instance-type": "no node falls silent of pool m6i; ",
		"":                      "no node falls silent: name nodes, -zone or -pool; there are the zones ",
		"worker-1 nowhere":      "no node \"nowhere\" in the input",
		"worker-1 -back 30s":    "No pod has to leave.",
		"worker-1 -for 1m":      "No pod has to leave.",
		"worker-1 -limit 1":     "2 more; -limit 0 shows all.",
		"worker-1 -comparisons": "1 of 10 nodes fall silent now",
	} {
		list := strings.Fields(args)
		if !slices.Contains(list, "-f") {
			list = append(list, "-f", cluster)
		}
		_, stdout, stderr := golden.Run(&Command, zones, list...)
		if args == "worker-1 -limit 1" {
			want = "Workloads that lose pods:\n  "
		}
		if text := stdout + stderr; !strings.Contains(text, want) || (stdout == "") != strings.HasPrefix(want, "no ") {
			t.Errorf("%s: %s, want %s", args, text, want)
		}
	}
	_, stdout, _ = golden.Run(&Command, "", "-f", cluster, "-o", "json", "worker-1", "worker-2")
	var r jsonReport
	if err := json.Unmarshal(golden.Result(stdout), &r); err != nil || len(r.Leaving) != 3 || r.Leaving[0].Seconds != 95 || r.Leaving[2].Seconds != 365 || len(r.Workloads) != 2 {
		t.Errorf("%v, %+v", err, r)
	}
}
