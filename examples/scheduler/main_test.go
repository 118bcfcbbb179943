package main

import (
	"bytes"
	"errors"
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
			if status := run(test.args, &stdout, &stderr); status != 0 || stderr.Len() > 0 {
				t.Fatalf("status %d, stderr %q", status, &stderr)
			}
			golden.Check(t, test.golden, stdout.String())
		})
	}
}

func TestStatus(t *testing.T) {
	const between = "scheduler: -nodes, -pods and -events must be between 0 and 10000000\n"
	for _, test := range []struct {
		args   string
		status int
		stderr string // that it begins with
	}{
		{"-h", 0, ""},
		{"-x", 2, "scheduler: flag provided but not defined: -x\nusage: "},
		{"-nodes many", 2, "scheduler: invalid value \"many\" for flag -nodes"},
		{"-nodes -1", 2, between},
		{"-events 10000001", 2, between},
		{"now", 2, "scheduler: unexpected argument \"now\"\n"},
	} {
		var stdout, stderr bytes.Buffer
		status := run(strings.Fields(test.args), &stdout, &stderr)
		if status != test.status || !strings.HasPrefix(stderr.String(), test.stderr) || (stdout.Len() > 0) != (status == 0) {
			t.Errorf("%s: status %d, stdout %q, stderr %q", test.args, status, &stdout, &stderr)
		}
	}
}

func TestOutputFails(t *testing.T) {
	var stderr bytes.Buffer
	if status := run([]string{"-h"}, full{}, &stderr); status != 1 || stderr.String() != "scheduler: no space left\n" {
		t.Errorf("status %d, stderr %q", status, &stderr)
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left") }
