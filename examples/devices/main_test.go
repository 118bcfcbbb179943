package main

import (
	"errors"
	"os"
	"strings"
	"testing"
)

// The report on the cluster in testdata. The toleration without an effect got serve-0
// its device, and does not keep it (rule D6).
func TestReport(t *testing.T) {
	const want = `3 devices, 1 free of taints that keep requests away
  gpu.example.com/node-1/gpu-0  gpu.example.com/ecc-errors:NoExecute
  gpu.example.com/node-1/gpu-2  gpu.example.com/slow:NoSchedule
1 pods to be evicted
  after 8m0s   ml/train-0  [ResourceSlice node-1-gpu gpu.example.com/node-1/gpu-0 taint #0]
rule new-driver with NoExecute: 3 published and 2 allocated devices, 2 pods
  now          ml/serve-0  [DeviceTaintRule new-driver]
  now          ml/train-0  [DeviceTaintRule new-driver]
`
	var out strings.Builder
	if err := run([]string{"-now", "2026-03-01T12:00:00Z", "testdata/cluster.json"}, nil, &out); err != nil || out.String() != want {
		t.Errorf("%v\n%s", err, out.String())
	}
	text, err := os.ReadFile("testdata/cluster.json")
	if err != nil {
		t.Fatal(err)
	}
	out.Reset()
	if err := run([]string{"-now", "2026-03-01T12:30:00Z"}, strings.NewReader(string(text)), &out); err != nil || !strings.Contains(out.String(), "  now          ml/train-0  [ResourceSlice") {
		t.Errorf("half an hour later: %v\n%s", err, out.String())
	}
}

func TestFaults(t *testing.T) {
	var out strings.Builder
	if _, ok := errors.AsType[*usageError](run([]string{"-now", "noon"}, nil, &out)); !ok {
		t.Error("a time that is none")
	}
	if err := run([]string{"-h"}, nil, &out); err != nil || !strings.HasPrefix(out.String(), usage) {
		t.Error(err, out.String())
	}
	for input, want := range map[string]string{
		`{`: "standard input: ",
		`{"kind":"Pod","metadata":{"namespace":"a","name":"b"},"spec":{"nodeName":1}}`: "Pod a/b",
		`{"items":[{"kind":"ResourceSlice","spec":1}]}`:                                "ResourceSlice",
		`{"items":1}`: "Items",
	} {
		if err := run(nil, strings.NewReader(input), &out); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", input, err, want)
		}
	}
	if err := run([]string{"no such file"}, nil, &out); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}
