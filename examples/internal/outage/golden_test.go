package outage

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/tolero-dev/tolero/examples/internal/golden"
)

// output returns what a run prints.
func output(t *testing.T, args ...string) string {
	t.Helper()
	status, stdout, stderr := golden.Run(&Command, "", args...)
	if status != 0 || stderr != "" {
		t.Errorf("status %d, stderr %q", status, stderr)
	}
	return stdout
}

func TestGolden(t *testing.T) {
	for _, test := range []struct {
		golden string
		args   []string
	}{
		{"default.golden", nil},
		{"intime.golden", []string{"-others-lost", "0", "-back", "15m", "-for", "20m", "-every", "1m"}},              // most evictions are cancelled
		{"partial.golden", []string{"-zones", "1", "-nodes", "60", "-lost", "1s", "-back", "0", "-for", "30m"}},      // one zone is all zones
		{"small.golden", []string{"-nodes", "5", "-zones", "30", "-pods", "3", "-node-eviction-rate", "1e2"}},        // many zones
		{"quiet.golden", []string{"-lost", "0", "-others-lost", "0", "-for", "1000000s", "-nodes", "5"}},             // nothing happens
		{"fewer.golden", []string{"-node-monitor-grace-period", "40s", "-policy", "since-added", "-few-seconds=-1"}}, // of Kubernetes before 1.32
	} {
		t.Run(test.golden, func(t *testing.T) {
			text := output(t, test.args...)
			golden.Check(t, test.golden, text)
			for line := range strings.Lines(text) {
				if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > 100 {
					t.Errorf("%d columns: %s", n, line)
				}
			}
		})
	}
}

// TestPicture compares the picture of the README.
func TestPicture(t *testing.T) {
	name := filepath.Join(t.TempDir(), "outage.svg")
	output(t, "-svg", name)
	svg, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	golden.Check(t, "default.svg", string(svg))
}
