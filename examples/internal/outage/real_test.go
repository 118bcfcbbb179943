package outage

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/tolero-dev/tolero/examples/internal/golden"
)

const cluster = "../matrix/testdata/cluster.json"

// Nodes, zones and pools of the user's cluster fall silent, and the pods that leave are named:
// each after the 55 s until the node is lost, its turn, and its seconds.
func TestReal(t *testing.T) {
	status, stdout, stderr := golden.Run(&Command, "", "-f", cluster, "worker-1", "worker-2")
	if status != 0 || stderr != "" {
		t.Fatalf("status %d, %s", status, stderr)
	}
	golden.Check(t, "real.golden", stdout)
	for args, want := range map[string]string{
		"-zone eu-central-1a": "10 of 10 nodes fall silent now; ",
		"-pool m6i -pool-label node.kubernetes.io/instance-type": "no node falls silent: ",
		"":                      "no node falls silent: name nodes, -zone or -pool; there are the zones ",
		"worker-1 nowhere":      "no node \"nowhere\" in the input",
		"worker-1 -back 30s":    "No pod has to leave.",
		"worker-1 -for 1m":      "No pod has to leave.",
		"worker-1 -limit 1":     "2 more; -limit 0 shows all.",
		"worker-1 -comparisons": "1 of 10 nodes fall silent now",
	} {
		_, stdout, stderr := golden.Run(&Command, "", append(strings.Fields(args), "-f", cluster)...)
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
