package main

import (
	"bytes"
	"flag"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tolero-dev/tolero/match/matchtest/corpus"
	"github.com/tolero-dev/tolero/toleration"
	"github.com/tolero-dev/tolero/toleration/manifest"
)

var update = flag.Bool("update", false, "write the golden file")

// TestReport compares the output for nodes with taints of every kind.
func TestReport(t *testing.T) {
	const golden = "testdata/nodes.golden"
	nodes, err := os.Open("testdata/nodes.yaml")
	if err != nil {
		t.Fatal(err)
	}
	defer nodes.Close()
	var got bytes.Buffer
	if err := run(nodes, &got); err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(golden, got.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestErrors(t *testing.T) {
	for input, want := range map[string]string{
		"":            "standard input: empty: no document in it",
		"kind: Pod\n": "there is no node in the input",
		"kind: Node\nmetadata: {name: x}\nspec: {taints: [{key: a, effect: never}]}\n": "standard input: document 1: Node x: spec.taints[0].effect: " +
			`unsupported value "never": must be NoSchedule, PreferNoSchedule or NoExecute`,
	} {
		var out bytes.Buffer
		if err := run(strings.NewReader(input), &out); err == nil || err.Error() != want || out.Len() > 0 {
			t.Errorf("%q: error %v, output %q\nwant %s", input, err, out.String(), want)
		}
	}
}

// The workloads are real: each list is one of the corpus. And there is code for
// each of them.
func TestWorkloadsAreReal(t *testing.T) {
	file, err := os.Open("workloads.yaml")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var loader manifest.Loader
	if err := loader.Read("workloads.yaml", file); err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, pod := range loader.Workloads() {
		names = append(names, pod.Name)
		if !slices.ContainsFunc(corpus.Tolerations(), func(l corpus.TolerationList) bool {
			return toleration.Equal(l.Tolerations, pod.SpecTolerations)
		}) {
			t.Errorf("%v is not in the corpus", pod)
		}
	}
	var used []string
	for _, workload := range workloads {
		used = append(used, workload.name)
	}
	if diff := cmp.Diff(names, used); diff != "" {
		t.Errorf("workloads in the file (-) and in the agent (+):\n%s", diff)
	}
}
