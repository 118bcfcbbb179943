package matrix

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/tolero-dev/tolero/examples/internal/golden"
)

func TestGolden(t *testing.T) {
	for _, test := range []struct {
		golden string
		args   []string
	}{
		{"embedded.table.golden", nil},
		{"embedded.json.golden", []string{"-o", "json"}},
		{"cluster.table.golden", []string{"-f", "testdata/cluster.json"}},
		{"cluster.wide.golden", []string{"-f", "testdata/cluster.json", "-width", "200", "-limit", "10"}},
		{"cluster.json.golden", []string{"-f", "testdata/cluster.json", "-o", "json"}},
		{"devices.table.golden", []string{"-f", "testdata/devices.json", "-now", "2026-03-01T12:00:00Z"}},
		{"workloads.table.golden", []string{"-f", "testdata/workloads.yaml", "-f", "testdata/cluster.yaml"}},
	} {
		t.Run(test.golden, func(t *testing.T) {
			r := start(t, "", test.args...)
			if r.status != 0 || r.stderr != "" {
				t.Errorf("status %d, stderr %q", r.status, r.stderr)
			}
			golden.Check(t, test.golden, r.stdout)
		})
	}
}

// TestWidth shows that no line of the table is longer than it may be.
func TestWidth(t *testing.T) {
	for _, width := range []string{"40", "100", "200"} {
		for _, args := range [][]string{{}, {"-f", "testdata/cluster.json"}, {"-f", "testdata/devices.json"}, {"-scenario", "numeric", "-nodes", "50", "-pods", "50"}} {
			r := start(t, "", append(args, "-width", width)...)
			for line := range strings.Lines(r.stdout) {
				if line = strings.TrimSuffix(line, "\n"); length(line) > map[string]int{"40": 40, "100": 100, "200": 200}[width] {
					t.Errorf("longer than %s: %q", width, line)
				}
			}
		}
	}
}

// TestMachineFormats reads JSON again and compares its sums.
func TestMachineFormats(t *testing.T) {
	var document jsonReport
	if err := json.Unmarshal(golden.Result(start(t, "", "-o", "json").stdout), &document); err != nil {
		t.Fatal(err)
	}
	if len(document.Lists) != document.TolerationLists {
		t.Errorf("%d lists, announced %d", len(document.Lists), document.TolerationLists)
	}
	totals := document.Totals
	if sum := totals.Free + totals.Avoid + totals.Refused; sum != totals.Pairs || sum != document.Pods*document.Nodes {
		t.Errorf("%d pairs, in all %d", sum, totals.Pairs)
	}
	for i, list := range document.Lists {
		if list.Free+list.Avoid+list.Refused != document.Nodes {
			t.Errorf("list %d: the numbers do not add up", i)
		}
	}
}
