package outage

import (
	"flag"
	"strings"
	"testing"

	"github.com/tolero-dev/tolero/examples/internal/golden"
)

func TestStatus(t *testing.T) {
	for _, test := range []struct {
		args   string
		status int
		stderr string // that it begins with
	}{
		{"-x", 2, "tolero outage: flag provided but not defined: -x\ntolero outage -h tells more\n"},
		{"file", 2, "tolero outage: no node \"file\" in the input; there are: node-a-00, node-a-01, node-a-02, node-a-03, node-a-04 and 295 more\n"},
		{"-zone d", 2, "tolero outage: no zone \"d\" in the input; there are: a, b, c\n"},
		{"-lost 5m", 2, "tolero outage: flag provided but not defined: -lost\n"},
		{"-back -5m", 2, "tolero outage: -back and -for must not be negative, and -every must be positive\n"},
		{"-for -1s", 2, "tolero outage: -back and -for must not be negative, and -every must be positive\n"},
		{"-every 0", 2, "tolero outage: -back and -for must not be negative, and -every must be positive\n"},
		{"-node-lease-renew-interval 1ns", 2, "tolero outage: -node-lease-renew-interval and -node-monitor-period must be at least 1ms\n"},
		{"-node-monitor-period 0", 2, "tolero outage: -node-lease-renew-interval and -node-monitor-period must be at least 1ms\n"},
		{"-node-monitor-grace-period 9s", 2, "tolero outage: -node-lease-renew-interval must not be longer than -node-monitor-grace-period\n"},
		{"-node-monitor-grace-period 10s -for 1m", 0, ""},
		{"-node-eviction-rate much", 2, "tolero outage: invalid value \"much\" for flag -node-eviction-rate: must be a finite number\n"},
		{"-node-eviction-rate NaN", 2, "tolero outage: "},
		{"-policy best", 2, "tolero outage: invalid value \"best\" for flag -policy: must be first-match, most-lenient or since-added\n"},
		{"-svg testdata/none/x.svg", 2, "tolero outage: write testdata/none/x.svg: no such file or directory\n"},
		{"-policy most-lenient -for 1s", 0, ""},
	} {
		t.Run(test.args, func(t *testing.T) {
			status, stdout, stderr := golden.Run(&Command, "", strings.Fields(test.args)...)
			if status != test.status || !strings.HasPrefix(stderr, test.stderr) {
				t.Errorf("status %d, stderr %q; want %d, %q", status, stderr, test.status, test.stderr)
			}
			if status != 0 && stdout != "" {
				t.Errorf("output although it failed: %q", stdout)
			}
		})
	}
}

// The help tells of each flag.
func TestHelp(t *testing.T) {
	status, stdout, stderr := golden.Run(&Command, "", "-h")
	if status != 0 || stderr != "" {
		t.Errorf("status %d, stderr %q", status, stderr)
	}
	flags := flag.NewFlagSet("", flag.ContinueOnError)
	new(options).flags(flags)
	flags.VisitAll(func(f *flag.Flag) {
		if !strings.Contains(stdout, "-"+f.Name+" ") {
			t.Errorf("the help does not tell of -%s", f.Name)
		}
	})
}
