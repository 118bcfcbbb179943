// Command generated is a small node agent: it tells which of the platform's own
// workloads belong on a node, and which have to go.
//
//	kubectl get node gpu-1 -o json | go run ./examples/generated
//
// The workloads are part of the agent, so their tolerations are known when it is
// built: go generate and tolgen turn workloads.yaml into Go code. The agent carries
// and parses no manifest, and a question costs a few nanoseconds.
//
// The answers are those of a default cluster: tolgen refuses tolerations with Gt
// and Lt unless it is given -comparisons. No workload here has one.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"text/tabwriter"
	"time"

	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration/manifest"
)

//go:generate go tool tolgen -o tolerations.go -test workloads.yaml

// tolerations is the generated code for one workload. An agent with a single list
// would call it without an interface.
type tolerations interface {
	FirstUntolerated(taints []taint.Taint, effects taint.EffectSet) (index int, ok bool)
	Decide(taints []taint.Taint) match.Verdict
	EvictionDelay(taints []taint.Taint) (after time.Duration, evicted bool)
}

// workloads are those of workloads.yaml.
var workloads = []struct {
	name string
	list tolerations
}{
	{"calico-node", daemonSetCalicoNode{}},
	{"alertmanager", podAlertmanager{}},
}

func main() {
	if err := run(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintf(os.Stderr, "generated: %v\n", err)
		os.Exit(1)
	}
}

// run reports on all nodes that stdin has.
func run(stdin io.Reader, stdout io.Writer) error {
	var loader manifest.Loader
	if err := loader.Read("standard input", stdin); err != nil {
		return err
	}
	cluster := loader.Cluster()
	if len(cluster.Faults) > 0 {
		return &cluster.Faults[0]
	}
	if len(cluster.Nodes) == 0 {
		return errors.New("there is no node in the input")
	}
	table := tabwriter.NewWriter(stdout, 0, 8, 2, ' ', 0)
	for i := range cluster.Nodes {
		taints := cluster.Nodes[i].Taints()
		fmt.Fprintf(table, "%s [%s]\n", cluster.Nodes[i].ID(), taint.FormatList(taints))
		for _, w := range workloads {
			fmt.Fprintf(table, "\t%s\t%s\t%s\n", w.name, newPod(w.list, taints), runningPod(w.list, taints))
		}
	}
	return table.Flush()
}

// newPod tells whether a pod may be placed on a node, and what is in the way.
func newPod(list tolerations, taints []taint.Taint) string {
	if i, found := list.FirstUntolerated(taints, taint.Hard); found {
		return "not placed: " + taints[i].String()
	}
	if list.Decide(taints).Scheduling == match.Avoid {
		return "placed elsewhere if possible"
	}
	return "placed"
}

// runningPod tells what becomes of a pod that runs on a node.
func runningPod(list tolerations, taints []taint.Taint) string {
	switch after, evicted := list.EvictionDelay(taints); {
	case !evicted:
		return "stays"
	case after > 0:
		return "evicted after " + after.String()
	}
	return "evicted now"
}
