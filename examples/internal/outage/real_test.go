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
		"-zone eu-central-1a":  "9 of 10 nodes silent from now on; 1 silent already (worker-3); ",
		"-zone a -zone b -f -": "2 of 3 nodes silent from now on; ",
		"-zone a -zone d -f -": "no zone \"d\" in the input; there are: a, b, c",
		"-pool m6i -pool-label node.kubernetes.io/instance-type": "no pool \"m6i\" in the input; there are: m6i.2xlarge, ",
		"":                      "no node falls silent: name nodes, or -zone or -pool; there are nodes: ",
		"n1 -f -":               "1 of 3 nodes silent from now on; 1 pod run in all.",
		"worker-1 nowhere":      "no node \"nowhere\" in the input",
		"worker-1 -back 30s":    "No pod has to leave.",
		"worker-1 -for 1m":      "No pod has to leave.",
		"worker-1 -back -5m":    "no: -back and -for must not be negative",
		"worker-1 -limit 1":     "2 more; -limit 0 shows all.",
		"worker-1 -comparisons": "1 of 10 nodes silent from now on",
	} {
		list := strings.Fields(args)
		if !slices.Contains(list, "-f") {
			list = append(list, "-f", cluster)
		}
		_, stdout, stderr := golden.Run(&Command, zones, list...)
		if args == "worker-1 -limit 1" {
			want = "Workloads that lose pods:\n  "
		}
		refused := strings.HasPrefix(want, "no ") || strings.HasPrefix(want, "no: ")
		if text := stdout + stderr; !strings.Contains(text, strings.TrimPrefix(want, "no: ")) || (stdout == "") != refused {
			t.Errorf("%s: %s, want %s", args, text, want)
		}
	}
	_, stdout, _ = golden.Run(&Command, "", "-f", cluster, "-o", "json", "worker-1", "worker-2")
	var r jsonReport
	if err := json.Unmarshal(golden.Result(stdout), &r); err != nil || len(r.Leaving) != 3 || r.Leaving[0].Seconds != 95 || r.Leaving[2].Seconds != 365 || len(r.Workloads) != 2 {
		t.Errorf("%v, %+v", err, r)
	}
}

// down has a node that is silent already: one of its pods has 2 minutes left, another should be gone.
const down = `{"kind":"Node","metadata":{"name":"up"}}
{"kind":"Node","metadata":{"name":"down"},"spec":{"taints":[{"key":"node.kubernetes.io/unreachable","effect":"NoExecute","timeAdded":"2026-01-01T10:00:00Z"}]}}
{"kind":"Node","metadata":{"name":"latest"},"status":{"conditions":[{"type":"Ready","status":"True","lastHeartbeatTime":"2026-01-01T10:03:00Z"}]}}
{"kind":"Pod","metadata":{"name":"p","namespace":"default"},"spec":{"nodeName":"down","tolerations":[{"key":"node.kubernetes.io/unreachable","operator":"Exists","effect":"NoExecute","tolerationSeconds":300}]}}
{"kind":"Pod","metadata":{"name":"q"},"spec":{"nodeName":"down","tolerations":[{"key":"node.kubernetes.io/unreachable","operator":"Exists","effect":"NoExecute","tolerationSeconds":60}]}}`

// A node that is silent already stays so, unless it is named and -back says when it is back; and no
// time is before the start.
func TestDownAlready(t *testing.T) {
	for args, want := range map[string]string{
		"up":            "1 of 3 nodes silent from now on; 1 silent already (down); 2 pods run in all.|1 pod of these should have left before, |default/p on down is evicted after 2m |0s to 2m",
		"up -back 1m":   "default/p on down is evicted after 2m |",
		"down -back 1m": "0 of 3 nodes silent from now on; 1 silent already (down)|No pod has to leave.",
		"down -back 3m": "default/p on down is evicted after 2m |",
	} {
		_, stdout, stderr := golden.Run(&Command, down, append(strings.Fields(args), "-f", "-")...)
		for part := range strings.SplitSeq(want, "|") {
			if !strings.Contains(stdout, part) || strings.Contains(stdout, " -1") || stderr != "" {
				t.Errorf("%s: %s%s\nwant %s", args, stdout, stderr, part)
			}
		}
	}
	_, stdout, _ := golden.Run(&Command, down, "up", "-f", "-", "-o", "json")
	var r jsonReport
	if err := json.Unmarshal(golden.Result(stdout), &r); err != nil || *r.Zones[0].First != 0 || *r.Zones[0].Last != 120 || r.Leaving[0].Pod != "Pod default/p" {
		t.Errorf("%v, %+v", err, r)
	}
}
