package main

import (
	"encoding/csv"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tolero-dev/tolero/examples/internal/golden"
	"github.com/tolero-dev/tolero/toleration"
)

func TestGolden(t *testing.T) {
	for _, test := range []struct {
		golden string
		args   []string
	}{
		{"embedded.table.golden", nil},
		{"embedded.json.golden", []string{"-o", "json"}},
		{"embedded.csv.golden", []string{"-o", "csv"}},
		{"cluster.table.golden", []string{"-f", "testdata/cluster.json"}},
		{"cluster.wide.golden", []string{"-f", "testdata/cluster.json", "-width", "200", "-reasons", "10"}},
		{"cluster.json.golden", []string{"-f", "testdata/cluster.json", "-o", "json"}},
		{"cluster.csv.golden", []string{"-f", "testdata/cluster.json", "-o", "csv"}},
		{"devices.table.golden", []string{"-f", "testdata/devices.json", "-now", "2026-03-01T12:00:00Z"}},
		{"workloads.table.golden", []string{"-f", "testdata/workloads.yaml", "-f", "testdata/cluster.yaml"}},
	} {
		for engine := range engines {
			t.Run(test.golden+"/"+engine, func(t *testing.T) {
				r := sweep(t, "", append(test.args, "-engine", engine)...)
				if r.status != 0 || r.stderr != "" {
					t.Errorf("status %d, stderr %q", r.status, r.stderr)
				}
				golden.Check(t, test.golden, r.stdout)
			})
		}
	}
}

// TestPicture compares the picture of the README.
func TestPicture(t *testing.T) {
	c := embedded()
	for _, e := range engines {
		golden.Check(t, "embedded.svg", string(draw(newFleet(c, toleration.Rules{}), e, c.title)))
	}
}

// TestWidth shows that no line of the table is longer than it may be.
func TestWidth(t *testing.T) {
	for _, width := range []string{"40", "100", "200"} {
		for _, args := range [][]string{{}, {"-f", "testdata/cluster.json"}, {"-f", "testdata/devices.json"}, {"-scenario", "numeric", "-nodes", "50", "-pods", "50"}} {
			r := sweep(t, "", append(args, "-width", width)...)
			for line := range strings.Lines(r.stdout) {
				if line = strings.TrimSuffix(line, "\n"); length(line) > map[string]int{"40": 40, "100": 100, "200": 200}[width] {
					t.Errorf("longer than %s: %q", width, line)
				}
			}
		}
	}
}

// TestMachineFormats reads JSON and CSV again and compares their sums.
func TestMachineFormats(t *testing.T) {
	var document jsonReport
	if err := json.Unmarshal([]byte(sweep(t, "", "-o", "json").stdout), &document); err != nil {
		t.Fatal(err)
	}
	if len(document.Lists) != document.TolerationLists {
		t.Errorf("%d lists, announced %d", len(document.Lists), document.TolerationLists)
	}
	totals := document.Totals
	if sum := totals.Free + totals.Avoid + totals.Refused; sum != totals.Pairs || sum != document.Pods*document.Nodes {
		t.Errorf("%d pairs, in all %d", sum, totals.Pairs)
	}
	records, err := csv.NewReader(strings.NewReader(sweep(t, "", "-o", "csv").stdout)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if len(records) != 1+len(document.Lists) {
		t.Fatalf("%d records", len(records))
	}
	for i, list := range document.Lists {
		if list.Free+list.Avoid+list.Refused != document.Nodes {
			t.Errorf("list %d: the numbers do not add up", i)
		}
		if got, want := records[i+1][3:7], []string{number(list.Free), number(list.Avoid), number(list.Refused), number(list.EvictNow)}; !cmp.Equal(got, want) {
			t.Errorf("list %d: %v in CSV, %v in JSON", i, got, want)
		}
	}
}
