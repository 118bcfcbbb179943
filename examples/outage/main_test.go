package main

import (
	"bytes"
	"errors"
	"flag"
	"strings"
	"testing"
)

func TestStatus(t *testing.T) {
	for _, test := range []struct {
		args   string
		status int
		stderr string // that it begins with
	}{
		{"-x", 2, "outage: flag provided but not defined: -x\noutage -h tells more\n"},
		{"file", 2, "outage: unexpected argument \"file\"\n"},
		{"-zones 0", 2, "outage: -zones, -nodes and -pods must be at least 1\n"},
		{"-nodes -3", 2, "outage: -zones, -nodes and -pods must be at least 1\n"},
		{"-pods 10000000", 2, "outage: more than 20000000 pods in all\n"},
		{"-pods 9223372036854775807 -nodes 9223372036854775807", 2, "outage: "},
		{"-lost -1s", 2, "outage: -lost must not be negative\n"},
		{"-back 5m", 2, "outage: -back must be later than -lost, or 0\n"},
		{"-back -5m", 2, "outage: -back must be later than -lost, or 0\n"},
		{"-others-back 5m", 2, "outage: -others-back must be later than -others-lost, or 0\n"},
		{"-for -1s", 2, "outage: -every must be positive and -for must not be negative\n"},
		{"-every 0", 2, "outage: -every must be positive and -for must not be negative\n"},
		{"-node-lease-renew-interval 1ns", 2, "outage: -node-lease-renew-interval and -node-monitor-period must be at least 1ms\n"},
		{"-node-monitor-period 0", 2, "outage: -node-lease-renew-interval and -node-monitor-period must be at least 1ms\n"},
		{"-node-monitor-grace-period 9s", 2, "outage: -node-lease-renew-interval must not be longer than -node-monitor-grace-period\n"},
		{"-node-monitor-grace-period 10s -for 1m", 0, ""},
		{"-node-eviction-rate much", 2, "outage: invalid value \"much\" for flag -node-eviction-rate: invalid syntax\n"},
		{"-node-eviction-rate NaN", 2, "outage: "},
		{"-policy best", 2, "outage: invalid value \"best\" for flag -policy: must be first-match, most-lenient or since-added\n"},
		{"-svg testdata/none/x.svg", 1, "outage: open testdata/none/x.svg: no such file"},
		{"-policy most-lenient -for 0", 0, ""},
		{"-lost 1s -back 2s -others-lost 0 -for 10s", 0, ""},
	} {
		t.Run(test.args, func(t *testing.T) {
			var stdout, stderr bytes.Buffer
			status := run(strings.Fields(test.args), &stdout, &stderr)
			if status != test.status || !strings.HasPrefix(stderr.String(), test.stderr) {
				t.Errorf("status %d, stderr %q; want %d, %q", status, &stderr, test.status, test.stderr)
			}
			if status != 0 && stdout.Len() > 0 {
				t.Errorf("output although it failed: %q", &stdout)
			}
		})
	}
}

func TestHelp(t *testing.T) {
	var stdout, stderr bytes.Buffer
	if status := run([]string{"-h"}, &stdout, &stderr); status != 0 || stderr.Len() > 0 {
		t.Errorf("status %d, stderr %q", status, &stderr)
	}
	if !strings.HasPrefix(stdout.String(), usageText) {
		t.Errorf("got %s", &stdout)
	}
	new(options).newFlags().VisitAll(func(f *flag.Flag) {
		if !strings.Contains(stdout.String(), "  -"+f.Name+" ") {
			t.Errorf("the usage does not tell of -%s", f.Name)
		}
	})
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left") }

func TestOutputFails(t *testing.T) {
	var stderr bytes.Buffer
	if status := run([]string{"-for", "0"}, full{}, &stderr); status != 1 || stderr.String() != "outage: no space left\n" {
		t.Errorf("status %d, stderr %q", status, &stderr)
	}
}
