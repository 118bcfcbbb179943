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
		{"intime.golden", []string{"-back", "5m30s", "-every", "1m"}},                                                           // most evictions are cancelled
		{"all.golden", []string{"-zone", "a", "-zone", "b", "-zone", "c", "-back", "20m", "-for", "40m"}},                       // nothing is evicted while all zones are lost
		{"fewer.golden", []string{"-node-monitor-grace-period", "40s", "-policy", "since-added", "-node-eviction-rate", "1e2"}}, // of Kubernetes before 1.32
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
