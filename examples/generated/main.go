// Command generated is a small node agent: it tells which of the platform's own
// workloads belong on a node, and which have to go.
//
//	kubectl get node gpu-1 -o json | go run ./examples/generated
//	go run ./examples/generated nodes.yaml
//
// The workloads are part of the agent, so their tolerations are known when it is
// built: go generate and tolgen turn workloads.yaml into Go code. The agent carries
// and parses no manifest, and a question costs a few nanoseconds.
//
// The answers are those of a default cluster: tolgen refuses tolerations with Gt
// and Lt unless it is given -comparisons. No workload here has one.
package main

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"text/tabwriter"

	"github.com/tolero-dev/tolero/match"
	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration/manifest"
)

const usage = `usage: generated [file ...]
Tells for each node in the files, or in standard input, which of the platform's
workloads belong on it, and which have to go. The answers are those of a default
cluster; none of the workloads has a toleration with Gt or Lt.
`

func main() {
	flags := flag.NewFlagSet("generated", flag.ContinueOnError)
	flags.Usage = func() { fmt.Fprint(flags.Output(), usage) }
	switch err := flags.Parse(os.Args[1:]); {
	case errors.Is(err, flag.ErrHelp):
		return
	case err != nil: // flags has reported it
		os.Exit(2)
	}
	if err := run(flags.Args(), os.Stdin, os.Stdout); err != nil {
		fmt.Fprintf(os.Stderr, "generated: %v\n", err)
		os.Exit(1)
	}
}

// run reports on all nodes of the files, or of standard input if there is none.
func run(files []string, stdin io.Reader, stdout io.Writer) error {
	nodes, err := read(files, stdin)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(stdout)
	for i := range nodes {
		report(out, &nodes[i])
	}
	return out.Flush()
}

func read(files []string, stdin io.Reader) ([]manifest.Node, error) {
	var loader manifest.Loader
	if len(files) == 0 {
		if err := loader.Read("standard input", stdin); err != nil {
			return nil, err
		}
	}
	for _, name := range files {
		file, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		err = loader.Read(name, file)
		file.Close() // it was only read
		if err != nil {
			return nil, err
		}
	}
	cluster := loader.Cluster()
	if len(cluster.Faults) > 0 {
		return nil, &cluster.Faults[0]
	}
	if len(cluster.Nodes) == 0 {
		return nil, errors.New("there is no node in the input")
	}
	return cluster.Nodes, nil
}

// report writes what becomes of each workload on a node.
func report(w io.Writer, node *manifest.Node) {
	taints := node.Taints()
	fmt.Fprintf(w, "%s [%s]\n", node.ID(), taint.FormatList(taints))
	table := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	for _, workload := range workloads {
		fmt.Fprintf(table, "\t%s\t%s\t%s\n", workload.name, newPod(workload.list, taints), runningPod(workload.list, taints))
	}
	table.Flush()
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
