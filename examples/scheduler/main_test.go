package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/tolero-dev/tolero/examples/internal/golden"
)

func TestGolden(t *testing.T) {
	for _, test := range []struct {
		golden string
		args   []string
	}{
		{"default.golden", nil},
		{"small.golden", strings.Fields("-nodes 5 -pods 20 -events 60 -seed 3 -v")},
		{"empty.golden", strings.Fields("-nodes 0 -pods 0 -events 0")},
	} {
		t.Run(test.golden, func(t *testing.T) {
			var stdout, stderr bytes.Buffer
			if err := run(test.args, &stdout, &stderr); err != nil || stderr.Len() > 0 {
				t.Fatalf("%v, stderr %q", err, &stderr)
			}
			golden.Check(t, test.golden, stdout.String())
		})
	}
}

func TestArguments(t *testing.T) {
	const between = "scheduler: -nodes, -pods and -events must be between 0 and 10000000, and there are no arguments\n"
	for args, want := range map[string]string{ // that stderr begins with
		"-h":               "Usage of scheduler:\n",
		"-x":               "flag provided but not defined: -x\nUsage of scheduler:\n",
		"-nodes many":      "invalid value \"many\" for flag -nodes",
		"-nodes -1":        between,
		"-events 10000001": between,
		"now":              between,
	} {
		var stdout, stderr bytes.Buffer
		if err := run(strings.Fields(args), &stdout, &stderr); err == nil || !strings.HasPrefix(stderr.String(), want) || stdout.Len() > 0 {
			t.Errorf("%s: %v, stdout %q, stderr %q", args, err, &stdout, &stderr)
		}
	}
}
